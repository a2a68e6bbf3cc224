"""From a search's parameters to its evaluator: the net itself, rollouts, values of all successors; remembered if asked for.

Called wherever a search is set up: self-play, players, gates.
"""

import numpy as np
from numpy.typing import NDArray

from components.games.contract import Game, States
from components.search.config import SearchConfig
from components.search.evaluators import Evaluator, Judgement
from components.search.uct import RolloutEvaluator
from components.search.value_only import ValueOnlyEvaluator


def evaluator_of(game: Game, config: SearchConfig, net: Evaluator | None = None) -> Evaluator:
    """The evaluator that a mode calls for; only rollouts do without a net."""
    if config.mode == "uct":
        return RolloutEvaluator(game, config.rollout)
    assert net is not None, f"mode {config.mode} needs a net"
    known = CachedEvaluator(net, game, config.cache_entries) if config.cache_entries else net
    return ValueOnlyEvaluator(game, known, config.prior_temperature) if config.mode == "value-only" else known


class CachedEvaluator:
    """Remembers judgements by the position's bytes, the oldest forgotten first. For evaluators that draw nothing."""

    def __init__(self, inner: Evaluator, game: Game, entries: int) -> None:
        self.inner, self.actions, self.entries = inner, game.spec.actions, entries
        self.known: dict[bytes, tuple[NDArray[np.float32], np.float32]] = {}
        self.hits = 0

    def evaluate(self, states: States, rows: NDArray[np.int64], streams: NDArray[np.uint64]) -> Judgement:
        keys = [states[row].tobytes() for row in rows]
        unknown = [place for place, key in enumerate(keys) if key not in self.known]
        self.hits += len(rows) - len(unknown)
        found = {key: self.known[key] for key in keys if key in self.known}
        if unknown:
            logits, values = self.inner.evaluate(states, rows[unknown], streams[unknown])
            for answer, place in enumerate(unknown):
                found[keys[place]] = (logits[answer].copy(), values[answer])
                self.remember(keys[place], found[keys[place]])
        return np.stack([found[key][0] for key in keys]), np.array([found[key][1] for key in keys], dtype=np.float32)

    def remember(self, key: bytes, judgement: tuple[NDArray[np.float32], np.float32]) -> None:
        while len(self.known) >= self.entries:
            del self.known[next(iter(self.known))]
        self.known[key] = judgement
