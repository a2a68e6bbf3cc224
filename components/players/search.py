"""Players that think: search with a net, with rollouts or with values only, and a net that does not search at all.

Each plays many games at once and starts every ply with a fresh tree, so nothing leaks from game to game.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from components.core.seeds import draw_unit
from components.games.contract import Game, States
from components.games.players import legal_many
from components.search.config import SearchConfig
from components.search.evaluators import Evaluator
from components.search.forest import Forest, Insight

EvaluatorMaker = Callable[[Game], Evaluator]


class SearchPlayer:
    """Searches every position anew and plays what the search liked best."""

    def __init__(self, config: SearchConfig, make_evaluator: EvaluatorMaker) -> None:
        self.config, self.make_evaluator = config, make_evaluator
        self.forest: Forest | None = None
        self.insights: list[Insight] = []

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        forest = self._forest_for(game, len(states))
        forest.search(states, streams, is_noisy=False)
        self.insights = [forest.insight(slot) for slot in range(len(states))]
        chosen = np.zeros(len(states), dtype=np.int32)
        for slot, state in enumerate(states):
            chosen[slot] = forest.action_of(slot, forest.choose(slot, self.config.temperature_at(int(state.ply))))
        streams[:] = forest.streams[: len(states)]
        return chosen

    def _forest_for(self, game: Game, count: int) -> Forest:
        """One forest is kept and grown when a larger batch comes; its buffers are the player's whole memory."""
        if self.forest is None or self.forest.game is not game or self.forest.slots < count:
            evaluator = (
                self.make_evaluator(game) if self.forest is None or self.forest.game is not game else self.forest.evaluator
            )
            self.forest = Forest(game, evaluator, self.config, count)
        return self.forest


class NetPlayer:
    """Plays the evaluator's own policy without any search: the most probable action, or one drawn at a temperature."""

    def __init__(self, make_evaluator: EvaluatorMaker, temperature: float = 0.0) -> None:
        self.make_evaluator, self.temperature = make_evaluator, temperature
        self.game: Game | None = None

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        if self.game is not game:
            self.game, self.evaluator = game, self.make_evaluator(game)
        logits, _ = self.evaluator.evaluate(states, np.arange(len(states)), streams)
        actions, counts = legal_many(game, states)
        chosen = np.zeros(len(states), dtype=np.int32)
        for row in range(len(states)):
            legal = actions[row, : counts[row]]
            chosen[row] = legal[self._pick(logits[row, legal], streams, row)]
        return chosen

    def _pick(self, logits: NDArray[np.float32], streams: NDArray[np.uint64], row: int) -> int:
        if self.temperature <= 0:
            return int(np.argmax(logits))
        weights = np.exp((logits.astype(np.float64) - logits.max()) / self.temperature)
        return int(
            np.searchsorted(np.cumsum(weights), draw_unit(streams, row) * weights.sum(), side="right").clip(0, len(logits) - 1)
        )
