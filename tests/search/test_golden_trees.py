"""Searches grow the trees that they have always grown: visits, values, depth and breadth of every mode."""

from pathlib import Path

from golden_trees import all_trees

GOLDEN = Path(__file__).parent / "golden_trees.txt"


def test_trees_are_the_golden_ones():
    assert all_trees() == GOLDEN.read_text(), (
        f"the search plays otherwise than before. If that is meant: PYTHONPATH=. python tests/search/golden_trees.py > {GOLDEN}"
    )
