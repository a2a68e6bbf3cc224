"""Baseline players without a net, and how a short text names one.

`random` plays every game; a game's own baselines are in its players.py. Used as opponents, as ladders and in tests.
"""

import importlib
import importlib.util

import numpy as np
from numpy.typing import NDArray

from components.core.errors import UnknownName
from components.core.jit import kernel
from components.core.seeds import draw_below
from components.games.contract import PLAYERS, Game, Player, States


@kernel
def pick_uniform(actions, counts, streams, chosen):
    """chosen[i] = one of actions[i, :counts[i]], drawn from streams[i]."""
    for row in range(counts.shape[0]):
        chosen[row] = actions[row, draw_below(streams, row, counts[row])]


class RandomPlayer:
    """Uniform over the legal actions of each ply."""

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        actions, counts = legal_many(game, states)
        chosen = np.empty(len(states), dtype=np.int32)
        pick_uniform(actions, counts, streams, chosen)
        return chosen


def legal_many(game: Game, states: States) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The legal actions of each state: [n, max_legal] of which the first counts[i] of row i are meant."""
    rows = np.arange(len(states))
    actions = np.zeros((len(states), game.spec.max_legal), dtype=np.int32)
    counts = np.zeros(len(states), dtype=np.int32)
    results = np.zeros((len(states), PLAYERS), dtype=np.float32)
    game.kernels.describe_many(game.rules, states, rows, actions, counts, results, np.zeros(len(states), dtype=np.bool_))
    return actions, counts


def baselines(family: str) -> dict[str, type[Player]]:
    """Every baseline player of a game by its name."""
    own: dict[str, type[Player]] = {}
    if importlib.util.find_spec(f"components.games.{family}.players"):
        own = importlib.import_module(f"components.games.{family}.players").BASELINES
    return {"random": RandomPlayer, **own}


def make_baseline(name: str, game: Game) -> Player:
    known = baselines(game.family)
    if name not in known:
        raise UnknownName(f"{game.family} has no baseline player '{name}'; it has {', '.join(known)}.")
    return known[name]()
