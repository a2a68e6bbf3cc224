"""The evaluation cache: keyed by the whole state, it changes nothing but the work."""

import numpy as np

from components.core.seeds import streams_of
from components.games.registry import make
from components.search.config import SearchConfig
from components.search.evaluators import UniformEvaluator
from components.search.forest import Forest
from components.search.modes import CachedEvaluator


class PositionOnly(UniformEvaluator):
    """Values and logits that depend on the position alone, and a count of what was asked."""

    asked = 0

    def evaluate(self, states, rows, streams):
        self.asked += len(rows)
        logits, values = super().evaluate(states, rows, streams)
        for i, row in enumerate(rows):
            logits[i] = np.sin(np.arange(9) + int(states[row].board.sum()))
            values[i] = np.cos(int(states[row].board @ np.arange(9)))
        return logits, values


def edges_of(evaluator, searches=1) -> bytes:
    """What two trees have grown to after the last of some searches of the same positions."""
    game = make("tictactoe")
    forest, states = Forest(game, evaluator, SearchConfig(simulations=300), 2), game.new_states(2)
    states[0], states[1] = game.start(), game.after(game.start(), 4)
    for _ in range(searches):
        forest.search(states, streams_of(2, 1))
    return forest.arrays.edges[:, : forest.arrays.trees["edges"].min()].tobytes()


def test_remembered_evaluations_change_nothing_but_the_work():
    game = make("tictactoe")
    plain, inner = PositionOnly(game), PositionOnly(game)
    cached = CachedEvaluator(inner, game, entries=5000)
    assert edges_of(plain) == edges_of(cached)
    assert inner.asked < plain.asked
    assert cached.hits == plain.asked - inner.asked
    asked = inner.asked
    assert edges_of(cached, searches=2) == edges_of(plain)
    assert inner.asked == asked  # the second and third search knew everything


def test_the_oldest_evaluations_are_forgotten():
    game = make("tictactoe")
    small = CachedEvaluator(PositionOnly(game), game, entries=10)
    assert edges_of(small) == edges_of(PositionOnly(game))
    assert len(small.known) <= 10


def test_positions_that_differ_in_anything_are_remembered_apart():
    """Not by the board alone: who moves and how long the game has lasted decide what a position is worth."""
    game = make("tictactoe")
    cached = CachedEvaluator(PositionOnly(game), game, entries=10)
    states = game.new_states(3)
    states[1].ply, states[2].mover = 1, 1
    cached.evaluate(states, np.arange(3), streams_of(3, 1))
    assert len(cached.known) == 3
