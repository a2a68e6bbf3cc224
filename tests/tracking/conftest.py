"""One tiny line for all tests of this folder. Nobody changes its files; who must, copies it."""

import os
import shutil
import sys
from pathlib import Path
from unittest import mock

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tiny_line import NAME, run_line, run_stage

from components.tracking import publish_experiment
from components.tracking.store import open_store


@pytest.fixture(scope="session")
def line(tmp_path_factory):
    """The project's root after a whole line, report included."""
    root = run_line(tmp_path_factory.mktemp("line"))
    run_stage(root, "report", NAME)
    return root


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory):
    """A database that MLflow has set up: making one takes seconds, copying it none."""
    root = tmp_path_factory.mktemp("store")
    with mock.patch.dict(os.environ, {"MLFLOW_TRACKING_URI": ""}), open_store(root) as store:
        store.client.search_experiments()
    return root / "mlflow.db"


@pytest.fixture
def project(line, empty_store, tmp_path, monkeypatch):
    """A copy of the line with an empty store, to publish from and to change."""
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    root = tmp_path / "project"
    shutil.copytree(line, root)
    shutil.copyfile(empty_store, root / "mlflow.db")
    return root


@pytest.fixture(scope="session")
def published(line, empty_store, tmp_path_factory):
    """A copy of the line that was published once. Nobody changes it."""
    root = tmp_path_factory.mktemp("published") / "project"
    shutil.copytree(line, root)
    shutil.copyfile(empty_store, root / "mlflow.db")
    with mock.patch.dict(os.environ, {"MLFLOW_TRACKING_URI": ""}):
        assert publish_experiment(root, NAME) is None
    return root
