"""`python -m components.games` as a person meets it: what it prints, and one sentence for every mistake."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from components.games.__main__ import main

ROOT = Path(__file__).parents[2]


def said(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "chess"], "There is no game 'chess'; the games are"),
        (["play", "go-9x9/oriental"], "go has no variant 'oriental'; its variants are"),
        (["play", "golad-6x6:flavour=3"], "golad has no knob 'flavour'; its knobs are"),
        (["play", "go-9x9:komi=lots"], "komi"),
        (["play", "go-40x40"], "from"),
        (["play", "tictactoe:misere"], "write knob=value"),
        (["play", "Tic Tac Toe"], "does not name a game"),
        (["play", "tictactoe", "--players", "random"], "names 1 players"),
        (["play", "tictactoe", "--players", "random,greedy"], "has no baseline player 'greedy'"),
        (["play"], "required"),
        (["dance"], "invalid choice"),
        (["check", "nowhere.jsonl"], "Cannot read nowhere.jsonl"),
        (["check", "nowhere.jsonl", "--game", "chess"], "There is no game 'chess'"),
    ],
)
def test_every_mistake_is_one_sentence_and_exit_code_2(capsys, arguments, words):
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("not json", "line 2 is not JSON"),
        ("[1, 2]", "line 2 holds a list"),
        ('{"kind": "dance"}', "line 2 is of kind 'dance'"),
        ('{"kind": "step", "id": "x"}', "line 2: field"),
    ],
)
def test_malformed_vector_lines_are_named(capsys, tmp_path, line, words):
    good = next(line for line in (ROOT / "tests/data/golad.jsonl").read_text().splitlines() if '"step"' in line)
    path = tmp_path / "vectors.jsonl"
    path.write_text(f"{good}\n{line}\n")
    code, _, err = said(capsys, "check", str(path))
    assert code == 2
    assert words in err


def test_a_wrong_vector_is_a_mismatch_with_its_board(capsys, tmp_path):
    lines = (ROOT / "tests/data/golad.jsonl").read_text().splitlines()
    record = next(json.loads(line) for line in lines if '"step"' in line)
    record["after_step"] = record["after_step"].translate(str.maketrans("01.", "10."))
    record["cells_after_step"] = [99, 99]
    path = tmp_path / "vectors.jsonl"
    path.write_text(json.dumps(record) + "\n")
    code, out, _ = said(capsys, "check", str(path))
    assert code == 1
    assert "vectors.jsonl:1" in out
    assert out.strip().splitlines()[-1].endswith("mismatches")
    assert not out.strip().splitlines()[-1].endswith(" 0 mismatches")


def test_list_names_every_game(capsys):
    code, out, _ = said(capsys, "list")
    assert code == 0
    for name in ("tictactoe", "golad-18x16", "go-9x9", "organism-3"):
        assert name in out


def test_play_is_repeatable_and_drawn(capsys):
    first, second = (said(capsys, "play", "golad-6x6", "--players", "random,greedy", "--seed", "1", "--show") for _ in range(2))
    assert first == second
    assert first[0] == 0
    assert "greedy" in first[1]


def test_help_does_not_load_the_slow_libraries():
    code = (
        "import sys; from components.games.__main__ import parser; from flows.cli import parser as other; parser(); other();"
        "slow = {'numba', 'torch', 'prefect', 'mlflow', 'pyarrow', 'dvc', 'matplotlib'} & set(sys.modules); print(sorted(slow))"
    )
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
