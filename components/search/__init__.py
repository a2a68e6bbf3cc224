"""Search over any game of the contract: flat arrays for many trees, rules and nets called in batches only."""
