"""Tic-tac-toe: the game to copy when you add one. spec.py, rules.py, kernels.py, text.py, in this order."""
