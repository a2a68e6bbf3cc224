"""Which chains live in seki: without two eyes, by liberties that neither side may take. Read off a position whose dead are known.

Used by the GTP engine for final_status_list. Promises no seki where one move shows that it is none: a liberty is only
untouchable if whoever plays it is left with one liberty at most.
"""

from collections.abc import Sequence

import numpy as np

from components.core.errors import IllegalAction
from components.games.contract import PLAYERS, Game, State
from components.games.go.board import EMPTY, count_liberties
from components.games.go.position import from_board
from components.games.go.score import ownership
from components.protocols.go_status import cleared_board


def seki_points(game: Game, state: State, dead: Sequence[int]) -> list[int]:
    """The points of all stones in seki, chains as a whole."""
    board = [int(stone) for stone in cleared_board(state, list(dead)).board]
    positions = [from_board(game, board, mover) for mover in range(PLAYERS)]
    owners = np.zeros(game.spec.cells, dtype=np.int8)
    ownership(game.rules, positions[0], owners)
    heads = np.asarray(positions[0].head)
    found: list[int] = []
    for head in np.unique(heads[np.asarray(board) != EMPTY]):
        chain = np.flatnonzero(heads == head).tolist()
        if is_in_seki(game, positions, owners, chain):
            found += chain
    return sorted(found)


def is_in_seki(game: Game, positions: Sequence[State], owners: np.ndarray, chain: Sequence[int]) -> bool:
    """At most one eye of one point, and all other liberties shared and untouchable."""
    board = positions[0].board
    liberties = {point for stone in chain for point in around(game, stone) if board[point] == EMPTY}
    eyes = [point for point in liberties if owners[point] != 0]
    if len(eyes) > 1 or any(board[point] == EMPTY for eye in eyes for point in around(game, eye)):
        return False
    shared = liberties - set(eyes)
    return bool(shared) and all(is_untouchable(game, positions, point) for point in shared)


def around(game: Game, point: int) -> list[int]:
    return [int(neighbour) for neighbour in game.rules.neighbours[point, : game.rules.degree[point]]]


def is_untouchable(game: Game, positions: Sequence[State], point: int) -> bool:
    """Whether either side would put itself into atari there, or may not play at all."""
    for position in positions:
        try:
            after = game.after(position, point)
        except IllegalAction:
            continue
        if count_liberties(game.rules, after, point, 2) > 1:
            return False
    return True
