"""Values find their owner: backups computed by hand, on trees drawn by hand."""

import numpy as np
import pytest

from components.games.registry import make
from components.search import tree as walk
from components.search.arrays import NOTHING, allocate
from components.search.perspective import for_first, for_mover


def chain(movers: list[int]):
    """A tree that is one path: node i has mover movers[i] and one edge to node i + 1."""
    arrays = allocate(make("tictactoe"), trees=1, nodes=len(movers))
    for at, mover in enumerate(movers):
        node = arrays.nodes[0, at]
        node.mover, node.is_expanded, node.first_edge, node.edge_count = mover, 1, at, 1
        node.parent, node.parent_edge = (at - 1, at - 1) if at else (NOTHING, NOTHING)
        arrays.edges[0, at].child = at + 1
    arrays.trees[0].nodes = len(movers)
    return arrays


def back_up(arrays, at: int, value_for_mover: float) -> list[float]:
    """Give node `at` a value and return what each edge on the way has then in sum."""
    arrays.nodes[0, at].value = value_for_mover
    walk.backup(arrays.nodes, arrays.edges, 0, at)
    return [float(arrays.edges[0, e].value_sum) for e in range(at)]


def test_alternating_turns_flip_the_sign_at_every_edge():
    # movers 0 1 0 1: node 3 is worth +1 to player 1, so -1 to player 0, +1 to player 1, -1 to player 0.
    assert back_up(chain([0, 1, 0, 1]), 3, 1.0) == [-1.0, 1.0, -1.0]


def test_a_turn_of_three_plies_keeps_its_sign():
    # Player 0 chooses three times in a row (a birth: target, sacrifice, sacrifice); the opponent then stands at +1.
    assert back_up(chain([0, 0, 0, 1]), 3, 1.0) == [-1.0, -1.0, -1.0]


def test_a_leaf_in_the_middle_of_a_turn_is_its_movers_own():
    # Player 1 is half-way through a turn and stands at +0.5: good for player 1's edge, bad for player 0's.
    assert back_up(chain([0, 1, 1]), 2, 0.5) == [-0.5, 0.5]


def test_two_backups_add_up_and_visits_count():
    arrays = chain([0, 1, 0])
    back_up(arrays, 2, 1.0)
    assert back_up(arrays, 1, 0.5) == [1.0 - 0.5]  # node 2 gave player 0 +1; node 1 is +0.5 for player 1
    assert [int(arrays.edges[0, e].visits) for e in range(2)] == [2, 1]
    assert int(arrays.nodes[0, 0].visits) == 2
    assert float(arrays.nodes[0, 0].value_sum) == pytest.approx(0.5)


@pytest.mark.parametrize("mover", [0, 1])
def test_perspective_is_its_own_inverse(mover):
    for value in np.linspace(-1, 1, 5):
        assert for_mover(for_first(value, mover), mover) == value
    assert for_mover(1.0, mover) == (1.0 if mover == 0 else -1.0)


def test_signs_change_in_perspective_only():
    """No other search module may negate a value: a minus in front of a name that says value is refused."""
    import ast
    from pathlib import Path

    import components.search

    for path in Path(components.search.__file__).parent.glob("*.py"):
        if path.name == "perspective.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                assert "value" not in ast.unparse(node.operand), f"{path.name}:{node.lineno} negates {ast.unparse(node.operand)}"
