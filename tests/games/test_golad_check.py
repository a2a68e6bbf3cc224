"""GOLAD against the official engine's records, and what the conformance command says of broken ones."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from components.core.errors import BadFile, BadParameter
from components.games.check import check_file
from components.games.golad.check_transcript import request_lines
from components.games.golad.startboards import official_board
from components.games.golad.text import board_of, position
from components.games.registry import make

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests" / "data" / "golad.jsonl"
SHARED = ROOT.parent / "shared" / "vectors" / "golad.jsonl"
KINDS = {"step", "input", "init", "game", "transcript"}
RECORDS = [json.loads(line) for line in SAMPLE.read_text().splitlines()]


def first(kind: str, **wanted) -> dict:
    return copy.deepcopy(
        next(r for r in RECORDS if r["kind"] == kind and all(r[name] == value for name, value in wanted.items()))
    )


def check(tmp_path, record: dict):
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record) + "\n")
    return check_file(path, "golad", deep=False)


@pytest.mark.parametrize("path", [SAMPLE, SHARED], ids=["sample", "shared"])
def test_no_mismatch_with_the_official_engine(path):
    if not path.exists():
        pytest.skip("the full file is not beside this checkout; the sample is checked always")
    tally = check_file(path, None, deep=False)
    assert tally.shown == []
    assert tally.mismatches.total() == 0
    assert set(tally.checks) == KINDS


def test_same_source_passes_without_compilation():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "components.games", "check", str(SAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip().endswith(", 0 mismatches")


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("step", "after_step", "0" * 64),
        ("step", "echo", "pass?"),
        ("step", "cells_after_step", [99, 0]),
        ("input", "error", "Invalid move: none"),
        ("init", "seed", "another seed"),
        ("game", "rounds", 77),
        ("game", "turns", 77),
        ("game", "invalid_turns", [0, 1, 2]),
        ("transcript", "max_rounds", 77),
        ("transcript", "winner", 1),
        ("transcript", "rounds", 77),
    ],
)
def test_every_false_value_is_a_mismatch(tmp_path, kind, field, value):
    record = first(kind, w=8) if kind == "step" else first(kind)
    if kind == "transcript":
        record = first(kind, winner=0) if any(r["kind"] == kind and r["winner"] == 0 for r in RECORDS) else first(kind)
    record[field] = value
    tally = check(tmp_path, record)
    assert tally.mismatches[kind] > 0
    assert f"one.jsonl:1 {'settings' if field == 'max_rounds' else field if field != 'seed' else 'board'}" in "\n".join(
        tally.shown
    )


def test_false_lines_of_a_transcript_are_mismatches(tmp_path):
    for start, line in (("update game field", "update game field 0"), ("action move", "action move 99999"), ("kill", "pass")):
        record = next(
            copy.deepcopy(r) for r in RECORDS if r["kind"] == "transcript" and any(e[1][:4] == "kill" for e in r["bots"][0])
        )
        entry = next(entry for entry in record["bots"][0] if entry[1].startswith(start))
        entry[1] = line
        assert check(tmp_path, record).mismatches.total() > 0, start


def test_bots_that_were_shut_down_answer_nothing_more(tmp_path):
    """Both bots are late in round 1: their logs end there, the wrapper answers for them, life alone plays on."""
    record = {**first("init", w=6), "kind": "transcript", "max_rounds": 3}
    game = make("golad-6x6:max_rounds=3")
    state = position(game, record["board"])
    logs = []
    for player in (0, 1):
        lines = [*settings_of(player, record), *request_lines(state, board_of(state.cells, 6), "null", 10000)]
        logs.append([*(["in", line] for line in lines), ["out", ""], ["note", "the bot was late"]])
        state = game.after(state, game.spec.cells)
    while game.returns(state) is None:
        state = game.after(state, game.spec.cells)
    tally = check(tmp_path, {**record, "bots": logs, "winner": None, "rounds": (int(state.turn) + 1) // 2})
    assert tally.shown == []
    logs[1][-2] = ["out", "pass"]  # a bot that answered in time is asked again
    assert check(tmp_path, {**record, "bots": logs, "winner": None, "rounds": 3}).mismatches.total() > 0


def settings_of(player: int, record: dict) -> list[str]:
    sizes = [f"settings field_width {record['w']}", f"settings field_height {record['h']}"]
    clock = ["settings timebank 10000", "settings time_per_move 500", f"settings your_botid {player}"]
    names = ["settings player_names player0,player1", f"settings your_bot player{player}"]
    return [*names, *clock, *sizes, f"settings max_rounds {record['max_rounds']}"]


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("step", "board", "0"),
        ("step", "board", "x" * 64),
        ("step", "w", 0),
        ("step", "h", 65),
        ("step", "player", 2),
        ("step", "after_move", ""),
        ("step", "cells", ["a", 1]),
        ("step", "cells_after_move", [1]),
        ("step", "winner", 2),
        ("init", "separate", 7),
        ("init", "cells_per_player", 1000),
        ("init", "cells_per_player", -1),
        ("game", "max_rounds", 1001),
        ("game", "moves", [3]),
        ("game", "boards", [".."]),
        ("game", "boards", [None]),
        ("game", "warnings", [1]),
        ("transcript", "bots", []),
        ("transcript", "bots", [[["in"]], []]),
        ("transcript", "bots", [[["shout", "pass"]], []]),
    ],
)
def test_malformed_values_are_refused_with_their_place(tmp_path, kind, field, value):
    record = first(kind, w=8) if kind == "step" else first(kind)
    record[field] = value
    with pytest.raises(BadFile, match=r"one\.jsonl:1"):
        check(tmp_path, record)


def test_official_start_board_of_a_seed():
    record = first("init", w=6)
    board = official_board(record["seed"], 6, 6, record["cells_per_player"], record["separate"] == 1)
    assert board == record["board"]


@pytest.mark.parametrize(("height", "cells", "words"), [(5, 5, "even"), (6, 11, "60 %")])
def test_start_boards_the_engine_refuses(height, cells, words):
    with pytest.raises(BadParameter, match=words):
        official_board("seed", 6, height, cells, True)
