"""What results prove: exact small cases, interval laws, error rates by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from components.evaluation.statistics import (
    FixedTest,
    SequentialTest,
    elo_of_score,
    log_likelihood_ratio,
    mean_and_variance,
    pentanomial_interval,
    score_of_elo,
    wilson_interval,
)

COUNTS = some.lists(some.integers(0, 500), min_size=5, max_size=5)


def test_elo_of_known_scores():
    assert elo_of_score(0.5) == 0
    assert elo_of_score(10 / 11) == pytest.approx(400)  # odds of ten to one
    assert elo_of_score(0.75) == pytest.approx(190.848, abs=1e-3)
    assert (elo_of_score(1.0), elo_of_score(0.0)) == (math.inf, -math.inf)


@given(some.floats(-2000, 2000))
def test_elo_and_score_are_inverse(elo):
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_wilson_interval_of_known_cases():
    # 8 of 10: centre (0.8 + 3.8415/20) / 1.38415 = 0.71675, reach 0.22657
    assert wilson_interval(0.8, 10) == pytest.approx((0.49016, 0.94331), abs=1e-4)
    assert wilson_interval(1.0, 10) == (pytest.approx(10 / 13.8415, abs=1e-4), 1.0)
    assert wilson_interval(0.5, 0) == (0.0, 1.0)


@given(some.integers(0, 10**6), some.integers(1, 10**6))
def test_wilson_interval_holds_the_score(points, games):
    score = min(1.0, points / (2 * games))
    low, high = wilson_interval(score, games)
    assert 0 <= low <= score <= high <= 1


def test_mean_and_variance_of_pairs():
    # one pair lost twice, one won twice, two split: mean 1/2, variance (1/4 + 1/4) / 4
    assert mean_and_variance([1, 0, 2, 0, 1]) == (0.5, 0.125)


@given(COUNTS)
def test_pentanomial_interval_holds_the_score(counts):
    low, high = pentanomial_interval(counts)
    score = mean_and_variance(counts)[0] if sum(counts) else 0.5
    assert 0 <= low <= score <= high <= 1
    assert low < high


def test_pairs_split_by_the_opening_prove_more_than_independent_games():
    # Every pair 1:1, because the first mover always wins: 100 games say "equal" far more surely than 100 coins.
    low, high = pentanomial_interval([0, 0, 50, 0, 0])
    wide_low, wide_high = wilson_interval(0.5, 100)
    assert high - low < (wide_high - wide_low) / 3


def test_pentanomial_interval_covers_the_truth_95_percent_of_the_time():
    rng = np.random.default_rng(5)
    for chances in ([0.05, 0.15, 0.3, 0.3, 0.2], [0.2, 0.0, 0.6, 0.0, 0.2], [0.01, 0.02, 0.07, 0.2, 0.7]):
        truth = mean_and_variance(chances)[0]
        ends = [pentanomial_interval(counts.tolist()) for counts in rng.multinomial(40, chances, size=2000)]
        covered = np.mean([low <= truth <= high for low, high in ends])
        assert 0.93 <= covered <= 0.985


def test_ratio_agrees_with_its_normal_approximation_on_many_pairs():
    counts = [400, 900, 1800, 1000, 500]
    mean, variance = mean_and_variance(counts)
    s0, s1 = score_of_elo(0), score_of_elo(10)
    approximation = sum(counts) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert log_likelihood_ratio(counts, 0, 10) == pytest.approx(approximation, rel=0.01)


def test_ratio_is_a_coin_when_pairs_are_decided_alike():
    # Pairs won or lost as a whole are a coin, whose ratio is known: 30 log(s1/s0) + 10 log((1-s1)/(1-s0)).
    s0, s1 = score_of_elo(0), score_of_elo(50)
    coin = 30 * math.log(s1 / s0) + 10 * math.log((1 - s1) / (1 - s0))
    assert log_likelihood_ratio([10, 0, 0, 0, 30], 0, 50) == pytest.approx(coin, abs=1e-2)


def test_one_pair_proves_nothing():
    test = SequentialTest(0, 50, 0.05, 0.05)
    assert test.verdict([0, 0, 0, 0, 0]) is None
    assert test.verdict([0, 0, 0, 0, 1]) is None
    assert test.verdict([1, 0, 0, 0, 0]) is None
    assert (test.lower, test.upper) == (pytest.approx(-2.944, abs=1e-3), pytest.approx(2.944, abs=1e-3))


def test_clean_sweep_is_accepted_after_log_ratio_pairs():
    # log(0.5715/0.5) = 0.1336 per pair won twice, so 2.944 takes 23 of them.
    test = SequentialTest(0, 50, 0.05, 0.05)
    assert test.verdict([0, 0, 0, 0, 22]) is None
    assert test.verdict([0, 0, 0, 0, 23]) == "elo1"


@given(COUNTS)
def test_ratio_changes_sign_with_the_point_of_view(counts):
    mirrored = log_likelihood_ratio(counts[::-1], -50, 0)
    assert log_likelihood_ratio(counts, 0, 50) == pytest.approx(-mirrored, abs=1e-6)


@pytest.mark.parametrize(("elo", "accepted"), [(0, "elo1"), (80, "elo0")])
def test_sequential_test_keeps_its_risks(elo, accepted):
    """At elo0 few are promoted, at elo1 few are rejected; alpha = beta = 5 %."""
    test, rng, wrong, runs = SequentialTest(0, 80, 0.05, 0.05), np.random.default_rng(elo), 0, 250
    for _ in range(runs):
        wrong += run_test(test, rng, score_of_elo(elo)) == accepted
    # 250 runs at 5 %: mean 12.5, standard deviation 3.4; 24 is beyond three of them
    assert wrong <= 24


def run_test(test, rng, score, most_pairs=2000):
    draw = 0.3
    chances = np.convolve(*[[1 - score - draw / 2, draw, score - draw / 2]] * 2)
    counts = [0] * 5
    for half_points in rng.choice(5, size=most_pairs, p=chances):
        counts[half_points] += 1
        verdict = test.verdict(counts)
        if verdict:
            return verdict
    return None


def test_threshold_is_compared_exactly():
    above, reached = FixedTest(40, 0.6, True, True), FixedTest(40, 0.6, False, True)
    assert not above.passes(24, 0, 16)  # 60 % is not more than 60 %
    assert reached.passes(24, 0, 16)
    assert above.passes(24, 1, 15)  # 61.25 %
    assert FixedTest(40, 0.55, False, True).passes(22, 0, 18)
    assert not FixedTest(40, 0.55, True, True).passes(22, 0, 18)


def test_draws_ignored_as_the_report_does():
    test = FixedTest(40, 0.6, True, False)
    assert test.passes(2, 37, 1)  # 2 of 3 decided games
    assert not test.passes(0, 40, 0)  # none decided is a rejection
    assert not FixedTest(40, 0.6, True, True).passes(2, 37, 1)  # with draws as half it is 51 %


def test_verdict_is_certain_as_soon_as_the_rest_cannot_change_it():
    test = FixedTest(40, 0.6, True, True)
    assert test.verdict(24, 0, 0) is None  # 16 losses more would be 60 %, not above
    assert test.verdict(24, 1, 0) is True
    assert test.verdict(0, 0, 15) is None  # 25 wins would be 62.5 %
    assert test.verdict(0, 0, 16) is False  # 24 wins would be just 60 %


@given(some.integers(0, 20), some.integers(0, 20), some.integers(0, 20), some.booleans(), some.booleans(), some.data())
def test_certain_verdict_never_changes(wins, draws, losses, is_strict, draws_count, data):
    games = wins + draws + losses + data.draw(some.integers(0, 12))
    test = FixedTest(games, 0.6, is_strict, draws_count)
    verdict = test.verdict(wins, draws, losses)
    left = games - wins - draws - losses
    endings = {test.passes(wins + w, draws + d, losses + left - w - d) for w in range(left + 1) for d in range(left + 1 - w)}
    assert endings == ({True, False} if verdict is None else {verdict})
