"""Recorded truth about Go: a sample that is always there, the whole file where it is; and files that break the format."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from components.games.__main__ import main
from components.games.check import check_file
from components.games.go.perft import count_legal_positions

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests" / "data" / "go.jsonl"
WHOLE = ROOT.parent / "shared" / "vectors" / "go.jsonl"


def test_sample_agrees():
    tally = check_file(SAMPLE, None, deep=False)
    assert tally.mismatches.total() == 0, "\n".join(tally.shown)
    assert tally.checks.total() > 10_000


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE.exists(), reason="the shared vectors are not beside this checkout")
def test_whole_file_agrees():
    tally = check_file(WHOLE, "go", deep=False)
    assert tally.mismatches.total() == 0, "\n".join(tally.shown)
    assert tally.checks["ply ls"] == 1874


def test_legal_positions_are_as_many_as_tromp_counted():
    assert [count_legal_positions(side) for side in (1, 2, 3)] == [1, 57, 12675]


@pytest.mark.slow
def test_legal_positions_4x4():
    assert count_legal_positions(4) == 24318165


def sample_records() -> list[dict]:
    return [json.loads(line) for line in SAMPLE.read_text().splitlines()]


def write(path: Path, records: list[dict]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def smallest_game() -> dict:
    return next(record for record in sample_records() if record.get("id") == "c_ko_pass_lifts")


def test_rules_without_compiler_agree_too(tmp_path):
    """The same source as plain Python: a ko, a repetition, suicides, counts, and one playthrough to the byte."""
    wanted = {"c_ko_pass_lifts", "c_suicide_that_captures", "c_single_suicide", "g147"}
    records = [record for record in sample_records() if record.get("id") in wanted]
    counts = next(record for record in sample_records() if record["type"] == "perft" and record["size"] == 2)
    short = {**counts, "perft_simple": counts["perft_simple"][:7], "perft_psk": counts["perft_psk"][:7]}
    path = write(tmp_path / "few.jsonl", [*records, short])
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    commands = (["check", str(path)], ["playthrough", "go-5x5"])
    checked, told = (
        subprocess.run(
            [sys.executable, "-m", "components.games", *command], env=plain, capture_output=True, text=True, check=False
        )
        for command in commands
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert " 0 mismatches" in checked.stdout.splitlines()[-1]
    assert told.stdout == (ROOT / "tests" / "contract" / "playthroughs" / "go-5x5.txt").read_text(), told.stderr


def test_mismatch_is_counted_and_drawn(tmp_path, capsys):
    record = smallest_game()
    record["plies"][0]["area"] = [99, 0]
    assert main(["check", str(write(tmp_path / "wrong.jsonl", [record]))]) == 1
    out = capsys.readouterr().out
    assert "ply area: found" in out
    assert "to move, ply" in out
    assert out.splitlines()[-1].endswith("checks, 1 mismatches")


def test_illegal_recorded_move_is_a_mismatch(tmp_path, capsys):
    record = smallest_game()
    record["moves"][1] = record["moves"][0]
    assert main(["check", str(write(tmp_path / "wrong.jsonl", [record]))]) == 1
    assert "move is legal: found False" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda record: record["moves"].append(26), "'moves' holds 26"),
        (lambda record: record["moves"].append("D4"), "'moves' holds 'D4'"),
        (lambda record: record.update(size=40), "'size' is 40"),
        (lambda record: record.update(moves=[]), "'moves' is empty"),
        (lambda record: record.pop("final"), "'final'"),
        (lambda record: record["final"].pop("dame"), "'dame' is None"),
        (lambda record: record["captures"].update({"99": [1]}), "captures"),
        (lambda record: record["plies"][0].update(b="X/O"), "need 5 rows"),
        (lambda record: record["plies"][0].update(ls="xyz"), "need a hex number"),
        (lambda record: record["plies"][0].update(k=99), "'k' is 99"),
        (lambda record: record["plies"][0].pop("eye"), "'eye' is None"),
        (lambda record: record["plies"].append(7), "need an object"),
        (lambda record: record.update(type="sgf"), "kind 'sgf'"),
    ],
)
def test_malformed_record_is_one_sentence_and_exit_code_2(tmp_path, capsys, change, sentence):
    record = smallest_game()
    change(record)
    path = write(tmp_path / "bad.jsonl", [smallest_game(), record])
    assert main(["check", str(path), "--game", "go"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("BadFile: ")
    assert sentence in error
    assert re.search(r"bad\.jsonl(:|, line )2\b", error)


def test_bad_counts_are_refused(tmp_path, capsys):
    record = {"type": "perft", "size": 3, "start": [], "perft_simple": ["ten"], "perft_psk": [10]}
    assert main(["check", str(write(tmp_path / "bad.jsonl", [record]))]) == 2
    assert "whole numbers" in capsys.readouterr().err
