"""MLflow is told everything once, corrected when results change, and never given yesterday's results under today's name."""

import os
import sqlite3
from unittest import mock

import mlflow
import pytest
from tiny_line import NAME, run_stage, write_params

from components.core.files import read_json, write_json
from components.layout import Layout
from components.tracking import publish, publish_experiment
from components.tracking.store import open_store


def look(root):
    """(store's client, parent runs, generation runs by name) of a project, newest parent first."""
    with open_store(root) as store:
        experiments = [one.experiment_id for one in store.client.search_experiments() if one.name == "tictactoe"]
        runs = store.client.search_runs(experiments) if experiments else []
    parents = [run for run in runs if "mlflow.parentRunId" not in run.data.tags]
    nested = {run.data.tags["generation"]: run for run in runs if "mlflow.parentRunId" in run.data.tags}
    return store.client, parents, nested


def history(client, run, metric):
    return {point.step: point.value for point in client.get_metric_history(run.info.run_id, metric)}


def content(root):
    """Every row of every table."""
    with sqlite3.connect(root / "mlflow.db") as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: sorted(map(repr, database.execute(f"SELECT * FROM {table}"))) for table in tables}


def test_parent_run_has_parameters_and_metrics_by_generation(published):
    client, (parent,), _ = look(published)
    layout = Layout(NAME, published)
    assert parent.info.run_name == NAME
    assert parent.info.status == "FINISHED"
    assert parent.data.params["train.learning_rate"] == "0.01"
    assert parent.data.params["ladder"] == "['random']"
    gates = {number: read_json(layout.gate(f"g{number:02d}")) for number in (1, 2)}
    assert history(client, parent, "gate/score") == {number: gate["match"]["score"] for number, gate in gates.items()}
    assert history(client, parent, "gate/promoted") == {number: gate["verdict"] == "promoted" for number, gate in gates.items()}
    assert set(history(client, parent, "strength/elo")) == {0, 1, 2}
    assert set(history(client, parent, "strength/score_vs_random")) == {0, 1, 2}
    plays = {number: read_json(layout.selfplay(f"g{number:02d}")) for number in (1, 2)}
    for name in ("first_player_score", "draw_rate", "mean_plies"):
        assert history(client, parent, f"selfplay/{name}") == {number: play[name] for number, play in plays.items()}
    assert set(history(client, parent, "train/policy")) == {1, 2}


def test_generation_runs_have_losses_by_step_and_speeds(published):
    client, (parent,), nested = look(published)
    assert set(nested) == {"g01", "g02"}
    for name, run in nested.items():
        lines = read_json(Layout(NAME, published).training(name))["history"]
        assert history(client, run, "train/policy") == {line["step"]: line["policy"] for line in lines}
        assert run.data.tags["mlflow.parentRunId"] == parent.info.run_id
        assert run.info.status == "FINISHED"
        assert {"seconds/generate", "seconds/train", "seconds/gate", "selfplay/games"} <= set(run.data.metrics)


def test_report_plots_and_games_are_artifacts(published):
    client, (parent,), _ = look(published)
    names = {entry.path for folder in ("", "plots", "replays") for entry in client.list_artifacts(parent.info.run_id, folder)}
    assert {"report.html", "plots/strength.svg", "replays/game-1.txt", "replays/game-3.txt"} <= names
    assert "report.html" in parent.data.tags["mlflow.note.content"]


def test_nets_are_registered_with_aliases(published):
    client, _, nested = look(published)
    layout = Layout(NAME, published)
    candidate = client.get_model_version_by_alias("tictactoe", "candidate")
    assert candidate.tags["zeroline.digest"] == read_json(layout.training("g02"))["candidate"]
    assert candidate.run_id == nested["g02"].info.run_id
    promoted = [name for name in ("g01", "g02") if read_json(layout.gate(name))["verdict"] == "promoted"]
    if promoted:
        champion = client.get_model_version_by_alias("tictactoe", "champion")
        assert champion.tags["zeroline.digest"] == read_json(layout.training(promoted[-1]))["candidate"]


def test_publishing_again_changes_nothing(project):
    assert publish_experiment(project, NAME) is None
    before = content(project)
    assert publish_experiment(project, NAME) is None
    assert content(project) == before


def test_a_killed_publisher_leaves_nothing_doubled(project):
    class Killed(BaseException):
        pass

    with mock.patch.object(publish, "publish_nets", side_effect=Killed), pytest.raises(Killed):
        publish_experiment(project, NAME)
    with mock.patch.object(publish, "set_tags", side_effect=Killed), pytest.raises(Killed):
        publish_experiment(project, NAME)
    assert publish_experiment(project, NAME) is None
    client, parents, nested = look(project)
    assert len(parents) == 1
    for run in (*parents, *nested.values()):
        for metric in run.data.metrics:
            steps = [point.step for point in client.get_metric_history(run.info.run_id, metric)]
            assert len(set(steps)) == len(steps), metric


def test_another_result_replaces_the_generations_run_and_corrects_the_parent(project):
    assert publish_experiment(project, NAME) is None
    _, (parent,), before = look(project)
    path = Layout(NAME, project).gate("g02")
    gate = read_json(path)
    write_json(path, {**gate, "match": {**gate["match"], "score": 0.123}})
    assert publish_experiment(project, NAME) is None
    client, (same_parent,), after = look(project)
    assert same_parent.info.run_id == parent.info.run_id
    assert after["g01"].info.run_id == before["g01"].info.run_id
    assert after["g02"].info.run_id != before["g02"].info.run_id
    assert after["g02"].data.metrics["gate/score"] == 0.123
    points = client.get_metric_history(parent.info.run_id, "gate/score")
    assert [point.step for point in points] == [1, 2, 2]
    assert same_parent.data.metrics["gate/score"] == 0.123


def test_changed_parameters_begin_a_new_parent_without_old_results(project):
    assert publish_experiment(project, NAME) is None
    write_params(project, 2, learning_rate=0.02)
    run_stage(project, "train", f"{NAME}-g01")
    assert publish_experiment(project, NAME) is None
    client, parents, _ = look(project)
    assert len(parents) == 2
    new = next(run for run in parents if run.data.params["train.learning_rate"] == "0.02")
    assert new.info.status == "RUNNING"
    assert set(history(client, new, "train/policy")) == {1}
    assert set(history(client, new, "selfplay/games")) == {1}
    # The gate of g01, all of g02 and the tournament on disk are of the old learning rate.
    assert not [name for name in new.data.metrics if name.startswith(("gate/", "strength/"))]


def test_an_extended_line_goes_on_in_the_same_parent(project):
    assert publish_experiment(project, NAME) is None
    write_params(project, 3)
    assert publish_experiment(project, NAME) is None
    _, (parent,), nested = look(project)
    assert parent.info.status == "RUNNING"
    run_stage(project, "generate", f"{NAME}-g03")
    assert publish_experiment(project, NAME) is None
    client, (parent,), nested = look(project)
    assert set(nested) == {"g01", "g02", "g03"}
    assert nested["g03"].info.status == "RUNNING"
    assert set(history(client, parent, "selfplay/games")) == {1, 2, 3}


def test_an_alias_that_was_moved_is_not_taken_back(project):
    assert publish_experiment(project, NAME) is None
    client, _, _ = look(project)
    version = client.get_model_version_by_alias("tictactoe", "candidate").version
    client.delete_registered_model_alias("tictactoe", "candidate")
    client.set_registered_model_alias("tictactoe", "other", version)
    assert publish_experiment(project, NAME) is None
    assert "candidate" not in client.get_registered_model("tictactoe").aliases


def test_a_report_of_other_numbers_is_not_shown(project):
    report = Layout(NAME, project).report
    write_json(report, {**read_json(report), "extra": 1})
    assert publish_experiment(project, NAME) is None
    client, (parent,), _ = look(project)
    assert client.list_artifacts(parent.info.run_id) == []


def test_nothing_is_written_outside_the_project(project, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert publish_experiment(project, NAME) is None
    assert list(elsewhere.iterdir()) == []


def test_no_address_is_left_for_child_processes(project):
    addresses = ("MLFLOW_TRACKING_URI", "MLFLOW_REGISTRY_URI")
    before = {name: os.environ.get(name) for name in addresses}
    assert publish_experiment(project, NAME) is None
    assert {name: os.environ.get(name) for name in addresses} == before
    assert not mlflow.is_tracking_uri_set()
