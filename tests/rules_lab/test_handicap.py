"""The handicap search against games whose first-player score is known."""

import numpy as np
import pytest

from components.rules_lab.handicap import find_handicap, looks_of


class KnownGame:
    """The first player wins candidate i with probability scores[i]; counts what is asked of it."""

    def __init__(self, scores, seed=0):
        rng = np.random.default_rng(seed)
        self.points = [(rng.random(4000) < score).astype(float).tolist() for score in scores]
        self.asked = {}

    def play(self, candidate, games):
        self.asked[candidate] = max(games, self.asked.get(candidate, 0))
        return self.points[candidate][:games]


@pytest.mark.parametrize("fair", range(7))
def test_finds_the_fair_candidate_wherever_it_is(fair):
    game = KnownGame([min(0.98, max(0.02, 0.5 + 0.15 * (fair - place))) for place in range(7)])
    found = find_handicap(7, game.play, first_look=32, most_games=1024)
    assert found.chosen.candidate == fair
    assert found.is_ordered


def test_few_candidates_and_few_games_are_enough():
    scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
    game = KnownGame(scores)
    found = find_handicap(7, game.play, first_look=32, most_games=1024)
    assert len(game.asked) <= 3  # bisection of seven
    assert found.games == sum(game.asked.values())
    far = [trial for trial in found.trials if abs(scores[trial.candidate] - 0.5) >= 0.2]
    assert all(trial.games <= 256 for trial in far)  # what is plainly unfair is soon dropped


def test_fair_is_proven_only_inside_the_band():
    points = [1.0, 0.0] * 2000
    found = find_handicap(2, lambda candidate, games: points[:games], first_look=64, most_games=2048)
    assert found.chosen.verdict == "fair"
    assert found.is_fair
    assert found.chosen.low >= 0.46
    assert found.chosen.high <= 0.54
    short = find_handicap(2, lambda candidate, games: points[:games], first_look=16, most_games=64)
    assert not short.is_fair  # 64 games prove nothing to within 4 %
    assert short.chosen.verdict == "open"


def test_a_lucky_candidate_has_to_prove_itself():
    """Candidate 1 looks fair in its first 64 games and is not; it loses its place once it has had them all."""
    lucky = [1.0, 0.0] * 32 + [1.0] * 192
    steady = ([1.0] * 3 + [0.0] * 2) * 52
    found = find_handicap(3, lambda candidate, games: [steady, lucky, steady][candidate][:games], first_look=64, most_games=256)
    assert found.chosen.candidate != 1
    assert found.chosen.games == 256


def test_all_candidates_on_one_side_gives_the_end():
    found = find_handicap(4, KnownGame([0.95, 0.9, 0.85, 0.8]).play, first_look=32, most_games=128)
    assert found.chosen.candidate == 3
    assert found.chosen.games == 128  # the answer gets all its games
    assert not found.is_fair


def test_candidates_out_of_order_are_noticed():
    found = find_handicap(3, KnownGame([0.2, 0.7, 0.98]).play, first_look=32, most_games=256)
    assert not found.is_ordered


def test_looks_double_up_to_the_most():
    assert looks_of(32, 256) == [32, 64, 128, 256]
    assert looks_of(32, 100) == [32, 64, 100]
    assert looks_of(64, 10) == [10]
