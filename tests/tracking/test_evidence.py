"""Files that do not fit each other are left out, told apart by what is in them."""

import shutil

import pytest
from tiny_line import NAME

from components.config import load_params
from components.core.files import read_json, write_json
from components.layout import Layout
from components.tracking.evidence import gather, names_net


@pytest.fixture
def copy(line, tmp_path):
    shutil.copytree(line, tmp_path / "copy")
    return tmp_path / "copy"


def known(root):
    evidence = gather(load_params(root), NAME, Layout(NAME, root))
    return {one.name: list(one.parts) for one in evidence.generations}, evidence.tournament is not None


def test_a_whole_line_fits(line):
    assert known(line) == ({"g01": ["selfplay", "training", "gate"], "g02": ["selfplay", "training", "gate"]}, True)


def test_missing_gate_hides_all_that_follows(copy):
    Layout(NAME, copy).gate("g01").unlink()
    assert known(copy) == ({"g01": ["selfplay", "training"], "g02": []}, False)


def test_other_data_hides_the_training_on_the_old_data(copy):
    layout = Layout(NAME, copy)
    window = read_json(layout.window("g02"))
    for shard in window["shards"]:
        shard["digest"] = "0" * 16
    write_json(layout.window("g02"), window)
    assert known(copy)[0]["g02"] == ["selfplay"]


def test_another_candidate_hides_its_training_and_gate(copy):
    layout = Layout(NAME, copy)
    shutil.copyfile(layout.candidate("g02"), layout.candidate("g01"))
    assert known(copy)[0] == {"g01": ["selfplay"], "g02": []}


def test_another_champion_hides_the_games_of_the_old_one(copy):
    layout = Layout(NAME, copy)
    shutil.copyfile(layout.candidate("g02"), layout.champion("g00"))
    assert known(copy)[0]["g01"] == []


def test_another_gate_parameter_hides_the_verdict(copy):
    path = copy / "params.yaml"
    path.write_text(path.read_text().replace("threshold: 0.5", "threshold: 0.6"))
    assert known(copy) == ({"g01": ["selfplay", "training"], "g02": []}, False)


def test_a_longer_ladder_hides_the_tournament(copy):
    path = copy / "params.yaml"
    path.write_text(path.read_text().replace("ladder: [random]", "ladder: [random, 'uct:sims=5']"))
    assert known(copy)[1] is False


def test_damaged_files_are_left_out(copy):
    layout = Layout(NAME, copy)
    next(layout.data("g02").glob("*.parquet")).write_bytes(b"half")
    assert known(copy)[0]["g02"] == []


def test_a_player_is_named_by_its_digest():
    assert names_net("candidate-abc123", "abc123")
    assert names_net("champion-abc", "abc123")
    assert not names_net("champion-", "abc123")
    assert not names_net("champion-abd", "abc123")
