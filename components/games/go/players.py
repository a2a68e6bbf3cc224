"""Go's baseline players: the two random players of the 9x9 report (as written, as coded) and one that always passes."""

import numpy as np
from numpy.typing import NDArray

from components.core.jit import kernel
from components.core.seeds import draw_below
from components.games.contract import Game, Player, States
from components.games.go.score import is_report_eye
from components.games.players import RandomPlayer, legal_many


@kernel
def pick_outside_eyes(rules, states, actions, counts, streams, chosen):
    """chosen[i] = a uniform legal point of state i that is no own eye by the report's rule; pass if there is none."""
    for row in range(counts.shape[0]):
        kept = 0
        for i in range(counts[row] - 1):  # the last legal action is the pass
            action = actions[row, i]
            if not is_report_eye(rules, states[row].board, action, states[row].mover + 1):
                actions[row, kept] = action
                kept += 1
        chosen[row] = actions[row, draw_below(streams, row, kept)] if kept > 0 else rules.cells


class RandomEyesPlayer:
    """The report's random player as written: any legal point but own eyes, pass only if none is left."""

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        actions, counts = legal_many(game, states)
        chosen = np.empty(len(states), dtype=np.int32)
        pick_outside_eyes(game.rules, states, actions, counts, streams, chosen)
        return chosen


class RandomUniformPassPlayer(RandomPlayer):
    """The report's random player as coded: pass is as likely as any legal point. In Go that is what `random` does."""


class PassPlayer:
    """Passes, whatever happens."""

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        return np.full(len(states), game.spec.cells, dtype=np.int32)


BASELINES: dict[str, type[Player]] = {
    "random-eyes": RandomEyesPlayer,
    "random-uniform-pass": RandomUniformPassPlayer,
    "pass": PassPlayer,
}
