"""Value-only search, the Organism report's method: no policy head, the prior comes from the values of all successors.

Wraps an evaluator that knows values. A successor's value is turned to the side of the one who chooses: the sign changes only
if the turn really passed on. Finished games count with their true result.
"""

import numpy as np
from numpy.typing import NDArray

from components.core.jit import kernel
from components.games.contract import PLAYERS, Game, States
from components.search.evaluators import Evaluator, Judgement
from components.search.perspective import for_first, for_mover


@kernel
def write_priors(chooser_mover, movers, values, over, results, actions, count, temperature, logits):
    """logits[action] = value of its successor for the chooser / temperature."""
    for i in range(count):
        value_for_first = results[i, 0] if over[i] else for_first(values[i], movers[i])
        logits[actions[i]] = for_mover(value_for_first, chooser_mover) / temperature


class ValueOnlyEvaluator:
    """Prior softmax(value for the chooser / T) over all distinct successors, evaluated in one batch for all leaves."""

    def __init__(self, game: Game, values: Evaluator, temperature: float) -> None:
        self.game, self.values, self.temperature = game, values, temperature
        self.actions = np.zeros(game.spec.max_legal, dtype=np.int32)
        self.successors = game.new_states(game.spec.max_legal)

    def evaluate(self, states: States, rows: NDArray[np.int64], streams: NDArray[np.uint64]) -> Judgement:
        successors, actions, counts = self.list_successors(states, rows)
        over, results = self.endings(successors)
        values = np.zeros(len(successors), dtype=np.float32)
        open_rows = np.flatnonzero(~over)
        asked = self.game.new_states(len(rows) + len(open_rows))
        asked[: len(rows)], asked[len(rows) :] = states[rows], successors[open_rows]
        _, answers = self.values.evaluate(asked, np.arange(len(asked)), np.zeros(len(asked), dtype=np.uint64))
        values[open_rows] = answers[len(rows) :]
        logits = np.zeros((len(rows), self.game.spec.actions), dtype=np.float32)
        start = 0
        for row, count in enumerate(counts):
            part = slice(start, start + count)
            mover, movers = int(states[rows[row]].mover), successors["mover"][part]
            write_priors(
                mover, movers, values[part], over[part], results[part], actions[part], count, self.temperature, logits[row]
            )
            start += count
        return logits, answers[: len(rows)].astype(np.float32)

    def list_successors(self, states: States, rows: NDArray[np.int64]) -> tuple[States, NDArray[np.int32], list[int]]:
        found, actions, counts = [], [], []
        for row in rows:
            count = int(self.game.kernels.successors(self.game.rules, states[row], self.actions, self.successors))
            found.append(self.successors[:count].copy())
            actions.append(self.actions[:count].copy())
            counts.append(count)
        successors = self.game.new_states(sum(counts))
        successors[:] = np.concatenate(found)
        return successors, np.concatenate(actions), counts

    def endings(self, states: States) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        over, results = np.zeros(len(states), dtype=np.bool_), np.zeros((len(states), PLAYERS), dtype=np.float32)
        self.game.kernels.returns_many(self.game.rules, states, results, over)
        return over, results
