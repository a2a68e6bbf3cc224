"""A store that is broken, locked or out of reach is one sentence, soon, and never an exception."""

import fcntl
import sqlite3
import time

from tiny_line import NAME

from components.tracking import publish_experiment, store


def problem_of(project):
    began = time.monotonic()
    problem = publish_experiment(project, NAME)
    assert time.monotonic() - began < 40
    assert problem
    assert "\n" not in problem
    return problem


def test_a_broken_database_is_a_sentence(project):
    (project / "mlflow.db").write_bytes(b"this is no database" * 100)
    assert "not a database" in problem_of(project)


def test_a_locked_database_is_a_sentence(project, monkeypatch):
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.2)
    with sqlite3.connect(project / "mlflow.db", isolation_level=None) as database:
        database.execute("BEGIN EXCLUSIVE")
        assert "locked" in problem_of(project)
        database.execute("ROLLBACK")
    assert publish_experiment(project, NAME) is None


def test_another_publisher_is_waited_for_but_not_for_ever(project, monkeypatch):
    monkeypatch.setattr(store, "LOCK_SECONDS", 0.3)
    with open(project / ".zeroline" / "mlflow.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert "another process" in problem_of(project)


def test_a_server_out_of_reach_is_a_sentence(project, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    problem_of(project)


def test_unknown_experiment_is_a_sentence(project):
    assert "There is no experiment" in (publish_experiment(project, "nothing") or "")


def test_default_store_is_an_absolute_database_in_the_project(tmp_path, monkeypatch):
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    assert store.store_uri(tmp_path) == f"sqlite:///{tmp_path}/mlflow.db"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://server")
    assert store.store_uri(tmp_path) == "http://server"


def test_a_server_chooses_where_artifacts_go(tmp_path):
    assert store.Store("http://server", tmp_path, None).artifact_location("go") is None
    assert (
        store.Store(f"sqlite:///{tmp_path}/x.db", tmp_path, None).artifact_location("go") == f"file://{tmp_path}/mlartifacts/go"
    )
