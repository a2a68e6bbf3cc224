"""UCT's evaluator: the result of one random game from the leaf, and a prior that treats all actions alike."""

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadParameter
from components.core.jit import kernel
from components.games.contract import PLAYERS, Game, States
from components.search.evaluators import Judgement
from components.search.perspective import for_mover


@kernel
def values_for_movers(movers, results, values):
    for i in range(values.shape[0]):
        values[i] = for_mover(results[i, 0], movers[i])


class RolloutEvaluator:
    """Plays each leaf to its end. The policy is the game's own; `uniform-pass` is the one the 9x9 Go report ran."""

    def __init__(self, game: Game, rollout: str = "default") -> None:
        if rollout != "default" and not hasattr(game.kernels, "rollout_policy_many"):
            raise BadParameter(f"{game.name} has one rollout policy, 'default'; found '{rollout}'.")
        self.game = game
        self.is_uniform_pass = rollout == "uniform-pass"
        self.actions = np.zeros(game.spec.max_legal, dtype=np.int32)

    def evaluate(self, states: States, rows: NDArray[np.int64], streams: NDArray[np.uint64]) -> Judgement:
        played, results = states[rows].copy(), np.zeros((len(rows), PLAYERS), dtype=np.float32)
        movers = played["mover"].copy()
        if self.is_uniform_pass:
            self.game.kernels.rollout_policy_many(self.game.rules, played, streams, self.actions, results, 1)
        else:
            self.game.kernels.rollout_many(self.game.rules, played, streams, self.actions, results)
        values = np.zeros(len(rows), dtype=np.float32)
        values_for_movers(movers, results, values)
        return np.zeros((len(rows), self.game.spec.actions), dtype=np.float32), values
