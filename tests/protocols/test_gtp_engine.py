"""The GTP engine as a controller sees it: framing, the board, the score, handicaps, files."""

import re
from pathlib import Path

import pytest
from protocol_fakes import converse

from components.protocols.go_table import fixed_handicap
from components.protocols.gtp import parse_command, success


@pytest.mark.parametrize(
    ("line", "number", "name", "arguments"),
    [
        ("play b D4\n", "", "play", ("b", "D4")),
        ("17 genmove w\r\n", "17", "genmove", ("w",)),
        ("  \t3\tkomi\t6.5  # a comment\n", "3", "komi", ("6.5",)),
        ("na\x00me\x07", "", "name", ()),  # control characters are dropped
        ("007 name", "007", "name", ()),
        ("5", "5", "", ()),
    ],
)
def test_a_line_is_a_command(line, number, name, arguments):
    command = parse_command(line)
    assert (command.number, command.name, command.arguments) == (number, name, arguments)


@pytest.mark.parametrize("line", ["", "\n", "   \t \n", "# only a comment\n", "\x01\x02\n"])
def test_blank_lines_and_comments_get_no_answer(line):
    assert parse_command(line) is None


def test_an_answer_ends_with_one_empty_line_and_has_none_inside():
    command = parse_command("4 showboard")
    assert success(command) == "=4\n\n"
    assert success(command, "yes") == "=4 yes\n\n"
    assert success(command, "\na\n\nb\n\n") == "=4\na\nb\n\n"


def test_administration_commands():
    answers, engine = converse(
        ["1 protocol_version", "name", "version", "known_command genmove", "known_command nonsense", "list_commands", "x y z"]
    )
    assert answers[:2] == [("=", "2"), ("=", "Zeroline")]
    assert answers[3:5] == [("=", "true"), ("=", "false")]
    listed = answers[5][1].split("\n")
    assert set(listed) == set(engine.commands)
    needed = (
        "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo "
        "showboard final_score final_status_list time_settings time_left fixed_handicap place_free_handicap set_free_handicap "
        "loadsgf reg_genmove cputime kgs-genmove_cleanup kgs-time_settings lz-analyze gogui-analyze_commands"
    )
    assert set(needed.split()) <= set(listed)
    assert answers[6] == ("?", "unknown command")


def test_quit_is_answered_and_ends_the_session():
    answers, _ = converse(["name", "quit", "name"])
    assert answers == [("=", "Zeroline"), ("=", "")]


def test_illegal_moves_are_refused_and_change_nothing():
    answers, engine = converse(["play b C3", "play w c3", "play b C9", "play green C1", "play b", "play b I1"])
    assert answers == [
        ("=", ""), ("?", "illegal move"), ("?", "invalid color or coordinate"), ("?", "invalid color or coordinate"),
        ("?", "syntax error"), ("?", "invalid color or coordinate"),
    ]  # fmt: skip
    assert int(engine.table.state.ply) == 1


def test_a_colour_may_play_twice_and_after_two_passes():
    answers, engine = converse(["play b A1", "play b B2", "play w pass", "play b PASS", "play w C3", "genmove w"])
    assert [status for status, _ in answers] == ["="] * 6
    assert [int(stone) for stone in engine.table.states[5].board].count(1) == 2


def test_undo_takes_back_one_move_at_a_time_until_there_is_none():
    answers, engine = converse(["play b A1", "play w B2", "undo", "undo", "undo"])
    assert answers[2:] == [("=", ""), ("=", ""), ("?", "cannot undo")]
    assert engine.table.is_empty


KO = ["B3", "C3", "A2", "D2", "B1", "C1", "pass", "B2"]  # Black C2 takes B2 next


def test_a_simple_ko_and_a_repeated_board_are_refused():
    #   . X O . .      Black C2 takes B2; White may not take back at once,
    #   X O . O .      and never so that the board is the one before
    #   . X O . .
    moves = [f"play {'bw'[ply % 2]} {move}" for ply, move in enumerate(KO)]
    answers, _ = converse([*moves, "play b C2", "play w B2"])
    assert answers[-2:] == [("=", ""), ("?", "illegal move")]


def test_superko_is_refused_by_default_and_allowed_with_simple_ko():
    # On 2x2 the seventh move brings back the board after the first: no simple ko, but a repetition.
    moves = ["A2", "B2", "A1", "B1", "A2", "A1", "A2"]
    lines = [f"play {'bw'[ply % 2]} {move}" for ply, move in enumerate(moves)]
    strict, _ = converse(lines, side=2)
    loose, _ = converse(lines, side=2, ko="simple")
    assert strict == [("=", "")] * 6 + [("?", "illegal move")]
    assert loose == [("=", "")] * 7


def test_komi_decides_the_final_score():
    answers, _ = converse(["komi 6.5", "final_score", "komi -3", "final_score", "komi 0", "final_score", "komi x", "komi 1e9"])
    assert [text for _, text in answers] == ["", "W+6.5", "", "B+3", "", "0", "syntax error", "syntax error"]


def test_dead_stones_are_listed_and_not_counted():
    # White's stone in the corner of Black's board has no chance.
    wall = [f"play b {name}" for name in ["A3", "B3", "C3", "D3", "E3", "C2", "C4", "B4", "D4", "B2", "D2"]]
    answers, _ = converse(["komi 0.5", *wall, "play w A1", "final_status_list dead", "final_status_list seki", "final_score"])
    assert answers[-3:] == [("=", "A1"), ("=", ""), ("=", "B+24.5")]


def test_showboard_starts_on_its_own_line():
    answers, _ = converse(["play b C3", "showboard"])
    assert "3 . .(X). . 3" in answers[1][1]


@pytest.mark.parametrize(
    ("side", "stones", "vertices"),
    [
        (9, 2, "C3 G7"),
        (9, 5, "C3 G7 C7 G3 E5"),
        (13, 9, "D4 K10 D10 K4 D7 K7 G4 G10 G7"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (8, 4, "C3 F6 C6 F3"),
    ],
)
def test_fixed_handicaps_are_those_of_the_protocol(side, stones, vertices):
    assert " ".join(fixed_handicap(side, stones)) == vertices


def test_handicaps_need_an_empty_board_and_white_moves_next():
    answers, engine = converse(
        ["boardsize 9", "fixed_handicap 3", "fixed_handicap 2", "clear_board", "place_free_handicap 12", "clear_board",
         "set_free_handicap A1 A1", "set_free_handicap A1 pass", "set_free_handicap D4 E5", "undo"]
    )  # fmt: skip
    assert answers[1] == ("=", "C3 G7 C7")
    assert answers[2] == ("?", "board not empty")
    assert len(answers[4][1].split()) == 9
    assert answers[6:] == [("?", "bad vertex list"), ("?", "bad vertex list"), ("=", ""), ("?", "cannot undo")]
    assert int(engine.table.state.mover) == 1


def test_sizes_from_2_to_19_only():
    answers, engine = converse(["boardsize 1", "boardsize 20", "boardsize x", "boardsize 5", "boardsize"])
    assert [text for _, text in answers] == ["unacceptable size", "unacceptable size", "syntax error", "", "syntax error"]
    assert engine.table.side == 5


def test_loadsgf_reads_up_to_a_move(tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_text("(;GM[1]SZ[5]KM[2.5]AB[aa][ba];W[cc];B[dd];W[])")
    answers, engine = converse([f"loadsgf {path}", f"loadsgf {path} 2", "get_komi", "loadsgf /no/such/file", "loadsgf"])
    assert answers == [("=", ""), ("=", ""), ("=", "2.5"), ("?", "cannot load file"), ("?", "syntax error")]
    assert int(engine.table.state.ply) == 1  # the position before move 2
    assert int((engine.table.state.board == 1).sum()) == 2


def test_reg_genmove_does_not_play():
    answers, engine = converse(["reg_genmove b", "reg_genmove green"])
    assert answers[0][0] == "="
    assert engine.table.is_empty
    assert answers[1] == ("?", "invalid color or coordinate")


def test_genmove_plays_and_answers_the_same_with_the_same_seed():
    first, engine = converse(["genmove b", "genmove w", "genmove w"])
    second, _ = converse(["genmove b", "genmove w", "genmove w"])
    assert first == second
    assert int(engine.table.state.ply) == 3


def test_cleanup_does_not_pass_while_dead_stones_are_left():
    wall = [f"play b {name}" for name in ["A3", "B3", "C3", "D3", "E3", "C2", "C4", "B4", "D4", "B2", "D2"]]
    answers, _ = converse([*wall, "play w A1", "kgs-genmove_cleanup b"], player="pass")
    assert answers[-1][1] != "pass"
    answers, _ = converse([*wall, "kgs-genmove_cleanup b"], player="pass")
    assert answers[-1] == ("=", "pass")


def test_a_game_beyond_the_move_cap_goes_on():
    lines = [f"play {'bw'[ply % 2]} pass" for ply in range(400)]
    answers, _ = converse([*lines, "play b A1", "genmove w"])
    assert {status for status, _ in answers} == {"="}


def test_resigns_only_when_told_to():
    lines = ["boardsize 5", "komi 300", "genmove b"]
    answers, _ = converse(lines, player="uct:sims=20")
    assert answers[-1][1] != "resign"
    answers, _ = converse(lines, player="uct:sims=20", resign_below=-0.9)
    assert answers[-1] == ("=", "resign")


def test_analysis_tells_visits_winrate_prior_order_and_line():
    lines = ["lz-genmove_analyze b 1", "lz-analyze w 10", "lz-analyze interval x", "zeroline-policy", "zeroline-value"]
    answers, _ = converse(lines, player="uct:sims=30")
    told = answers[0][1].split("\n")
    assert told[0].startswith("info move ")
    assert all(word in told[0] for word in (" visits ", " winrate ", " prior ", " order 0 ", " pv "))
    assert told[-1].startswith("play ")
    assert answers[1][0] == "="
    assert answers[2] == ("?", "syntax error")
    assert len(answers[3][1].split()) == 25
    assert answers[4][1].endswith("for white")


def test_players_without_a_search_say_so():
    answers, _ = converse(["lz-analyze b 10", "zeroline-policy", "lz-genmove_analyze b 10"])
    assert answers[0] == ("?", "this player does not search")
    assert answers[1] == ("?", "this player does not search")
    assert answers[2][1].startswith("play ")


def test_a_recorded_session_of_sabaki_is_answered_as_it_was():
    """What @sabaki/gtp 3.0.0 wrote when sabaki_session.js drove our engine with it, for machines without npm."""
    lines = (Path(__file__).parents[1] / "data" / "sabaki_session.gtp").read_text().splitlines()
    answers, engine = converse(lines, player="uct:sims=40")
    told = dict(zip(lines, answers, strict=True))
    assert [line for line in lines if told[line][0] == "?"] == ["play W C3"]
    assert told["name"] == ("=", "Zeroline")
    assert all(re.fullmatch("[A-E][1-5]|pass", told[line][1]) for line in ("genmove B", "42 genmove W"))
    assert told["lz-analyze W 10"] == ("=", "")  # ended by the next line before there was anything to tell
    assert "3 . .(X). . 3" in told["showboard"][1]
    assert not engine.is_running
