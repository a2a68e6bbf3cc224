"""Programs of others as players: what happens when they are killed, hang, resign, cheat or talk nonsense."""

import os
import random
import shutil
import subprocess
import threading
import time

import pytest
from protocol_fakes import fake_engine

from components.core.errors import BadParameter
from components.evaluation.match import play_match
from components.games.registry import make
from components.players.external import GtpPlayer, short_version, split_timeout
from components.players.process import LineProcess, find_program
from components.players.registry import make_player

GAME = make("go-5x5")
has_gnugo = pytest.mark.skipif(
    shutil.which("gnugo", path=os.environ["PATH"] + ":/usr/games") is None,
    reason="no GNU Go: apt-get install gnugo",
)


def children():
    """Processes that this one started and that are still in the table, zombies included."""
    listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "pid=,comm="], capture_output=True, text=True).stdout
    return [line.split() for line in listed.splitlines() if line.split()[1] != "ps"]


def play(text, pairs=1, opponent="random-eyes", replays=1, game=GAME):
    player = make_player(text, game)
    result = play_match(game, make_player(opponent, game), player, pairs, 3, 4, names=("we", "they"), replays=replays)
    assert [name for _, name in children()] == []
    return result, player


def test_an_engine_that_only_passes_plays_whole_games(tmp_path):
    result, player = play(f"gtp:{fake_engine(tmp_path, 'pass')}")
    assert (result.games, result.wins) == (2, 2)
    assert player.version == "Fake 7"


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("die", "ended (status 3)"),
        ("complain", "it said: out of memory"),
        ("nonsense", "'Z99' is not a move"),
        ("unframed", "broke the protocol"),
        ("refuse", "unacceptable size"),
    ],
)
def test_failing_engines_make_void_games_and_the_match_ends(tmp_path, mode, reason):
    result, _ = play(f"gtp:{fake_engine(tmp_path, mode)}")
    assert result.games == 0
    assert all(reason in void for void in result.voids)


def test_a_hanging_engine_is_given_up_in_time(tmp_path):
    began = time.monotonic()
    result, _ = play(f"gtp:timeout=0.5 {fake_engine(tmp_path, 'hang')}", replays=0)
    assert "did not answer in time" in result.voids[0]
    assert time.monotonic() - began < 30


def test_resigning_and_illegal_moves_lose(tmp_path):
    result, _ = play(f"gtp:{fake_engine(tmp_path, 'resign')}")
    assert (result.wins, result.voids) == (2, ())
    assert result.records[0].forfeit == "they resigned."
    result, _ = play(f"gtp:{fake_engine(tmp_path, 'illegal')}", pairs=2, opponent="random-eyes")
    assert result.wins == result.games == 4
    assert any("illegal move" in record.forfeit for record in result.records)


def test_what_an_engine_started_ends_with_it(tmp_path):
    def sleepers():
        return subprocess.run(["pgrep", "-f", "^sleep 600$"], capture_output=True, text=True).stdout.split()

    before = sleepers()
    play(f"gtp:{fake_engine(tmp_path, 'child')}")
    assert sleepers() == before


def test_a_missing_engine_is_a_sentence():
    with pytest.raises(BadParameter, match="install it or give its full path"):
        make_player("gtp:no-such-engine --mode gtp", GAME)
    with pytest.raises(BadParameter, match="build it from"):
        make_player("pachi-500", GAME) if shutil.which("pachi") is None else find_program("pachi-is-here")
    with pytest.raises(BadParameter, match="levels 1 to 10"):
        make_player("gnugo-11", GAME)
    with pytest.raises(BadParameter, match="at least 500"):
        make_player("pachi-100", GAME)
    with pytest.raises(BadParameter, match="cannot play tictactoe"):
        make_player("gnugo-1", make("tictactoe"))


def test_the_hint_to_install_gnugo(monkeypatch):
    monkeypatch.setattr("components.players.process.shutil.which", lambda *_, **__: None)
    with pytest.raises(BadParameter, match="install gnugo: apt-get install gnugo"):
        make_player("gnugo-1", GAME)


def test_time_outs_are_the_first_word():
    assert split_timeout("timeout=7.5 gnugo --mode gtp") == (7.5, "gnugo --mode gtp")
    with pytest.raises(BadParameter):
        split_timeout("timeout=soon gnugo")


def test_a_version_is_not_a_speech():
    assert short_version("11.99 (Genjo-devel): If you believe you have won, please help me understand. Have a nice game!") == (
        "11.99 (Genjo-devel)"
    )
    assert short_version("3.8\nand more") == "3.8"


def test_a_process_is_reaped_however_it_ends():
    process = LineProcess(find_program("cat"))
    process.send("hello\n")
    assert process.read_line(time.monotonic() + 5) == "hello"
    os.kill(process.process.pid, 9)
    process.close()
    process.close()
    assert children() == []


@has_gnugo
def test_gnugo_games_are_the_same_again_and_know_their_version():
    game = make("go-9x9")
    first, player = play("gnugo-1", opponent="uct:sims=4", game=game)
    again, _ = play("gnugo-1", opponent="uct:sims=4", game=game)
    assert [record.digest for record in first.records] == [record.digest for record in again.records]
    assert player.version == "GNU Go 3.8"
    assert first.losses == 2


@has_gnugo
def test_killing_gnugo_in_the_middle_loses_no_result():
    """The same games end the same way, whether or not engines were killed."""
    game = make("go-9x9")
    undisturbed, _ = play("gnugo-1", pairs=2, opponent="uct:sims=4", game=game)
    player, stop = make_player("gnugo-1", game), threading.Event()
    assert isinstance(player, GtpPlayer)
    killed = []
    killer = threading.Thread(target=kill_now_and_then, args=(player, stop, killed))
    killer.start()
    result = play_match(game, make_player("uct:sims=4", game), player, 2, 3, 4, names=("we", "they"), replays=50)
    stop.set()
    killer.join()
    assert killed
    assert [record.digest for record in result.records] == [record.digest for record in undisturbed.records]
    assert result.voids == ()
    assert children() == []


def kill_now_and_then(player, stop, killed):
    generator = random.Random(5)
    while not stop.wait(0.6) and len(killed) < 6:
        alive = [table.client for table in player.tables if table.client is not None and table.client.is_alive]
        if alive:
            victim = generator.choice(alive)
            victim.process.process.kill()
            killed.append(victim)
