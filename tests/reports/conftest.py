"""One tiny line for all tests of this folder. Nobody changes its files; who must, copies it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tiny_line import NAME, run_line, run_stage


@pytest.fixture(scope="session")
def line(tmp_path_factory):
    """The project's root after a whole line, report included."""
    root = run_line(tmp_path_factory.mktemp("line"))
    run_stage(root, "report", NAME)
    return root
