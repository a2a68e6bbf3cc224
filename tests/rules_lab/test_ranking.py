"""Marks, weights and the order of variants."""

import pytest
from lab_samples import lab_game

from components.games.registry import make
from components.rules_lab.config import Weights
from components.rules_lab.estimates import Estimate
from components.rules_lab.measure import measure
from components.rules_lab.ranking import length_mark, marks_of, rank, score_of_marks

GAME = make("tictactoe")
WEIGHTS = Weights().model_dump()


def measured(first_wins, second_wins, draws=0):
    games = [lab_game("first")] * first_wins + [lab_game("second")] * second_wins + [lab_game(None)] * draws
    return measure(GAME, games, None)


def test_fairness_is_one_at_half_and_nothing_at_the_ends():
    assert marks_of(measured(10, 10), None)["fairness"].value == 1.0
    assert marks_of(measured(20, 0), None)["fairness"].value == 0.0
    assert marks_of(measured(15, 5), None)["fairness"].value == pytest.approx(0.5)  # 75 % is half way


def test_an_interval_across_half_may_be_perfectly_fair():
    mark = marks_of(measured(11, 9), None)["fairness"]
    assert mark.high == 1.0
    assert mark.low < mark.value < 1.0


def test_the_fairer_of_two_equal_variants_ranks_first():
    ranking = rank({"unfair": measured(19, 1), "fair": measured(10, 10)}, WEIGHTS)
    assert [entry["variant"] for entry in ranking] == ["fair", "unfair"]


def test_weights_decide_what_counts():
    """All draws are fair and decide nothing."""
    drawn, won = measured(0, 0, draws=20), measured(14, 6)
    by_fairness = rank({"drawn": drawn, "won": won}, {**dict.fromkeys(WEIGHTS, 0.0), "fairness": 1.0})
    by_results = rank({"drawn": drawn, "won": won}, {**dict.fromkeys(WEIGHTS, 0.0), "decisiveness": 1.0})
    assert by_fairness[0]["variant"] == "drawn"
    assert by_results[0]["variant"] == "won"
    assert by_results[0]["score"].value == 100.0


def test_the_score_is_the_weighted_mean_of_what_was_measured():
    marks = {"fairness": Estimate(0.5, 0.3, 0.8, 20), "decisiveness": Estimate(1.0, 0.6, 1.0, 20)}
    score = score_of_marks(marks, {**WEIGHTS, "fairness": 3.0, "decisiveness": 1.0})
    assert score.value == pytest.approx(62.5)  # (3 * 0.5 + 1) / 4
    assert score.low == pytest.approx(100 * (0.625 - (0.6**2 + 0.4**2) ** 0.5 / 4))


def test_length_counts_only_if_one_is_wished():
    assert "length" not in marks_of(measured(5, 5), None)
    assert marks_of(measured(5, 5), (2, 8))["length"].value == 1.0  # four turns
    assert length_mark(5, 10, 20) == 0.0
    assert length_mark(7.5, 10, 20) == 0.5
    assert length_mark(30, 10, 20) == 0.5
    assert length_mark(40, 10, 20) == 0.0
