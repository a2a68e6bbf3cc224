"""Self-play: a net against itself, many games in lock-step, told as plain records."""
