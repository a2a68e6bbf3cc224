"""Every measurement of the lab on games written by hand, with the arithmetic beside the number."""

import math

import pytest
from lab_samples import lab_game

from components.rules_lab.comeback import comeback_of
from components.rules_lab.decisiveness import decisiveness_of
from components.rules_lab.dominance import dominance_of
from components.rules_lab.estimates import Estimate, entropy_of, mean_of, mean_share_of, share_of, spread_of
from components.rules_lab.fairness import fairness_of
from components.rules_lab.pace import pace_of
from components.rules_lab.variety import variety_of


def test_first_player_score_counts_half_for_a_draw():
    told = fairness_of([lab_game("first"), lab_game("first"), lab_game(None), lab_game("second")])
    assert told["first_player_score"].value == 0.625  # (1 + 1 + 1/2 + 0) / 4
    assert told["draw_rate"].value == 0.25
    assert told["first_player_wins"].value == 0.5
    assert told["second_player_wins"].value == 0.25
    assert told["first_player_score"].games == 4


def test_the_first_player_is_who_moved_first():
    """Organism's first_mover=2: player 1 starts, so its wins are the first player's."""
    told = fairness_of([lab_game("second", movers="1010", first=1)])
    assert told["first_player_score"].value == 1.0


def test_interval_of_a_share_is_wilsons():
    told = share_of(8, 10)
    assert (told.low, told.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)  # the textbook's numbers for 8 of 10
    assert share_of(0, 0) == Estimate(0.0, 0.0, 1.0, 0)


def test_mean_has_the_normal_interval():
    told = mean_of([1.0, 2.0, 3.0])
    assert told.value == 2.0
    assert told.high - told.value == pytest.approx(1.959964 / math.sqrt(3))  # standard deviation 1


def test_the_interval_of_a_share_stays_a_share():
    told = mean_share_of([0.0, 0.0, 0.5])
    assert told.low == 0.0
    assert mean_of([0.0, 0.0, 0.5]).low < 0.0


def test_turns_join_consecutive_plies_of_one_player():
    told = pace_of([lab_game("first", movers="000110", choices=(2, 3, 1, 4, 5, 1))])
    assert told["plies"]["mean"].value == 6
    assert told["turns"]["mean"].value == 3  # 000, 11, 0
    assert told["choices_per_ply"]["mean"].value == pytest.approx(16 / 6)
    assert told["choices_per_turn"]["median"].value == 6  # of 2*3*1, 4*5, 1
    assert told["forced_plies"].value == pytest.approx(2 / 6)


def test_intervals_per_ply_resample_whole_games():
    """Ten equal games leave no doubt; ten games that differ from one another do, however many plies each has."""
    equal = spread_of([[1, 9] * 20] * 10)["mean"]
    differing = spread_of([[1] * 40, [9] * 40] * 5)["mean"]
    assert (equal.low, equal.high) == (5.0, 5.0)
    assert differing.value == 5.0
    assert differing.high - differing.low > 2
    assert spread_of([[1] * 40, [9] * 40] * 5)["mean"] == differing  # the same games, the same interval


def test_a_game_at_the_cap_is_not_decided_by_the_rules():
    games = [lab_game("first"), lab_game(None, is_capped=True), lab_game("second", is_capped=True), lab_game(None)]
    told = decisiveness_of(games)
    assert told["decided"].value == 0.5
    assert told["decided_before_cap"].value == 0.25
    assert told["capped"].value == 0.5
    assert told["margin"] is None


def test_margin_is_the_winners_lead():
    games = [lab_game("first", margin=3.0), lab_game("second", margin=-7.0), lab_game(None, margin=0.0)]
    assert decisiveness_of(games)["margin"]["median"].value == 5.0  # of 3 and 7; the draw has no winner


def test_entropy_of_openings_in_bits():
    one, two = ((4,), (0,)), ((4,), (1,))
    told = variety_of([lab_game("first", opening=one, digest="a"), lab_game("first", opening=two, digest="b")])
    assert told["first_ply_entropy"].value == 0.0
    assert told["first_turn_entropy"].value == 0.0
    assert told["two_turns_entropy"].value == 1.0
    assert told["distinct_games"] == 2
    assert told["games_played_twice"].value == 0.0


def test_entropy_interval_reaches_above_what_a_small_sample_shows():
    told = entropy_of(list("abcdefgh"))  # 8 games, 8 openings: there must be more that were not seen
    assert told.value == 3.0
    assert told.high > 3.0
    assert entropy_of(["a"] * 50) == Estimate(0.0, 0.0, 0.0, 50)


def test_twin_games_and_positions_that_come_again():
    games = [lab_game("first", positions=(b"a", b"b", b"a", b"b")), lab_game("first", positions=(b"a", b"b", b"c", b"d"))]
    told = variety_of(games)
    assert told["distinct_games"] == 1
    assert told["games_played_twice"].value == 1.0
    assert told["repeated_positions"].value == 0.25  # mean of 2/4 and 0
    assert told["games_with_repetition"].value == 0.5


def test_comeback_is_a_win_from_clearly_behind():
    lost_then_won = lab_game("first", values=(0.1, 0.7, -0.2, -0.9))  # for player 0: 0.1, -0.7, -0.2, 0.9
    never_behind = lab_game("first", values=(0.1, 0.4, 0.6, -0.9))  # for player 0: 0.1, -0.4, 0.6, 0.9
    told = comeback_of([lost_then_won, never_behind, lab_game(None, values=(-0.9, 0.0, 0.0, 0.0))])
    assert told["comebacks"].value == 0.5
    assert told["comebacks"].games == 2  # a draw has no winner who could have come back
    assert told["settled_at"].value == pytest.approx((3 / 4 + 2 / 4) / 2)


def test_an_opening_that_always_wins_is_dominant():
    games = [lab_game("first", opening_name="B2")] * 20 + [lab_game("second", opening_name="A1")] * 20
    told = dominance_of(games)
    assert [(one["name"], one["share"].value, one["score"].value) for one in told["openings"]] == [
        ("A1", 0.5, 0.0),
        ("B2", 0.5, 1.0),
    ]
    assert told["strongest_opening"]["name"] == "B2"
    assert told["strongest_opening"]["is_dominant"]


def test_a_rare_opening_proves_nothing():
    told = dominance_of([lab_game("first", opening_name="B2")] * 3)
    assert told["strongest_opening"] is None


def test_a_kind_of_action_wins_if_the_side_that_uses_it_more_does():
    grower = lab_game("first", kinds=("grow", "eat", "grow", ""))  # player 0 grows, player 1 eats; "" follows up
    eater = lab_game("second", kinds=("grow", "eat", "eat", "eat"))
    grow, eat = sorted(dominance_of([grower, eater])["kinds"], key=lambda one: one["name"])[::-1]
    assert grow["score_of_more"].value == 0.5  # player 0 used it more in both games and won one
    assert eat["wins_led_by"].value == 0.5
    assert grow["share_of_choices"].value == pytest.approx((2 / 3 + 1 / 4) / 2)
    even = lab_game("first", kinds=("eat", "eat", "eat", "eat"))
    assert dominance_of([even])["kinds"][0]["score_of_more"].games == 0  # nobody used it more
