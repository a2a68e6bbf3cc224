"""Go positions that were set up rather than played: handicap stones, problems, files, drawn boards in tests.

Called by text.py, tests and whoever reads positions. Promises a complete state (chains, hash, history) or a sentence; the
board set up is the first of the game, as an empty board would be.
"""

from collections.abc import Iterable

import numpy as np

from components.core.errors import BadParameter
from components.games.contract import Game, State
from components.games.go.board import BLACK, EMPTY, WHITE, has_stifled_chain, place_board
from components.games.go.rules import forget_positions, remember

MARKS = ".XO"  # empty, Black, White: the values of state.board


def from_stones(game: Game, black: Iterable[int], white: Iterable[int], mover: int = 0) -> State:
    """The position with these stones and that player to move, nothing having happened before."""
    board = [EMPTY] * game.spec.cells
    for colour, points in ((BLACK, black), (WHITE, white)):
        for point in points:
            if not 0 <= point < game.spec.cells:
                raise BadParameter(f"{game.name} has no point {point}; points are 0 to {game.spec.cells - 1}.")
            if board[point] != EMPTY:
                raise BadParameter(f"{game.name}: two stones are set on point {point}; set each point once.")
            board[point] = colour
    return from_board(game, board, mover)


def from_board(game: Game, board: Iterable[int], mover: int = 0) -> State:
    """The position with this board [cells] of 0 empty, 1 black, 2 white."""
    state = game.start()
    place_board(game.rules, state, np.array(list(board), dtype=np.int8))
    if has_stifled_chain(game.rules, state):
        raise BadParameter(f"{game.name}: a chain without liberties cannot stay on the board:\n{rows_of(game, state)}")
    state.mover = mover
    forget_positions(state)
    remember(game.rules, state, state.board_hash)
    return state


def position_from_rows(game: Game, text: str, mover: int = 0) -> State:
    """The position of rows such as '. X O', top row first; blanks between the points do not matter."""
    rows = ["".join(line.split()) for line in text.strip().splitlines()]
    side = game.spec.width
    if len(rows) != side or any(len(row) != side or set(row) - set(MARKS) for row in rows):
        raise BadParameter(f"{game.name} needs {side} rows of {side} points, each '.', 'X' or 'O'; found:\n{text}")
    return from_board(game, [MARKS.index(mark) for row in rows for mark in row], mover)


def rows_of(game: Game, state: State) -> str:
    """The board as bare rows, top first."""
    side = game.spec.width
    return "\n".join(" ".join(MARKS[mark] for mark in state.board[row * side : (row + 1) * side]) for row in range(side))
