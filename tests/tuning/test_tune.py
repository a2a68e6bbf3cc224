"""The tune command on real lines: results, files, MLflow's runs, a kill -9 in the middle, and mistakes as one sentence."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from tune_once import TINY, run

from components.config import parse_params
from components.core.command import run_command
from components.core.files import read_json
from components.tracking.store import open_store
from flows import stages

ROOT = Path(__file__).parents[2]
FOLDER = Path(".zeroline/tune/tictactoe")


def trial_runs(place):
    """(parent runs, trial runs by number) in the store."""
    with open_store(place) as store:
        experiment = store.client.get_experiment_by_name("tictactoe")
        runs = store.client.search_runs([experiment.experiment_id])
    parents = [one for one in runs if "mlflow.parentRunId" not in one.data.tags]
    return parents, {int(one.data.tags["trial"]): one for one in runs if "mlflow.parentRunId" in one.data.tags}


def test_a_study_ends_in_a_table_a_block_and_runs_in_mlflow(place, capsys):
    assert run([*TINY, "--trials", "2"]) == 0
    output = capsys.readouterr().out
    assert "trial 2 of 2, generation 1 of 1, score" in output
    assert "fresh games" in output
    result = read_json(FOLDER / "result.json")
    assert [trial["state"] for trial in result["trials"]] == ["complete", "complete"]
    best = next(trial for trial in result["trials"] if trial["number"] == result["best"])
    assert best["scores"]["1"] == max(trial["scores"]["1"] for trial in result["trials"])
    assert result["confirmed"]["games"] == 8

    block = yaml.safe_load((FOLDER / "best.yaml").read_text())
    experiment = parse_params({"experiments": {"tuned": block}, "generations": {}}).experiments["tuned"]
    assert experiment.train.learning_rate == best["values"]["train.learning_rate"]
    assert experiment.search.simulations == best["values"]["search.simulations"]
    assert experiment.selfplay.games == 512  # the preset's own: a trial's budget is not part of what was found

    (parent,), trials = trial_runs(place)
    assert parent.info.run_name == "tune tictactoe"
    assert parent.info.status == "FINISHED"
    assert set(trials) == {1, 2}
    for number, trial in trials.items():
        told = result["trials"][number - 1]
        assert trial.data.params == {name: str(value) for name, value in told["values"].items()}
        assert trial.data.metrics["tune/score"] == told["scores"]["1"]
        assert trial.data.tags["state"] == "complete"
        assert trial.data.tags["mlflow.parentRunId"] == parent.info.run_id


def test_the_same_command_again_plays_nothing_and_more_trials_go_on(place, monkeypatch):
    assert run([*TINY, "--trials", "1", "--opponent", "random"]) == 0
    # Against a player of the ladder the preset itself is the first trial, as far as the space holds its values.
    assert read_json(FOLDER / "result.json")["trials"][0]["values"]["train.learning_rate"] == 0.003
    played = []
    monkeypatch.setitem(stages.STAGES, "generate", lambda key, play=stages.STAGES["generate"]: (played.append(key), play(key)))
    assert run([*TINY, "--trials", "1", "--opponent", "random"]) == 0
    assert played == []
    assert run([*TINY, "--trials", "2", "--opponent", "random"]) == 0
    assert played == ["trial-002-g01"]
    parents, trials = trial_runs(place)
    assert len(parents) == 1
    assert set(trials) == {1, 2}


def test_values_that_do_not_work_fail_their_trial_only(place, capsys):
    # Not every combination is allowed: cyclical needs a cycle_low below the learning rate.
    (place / "space.yaml").write_text("train.schedule: [cosine, cyclical]\ntrain.cycle_low: [0.5, 0.6]\n")
    assert run([*TINY, "--trials", "3", "--opponent", "random"]) == 0
    assert "cannot be run: 1 problem: train: cycle_low" in capsys.readouterr().out
    trials = {trial["number"]: trial for trial in read_json(FOLDER / "result.json")["trials"]}
    assert {trial["state"] for trial in trials.values()} == {"complete", "failed"}
    _, runs = trial_runs(place)
    for number, trial in trials.items():
        is_failed = trial["values"]["train.schedule"] == "cyclical"
        assert (trial["state"] == "failed") == is_failed
        assert runs[number].info.status == ("FAILED" if is_failed else "FINISHED")
        assert ("cycle_low" in runs[number].data.tags.get("reason", "")) == is_failed


def test_a_store_out_of_reach_costs_nothing_but_a_sentence(place, capsys, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    assert run([*TINY, "--trials", "1", "--opponent", "random"]) == 0
    output = capsys.readouterr().out
    assert "MLflow was not told: the server http://127.0.0.1:9 does not answer" in output
    assert (FOLDER / "best.yaml").exists()


def start_process(place, *more):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ZEROLINE_WORKERS": "1", "PYTHONUNBUFFERED": "1"}
    for name in ("PREFECT_API_URL", "RAY_ADDRESS"):
        environment.pop(name, None)
    return subprocess.Popen(
        [sys.executable, str(ROOT / "tests/tuning/tune_once.py"), *TINY, "--opponent", "random", *more],
        cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip


def test_a_killed_study_goes_on_to_the_same_trials(place, tmp_path_factory):
    process = start_process(place, "--trials", "2")
    assert process.stdout is not None
    for line in process.stdout:
        if "trial 2 of 2:" in line:
            break
    time.sleep(0.5)  # into its second trial
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert run([*TINY, "--trials", "2", "--opponent", "random"]) == 0
    killed = read_json(FOLDER / "result.json")

    calm_place = tmp_path_factory.mktemp("calm")
    for name in ("space.yaml", "mlflow.db"):
        (calm_place / name).write_bytes((place / name).read_bytes())
    os.chdir(calm_place)
    assert run([*TINY, "--trials", "2", "--opponent", "random"]) == 0
    calm = read_json(FOLDER / "result.json")
    for result in (killed, calm):
        for trial in result["trials"]:
            del trial["seconds"]
        result["confirmed"] = {name: result["confirmed"][name] for name in ("games", "score", "player", "opponent")}
    assert killed == calm


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--preset", "chess"), "There is no preset 'chess'"),
        (("--trials", "0"), "--trials 0"),
        (("--games", "0"), "--games 0"),
        (("--match-games", "3"), "even number"),
        (("--opponent", "nobody"), "has no player 'nobody'"),
        (("--name", "../up"), "names a folder"),
        (("--space", "missing.yaml"), "There is no space"),
        (("--trials", "many"), "invalid int value"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(place, capsys, options, words):
    assert run_command(lambda: run([*TINY, *options])) == 2
    told = capsys.readouterr().err
    assert words in told
    assert len(told.strip().splitlines()) == 1
    assert not Path(".zeroline/tune").exists()


def test_an_unknown_key_in_the_space_is_one_sentence(place, capsys):
    (place / "space.yaml").write_text("train.learning_rat: {low: 0.1, high: 0.2}\n")
    assert run_command(lambda: run([*TINY])) == 2
    assert "'train.learning_rat', which no experiment has" in capsys.readouterr().err
