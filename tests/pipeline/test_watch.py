"""The progress lines: what is counted, what is left, and that a resumed stage does not begin at nothing."""

import pytest

from flows import watch
from flows.watch import GateWatch, SelfplayWatch, TournamentWatch


@pytest.fixture
def clock(monkeypatch):
    """A clock that tests set: the watches are made at 0."""
    now = [0.0]
    monkeypatch.setattr(watch.time, "monotonic", lambda: now[0])
    return now


def progress(games_done, positions):
    return {
        "games_done": games_done, "games": 10, "positions": positions, "evaluated": 10 * positions,
        "net_seconds": 6.0, "tree_seconds": 3.0, "rules_seconds": 1.0,
    }  # fmt: skip


def test_selfplay_tells_games_speed_shares_and_the_rest(clock):
    line = SelfplayWatch("x-g01", 40, {})
    clock[0] = 20.0
    line.note(0, progress(4, 200))
    line.note(1, progress(6, 300))
    assert line.text() == (
        "generate x-g01: 10 of 40 games, 25 positions/s, 250 evaluations/s, net / tree / rules 60 % / 30 % / 10 %, 1 min 0 s left"
    )


def test_shards_that_were_played_before_count_as_done_but_not_as_fast(clock, capsys):
    line = SelfplayWatch("x-g01", 40, {0: 10, 1: 10})
    assert "2 shards were already played" in capsys.readouterr().out
    clock[0] = 20.0
    line.note(2, progress(5, 250))
    assert line.text().startswith("generate x-g01: 25 of 40 games")
    assert line.text().endswith("1 min 0 s left")  # 15 games at 4 s each
    line.note(0, progress(10, 500))  # some mappers tell of old shards too
    assert line.text().startswith("generate x-g01: 25 of 40 games")


def test_a_gate_tells_score_and_the_most_that_is_left(clock):
    line = GateWatch("x-g01")
    game = {"event": "gate_game", "games": 21, "planned_games": 40, "points": 12.0}  # twenty were remembered
    line.note(game)
    clock[0] = 10.0
    text = line.text({**game, "games": 30, "points": 18.0})
    assert text == "gate x-g01: 30 of at most 40 games, score 0.600, at most 10 s left"
    line.note({"event": "gate_verdict", "verdict": "promoted", "reason": ""})


def test_a_tournament_tells_its_pairs_and_who_plays(clock):
    line = TournamentWatch("x", 20)
    line.note({"event": "tournament_ratings", "pairs_left": 12, "ratings": []})  # eight pairs out of the ledger
    assert line.text() == "tournament x: 8 of 20 pairs"
    clock[0] = 8.0
    line.note({"event": "tournament_game", "player": "a", "opponent": "b", "points": 1.0, "void": "", "pairs_left": 8})
    line.note({"event": "tournament_ratings", "pairs_left": 8, "ratings": []})
    assert line.text(", a against b") == "tournament x: 12 of 20 pairs, a against b, 16 s left"  # 4 pairs in 8 s
