"""Trees in words, as they have always grown: `PYTHONPATH=. python tests/search/golden_trees.py` prints
golden_trees.txt anew.

A change of that file is a change of strength: review the diff, and show a match.
"""

import hashlib

import numpy as np

from components.core.seeds import streams_of
from components.games.registry import make
from components.search.config import SearchConfig
from components.search.evaluators import UniformEvaluator
from components.search.forest import Forest
from components.search.modes import evaluator_of

GAMES = ("tictactoe", "golad-4x4")  # turns of one ply, and turns of up to three by one mover
SEARCHES = {
    "puct": SearchConfig(simulations=60),
    "puct, noise, forced playouts, four leaves": SearchConfig(
        simulations=60, noise_fraction=0.25, forced_playouts=2.0, leaves=4, fpu="zero"
    ),
    "puct, beam of three": SearchConfig(simulations=60, beam=3, c=1.0),
    "gumbel": SearchConfig(mode="gumbel", simulations=32),
    "uct, ucb1": SearchConfig(mode="uct", rule="ucb1", c=1.0, simulations=60),
    "value-only": SearchConfig(mode="value-only", simulations=30, c=1.0, fpu="zero"),
}


class Digests(UniformEvaluator):
    """Logits and values made of the position's SHA-256: whole eighths, so that every processor computes the same."""

    def evaluate(self, states, rows, streams):
        logits, values = super().evaluate(states, rows, streams)
        for i, row in enumerate(rows):
            digest = np.frombuffer(hashlib.sha256(states[row].tobytes()).digest(), dtype=np.uint8)
            logits[i] = np.resize(digest % 16, self.actions) / 8
            values[i] = (int(digest[-1]) % 15 - 7) / 8
        return logits, values


def tree_in_words(name: str, config: SearchConfig) -> list[str]:
    game = make(name)
    forest = Forest(game, evaluator_of(game, config, Digests(game)), config, 1)
    forest.search(game.start_many(streams_of(1, 3)), streams_of(1, 4))
    insight, tree = forest.insight(0), forest.arrays.trees[0]
    visited = [
        f"{action}: {visits} {value:+.3f}"
        for action, visits, value in zip(insight.actions, insight.visits, insight.values, strict=True)
        if visits
    ]
    shape = f"depth {insight.depth}, breadth {insight.breadth:.2f}, nodes {tree.nodes}, edges {tree.edges}"
    return [f"value {insight.value:+.3f}, {shape}", f"plays {forest.action_of(0, forest.choose(0, 0.0))}", *visited]


def all_trees() -> str:
    lines = []
    for name in GAMES:
        for title, config in SEARCHES.items():
            lines += [f"# {name}, {title}", *tree_in_words(name, config), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    print(all_trees(), end="")
