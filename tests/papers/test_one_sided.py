"""Games in which one player always moves first, and the numbers of the report's tables."""

import shutil

import numpy as np
import pytest

from components.evaluation.ledger import Ledger
from components.evaluation.one_sided import play_one_sided
from components.evaluation.statistics import wilson_interval
from components.games.registry import make
from components.players.registry import make_player
from components.protocols.one_sided_report import play_table_line

NAMES = ("uct:sims=8", "random-eyes")


def play(game, games, **options):
    players = [make_player(name, game) for name in NAMES]
    return play_one_sided(game, *players, games, 1, names=NAMES, opening_plies=0, **options)


def test_the_player_moves_first_in_every_game():
    game = make("go-5x5")
    result = play(game, 6)
    assert [record.side for record in result.records] == [0] * 6
    assert [record.pair for record in result.records] == list(range(6))
    # Strict alternation: the first player made the odd moves of every game, so as many as the other or one more.
    assert all(record.moves[0] - record.moves[1] in (0, 1) for record in result.records)
    assert result.score == sum(record.returns[0] > 0 for record in result.records) / 6


def test_games_do_not_depend_on_how_many_run_side_by_side():
    game = make("go-5x5")
    digests = [[record.digest for record in play(game, 5, slots=slots).records] for slots in (1, 3, 5)]
    assert digests[0] == digests[1] == digests[2]


def test_a_killed_table_goes_on_and_ends_the_same(tmp_path):
    game = make("go-5x5")
    whole = play(game, 5, ledger=Ledger(tmp_path / "whole.jsonl"))
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "broken.jsonl").write_bytes(b"".join(lines[:2]) + lines[2][:30])
    played = []
    resumed = play(game, 5, ledger=Ledger(tmp_path / "broken.jsonl"), on_game=played.append)
    assert len(played) == 3
    assert [record.digest for record in resumed.records] == [record.digest for record in whole.records]


def test_the_same_game_twice_proves_nothing_twice():
    """Two deterministic players repeat themselves: the interval is that of one game."""
    game = make("golad-6x6")
    always_passing = make_player("pass", make("go-5x5"))
    result = play_one_sided(make("go-5x5"), always_passing, always_passing, 10, 1, names=("a", "b"), opening_plies=0)
    assert (result.games, result.distinct_games) == (10, 1)
    assert result.interval == wilson_interval(0.0, 1)  # White has the komi
    starts = play_one_sided(game, make_player("pass", game), make_player("pass", game), 4, 1, names=("a", "b"))
    assert starts.distinct_games == 4  # GOLAD draws its start


def test_a_line_of_a_table_has_margins_length_and_tree(tmp_path):
    game = make("go-5x5")
    players = (make_player(NAMES[0], game), make_player(NAMES[1], game))
    line = play_table_line(game, players, NAMES, 5, folder=tmp_path, opening_plies=0)
    again = play_table_line(game, players, NAMES, 5, folder=tmp_path, opening_plies=0)
    assert line == again  # all from the ledger, the trees too
    assert line["median_depth"] >= 1
    assert 0 < line["median_least_breadth"] <= 1
    assert line["far_margin"] >= line["median_margin"]
    assert np.isfinite(line["median_seconds_per_game"])


@pytest.mark.skipif(shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin") is None, reason="needs gnugo")
def test_gnu_go_may_be_the_opponent():
    game = make("go-5x5")
    players = (make_player("uct:sims=8", game), make_player("gnugo-1", game))
    line = play_table_line(game, players, ("uct:sims=8", "gnugo-1"), 2, slots=2, opening_plies=0)
    assert line["games"] == 2
    assert "GNU Go" in line["versions"][1]
