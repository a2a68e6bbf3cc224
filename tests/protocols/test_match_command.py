"""Matches and ladders as commands: files, resuming, missing engines, tree statistics."""

import csv
import json

import pytest
from protocol_fakes import fake_engine

from components.core.command import INTERRUPTED_EXIT_CODE, run_command
from components.core.errors import BadParameter, UnknownName
from components.protocols.match_watch import TreeLedger
from components.protocols.sgf import read_sgf
from flows.cli import run

MATCH = ["match", "uct:sims=8", "random-eyes", "--game", "go-5x5", "--games", "8", "--slots", "4"]


def test_a_match_writes_numbers_rows_and_games(tmp_path, capsys):
    out = tmp_path / "out"
    assert run([*MATCH, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "of 8 against random-eyes" in shown
    result = json.loads((out / "result.json").read_text())
    rows = list(csv.DictReader((out / "games.csv").open()))
    assert result["games"] == len(rows) == 8
    assert result["score"] == sum(float(row["player_points"]) for row in rows) / 8
    assert result["median_depth"] >= 1
    assert 0 < result["median_least_breadth"] <= result["median_most_breadth"] <= 1
    games = [read_sgf(path.read_text()) for path in sorted((out / "sgf").glob("*.sgf"))]
    assert len(games) == 8
    for row, game in zip(rows, games, strict=True):
        margin = float(row["margin"]) * (1 if row["player_side"] == "0" else -1)
        assert game.result == (f"B+{margin:g}" if margin > 0 else f"W+{-margin:g}")
        assert len(game.moves) == int(row["plies"])


def test_a_match_goes_on_where_it_was_and_ends_the_same(tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    run([*MATCH, "--out", str(whole)])
    broken.mkdir()
    for name in ("games.jsonl", "trees.jsonl"):
        lines = (whole / name).read_text().splitlines(keepends=True)
        (broken / name).write_text("".join(lines[:3]) + lines[3][:20])  # killed while it wrote the fourth
    run([*MATCH, "--out", str(broken)])
    digests = [[row["digest"] for row in csv.DictReader((folder / "games.csv").open())] for folder in (whole, broken)]
    assert digests[0] == digests[1]
    finished = json.loads((whole / "result.json").read_text())
    resumed = json.loads((broken / "result.json").read_text())
    for values in (finished, resumed):
        for name in [name for name in values if "seconds" in name]:
            del values[name]
    assert finished == resumed


def test_ctrl_c_tells_how_it_stood(tmp_path, capsys, monkeypatch):
    """And the same command goes on from there."""
    noted = []

    def interrupt(self, *arguments):
        noted.append(arguments)
        if len(noted) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("components.protocols.match_watch.TreeLedger.append", interrupt)
    out = tmp_path / "out"
    assert run_command(lambda: run([*MATCH, "--out", str(out)])) == INTERRUPTED_EXIT_CODE
    shown = capsys.readouterr()
    assert shown.out.rstrip().splitlines()[-1].startswith("uct:sims=8 against random-eyes: 3 of 8 games")
    assert "Traceback" not in shown.err
    monkeypatch.undo()
    assert run([*MATCH, "--out", str(out)]) == 0
    assert len(list(csv.DictReader((out / "games.csv").open()))) == 8


def test_an_engines_version_stays_with_its_games(tmp_path):
    """Told again from the ledger alone, when no engine is started any more."""
    out = tmp_path / "out"
    words = [
        "match",
        "random-eyes",
        f"gtp:{fake_engine(tmp_path, 'pass')}",
        "--game",
        "go-5x5",
        "--games",
        "2",
        "--out",
        str(out),
    ]
    for _ in range(2):
        run(words)
        assert json.loads((out / "result.json").read_text())["versions"] == ["", "Fake 7"]
        assert "is Fake 7" in read_sgf((out / "sgf" / "0001-first.sgf").read_text()).comment


def test_other_games_are_told_in_words(tmp_path):
    out = tmp_path / "out"
    run(["match", "kill", "pass", "--game", "golad-6x6", "--games", "2", "--out", str(out)])
    told = (out / "games" / "0001-first.txt").read_text()
    assert "1. player 1: kill " in told
    assert json.loads((out / "result.json").read_text())["median_margin"] is not None


@pytest.mark.parametrize("games", ["0", "7", "-2"])
def test_games_come_in_pairs(games):
    with pytest.raises(BadParameter, match="even number"):
        run(["match", "random", "random", "--game", "tictactoe", "--games", games])


def test_a_ladder_goes_on_without_an_engine_that_is_not_here(tmp_path, capsys):
    words = ["ladder", "random-eyes", "--game", "go-5x5", "--games", "2", "--against", "pass", "gtp:no-such-engine", "--out"]
    assert run([*words, str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "There is no program 'no-such-engine'" in shown
    rungs = json.loads((tmp_path / "ladder.json").read_text())["rungs"]
    assert rungs[0]["games"] == 2
    assert "not_played" in rungs[1]


def test_a_misspelt_rung_is_told_before_the_first_game(capsys):
    with pytest.raises(UnknownName, match="no player 'pas'"):
        run(["ladder", "random-eyes", "--game", "go-5x5", "--games", "2", "--against", "random-eyes", "pas"])
    assert capsys.readouterr().out == ""


def test_the_ladder_of_every_game_names_players(tmp_path):
    from components.games.registry import FAMILIES, make
    from components.players.registry import make_player
    from components.protocols.ladders import ladder_of

    for family in FAMILIES:
        game = make(family)
        for text in ladder_of(game):
            if not text.startswith(("gnugo", "pachi")):
                make_player(text, game)


def test_a_torn_line_of_tree_facts_is_dropped(tmp_path):
    path = tmp_path / "trees.jsonl"
    good = '{"match": "m", "pair": 0, "side": 1, "facts": [null, {"depth": 3, "least_breadth": 0.5, "most_breadth": 1.0}]}'
    path.write_text(good + "\n" + good[:30])
    facts = TreeLedger(path).facts["m", 0, 1]
    assert facts[0] is None
    assert facts[1].depth == 3
    assert path.read_text() == good + "\n"
