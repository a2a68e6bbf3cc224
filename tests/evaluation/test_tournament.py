"""Tournaments: where games go, resuming, players added later, the crosstable."""

import json

import numpy as np
import pytest
from evaluation_fakes import AlwaysFailing, HighestAction, LowestAction, WinTaker, untimed

from components.core.errors import BadParameter
from components.evaluation.config import TournamentConfig
from components.evaluation.rating import Pairing, fit_strengths
from components.evaluation.tournament import Tournament, pairings_of, run_tournament
from components.games.players import RandomPlayer
from components.games.registry import make

ENTRIES = {"random": RandomPlayer, "low": LowestAction, "high": HighestAction, "taker": WinTaker}
CONFIG = TournamentConfig(pairs=40, min_pairs=2, batch_pairs=3)


@pytest.fixture(scope="module")
def game():
    return make("tictactoe")


@pytest.fixture(scope="module")
def played(game):
    return run_tournament(game, ENTRIES, CONFIG, seed=1)


def all_games(result):
    return {names: untimed(match) for names, match in result.matches.items()}


def test_budget_and_minimum_are_kept(played):
    assert sum(match.pairs for match in played.matches.values()) == 40
    assert len(played.matches) == 6
    assert all(match.pairs >= 2 for match in played.matches.values())


def test_ratings_are_anchored_and_taker_beats_random(played):
    elo = {rating.name: rating.elo for rating in played.ratings}
    assert elo["random"] == 0
    assert elo["taker"] > 50


def test_order_of_entries_does_not_matter(game, played):
    turned = run_tournament(game, dict(reversed(ENTRIES.items())), CONFIG, seed=1)
    assert all_games(turned) == all_games(played)
    assert turned.to_dict() == played.to_dict()


def test_killed_tournament_ends_as_an_undisturbed_one(game, played, tmp_path):
    path = tmp_path / "games.jsonl"
    run_tournament(game, ENTRIES, CONFIG, 1, path)
    content = path.read_bytes()
    for share in (0.1, 0.5, 0.93):
        path.write_bytes(content[: int(len(content) * share)])
        resumed = run_tournament(game, ENTRIES, CONFIG, 1, path)
        assert resumed.to_dict() == played.to_dict()
        assert all_games(resumed) == all_games(played)
        assert len(path.read_bytes().splitlines()) == 80


def test_remembered_tournament_makes_no_player(game, played, tmp_path):
    def refuse():
        raise AssertionError("no player is needed")

    path = tmp_path / "games.jsonl"
    run_tournament(game, ENTRIES, CONFIG, 1, path)
    assert run_tournament(game, dict.fromkeys(ENTRIES, refuse), CONFIG, 1, path).to_dict() == played.to_dict()


def test_player_added_later_uses_remembered_games(game, tmp_path):
    path, events = tmp_path / "games.jsonl", []
    three = {name: ENTRIES[name] for name in ("random", "low", "taker")}
    config = TournamentConfig(pairs=12, min_pairs=4)
    run_tournament(game, three, config, 1, path)
    result = run_tournament(game, ENTRIES, config.model_copy(update={"pairs": 24}), 1, path, events.append)
    played_now = {(event["player"], event["opponent"]) for event in events if event["event"] == "tournament_game"}
    assert played_now == {("high", "low"), ("high", "random"), ("high", "taker")}
    assert sum(match.pairs for match in result.matches.values()) == 24


def test_small_budget_goes_to_the_anchor_first(game):
    result = run_tournament(game, ENTRIES, TournamentConfig(pairs=3, min_pairs=1), seed=0)
    assert set(result.matches) == {("high", "random"), ("low", "random"), ("random", "taker")}
    assert all(not rating.note for rating in result.ratings)


def test_a_budget_below_every_minimum_goes_to_the_best_not_to_the_first(game):
    """With the minimum for all 21 pairings the budget would end among the weak, whose names come first."""
    entries = {**{f"a{number}": LowestAction for number in range(4)}, "random": RandomPlayer, "y": WinTaker, "z": WinTaker}
    result = run_tournament(game, entries, TournamentConfig(pairs=60, min_pairs=4, batch_pairs=4), seed=1)
    assert result.matches["y", "z"].pairs >= 4
    assert all(result.matches[tuple(sorted((name, "random")))].pairs >= 4 for name in entries if name != "random")


def test_games_go_where_the_uncertainty_is(game):
    """After equal minimum games the next ones go to the pairing with the largest fall of variance, found by brute force."""
    tournament = Tournament(game, ENTRIES, CONFIG, 3, None, None)
    while min(tournament.pairs.values()) < CONFIG.min_pairs:
        tournament.play_batch(tournament.pick_pairing())
    before = fit_strengths(tournament.names, pairings_of(tournament.matches), "random")
    falls = {}
    for a, b in tournament.pairs:
        i, j = tournament.names.index(a), tournament.names.index(b)
        # Expected results added in tiny weight leave the strengths where they are, so only the variance changes.
        expected = 1 / (1 + np.exp(before.values[j] - before.values[i]))
        more = [*pairings_of(tournament.matches), Pairing(a, b, 6 * expected, 6)]
        falls[a, b] = np.trace(before.covariance) - np.trace(fit_strengths(tournament.names, more, "random").covariance)
    assert tournament.pick_pairing() == max(falls, key=falls.get)


def test_failing_engine_does_not_swallow_the_budget(game):
    entries = {"random": RandomPlayer, "taker": WinTaker, "dead": AlwaysFailing}
    result = run_tournament(game, entries, TournamentConfig(pairs=20, min_pairs=1, batch_pairs=2, replays=0), seed=0)
    assert result.matches["random", "taker"].pairs == 18
    assert result.matches["dead", "random"].voids
    dead = next(rating for rating in result.ratings if rating.name == "dead")
    assert "no games" in dead.note


def test_crosstable_is_ordered_and_mirrored(played):
    header, *rows = played.crosstable_rows()
    order = [rating.name for rating in played.ratings]
    assert header == ["player", "elo", "low", "high", "games", "score", *order]
    assert [row[0] for row in rows] == order
    for i, row in enumerate(rows):
        assert row[6 + i] == ""
        for j, other in enumerate(rows):
            if i != j:
                (points, games), (others, same) = (cell.split("/") for cell in (row[6 + j], other[6 + i]))
                assert games == same
                assert float(points) + float(others) == int(games)


def test_tournament_is_json(played):
    told = json.loads(json.dumps(played.to_dict(), allow_nan=False))
    assert [rating["name"] for rating in told["ratings"]][-1] in ENTRIES
    assert len(told["matches"]) == 6


@pytest.mark.parametrize("entries", [{}, {"random": RandomPlayer}, {"a": RandomPlayer, "b": RandomPlayer}])
def test_impossible_entries_are_refused(game, entries):
    with pytest.raises(BadParameter, match="Enter"):
        run_tournament(game, entries, CONFIG, seed=0)
