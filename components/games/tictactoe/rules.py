"""Tic-tac-toe as scalar kernels: plain arithmetic on one state, in place. No randomness, no exceptions, no allocation."""

import numpy as np

from components.core.jit import kernel

EMPTY = 0
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]], dtype=np.int8)


@kernel
def setup(rules, state, draws):
    """Make a zeroed state the start position. Nothing to draw: the board is empty and player 0 begins."""
    state.board[:] = EMPTY
    state.mover = 0
    state.ply = 0


@kernel
def line_owner(state):
    """1 or 2 if that mark has three in a row, else 0."""
    for line in range(LINES.shape[0]):
        mark = state.board[LINES[line, 0]]
        if mark != EMPTY and mark == state.board[LINES[line, 1]] and mark == state.board[LINES[line, 2]]:
            return mark
    return EMPTY


@kernel
def is_over(rules, state):
    return state.ply == 9 or line_owner(state) != EMPTY


@kernel
def legal(rules, state, out):
    """Write the legal actions to out in ascending order and return how many there are; 0 when the game is over."""
    if is_over(rules, state):
        return 0
    count = 0
    for cell in range(9):
        if state.board[cell] == EMPTY:
            out[count] = cell
            count += 1
    return count


@kernel
def apply(rules, state, action):
    """Play a legal action. The turn is complete after every ply, so the mover always changes."""
    state.board[action] = state.mover + 1
    state.mover = 1 - state.mover
    state.ply += 1


@kernel
def returns(rules, state, out):
    """Write each player's result to out [2] and say whether the game is over; 0 for both while it is not."""
    out[0] = 0.0
    out[1] = 0.0
    owner = line_owner(state)
    if owner != EMPTY:
        sign = -1.0 if rules.misere else 1.0
        out[owner - 1] = sign
        out[2 - owner] = -sign
    return is_over(rules, state)


@kernel
def encode(rules, state, planes):
    """Fill planes [2, 3, 3], already zero: own marks, the opponent's marks, as the mover sees them."""
    for cell in range(9):
        mark = state.board[cell]
        if mark != EMPTY:
            planes[0 if mark == state.mover + 1 else 1, cell // 3, cell % 3] = 1.0


@kernel
def turn_start(rules, state, cell_map):
    """Turn a start position by a symmetry. The empty board looks the same from every side."""
