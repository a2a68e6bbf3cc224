"""Whole labs at tiny budgets, one per family of games: files, resuming, the page, MLflow."""

import json
from html.parser import HTMLParser

import pytest
import yaml
from lab_samples import command

from components.core.files import read_json
from components.rules_lab import play
from components.rules_lab.play import pieces_of
from components.tracking.store import open_store

TINY = {"games": 6, "simulations": 4, "match_pairs": 1, "handicap_look": 4, "handicap_games": 8, "generations": 0}
SMALL_NET = {"blocks": 1, "channels": 8}


def run_lab(folder, content, *arguments):
    path = folder / "lab.yaml"
    path.write_text(yaml.safe_dump(content))
    assert command("--variants", path, "--out", folder / "out", "--no-mlflow", *arguments) == 0
    return read_json(folder / "out" / "result.json")


def played_batches(folder):
    return {path: path.stat().st_mtime_ns for path in (folder / "out").rglob("*") if path.suffix in (".parquet", ".jsonl")}


class Links(HTMLParser):
    """What a page would fetch from elsewhere."""

    def __init__(self):
        super().__init__()
        self.outside, self.sections = [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "section":
            self.sections.append(values["id"])
        if tag in ("script", "img", "iframe") or (tag == "link" and not values.get("href", "").startswith("data:")):
            self.outside.append(tag)


def test_go_with_a_uct_agent_finds_a_komi(tmp_path, capsys):
    content = {
        "game": "go-5x5", "agent": "uct:sims=8", "variants": {"area": {}, "simple": {"ko": "simple"}}, "budget": TINY,
        "handicap": {"knob": "komi", "values": [0.5, 7.5, 24.5]},
    }  # fmt: skip
    result = run_lab(tmp_path, content)
    assert "area: the first player scored" in capsys.readouterr().out
    for values in result["variants"].values():
        assert values["games"] == values["fairness"]["first_player_score"]["games"] == 6
        assert values["search"]["many_simulations"] == 4 * values["search"]["few_simulations"] == 32
        assert values["pace"]["turns"] == values["pace"]["plies"]  # a turn of Go is one ply
        assert values["decisiveness"]["margin"]["median"]["value"] > 0
        assert sum(one["share"]["value"] for one in values["dominance"]["openings"]) == pytest.approx(1.0, abs=1e-4)
    (handicap,) = result["handicaps"]
    assert handicap["order"][0] == "7.5"
    assert handicap["chosen"]["games"] == 8
    assert {entry["variant"] for entry in result["ranking"]} == {"area", "simple"}
    assert len(result["findings"]) == 7


def test_a_second_run_plays_nothing_and_writes_the_same(tmp_path, monkeypatch):
    content = {
        "game": "go-5x5", "net": SMALL_NET, "start": "new", "variants": {"area": {}}, "budget": {
            **TINY, "generations": 1, "train_games": 4, "train_simulations": 4},
        "handicap": {"knob": "komi", "values": [0.5, 7.5], "generations": 1},
    }  # fmt: skip
    first = run_lab(tmp_path, content)
    page, batches = (tmp_path / "out" / "page.html").read_bytes(), played_batches(tmp_path)
    assert "then 1 rounds of 4 games" in first["variants"]["area"]["agent"]["note"]

    def refuse(*arguments):
        raise AssertionError("a game was played again")

    monkeypatch.setattr(play, "ShardPlay", refuse)
    monkeypatch.setattr("components.rules_lab.agents.train", refuse)
    assert run_lab(tmp_path, content) == first
    assert played_batches(tmp_path) == batches
    assert (tmp_path / "out" / "page.html").read_bytes() == page


def test_lost_games_are_played_again_and_nothing_else_changes(tmp_path):
    content = {"game": "go-5x5", "agent": "uct:sims=4", "variants": {"area": {}, "low": {"komi": 0.5}}, "budget": TINY}
    whole = run_lab(tmp_path, content)
    batches = sorted((tmp_path / "out" / "games").rglob("*.parquet"))
    ledger = next((tmp_path / "out" / "matches").glob("*.jsonl"))
    contents = {path: path.read_bytes() for path in batches}
    batches[0].unlink()
    (tmp_path / "out" / "result.json").unlink()
    lines = ledger.read_text().splitlines(keepends=True)
    ledger.write_text(lines[0] + lines[1][:30])  # killed while it wrote the second game
    assert run_lab(tmp_path, content) == whole
    assert {path: path.read_bytes() for path in batches} == contents


def test_drawn_starts_need_no_drawn_plies(tmp_path):
    """GOLAD's boards differ by themselves; a temperature would only make the agent play worse than it can."""
    content = {"agent": "uct:sims=2", "variants": {"a": {}}, "budget": {**TINY, "match_pairs": 0}}
    golad = run_lab(tmp_path, {**content, "game": "golad-6x6:max_rounds=2"})
    assert golad["variants"]["a"]["agent"]["search"]["temperature_plies"] == golad["temperature_plies"] == 0
    assert run_lab(tmp_path, {**content, "game": "go-5x5"})["temperature_plies"] == 12


def test_a_larger_budget_adds_games_to_those_that_are_there(tmp_path):
    content = {"game": "go-5x5", "agent": "uct:sims=4", "variants": {"area": {}}, "budget": {**TINY, "match_pairs": 0}}
    few = run_lab(tmp_path, content)
    before = played_batches(tmp_path)
    more = run_lab(tmp_path, content, "--budget", "games=10")
    after = played_batches(tmp_path)
    assert (few["variants"]["area"]["games"], more["variants"]["area"]["games"]) == (6, 10)
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1
    fewer = run_lab(tmp_path, content, "--budget", "games=3")
    assert fewer["variants"]["area"]["games"] == 3
    assert played_batches(tmp_path) == after


def test_pieces_of_a_batch_go_on_where_files_end(tmp_path):
    assert pieces_of(tmp_path, 0, 8) == [(0, 8)]
    (tmp_path / "shard-000-00-06.parquet").touch()
    (tmp_path / "shard-001-00-32.parquet").touch()
    assert pieces_of(tmp_path, 0, 8) == [(0, 6), (6, 8)]
    assert pieces_of(tmp_path, 0, 4) == [(0, 6)]
    assert pieces_of(tmp_path, 1, 32) == [(0, 32)]


def test_golad_start_cells_with_an_untrained_net(tmp_path):
    content = {
        "game": "golad-6x6:max_rounds=8", "net": SMALL_NET, "start": "new", "wished_turns": [2, 40],
        "variants": {"six": {"cells": 6}, "ten": {"cells": 10}}, "budget": TINY,
    }  # fmt: skip
    result = run_lab(tmp_path, content)
    assert result["handicaps"] == []
    assert result["draws_starts"]
    for values in result["variants"].values():
        kinds = {one["name"] for one in values["dominance"]["kinds"]}
        assert kinds <= {"birth", "kill", "pass"}
        assert {one["name"] for one in values["dominance"]["openings"]} <= kinds
        assert values["pace"]["turns"]["mean"]["value"] <= 16  # eight rounds
    assert all("length" in entry["marks"] for entry in result["ranking"])


def test_organism_with_a_uct_agent(tmp_path):
    content = {
        "game": "organism-3:ply_cap=12", "agent": "uct:sims=4",
        "variants": {"report": {}, "tokens": {"tokens_to_win": [3, 3], "organisms_to_win": 2}}, "budget": {**TINY, "games": 4},
        "handicap": {"variant": "tokens", "knob": "tokens_to_win", "values": [[3, 3], [5, 3]]},
    }  # fmt: skip
    result = run_lab(tmp_path, content)
    report, tokens = result["variants"]["report"], result["variants"]["tokens"]
    assert report["decisiveness"]["margin"] is None  # no tokens to count
    assert tokens["margin_unit"] == "tokens"
    assert {one["name"] for one in report["dominance"]["kinds"]} <= {"EAT", "MOVE", "GROW", "CIRCULATE", "stop", "pass"}
    assert result["handicaps"][0]["candidates"] == ["[3,3]", "[5,3]"]
    for values in (report, tokens):
        assert values["decisiveness"]["capped"]["games"] == 4
        assert values["pace"]["choices_per_turn"]["mean"]["value"] >= values["pace"]["choices_per_ply"]["mean"]["value"]


def test_the_page_is_one_file_that_tells_everything(tmp_path):
    content = {
        "game": "go-5x5", "agent": "uct:sims=4", "variants": {"area": {}, "low": {"komi": 0.5}}, "budget": TINY,
        "handicap": {"knob": "komi", "values": [0.5, 7.5]},
    }  # fmt: skip
    result = run_lab(tmp_path, content)
    page = (tmp_path / "out" / "page.html").read_text()
    links = Links()
    links.feed(page)
    assert links.outside == []
    assert links.sections == ["short", "ranking", "fairness", "length", "endings", "variety", "dominance", "handicap", "method"]
    assert page.count("<svg") == 7  # six by variant, one handicap
    for finding in result["findings"]:
        assert finding["title"] in page
    assert "95 % interval" in page
    assert "komi = 0.5" in page


def test_mlflow_gets_a_parent_and_a_run_per_variant(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    path = tmp_path / "lab.yaml"
    content = {"game": "go-5x5", "agent": "uct:sims=4", "variants": {"area": {}, "low": {"komi": 0.5}}, "budget": TINY}
    path.write_text(yaml.safe_dump(content))
    for _ in range(2):  # publishing again adds no run
        assert command("--variants", path) == 0
    assert "Not logged" not in capsys.readouterr().out
    with open_store(tmp_path) as store:
        place = store.client.get_experiment_by_name("rules-lab").experiment_id
        runs = store.client.search_runs([place])
        parents = [run for run in runs if run.data.tags["kind"] == "rules-lab"]
        variants = [run for run in runs if run.data.tags["kind"] == "variant"]
        assert len(parents) == 1
        assert {run.data.tags["mlflow.parentRunId"] for run in variants} == {parents[0].info.run_id}
        artifacts = {file.path for file in store.client.list_artifacts(parents[0].info.run_id)}
    assert artifacts == {"page.html", "result.json"}
    assert (tmp_path / "rules-lab" / "lab" / "page.html").exists()
    result = json.loads((tmp_path / "rules-lab" / "lab" / "result.json").read_text())
    for run in variants:
        told = result["variants"][run.data.tags["variant"]]["fairness"]["first_player_score"]
        assert run.data.metrics["fairness/first_player_score"] == told["value"]
        assert run.data.metrics["fairness/first_player_score.low"] == told["low"]


def test_a_broken_store_is_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    (tmp_path / "mlflow.db").mkdir()
    path = tmp_path / "lab.yaml"
    path.write_text(yaml.safe_dump({"game": "go-5x5", "agent": "uct:sims=2", "variants": {"a": {}}, "budget": TINY}))
    assert command("--variants", path) == 0
    assert "Not logged to MLflow: the store" in capsys.readouterr().out
