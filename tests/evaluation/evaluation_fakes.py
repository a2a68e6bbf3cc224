"""Small players and hand-written records that the evaluation tests share."""

import numpy as np

from components.core.errors import EngineFailure
from components.core.seeds import draw_below
from components.evaluation.result import GameRecord, MatchResult


class LowestAction:
    """Always the first legal action: deterministic, and easy to foresee."""

    def choose(self, game, states, streams):
        return np.array([game.legal(state)[0] for state in states], dtype=np.int32)


class HighestAction:
    def choose(self, game, states, streams):
        return np.array([game.legal(state)[-1] for state in states], dtype=np.int32)


class WinTaker:
    """Wins when one action does it, else plays at random: clearly better than random, and it draws from its stream."""

    def choose(self, game, states, streams):
        return np.array([self.pick(game, state, streams, row) for row, state in enumerate(states)], dtype=np.int32)

    def pick(self, game, state, streams, row):
        legal = game.legal(state)
        for action in legal:
            returns = game.returns(game.after(state, int(action)))
            if returns is not None and returns[int(state.mover)] > 0:
                return action
        return legal[draw_below(streams, row, len(legal))]


class Seated(LowestAction):
    """Keeps what the hooks told it; fails at the calls it is told to."""

    def __init__(self, failures=()):
        self.calls, self.failures, self.told, self.seen = 0, dict(failures), [], []

    def begin_games(self, game, count):
        self.told.append(("begin_games", game.name, count))

    def begin_game(self, table):
        self.told.append(("begin_game", table))

    def close(self):
        self.told.append(("close",))

    def choose_seated(self, game, states, streams, tables, histories):
        self.calls += 1
        self.seen.append((list(map(int, tables)), list(histories)))
        if self.calls in self.failures:
            raise EngineFailure("the engine was killed.", self.failures[self.calls])
        return self.choose(game, states, streams)


class AlwaysFailing:
    def choose(self, game, states, streams):
        raise EngineFailure("the engine does not answer.")


def record_of(pair, side, own_return, digest=""):
    returns = (own_return, -own_return) if side == 0 else (-own_return, own_return)
    return GameRecord("m", pair, side, 1, 0, (0, 1, 2), returns, digest or f"{pair}-{side}", (2, 1), (0.2, 0.3))


def result_of(*pairs):
    """A match from pairs such as (1, 0): the player won as first mover and drew as second."""
    records = [record_of(pair, side, value) for pair, values in enumerate(pairs) for side, value in enumerate(values)]
    return MatchResult(("a", "b"), tuple(records))


def untimed(result):
    """The records without their seconds, which differ from run to run."""
    return [(record.pair, record.side, record.actions, record.returns, record.digest, record.moves) for record in result.records]
