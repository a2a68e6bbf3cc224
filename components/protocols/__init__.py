"""How our players talk to the world: GTP, Riddles.io text, SGF, and a person at the terminal."""
