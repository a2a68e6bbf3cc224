"""Organism against recorded truth and against a plain-Python enumeration; the conformance command must notice every lie."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from organism_positions import game_of, state_from_text, state_of

from benchmarks.organism_reference import results_of_ply
from components.core.errors import BadFile
from components.core.seeds import streams_of
from components.games.__main__ import main
from components.games.check import check_file
from components.games.organism.check import result_strings
from components.games.organism.notation import state_string
from components.games.players import RandomPlayer
from components.games.record import one_row

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests" / "data" / "organism.jsonl"
SHARED = ROOT.parent / "shared" / "vectors" / "organism.jsonl"
KINDS_OF_CHECKS = 31  # every field of a game and a ply line that a rule could contradict


def sample_records():
    return [json.loads(line) for line in SAMPLE.read_text().splitlines()]


def write_records(path, records):
    path.write_text("\n".join(json.dumps(record) for record in records) + "\n")
    return path


def test_sample_agrees_in_every_kind_of_check():
    tally = check_file(SAMPLE, None, deep=False)
    assert tally.shown == []
    assert tally.mismatches.total() == 0
    assert len(tally.checks) == KINDS_OF_CHECKS


@pytest.mark.skipif(not SHARED.exists(), reason="the shared vectors are not beside this checkout")
def test_shared_vectors_agree():
    tally = check_file(SHARED, None, deep=False)
    assert tally.shown == []
    assert tally.checks["ply: clean_next_hash"] == 611
    assert len(tally.checks) == KINDS_OF_CHECKS


@pytest.mark.parametrize(
    ("kind", "field", "lie", "label"),
    [
        ("ply", "clean_next_hash", "0" * 16, "ply: clean_next_hash"),
        ("ply", "n_sequences", 1, "ply: n_sequences"),
        ("ply", "winner_after", 9, "ply: winner_after"),
        ("ply", "organisms", [7, 7], "ply: organisms"),
        ("ply", "planes_sha", "0" * 16, "ply: planes_sha"),
        ("ply", "to_move", 3, "ply: to_move"),
        ("ply", "flags", ["board_empty_after"], "ply: flags"),
        ("game", "winner", 3, "game: winner"),
        ("game", "plies", 99, "game: plies"),
        ("game", "tokens_to_win", 3, "ply: planes_sha"),
    ],
)
def test_a_lie_in_a_record_is_found(tmp_path, kind, field, lie, label):
    records = copy.deepcopy(sample_records()[:3])
    record = next(record for record in records if record["kind"] == kind and not record.get("questionable"))
    record[field] = lie
    tally = check_file(write_records(tmp_path / "lie.jsonl", records), "organism", deep=False)
    assert tally.mismatches[label] >= 1
    assert tally.shown[0].startswith("lie.jsonl:")


def test_a_lie_in_the_trace_is_found_with_a_drawn_board(tmp_path, capsys):
    records = copy.deepcopy(sample_records()[:3])
    ply = next(record for record in records if record["kind"] == "ply")
    ply["trace"]["after_integrity"] = ply["trace"]["after_integrity"][:-1] + "9"
    assert main(["check", str(write_records(tmp_path / "lie.jsonl", records))]) == 1
    printed = capsys.readouterr().out
    assert "trace after_integrity" in printed
    assert "state: " in printed
    assert printed.splitlines()[-1].endswith(", 1 mismatches")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"state": "nonsense"}, "need board/food"),
        ({"chosen": {"organism": [99], "type": "EAT", "subs": []}}, "action"),
        ({"chosen": {"organism": [8], "type": "EAT", "subs": [["JUMP", 1]]}}, "action"),
        ({"chosen": "PAUSE"}, "action"),
        ({"trace": {"subs": []}}, "trace without"),
        ({"trace": None}, "a trace belongs"),
        ({"next": [["only one"]]}, "next is not pairs"),
        ({"next_sample": [3]}, "next_sample is not"),
        ({"flags": "conflict"}, "flags is not"),
        ({"game": "elsewhere"}, "without its game line"),
        ({"n_next": "39"}, "field 'n_next'"),
    ],
)
def test_malformed_lines_are_refused_with_their_place(tmp_path, change, problem):
    records = copy.deepcopy(sample_records()[:3])
    next(record for record in records if record["kind"] == "ply").update(change)
    with pytest.raises(BadFile, match=problem) as caught:
        check_file(write_records(tmp_path / "bad.jsonl", records), "organism", deep=False)
    assert "bad.jsonl" in str(caught.value)


@pytest.mark.parametrize("rings", [3, 4])
def test_plain_python_enumeration_agrees_on_random_games(rings):
    game = game_of(name=f"organism-{rings}")
    for seed in range(12):
        state, stream = game.start(), streams_of(1, seed)
        while game.returns(state) is None:
            text = state_string(game, state)
            assert set(result_strings(game, state_of(game, text))) == results_of_ply(state_from_text(text))
            state = game.after(state, int(RandomPlayer().choose(game, one_row(game, state), stream)[0]))


def test_the_same_source_passes_without_machine_code(tmp_path):
    records = sample_records()
    third_game = [index for index, record in enumerate(records) if record["kind"] == "game"][2]
    path = write_records(tmp_path / "few.jsonl", records[:third_game])
    checked = run_command(["check", str(path)], is_compiled=False)
    assert checked.splitlines()[-1].endswith(", 0 mismatches")
    for name in ("organism-3", "organism-4/rulebook:ply_cap=8"):
        games = [run_command(["play", name, "--seed", "3"], is_compiled) for is_compiled in (True, False)]
        assert games[0] == games[1]


def run_command(arguments, is_compiled):
    """What `python -m components.games` prints, with or without numba's compiler."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0" if is_compiled else "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-m", "components.games", *arguments]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
