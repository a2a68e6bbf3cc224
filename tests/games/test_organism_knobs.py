"""One test per knob of setup and actions: what it changes, on a position where nothing else does. Words have their numbers.

The knobs of conflicts, tokens and endings are in test_organism_results.py.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from organism_positions import START, can, drawn, fed, game_of, played, problem_of, results, start_text, state_of

from components.games.organism import board, codes, places
from components.games.organism.knobs import BUILD_ONLY, RULEBOOK, OrganismKnobs, literal_values
from components.games.organism.notation import state_string
from components.games.registry import make

ONE_ACTION = "actions_per_turn=capped,actions_number=1"
GAP = drawn("""
        .0 G1 M1
      .0 .0 .0 E1
    .0 .0 .0 .0 .0      no free food anywhere
      e1 .0 .0 .0
        m1 g1 .0
""")
WORDS = {
    "turns": ("MICRO", "WHOLE"),
    "eat_source": ("FROM_NEIGHBOUR", "FROM_SUPPLY", "FROM_NEIGHBOUR_AND_SUPPLY"),
    "circulate_reach": ("REACH_ADJACENT", "REACH_ORGANISM"),
    "circulate_amount": ("AMOUNT_ONE", "AMOUNT_HALF"),
    "move_food": ("MOVE_PUSHES", "MOVE_TAKES", "MOVE_DESTROYS"),
    "grow_food": ("GROW_DESTROYS", "GROW_TAKES"),
    "grow_enemy_block": ("BLOCK_ANY", "BLOCK_SAME_TYPE", "BLOCK_OFF"),
    "grow_cost": ("COST_COUNT", "COST_COUNT_LESS_ONE", "COST_COUNT_PLUS_ONE", "COST_CONSTANT"),
    "actions_per_turn": ("ACTIONS_COUNT", "ACTIONS_CAPPED", "ACTIONS_CONSTANT"),
    "resolve_timing": ("AFTER_ORGANISM", "AFTER_TURN"),
    "captured_food": ("TO_ATTACKER", "DROPPED", "DROPPED_PLUS_ONE", "VANISHES"),
    "conflict_token": ("PER_PAIR", "PER_VICTIM"),
    "integrity_token": ("PER_ELEMENT", "PER_ORGANISM", "PER_PLAYER"),
    "suicide_pays": ("SUICIDE_PAYS", "SUICIDE_IS_FREE", "SUICIDE_PAYS_CAPTORS"),
    "organisms_when": ("ANY_TIME", "TURN_END"),
    "head_start_food_on": ("ON_ALL", "ON_EAT", "ON_MOVE", "ON_GROW"),
    "tie_rule": ("TIE_TO_MOVE", "TIE_ACTOR_LOSES", "TIE_PLAYS_ON"),
    "empty_board": ("EMPTY_TO_MOVE", "EMPTY_ACTOR_LOSES", "EMPTY_DRAW"),
    "stuck_player": ("STUCK_PASSES", "STUCK_LOSES"),
    "ply_cap_result": ("CAP_DRAWS", "CAP_COUNTS_TOKENS"),
    "repetition": ("REPEAT_FREE", "REPEAT_DRAWS"),
    "no_op_turns": ("NO_OP_FORBIDDEN", "NO_OP_ALLOWED"),
}


def test_every_knob_has_a_place_and_a_test_here():
    here = Path(__file__)
    source = here.read_text().partition("def test_words_have")[2] + here.with_name("test_organism_results.py").read_text()
    for name in OrganismKnobs.model_fields:
        assert re.search(rf"\b{name}\b", source), f"no test names {name}"
        assert hasattr(places, name) != (name in BUILD_ONLY)


def test_words_have_the_numbers_that_kernels_know_them_by():
    for name, constants in WORDS.items():
        assert len(literal_values(name)) == len(constants), name
        assert [int(getattr(codes, constant)) for constant in constants] == list(range(len(constants))), name
    for name in OrganismKnobs.model_fields:
        is_word = literal_values(name) not in ((), ("none",), ("off",)) and name not in BUILD_ONLY
        assert is_word == (name in WORDS), name


def test_rulebook_differs_from_the_report_only_where_its_column_does():
    rulebook, report = make("organism-4/rulebook").knobs, make("organism-4").knobs
    changed = {name for name in OrganismKnobs.model_fields if getattr(rulebook, name) != getattr(report, name)}
    assert changed == set(RULEBOOK)


def test_turns_and_planes():
    assert game_of("", "micro").spec.has_policy
    assert not game_of("", "whole").spec.has_policy
    planes = {knobs: game_of(*knobs).spec.planes for knobs in (("", "micro"), ("", "whole"), ("planes=report", "micro"))}
    assert list(planes.values()) == [38, 11, 11]
    assert game_of("planes=ours").spec.planes == 38


def test_max_results():
    assert game_of("max_results=300").spec.max_legal == 300
    assert game_of().spec.max_legal == 4096


def test_corners_removed():
    game = game_of("corners_removed=true", name="organism-5")
    corners = sorted(board.removed_corners(5, corners_removed=True))
    assert len(corners) == 6
    assert not game.rules.is_on_board[corners].any()
    assert (game.rules.near[corners] == -1).all()
    assert not np.isin(game.rules.near, corners).any()
    assert game.start().food[corners].sum() == 0
    assert game.text.draw(game, game.start()).splitlines()[0].split() == [".1", ".1", ".1"]


def test_start_offset_type_order_and_start_elements():
    assert start_text("start_offset=0").startswith(".......EMG...emg...")
    assert start_text("type_order=GME").startswith("........GME...gme..")
    assert start_text("start_elements=4").startswith("........EMGE..emge.")
    assert start_text("start_offset=auto", "organism-5").startswith("." * 38 + "EMG")


def test_start_food_and_free_food():
    assert start_text("start_food=[3,0]").split("/")[1] == "3222222133311100011"
    assert start_text("free_food=[6,0,2]").split("/")[1] == "6000000211122211122"
    assert start_text("free_food=none").split("/")[1] == "0000000011100011100"


def test_first_mover():
    assert start_text("first_mover=2").endswith("/2/0,0/14,15,16")


def test_introduce_places_elements_again_after_elimination():
    game = game_of("introduce=true,elimination_wins=false")
    # The survivors of player 1 stand next to player 2's homes 14, 15 and 16: they are removed without tokens.
    near_homes = drawn(".0 .0 .0  .0 .0 .0 .0  .0 E1 .0 .0 .0  .3 M1 G1 .0  .0 .0 .0")
    after, winner = played(game, near_homes, [4, 5, 6], "EAT", ["CIRCULATE", 4, 5])
    assert (after.split("/")[0], winner) == ("..............emg..", 0)
    assert after.split("/")[2:] == ["2", "0,0", "14,15,16"]
    assert after.split("/")[1] == "0" * 14 + "111" + "00"  # free food on and next to the homes is cleared
    assert not can("elimination_wins=false", near_homes, lambda elements, food: "e" in elements.values())


def test_eat_source():
    def has_more(elements, food):
        return 8 in elements and food[8:11] == (2, 1, 1)

    assert not can("", GAP, has_more)
    assert can("eat_source=supply", GAP, has_more)
    assert can("eat_source=neighbour+1", GAP, has_more)
    # 1 from the supply and both of cell 1.
    assert can("eat_source=neighbour+1", START, lambda elements, food: food[8] == 4 and food[1] == 0)


def test_eat_cap_and_circulate_cap():
    full = fed(START, {8: 3})

    def has_eaten(elements, food):
        return 8 in elements and (food[8], food[9]) == (4, 1)

    def was_given(elements, food):
        return 8 in elements and (food[8], food[9]) == (4, 0)

    assert [can(knobs, full, has_eaten) for knobs in ("", "eat_cap=4", "eat_cap=none")] == [False, True, True]
    assert [can(knobs, full, was_given) for knobs in ("", "circulate_cap=4", "circulate_cap=none")] == [False, True, True]


def test_circulate_reach():
    def is_across(elements, food):
        return 8 in elements and food[8:11] == (0, 1, 2)  # 8 and 10 are no neighbours

    assert not can("", START, is_across)
    assert can("circulate_reach=organism", START, is_across)


def test_circulate_amount():
    def is_half(elements, food):
        return 8 in elements and food[8:10] == (4, 2)  # 3 of 5

    assert not can("", fed(START, {9: 5}), is_half)
    assert can("circulate_amount=half", fed(START, {9: 5}), is_half)


def test_move_food():
    onto = {
        knobs: {food[2] for elements, food, *_ in results(knobs, START) if elements.get(2) == "M" and 9 not in elements}
        for knobs in ("", "move_food=take", "move_food=destroy")
    }
    assert onto == {"": {1}, "move_food=take": {3}, "move_food=destroy": {1}}

    def is_pushed(elements, food):
        return elements.get(2) == "M" and 9 not in elements and food[0] == 5

    assert can("", START, is_pushed)
    assert not can("move_food=destroy", START, is_pushed)


def test_move_same_type_block():
    close = drawn(".0 G1 .0  .0 .0 M1 E1  .0 .0 .0 .0 .0  .0 m1 g1 .0  e1 .0 .0")
    step = ["MOVE", 2, 0, None]  # the centre touches m5
    assert problem_of("", close, [2, 8, 10], "MOVE", step) == ""
    assert "MOVE" in problem_of("move_same_type_block=true", close, [2, 8, 10], "MOVE", step)


def test_move_needs_alive():
    two = "actions_per_turn=constant,actions_number=2"
    subs = (["MOVE", 10, 11, 12], ["MOVE", 9, 10, None])  # G10 leaves, then E8 and M9 are no living group
    assert problem_of(two, START, [8, 9, 10], "MOVE", *subs) == ""
    assert "9, 10" in problem_of(f"{two},move_needs_alive=true", START, [8, 9, 10], "MOVE", *subs)


def test_grow_food():
    born = {
        knobs: {food[3] for elements, food, *_ in results(knobs, START) if elements.get(3) == "E"}
        for knobs in ("", "grow_food=take")
    }
    assert born == {"": {0}, "grow_food=take": {2}}


def test_grow_enemy_block():
    close = drawn("""
            .0 .0 .0
          .0 G2 M1 .0
        e1 .0 E1 .0 .0      cell 12 touches G3 and, of the enemy, only e13
          m1 .0 .0 .0
            g1 .0 .0
    """)
    born = {
        knobs: {elements[12] for elements, *_ in results(knobs, close) if 12 in elements and {0, 2, 3} < set(elements)}
        for knobs in ("", "grow_enemy_block=same_type", "grow_enemy_block=off")
    }
    # A GROW element beside e13 is captured at once, whatever is allowed.
    assert born == {"": set(), "grow_enemy_block=same_type": {"M"}, "grow_enemy_block=off": {"E", "M"}}


def test_grow_cost_and_grow_constant():
    paid = {}
    for knobs in ("grow_cost=count", "grow_cost=count-1", "grow_cost=count+1", "grow_cost=constant,grow_constant=3"):
        found = results(knobs, fed(START, {10: 3}))
        paid[knobs] = {3 - food[10] for elements, food, *_ in found if len(elements) == 7}
    assert list(paid.values()) == [{1}, {0}, {2}, {3}]


@pytest.mark.parametrize(
    ("knobs", "left"),
    [("", 2), (ONE_ACTION, 1), ("actions_per_turn=constant,actions_number=4", 4), ("first_turn_limit=1", 1)],
)
def test_actions_per_turn_actions_number_and_first_turn_limit(knobs, left):
    game = game_of(f"start_elements=6,{knobs}".rstrip(","), "micro")  # two of each type
    state = game.after(game.start(), game.text.action_of(game, game.start(), "EAT"))
    assert state.left == left
    if "first_turn" in knobs:
        later = state_of(game, state_string(game, game.start()))
        later.turns = 2
        assert game.after(later, game.text.action_of(game, later, "EAT")).left == 2


def test_must_use_all():
    two = "start_elements=4"  # E M G E
    counts = [len(results(knobs, start_text(two))) for knobs in (two, f"{two},must_use_all=false")]
    assert counts[1] > counts[0]
    for knobs, can_stop in ((two, False), (f"{two},must_use_all=false", True)):
        game = game_of(knobs, "micro")
        state = game.start()
        for name in ("EAT", "circulate from 8"):  # 8 has one neighbour only
            state = game.after(state, game.text.action_of(game, state, name))
        assert ("stop" in [game.text.action_name(game, state, int(action)) for action in game.legal(state)]) == can_stop
