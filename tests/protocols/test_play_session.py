"""A person at the terminal: any game, hints, undo, saving and going on."""

import pytest

from components.core.errors import BadFile, BadParameter
from components.games.registry import make
from components.players.registry import make_player
from components.protocols.play_session import PlaySession, load_saved
from components.protocols.sgf import read_sgf
from flows.cli import run


def session_of(name, opponent="random", **options):
    game = make(name)
    return PlaySession(game, make_player(opponent, game), opponent, **options)


def test_a_whole_game_of_tictactoe_ends_with_a_result():
    session = session_of("tictactoe")
    said = session.opening_lines()
    while not session.is_done:
        said = session.hear(session.game.text.action_name(session.game, session.state, int(session.game.legal(session.state)[0])))
    assert "wins after" in said[-1] or "Draw" in said[-1]


def test_the_second_player_lets_the_other_begin():
    session = session_of("go-5x5", "random-eyes", side=1)
    session.opening_lines()
    assert len(session.actions) == 1
    assert int(session.state.mover) == 1


def test_micro_plies_are_asked_one_by_one_and_undone_one_by_one():
    session = session_of("golad-6x6", "pass")
    session.opening_lines()
    names = session.hear("legal")[0].split(", ")
    birth = next(name for name in names if name.startswith("birth"))
    session.hear(birth)
    assert len(session.actions) == 1  # still my turn: the sacrifices
    assert int(session.state.mover) == 0
    sacrifice = session.hear("legal")[0].split(", ")[0]
    assert sacrifice.startswith("sacrifice")
    session.hear(sacrifice)
    session.hear(session.hear("legal")[0].split(", ")[0])
    assert len(session.actions) == 4  # target, two sacrifices, the opponent's pass
    session.hear("undo")
    assert len(session.actions) == 2
    session.hear("undo")
    session.hear("undo")
    assert session.actions == []
    assert session.hear("undo") == ["There is no move of yours to take back."]


@pytest.mark.parametrize("line", ["", "  ", "Z99", "kill", "save", "save game.txt/../x/y.sgf extra", "é", "undo", "hint me"])
def test_nothing_a_person_types_ends_the_game(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = session_of("go-5x5", "uct:sims=4")
    session.opening_lines()
    session.hear(line)
    assert not session.is_done


def test_hints_name_a_legal_move_and_change_nothing():
    session = session_of("go-5x5", "uct:sims=10")
    session.opening_lines()
    (hint,) = session.hear("hint")
    assert session.game.text.action_of(session.game, session.state, hint.split()[0]) in session.game.legal(session.state)
    assert "your chances" in hint
    assert session.actions == []
    assert session.hear("hint") == [hint]


def test_resigning_ends_and_undo_takes_it_back():
    session = session_of("go-5x5", "pass")
    session.opening_lines()
    session.hear("C3")
    assert session.hear("resign")[-1] == "You resigned; pass wins."
    assert session.is_done
    session.hear("undo")
    assert not session.is_done


def test_saved_games_go_on(tmp_path):
    session = session_of("go-5x5", "random-eyes", seed=4)
    session.opening_lines()
    session.hear("C3")
    session.hear("B2")
    session.hear(f"save {tmp_path / 'game.json'}")
    session.hear(f"save {tmp_path / 'game.sgf'}")
    game, saved = load_saved(tmp_path / "game.json")
    again = PlaySession(game, make_player("random-eyes", game), "random-eyes", saved["side"], saved["seed"], saved["actions"])
    assert again.state.tobytes() == session.state.tobytes()
    assert len(read_sgf((tmp_path / "game.sgf").read_text()).moves) == len(session.actions)
    (tmp_path / "bad.json").write_text("[1]")
    with pytest.raises(BadFile):
        load_saved(tmp_path / "bad.json")


def test_a_game_of_others_goes_on_with_their_komi(tmp_path, monkeypatch, capsys):
    import io

    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[5]KM[2.5]PB[Ann]PW[Bob];B[cc];W[bb])")
    game, saved = load_saved(path)
    assert (game.name, float(game.rules.komi), saved["actions"]) == ("go-5x5:komi=2.5", 2.5, [12, 6])
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert run(["play", "--load", str(path), "--against", "pass", "--second"]) == 0
    assert "you are player 2" in capsys.readouterr().out
    with pytest.raises(BadParameter, match="names no opponent"):
        run(["play", "--load", str(path)])
    path.write_text("(;GM[1]SZ[5]AB[cc];W[bb])")
    with pytest.raises(BadFile, match="can be continued"):
        load_saved(path)


def test_a_refused_move_is_one_sentence():
    session = session_of("go-5x5", "pass")
    session.opening_lines()
    session.hear("C3")
    assert session.hear("C3") == ["Black may not play C3 (a stone is there)."]


def test_the_command_reads_lines_and_ends_with_the_input(monkeypatch, capsys):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("help\nC3\nhint\nquit\n"))
    assert run(["play", "--game", "go-5x5", "--against", "random-eyes"]) == 0
    shown = capsys.readouterr().out
    assert "3 . ." in shown
    assert "Goodbye." in shown
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["play", "--game", "tictactoe", "--against", "random"]) == 0
