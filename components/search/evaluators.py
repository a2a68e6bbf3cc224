"""Where a leaf's prior and value come from: the interface, and two evaluators that need no net.

Search asks `evaluate` once a round for all new leaves. Nets answer in nets/evaluator.py, rollouts in uct.py.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from components.games.contract import Game, States

Judgement = tuple[NDArray[np.float32], NDArray[np.float32]]  # logits [n, actions], value for each mover [n]


class Evaluator(Protocol):
    """Judges positions in batches. No row's answer may depend on its neighbours."""

    def evaluate(self, states: States, rows: NDArray[np.int64], streams: NDArray[np.uint64]) -> Judgement:
        """(logits [n, actions], value for each mover [n]) of states[rows], none of which is over.

        streams [n] are the games' own random streams, for evaluators that draw.
        """


class UniformEvaluator:
    """Knows nothing: every action alike, every position even. For tests and for measuring the tree alone."""

    def __init__(self, game: Game) -> None:
        self.actions = game.spec.actions

    def evaluate(self, states: States, rows: NDArray[np.int64], streams: NDArray[np.uint64]) -> Judgement:
        return np.zeros((len(rows), self.actions), dtype=np.float32), np.zeros(len(rows), dtype=np.float32)
