"""Studies on tic-tac-toe that take seconds: shards are played in the test's own process."""

import os
import sys
from pathlib import Path
from unittest import mock

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tiny_line import play_here

from components.tracking.store import open_store

TINY_SPACE = "train.learning_rate: {low: 0.001, high: 0.05, log: true}\nsearch.simulations: {low: 4, high: 8}\n"


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory):
    """A database that MLflow has set up: making one takes seconds, copying it none."""
    root = tmp_path_factory.mktemp("store")
    with mock.patch.dict(os.environ, {"MLFLOW_TRACKING_URI": ""}), open_store(root) as store:
        store.client.search_experiments()
    return root / "mlflow.db"


@pytest.fixture
def place(tmp_path, empty_store, monkeypatch):
    """A folder to tune in: a small space, an empty store, and the file that `start: new` names for DVC."""
    (tmp_path / "new").write_text("not a net")
    (tmp_path / "space.yaml").write_text(TINY_SPACE)
    (tmp_path / "mlflow.db").write_bytes(empty_store.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setattr("flows.shards.choose_mapper", lambda: play_here)
    return tmp_path
