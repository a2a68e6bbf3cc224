"""One test per knob of conflicts, tokens and endings: what it changes, on a position where nothing else does."""

import numpy as np
import pytest
from organism_positions import START, can, drawn, game_of, played, resolved, start_text, state_of

from components.games.organism.check import result_strings
from components.games.organism.notation import state_string
from components.games.organism.tables import new_boards
from components.games.organism.turns import judge
from components.games.organism.workspace import load

ONE_ACTION = "actions_per_turn=capped,actions_number=1"


def test_resolve_timing():
    two = drawn("""
            G1 .0 m1
          M1 .0 .0 e1
        E1 .0 .0 .0 g1      M12 steps to 3 and leaves E13 alone
          .0 E0 G0 .0
            .0 .0 M0
    """)
    for knobs, has_gone in (("", True), ("resolve_timing=turn", False)):
        after, _ = played(game_of(knobs), two, [11, 12, 13], "MOVE", ["MOVE", 12, 3, None])
        assert (after[13] == ".") == has_gone
        assert after.split("/")[2] == "1"
        assert after.split("/")[4] == "5,6,17"


def test_captured_food():
    pair = drawn(".0 .0 .0  .0 .0 G2 .0  .0 .0 e1 .0 .0  .0 .0 .0 .0  .0 .0 .0", mover=2)
    found = {}
    for rule in ("attacker", "drop", "drop+1", "vanish"):
        conflict, _ = resolved(f"captured_food={rule}", pair)
        found[rule] = (conflict[1][0], conflict[1][2])
    assert found == {"attacker": (3, 0), "drop": (1, 2), "drop+1": (1, 3), "vanish": (1, 0)}


def test_conflict_token():
    pair = drawn(".0 .0 .0  .0 .0 G2 .0  .0 .0 e0 e0 .0  .0 .0 .0 .0  .0 .0 .0", mover=2)
    assert resolved("", pair)[0][2] == [0, 2]
    assert resolved("conflict_token=victim", pair)[0][2] == [0, 1]


LOST = drawn("""
        E0 M0 .0
      .0 .0 .0 .0
    .0 .0 .0 .0 M0      player 1, who acted, loses two organisms of 3 elements; player 2 one of 2
      .0 .0 .0 .0
        e0 m0 .0
""")


@pytest.mark.parametrize(
    ("knobs", "tokens"),
    [
        ("", [2, 3]),
        ("integrity_token=organism", [1, 2]),
        ("integrity_token=player", [1, 1]),
        ("suicide_pays=no", [2, 0]),
        ("integrity_token=organism,suicide_pays=no", [1, 0]),
        ("suicide_pays=captors", [2, 0]),
    ],
)
def test_integrity_token_and_suicide_pays(knobs, tokens):
    assert resolved(knobs, LOST)[1][2] == tokens


def test_suicide_pays_for_captors_of_a_lost_organism():
    # M2 captures e0; its own organism is incomplete and goes, with one captor in it: player 2 gets 1 token for it.
    hunt = drawn(".0 .0 .0  .0 .0 M0 M0  .0 .0 e0 .0 .0  .0 .0 .0 .0  .0 .0 .0")
    assert resolved("suicide_pays=captors,conflict_token=victim", hunt)[1][2] == [1, 1]
    assert resolved("suicide_pays=no,conflict_token=victim", hunt)[1][2] == [1, 0]


def test_self_wipe_food():
    assert [resolved(knobs, LOST)[1][1][11] for knobs in ("", "self_wipe_food=false")] == [1, 0]
    assert [resolved(knobs, LOST)[1][1][15] for knobs in ("", "self_wipe_food=false")] == [1, 1]  # the enemy's stays


def test_centre_bonus():
    central = drawn(".0 G1 M1  .0 .0 .0 E1  .0 .0 m1 .0 .0  .0 e1 g1 .0  .0 .0 .0")
    for bonus in (0, 1, 2):
        after, _ = played(game_of(f"centre_bonus={bonus}"), central, [8, 9, 10], "EAT", ["CIRCULATE", 8, 9])
        assert after.split("/")[3] == f"0,{bonus}"  # at the start of player 2's turn
    _, winner = played(game_of("centre_bonus=1,tokens_to_win=[off,1]"), central, [8, 9, 10], "EAT", ["CIRCULATE", 8, 9])
    assert winner == 2


def verdict(knobs, text, actor, to_move, is_turn_end=True):
    """Who has won on this board after a ply of actor."""
    game = game_of(knobs)
    boards = new_boards(19, 0)
    load(game.rules, state_of(game, text), boards)
    return int(judge(game.rules.knobs[:], game.rules.near[:], boards, actor - 1, to_move - 1, is_turn_end))


def test_tokens_to_win_is_per_player():
    level = START.replace("/0,0/", "/4,4/")
    assert verdict("", level, 1, 2) == 0
    assert verdict("tokens_to_win=[4,5]", level, 1, 2) == 1
    assert verdict("tokens_to_win=[off,4]", level, 1, 2) == 2


def test_organisms_to_win_and_organisms_when():
    two = drawn("E1 M1 m1  G1 .0 .0 e1  .0 .0 .0 .0 g1  .0 E0 G0 .0  .0 .0 M0")
    assert verdict("", two, 1, 2) == 0
    assert verdict("organisms_to_win=2", two, 1, 2) == 1
    assert verdict("organisms_to_win=2", two, 2, 1) == 1
    assert verdict("organisms_to_win=2,organisms_when=turn_end", two, 2, 1) == 0  # only who ends a turn
    assert verdict("organisms_to_win=2,organisms_when=turn_end", two, 1, 1, is_turn_end=False) == 0
    assert verdict("organisms_to_win=2,organisms_when=turn_end", two, 1, 2) == 1


def test_elimination_wins():
    alone = drawn(".0 G1 M1  .0 .0 .0 E1  .0 .0 .0 .0 .0  .0 .0 .0 .0  .0 .0 .0")
    assert verdict("", alone, 2, 1) == 1
    assert verdict("elimination_wins=false", alone, 2, 1) == 0


def test_head_start_tokens_food_and_element():
    knobs = "head_start_tokens=2,head_start_food=2,head_start_element=M"
    assert start_text(knobs) == "........EMG...emgm./3222222111111133331/1/0,2/8,9,10"


@pytest.mark.parametrize(("kind", "food"), [("all", "222"), ("E", "211"), ("M", "121"), ("G", "112")])
def test_head_start_food_may_go_to_one_element(kind, food):
    assert start_text(f"head_start_food=1,head_start_food_on={kind}").split("/")[1][14:17] == food


@pytest.mark.parametrize(
    ("knobs", "to_move", "winner"),
    [
        ("tie_rule=to_move", 2, 2),
        ("tie_rule=to_move", 1, 1),
        ("tie_rule=actor_loses", 1, 2),
        ("tie_rule=play_on", 2, 0),
    ],
)
def test_tie_rule(knobs, to_move, winner):
    both = START.replace("/0,0/", "/4,4/")
    assert verdict(f"tokens_to_win=[3,3],{knobs}", both, 1, to_move) == winner


def test_tie_rule_looks_at_the_surplus_before_the_actor_loses():
    both = START.replace("/0,0/", "/5,4/")
    assert verdict("tokens_to_win=[3,3],tie_rule=actor_loses", both, 1, 2) == 1
    assert verdict("tokens_to_win=[4,3],tie_rule=actor_loses", both, 1, 2) == 2


@pytest.mark.parametrize(
    ("rule", "to_move", "winner"), [("to_move", 1, 1), ("to_move", 2, 2), ("actor_loses", 1, 2), ("draw", 2, 3)]
)
def test_empty_board(rule, to_move, winner):
    nothing = "." * 19 + "/" + "1" * 19 + "/1/0,0/"
    assert verdict(f"empty_board={rule}", nothing, 1, to_move) == winner


@pytest.mark.parametrize("turns", ["whole", "micro"])
def test_stuck_player(turns):
    starving = drawn(".0 G0 M0  .0 .0 .0 E0  .0 .0 .0 .0 .0  e1 .0 .0 .0  m1 g1 .0", mover=2)
    for rule, winner in (("pass", 0), ("loses", 2)):
        game = game_of(f"stuck_player={rule}", turns)
        state = state_of(game, starving)
        if turns == "micro":
            for name in ("EAT", "circulate from 14", "give to 15"):
                names = [game.text.action_name(game, state, int(action)) for action in game.legal(state)]
                if name in names:  # a choice with one option has been made already
                    state = game.after(state, game.text.action_of(game, state, name))
        else:
            wanted = next(action for action in game.legal(state) if np.count_nonzero(game.after(state, int(action)).element) == 6)
            state = game.after(state, int(wanted))
        assert (int(state.mover), int(state.winner)) == (0, winner)


def test_ply_cap_and_ply_cap_result():
    for rule, winner in (("draw", 3), ("tokens", 2)):
        game = game_of(f"ply_cap=2,ply_cap_result={rule},head_start_tokens=1")
        state = game.start()
        for _ in range(2):
            quiet = [game.after(state, int(action)) for action in game.legal(state)]
            state = next(child for child in quiet if np.count_nonzero(child.element) == 6)
        assert (int(state.acts), int(state.winner)) == (2, winner)


def test_repetition():
    for rule, winner in (("draw", 3), ("none", 0)):
        game = game_of(f"repetition={rule},ply_cap=30")
        state = game.start()
        # Each side gives one food and takes it back: the position after act 1 comes again after acts 5 and 9.
        seen = []
        for act in range(9):
            assert state.winner == 0
            mine = (8, 9) if state.mover == 0 else (14, 15)
            giver, receiver = mine if act % 4 < 2 else mine[::-1]
            food = state.food.copy()
            food[giver] -= 1
            food[receiver] += 1
            children = [game.after(state, int(action)) for action in game.legal(state)]
            state = next(child for child in children if (child.food == food).all())
            seen.append(state_string(game, state))
        assert seen[0] == seen[4] == seen[8]
        assert state.winner == winner


def test_no_op_turns():
    still = {}
    for rule in ("forbidden", "allowed"):
        game = game_of(f"start_elements=4,no_op_turns={rule}")  # two EAT: give and take back
        before = state_string(game, game.start()).split("/")[:2]
        still[rule] = sum(text.split("/")[:2] == before for text in result_strings(game, game.start()))
    assert still == {"forbidden": 0, "allowed": 1}


def test_piece_supply():
    three = drawn("E1 E3 E1  .0 .0 G3 M1  .0 .0 .0 .0 .0  e1 .0 .0 .0  m1 g1 .0")

    def has_four(elements, food):
        return list(elements.values()).count("E") == 4

    assert can(ONE_ACTION, three, has_four)
    assert not can(f"{ONE_ACTION},piece_supply=3", three, has_four)
