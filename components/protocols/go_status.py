"""Which stones are dead, and the score without them: an opinion from many random games played to the end.

Used by the GTP engine for final_score and final_status_list. A chain counts as dead only if nearly all of the games agree, so
a doubtful one stays, as our own referee would leave it. Draws from its own fixed stream: the same board, the same answer.
"""

import numpy as np
from numpy.typing import NDArray

from components.core.seeds import streams_of
from components.games.contract import PLAYERS, Game, State
from components.games.go.board import BLACK, EMPTY, WHITE
from components.games.go.score import ownership

GAMES = 128
CERTAIN = 0.9  # mean ownership against a stone's colour from which on it is dead
STATUS_KEY = 9


def mean_ownership(game: Game, state: State) -> NDArray[np.float64]:
    """[cells] from -1, White's in every game, to 1, Black's in every game."""
    ends = game.new_states(GAMES)
    for row in range(GAMES):
        ends[row] = state
        ends[row].passes, ends[row].resigned = 0, 0
        ends[row].ply = min(int(state.ply), game.spec.max_plies // 2)  # room to play on
        ends[row].mover = row % 2
    actions, results = np.zeros(game.spec.max_legal, dtype=np.int32), np.zeros((GAMES, PLAYERS), dtype=np.float32)
    game.kernels.rollout_many(game.rules, ends, streams_of(GAMES, STATUS_KEY), actions, results)
    owners = np.zeros((GAMES, game.spec.cells), dtype=np.int8)
    for row in range(GAMES):
        ownership(game.rules, ends[row], owners[row])
    return owners.mean(axis=0)


def dead_points(game: Game, state: State) -> list[int]:
    """The points of all stones that nearly every game took off; chains die as a whole."""
    owner = mean_ownership(game, state)
    board = np.asarray(state.board)
    against = np.where(board == BLACK, -owner, np.where(board == WHITE, owner, 0.0))
    dead: list[int] = []
    for head in np.unique(np.asarray(state.head)[board != EMPTY]):
        chain = np.flatnonzero((np.asarray(state.head) == head) & (board != EMPTY))
        if against[chain].mean() >= CERTAIN:
            dead += chain.tolist()
    return sorted(dead)


def cleared_board(state: State, dead: list[int]) -> State:
    """A copy of the board without the dead stones, good for counting only."""
    cleared = state.copy()
    for point in dead:
        cleared.board[point] = EMPTY
    return cleared
