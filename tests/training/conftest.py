"""Games, an undisturbed run and the rows it learned from, shared by the tests of this folder. Shards come from tests/shards."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "shards"), str(Path(__file__).parent)]

import pytest  # noqa: E402
from shard_samples import write_games  # noqa: E402
from train_once import request_of  # noqa: E402

from components.data.rows import load_rows  # noqa: E402
from components.games.registry import make  # noqa: E402
from components.training.trainer import train  # noqa: E402


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("line")
    write_games(root, 60, generation=0, full_share=0.7)
    write_games(root, 40, generation=1, full_share=0.7)
    return root


@pytest.fixture(scope="session")
def whole(folder):
    """One undisturbed run, and what it told."""
    events = []
    report = train(request_of(folder, "whole"), events.append)
    return folder / "whole", report, events


@pytest.fixture(scope="session")
def rows(folder):
    return load_rows(request_of(folder, "rows").window, make("tictactoe"), folder)
