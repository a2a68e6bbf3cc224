"""Review: every move of a file gets a note, whatever the file holds, and the comments are read by others."""

import pytest

from components.core.errors import BadFile, BadParameter
from components.protocols.sgf import read_sgf, write_sgf
from components.protocols.sgf_review import MoveNote, commented, review_game
from flows.cli import run

PLAYER = "uct:sims=200"
SETUP = "(;GM[1]SZ[5]KM[0.5]AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de]PL[B];B[aa]C[slip];W[cc])"


def test_every_move_has_a_note_and_its_comment_stays():
    sgf = read_sgf(SETUP)
    notes = review_game(sgf, PLAYER)
    assert [(note.number, note.colour, note.name) for note in notes] == [(1, 0, "A5"), (2, 1, "C3")]
    assert all(0 <= note.chance_before <= 1 and 0 <= note.chance_after <= 1 for note in notes)
    text = write_sgf(commented(sgf, notes))
    assert read_sgf(text).comments == (f"slip\n{notes[0].text}", notes[1].text)
    assert read_sgf(text).moves == sgf.moves


def test_a_blunder_costs_and_its_punishment_does_not():
    #   X X X X X
    #   X X X X X
    #   X X . O O      whoever plays C3 takes the other side; Black passes
    #   O O O O O
    #   O O O O O
    black = "".join(f"[{point}]" for point in ["aa:eb", "ac", "bc"])
    white = "".join(f"[{point}]" for point in ["ad:ee", "dc", "ec"])
    blunder, punishment = review_game(read_sgf(f"(;GM[1]SZ[5]KM[-0.5]AB{black}AW{white}PL[B];B[];W[cc])"), PLAYER)
    assert blunder.best == "C3"
    assert blunder.cost > 0.25
    assert (punishment.best, punishment.cost) == ("C3", 0.0)  # with this komi a pass would lose


def test_the_players_own_choice_costs_nothing():
    assert MoveNote(1, 0, "A1", "A1", 0.6, 0.5).cost == 0.0
    note = MoveNote(2, 1, "A1", "B2", 0.6, 0.5)
    assert note.cost == pytest.approx(0.1)
    assert note.text == "White's chances: 60 %. Better: B2; A1 costs 10 %"


def test_a_colour_may_move_twice_and_after_two_passes():
    sgf = read_sgf("(;GM[1]SZ[5];B[cc];B[bb];W[];B[];W[dd])")
    assert [note.colour for note in review_game(sgf, PLAYER)] == [0, 0, 1, 0, 1]


def test_what_cannot_be_reviewed_is_one_sentence():
    with pytest.raises(BadFile, match="Move 2 of the game is illegal"):
        review_game(read_sgf("(;GM[1]SZ[5];B[cc];W[cc])"), PLAYER)
    with pytest.raises(BadParameter, match="has no opinion"):
        review_game(read_sgf("(;GM[1]SZ[5];B[cc])"), "random-eyes")


def test_the_command_tells_the_worst_and_writes_the_file(tmp_path, capsys):
    path, out = tmp_path / "game.sgf", tmp_path / "reviewed.sgf"
    path.write_text("(;GM[1]SZ[5]KM[0.5];B[aa];W[cc];B[ee];W[cd])")
    assert run(["review", str(path), "--player", PLAYER, "--out", str(out), "--worst", "2"]) == 0
    shown = capsys.readouterr().out
    assert "A5: Black's chances" in shown  # the corner is no opening
    assert "a comment on each of 4 moves" in shown
    assert all("chances" in comment for comment in read_sgf(out.read_text()).comments)
