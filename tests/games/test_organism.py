"""Organism by its rule book: the board, the worked example, each sub-action, pending organisms, the end of a game."""

import numpy as np
import pytest
from organism_positions import START, can, drawn, game_of, played, resolved, results, state_of

from components.core.errors import BadFile, BadParameter, IllegalAction, UnknownName
from components.core.seeds import streams_of
from components.games.organism import board
from components.games.organism.notation import parse_state, state_string
from components.games.players import make_baseline
from components.games.record import one_row
from components.games.registry import make


@pytest.mark.parametrize(("rings", "cells"), [(3, 19), (4, 37), (5, 61), (6, 91)])
def test_inner_cells_have_six_neighbours_edges_four_and_corners_three(rings, cells):
    near = board.neighbours(rings, corners_removed=False)
    degrees = (near >= 0).sum(axis=1)
    assert len(near) == cells
    assert (degrees[board.ring_of_cells(rings) < rings - 1] == 6).all()
    outer = degrees[board.ring_of_cells(rings) == rings - 1]
    assert sorted(set(outer)) == [3, 4]
    assert (outer[:: rings - 1] == 3).all()
    assert all(cell in near[other] for cell in range(cells) for other in near[cell] if other >= 0)


def test_symmetries_keep_neighbours_and_turn_steps_as_the_specification_says():
    near = [set(row[row >= 0].tolist()) for row in board.neighbours(4, corners_removed=False)]
    maps = board.cell_symmetries(4)
    for cell_map in maps:
        assert all({int(cell_map[other]) for other in near[cell]} == near[cell_map[cell]] for cell in range(37))
    for ring in (1, 2, 3):
        for step in range(6 * ring):
            assert maps[1][board.cell_id(ring, step)] == board.cell_id(ring, (step - ring) % (6 * ring))
            assert maps[6][board.cell_id(ring, step)] == board.cell_id(ring, (5 * ring - step) % (6 * ring))


def test_start_positions_of_both_reports_and_their_numbers_of_results():
    assert state_string(game_of(), game_of().start()) == START
    assert len(results("", START)) == 39
    five = game_of(name="organism-5")
    start = state_string(five, five.start())
    assert [start.index(letter) for letter in "EMGemg"] == [38, 39, 40, 50, 51, 52]
    assert len(five.legal(five.start())) == 43


def test_rulebook_homes_and_choice_of_order():
    game = make("organism-4/rulebook:turns=whole")
    start = game.start()
    homes = np.flatnonzero(start.home).tolist()
    assert homes == [board.cell_id(3, step) for step in (0, 1, 2, 9, 10, 11)]
    assert len(game.legal(start)) == 6
    placed = game.after(start, 0)
    assert placed.mover == 0  # the turn goes on with what was introduced
    assert sorted(placed.element[homes[:3]].tolist()) == [1, 2, 3]
    assert placed.food[homes[:3]].tolist() == [1, 1, 1]


def test_worked_example_of_conflicts_and_integrity():
    conflict, integrity = resolved(
        "",
        drawn("""
                .0 M0 M0
              .0 .0 .0 .0
            .0 .0 G1 E1 .0      m6>E1, m18>E1, G0>m6, e5>G0: tokens 1 : 3
              .0 e1 m0 m0
                g0 .0 .0
        """),
    )
    # E1 goes first and leaves its food to m6, which precedes m18; m6 to G0; G0 to e5: 1 + 2.
    assert conflict[0] == {5: "e", 9: "M", 10: "M", 15: "g", 18: "m"}
    assert conflict[1][5] == 3
    assert conflict[2] == [1, 3]
    # M9+M10, e5+g15 and m18 are incomplete: each cell keeps its food plus 1.
    assert integrity[0] == {}
    assert [integrity[1][cell] for cell in (5, 9, 10, 15, 18)] == [4, 1, 1, 1, 1]
    assert integrity[2] == [4, 5]


def test_worked_example_played_leaves_an_empty_board_that_the_player_to_move_wins():
    state = "..EG.em..MM....g..m/1011310101011010012/1/0,0/2,3,9,10"
    subs = (["MOVE", 2, 1, None], ["MOVE", 3, 0, 4])
    after = played(game_of(), state, [2, 3, 9, 10], "MOVE", *subs)
    assert after == (".................../0000440102111011013/2/4,5/", 2)


def test_first_attacker_in_cell_order_inherits():
    # e1 and e0 both attack G2; the order is 1, 0, 2, 3, ...
    conflict, _ = resolved("", drawn(".0 .0 .0  .0 .0 G2 .0  .0 .0 e0 e0 .0  .0 .0 .0 .0  .0 .0 .0", mover=2))
    assert conflict[1][1] == 2
    assert conflict[1][0] == 0
    assert conflict[2] == [0, 2]  # a token per attacking pair


def test_members_of_a_capture_cycle_go_together_and_their_food_drops():
    # Around the centre: E > g > M > e > G > m > E.
    conflict, _ = resolved("", drawn(".0 .0 .0  .0 g1 E1 .0  .0 M1 .0 m1 .0  .0 e1 G1 .0  .0 .0 .0"))
    assert conflict[0] == {}
    assert [conflict[1][cell] for cell in range(1, 7)] == [1] * 6
    assert conflict[2] == [3, 3]


def test_victims_that_lead_into_a_cycle_are_captured_after_it():
    # Around the centre: M > e > G > m > E > g > M. Outside, M8 attacks e2 and is itself attacked by g7.
    drawing = ".0 .0 .0  .0 G1 e1 M2  .0 m1 .0 M1 g0  .0 E1 g1 .0  .0 .0 .0"
    conflict, _ = resolved("", drawn(drawing))
    assert conflict[0] == {7: "g"}
    assert conflict[1][7] == 2  # what M8 held
    assert conflict[1][1] == 1  # the cycle's food has no heir


def test_eat_takes_one_food_from_an_empty_neighbour_up_to_three():
    found = [(elements, food) for elements, food, *_ in results("", START) if 8 in elements]
    foods = [(food[8], food[1], food[2], food[7]) for _, food in found if food[8] == 2]
    assert sorted(foods) == [(2, 1, 2, 1), (2, 2, 1, 1), (2, 2, 2, 0), (2, 2, 2, 1)]  # the last one was given by M9
    full = START.replace("/3222222111", "/3222222131")
    assert not can("", full, lambda elements, food: 8 in elements and food[8] == 4)


def test_move_pushes_all_food_and_never_back_to_the_vacated_cell():
    moved = [food for elements, food, *_ in results("", START) if elements.get(2) == "M" and 9 not in elements]
    assert len(moved) == 3
    assert {tuple(np.flatnonzero(np.array(food) > 3).tolist()) for food in moved if food[0] == 3} == {(1,), (3,)}
    assert all(food[9] == 0 for food in moved)


def test_food_that_cannot_be_pushed_is_lost():
    boxed = drawn("""
            .0 E0 .2
          .0 .0 G0 M1
        .0 .0 .0 .0 .0      M8 may enter 9, whose other neighbours are both taken
          e1 .0 .0 .0
            m1 g1 .0
    """)
    moved = [food for elements, food, *_ in results("", boxed) if elements.get(9) == "M"]
    assert len(moved) == 1
    assert moved[0][9] == 1
    assert sum(moved[0]) == 4


def test_grow_pays_in_every_split_and_not_next_to_an_enemy():
    rich = drawn("""
            .0 .0 .0
          .0 G2 M0 .0
        .0 .0 G1 E0 .0      two growers: EAT costs 1, MOVE 1, GROW 2
          .0 .0 .0 .0
            g0 e0 m0
    """)
    found = results("actions_per_turn=capped,actions_number=1", rich)
    found = [(elements, food) for elements, food, *_ in found if {0, 1, 2, 3} < set(elements)]  # nobody moved
    grown = {(elements[4], food[3], food[0]) for elements, food in found if 4 in elements}
    assert grown == {("E", 1, 1), ("E", 2, 0), ("M", 1, 1), ("M", 2, 0), ("G", 0, 1), ("G", 1, 0)}
    assert not any(5 in elements or 6 in elements for elements, *_ in found)


def test_circulate_may_feed_another_own_organism_that_has_become_adjacent():
    joined = drawn("""
            E1 M1 .0
          G1 .0 .0 .0
        .0 .0 .0 E0 .0      M10 steps to 2 beside the second organism, then feeds it
          .0 .0 G0 M0
            .0 .0 .0
    """)
    first = game_of("actions_per_turn=constant,actions_number=2")
    state, _ = played(first, joined, [10, 11, 12], "MOVE", ["MOVE", 10, 2, None], ["CIRCULATE", 2, 1])
    assert state.split("/")[1][1] == "1"


def test_pending_groups_follow_what_the_first_organism_did():
    two = drawn("""
            E1 M1 m1
          G1 .0 .0 e1
        .0 .0 .0 .0 g1
          .0 E0 G0 .0
            .0 .0 M0
    """)
    state, _ = played(game_of(), two, [10, 11, 12], "EAT", ["CIRCULATE", 10, 11])
    assert state.split("/")[2] == "1"  # the other organism has still to act
    assert state.split("/")[4] == "5,6,17"


def test_player_without_a_legal_ply_must_pass_and_only_then():
    starved = drawn(".0 G0 M0  .0 .0 .0 E0  .0 .0 .0 .0 .0  e1 .0 .0 .0  m1 g1 .0")
    for turns in ("whole", "micro"):
        game = game_of("", turns)
        state = state_of(game, starved)
        assert len(game.legal(state)) == 1
        after = game.after(state, int(game.legal(state)[0]))
        assert state_string(game, after) == starved.replace("/1/0,0/8,9,10", "/2/0,0/14,15,16")
    micro = game_of("", "micro")
    assert micro.text.action_name(micro, state_of(micro, starved), int(micro.legal(state_of(micro, starved))[0])) == "pass"
    fed = state_of(micro, START)
    assert "pass" not in [micro.text.action_name(micro, fed, int(action)) for action in micro.legal(fed)]


def test_whole_results_that_do_not_fit_are_cut_and_the_drawing_says_so():
    many = "G...MG.g.....EM..me/1333210321213211021/1/0,0/0,4,5,13,14"
    cut, whole = game_of("max_results=256"), game_of()
    assert len(whole.legal(state_of(whole, many))) == 869
    assert len(cut.legal(state_of(cut, many))) == 256
    assert "only the first 256" in cut.text.draw(cut, state_of(cut, many))
    assert "only the first" not in whole.text.draw(whole, state_of(whole, many))


def test_state_strings_beyond_one_digit_round_trip():
    game = game_of()
    state = state_of(game, START)
    state.food[0] = 123
    assert parse_state(game, state_string(game, state), "test").food[0] == 123


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x/1/1/0,0/", "board"),
        (START.replace("/1/0,0", "/3/0,0"), "need board/food"),
        (START.replace("8,9,10", "8,9,11"), "pending cells"),
        (START.replace("0,0", "0"), "two token counts"),
        (START.replace("/3222", "/-222"), "food"),
    ],
)
def test_malformed_states_are_refused_with_a_sentence(text, problem):
    with pytest.raises(BadFile, match=problem):
        parse_state(game_of(), text, "line 7")


@pytest.mark.parametrize(
    ("name", "error", "problem"),
    [
        ("organism-2", BadParameter, "number of rings, 3 to 6"),
        ("organism-3:eat_cap=9", BadParameter, "eat_cap"),
        ("organism-3:eat_caps=3", UnknownName, "no knob 'eat_caps'"),
        ("organism-3:free_food=[1,2]", BadParameter, "one per ring"),
        ("organism-3:start_offset=3", BadParameter, "need 0 to 2"),
        ("organism-3:corners_removed=true", BadParameter, "removed corner"),
        ("organism-3:start_elements=6,head_start_element=E", BadParameter, "taken twice"),
        ("organism-3:type_order=chosen", BadParameter, "needs introduce"),
        ("organism-3/rules", UnknownName, "no variant"),
    ],
)
def test_bad_sizes_and_knobs_are_refused_with_a_sentence(name, error, problem):
    with pytest.raises(error, match=problem):
        make(name)


def test_illegal_choice_is_refused_by_its_name():
    game = game_of("", "micro")
    with pytest.raises(IllegalAction, match="legal are EAT, MOVE, GROW"):
        game.text.action_of(game, game.start(), "push to 3")


def test_food_changes_only_by_growing_and_by_removal():
    counts = [int(digit) for digit in START.split("/")[1]]
    for elements, food, *_ in results("", START):
        if len(elements) == 6:  # eaten, pushed, carried or circulated
            assert sum(food) == sum(counts)
        elif len(elements) == 7:  # the price of 1, and the free food under the new element
            born = next(cell for cell in elements if cell not in (8, 9, 10, 14, 15, 16))
            assert sum(food) == sum(counts) - 1 - counts[born]
        else:  # a suicide: three cells keep their food plus 1
            assert (len(elements), sum(food)) == (3, sum(counts) + 3)


@pytest.mark.parametrize("turns", ["whole", "micro"])
def test_safe_player_wins_at_once_and_does_not_lose_at_once(turns):
    winning = drawn("""
            .0 .0 .0
          .0 .0 .0 E1
        .0 .0 e0 .0 M1      M7 steps to 1 beside e0: its organism falls and player 2 with it
          .0 m0 .0 G0
            g0 .0 .0
    """)
    game = game_of("", turns)
    for seed in range(3):
        state, stream = state_of(game, winning), streams_of(1, seed)
        while game.returns(state) is None and state.acts == 0:
            state = game.after(state, int(make_baseline("safe", game).choose(game, one_row(game, state), stream)[0]))
        assert state.winner == 1


@pytest.mark.parametrize("turns", ["whole", "micro"])
def test_greedy_player_grows_when_nothing_can_be_captured(turns):
    game = game_of("", turns)
    state, stream = game.start(), streams_of(1, 5)
    while state.acts == 0:
        state = game.after(state, int(make_baseline("greedy", game).choose(game, one_row(game, state), stream)[0]))
    assert np.count_nonzero(state.element) == 7


def test_safe_players_play_long_games_and_random_ones_short_ones():
    game = game_of()
    lengths = {name: np.mean([length_of(game, name, seed) for seed in range(30)]) for name in ("random", "safe")}
    # 2000 uniform games of the specification took 3.5 plies on average, 800 safe ones 13.1.
    assert 2 <= lengths["random"] <= 6
    assert 8 <= lengths["safe"] <= 25


def length_of(game, name, seed):
    player, stream, state = make_baseline(name, game), streams_of(1, seed), game.start()
    while game.returns(state) is None:
        state = game.after(state, int(player.choose(game, one_row(game, state), stream)[0]))
    return int(state.acts)
