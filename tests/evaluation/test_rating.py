"""Ratings: known values, a published table, simulated players, players nobody is tied to."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

from components.core.errors import UnknownName
from components.evaluation.rating import ELO_PER_UNIT, Pairing, fit_strengths, rate_players
from components.evaluation.statistics import elo_of_score, score_of_elo

# Points of the row's player in a ladder of Go programs on 9x9 boards, and its fit with one virtual draw per pairing.
GO_LADDER = [
    ("l1", "mc", 4, 10), ("l1", "p500", 1, 10), ("l1", "p1000", 3, 10), ("l1", "l10", 5, 14), ("l1", "p5000", 1, 10),
    ("mc", "p1000", 2, 10), ("mc", "l10", 1, 10), ("mc", "p5000", 1, 10), ("p500", "p1000", 5, 10), ("p500", "l10", 3, 14),
    ("p500", "p5000", 0, 10), ("p1000", "l10", 9, 14), ("p1000", "p5000", 1, 10), ("l10", "p5000", 3, 13),
    ("patterns", "p1000", 10, 10),
]  # fmt: skip
GO_RATINGS = {"patterns": 519, "p5000": 230, "l10": 0, "p1000": -10, "p500": -81, "mc": -193, "l1": -197}


def by_name(ratings):
    return {rating.name: rating for rating in ratings}


def test_two_players_follow_the_logistic_curve():
    rating = by_name(rate_players(["random", "x"], [Pairing("x", "random", 75, 100)], "random"))["x"]
    assert rating.elo == pytest.approx(elo_of_score(75.25 / 100.5))  # half a virtual draw
    # Fisher information n p (1-p) in natural units
    p = 75.25 / 100.5
    reach = 1.959964 * ELO_PER_UNIT / math.sqrt(100.5 * p * (1 - p))
    assert (rating.low, rating.high) == (pytest.approx(rating.elo - reach), pytest.approx(rating.elo + reach))


def test_anchor_is_zero_and_certain():
    anchor = by_name(rate_players(["a", "b"], [Pairing("a", "b", 3, 4)], "b"))["b"]
    assert (anchor.elo, anchor.low, anchor.high) == (0, 0, 0)
    assert (anchor.games, anchor.points) == (4, 1)


def test_published_ladder_is_reproduced():
    pairings = [Pairing(*row) for row in GO_LADDER]
    ratings = by_name(rate_players(list(GO_RATINGS), pairings, "l10", virtual_draws=1.0))
    for name, elo in GO_RATINGS.items():
        assert ratings[name].elo == pytest.approx(elo, abs=1.0)


def test_order_of_names_and_sides_does_not_matter():
    pairings = [Pairing(*row) for row in GO_LADDER]
    turned = [Pairing(p.opponent, p.player, p.games - p.points, p.games) for p in reversed(pairings)]
    one, other = (by_name(rate_players(n, p, "l1")) for n, p in ((list(GO_RATINGS), pairings), (sorted(GO_RATINGS), turned)))
    for name in GO_RATINGS:
        assert one[name].elo == pytest.approx(other[name].elo, abs=1e-6)
        assert one[name].high == pytest.approx(other[name].high, abs=1e-6)


def test_expected_points_equal_points():
    """The defining equation of the fit: every player is expected to have scored what it did."""
    names = list(GO_RATINGS)
    fit = fit_strengths(names, [Pairing(*row) for row in GO_LADDER], "l10", virtual_draws=1.0)
    strength = dict(zip(names, fit.values, strict=True))
    for name in names:
        scored = sum(p + 0.5 if name == a else g - p + 0.5 for a, b, p, g in GO_LADDER if name in (a, b))
        expected = sum(
            (g + 1) / (1 + math.exp((strength[b] - strength[a]) * (1 if name == a else -1)))
            for a, b, p, g in GO_LADDER if name in (a, b)
        )  # fmt: skip
        assert expected == pytest.approx(scored, abs=1e-8)


def test_clean_sweep_is_finite_with_a_wide_interval():
    rating = by_name(rate_players(["random", "x"], [Pairing("x", "random", 400, 400)], "random"))["x"]
    assert 1000 < rating.elo < 1600
    assert rating.high - rating.low > 500


def test_long_chain_of_sweeps_converges():
    names = ["random", *(f"g{number:02d}" for number in range(30))]
    pairings = [Pairing(better, worse, 20, 20) for worse, better in pairwise(names)]
    ratings = rate_players(names, pairings, "random")
    assert [rating.name for rating in ratings] == names[::-1]
    assert by_name(ratings)["g29"].elo == pytest.approx(30 * elo_of_score(20.25 / 20.5), abs=1e-3)


def test_player_tied_to_nobody_says_so():
    ratings = by_name(rate_players(["random", "a", "x", "y"], [Pairing("a", "random", 6, 8), Pairing("x", "y", 6, 8)], "random"))
    assert ratings["a"].note == ""
    assert "x has no games, direct or through others, against random" in ratings["x"].note
    assert ratings["x"].elo - ratings["y"].elo == pytest.approx(elo_of_score(6.25 / 8.5), abs=10)  # still comparable
    assert ratings["x"].high - ratings["x"].low > 2000


def test_no_games_at_all():
    ratings = rate_players(["random", "x"], [], "random")
    assert [rating.elo for rating in ratings] == [0, 0]
    assert rate_players(["random"], [], "random")[0].elo == 0


def test_unknown_anchor_is_refused():
    with pytest.raises(UnknownName, match="none of the rated players"):
        rate_players(["a"], [], "random")


def test_simulated_players_lie_in_their_intervals_95_percent_of_the_time():
    truth = {"random": 0.0, "a": 120.0, "b": 250.0, "c": 400.0, "d": 430.0}
    rng, inside, seen = np.random.default_rng(8), 0, 0
    for _ in range(200):
        pairings = [
            Pairing(a, b, float(rng.binomial(60, score_of_elo(truth[a] - truth[b]))), 60) for a, b in combinations(truth, 2)
        ]
        for rating in rate_players(list(truth), pairings, "random"):
            if rating.name != "random":
                inside += rating.low <= truth[rating.name] <= rating.high
                seen += 1
    assert 0.92 <= inside / seen <= 0.98
