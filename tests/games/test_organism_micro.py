"""Small choices reach exactly what whole sequences reach, on recorded and on random positions, under many rules."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from organism_positions import drawn, game_of, reachable, state_of, whole_results

from components.core.seeds import streams_of
from components.games.organism import board
from components.games.organism.notation import state_string
from components.games.players import RandomPlayer
from components.games.record import one_row

SAMPLE = Path(__file__).parents[1] / "data" / "organism.jsonl"
MOST_RESULTS = 250  # the walk over all choices is plain Python; larger plies are left to the recorded hashes

# Rules that stress different branches: free stops, standing still, waiting resolution, look-ahead, zero prices, supply.
RULES = (
    "",
    "must_use_all=false",
    "must_use_all=false,no_op_turns=allowed",
    "resolve_timing=turn",
    "resolve_timing=turn,must_use_all=false,no_op_turns=allowed",
    "eat_source=supply,eat_cap=2",
    "eat_source=neighbour+1,circulate_amount=half",
    "circulate_reach=organism,circulate_cap=1",
    "move_food=take,move_same_type_block=true,move_needs_alive=true",
    "move_food=destroy,grow_food=take,grow_enemy_block=off",
    "grow_cost=count-1,grow_enemy_block=same_type",
    "grow_cost=constant,grow_constant=3,start_food=[3,3]",
    "actions_per_turn=constant,actions_number=2",
    "actions_per_turn=constant,actions_number=3,eat_cap=1,circulate_cap=1",
    "actions_per_turn=capped,actions_number=1,first_turn_limit=1",
    "captured_food=drop+1,conflict_token=victim,integrity_token=organism,suicide_pays=captors",
    "piece_supply=3,start_elements=5",
    "stuck_player=loses,free_food=none",
    "introduce=true,type_order=chosen,elimination_wins=false,head_start_element=M",
)


def recorded_states():
    lines = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
    return [line["state"] for line in lines if line["kind"] == "ply" and line["clean_n_next"] <= MOST_RESULTS]


@pytest.mark.parametrize("text", recorded_states())
def test_recorded_positions(text):
    rings = {19: 3, 37: 4, 61: 5}[len(text.split("/")[0])]
    micro, whole = (game_of("", turns, f"organism-{rings}") for turns in ("micro", "whole"))
    state = state_of(micro, text)
    assert reachable(micro, state) == whole_results(whole, state_of(whole, text))


def random_state(game, seed, plies):
    """A position of a random game after some small choices, or the last one before its end."""
    state, stream = game.start(), streams_of(1, seed)
    for _ in range(plies):
        child = game.after(state, int(RandomPlayer().choose(game, one_row(game, state), stream)[0]))
        if game.returns(child) is not None:
            break
        state = child
    return state


def start_of_ply(game, state):
    """The next position where nothing of a ply is chosen yet; None if the game ends before."""
    while state.has_chosen:
        state = game.after(state, int(game.legal(state)[-1]))
        if game.returns(state) is not None:
            return None
    return state


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(RULES), st.integers(0, 10**6), st.integers(0, 60))
def test_random_positions_under_many_rules(rules, seed, plies):
    micro, whole = game_of(rules, "micro"), game_of(rules, "whole")
    state = start_of_ply(micro, random_state(micro, seed, plies))
    if state is None:
        return
    expected = whole_results(whole, state)
    if len(expected) <= MOST_RESULTS:
        assert reachable(micro, state) == expected


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 60))
def test_random_positions_of_the_rulebook(seed, plies):
    micro, whole = (game_of("", turns, "organism-3/rulebook") for turns in ("micro", "whole"))
    state = start_of_ply(micro, random_state(micro, seed, plies))
    if state is None:
        return
    expected = whole_results(whole, state)
    if len(expected) <= MOST_RESULTS:
        assert reachable(micro, state) == expected


def test_choices_with_a_single_option_are_skipped():
    game = game_of("", "micro")
    names = []
    state = game.start()
    for wanted in ("GROW", "grow EAT", "born on 3"):
        names.append([game.text.action_name(game, state, int(action)) for action in game.legal(state)])
        state = game.after(state, game.text.action_of(game, state, wanted))
    assert names[0] == ["EAT", "MOVE", "GROW"]  # there is one organism only, so nobody asks which
    # One grower with one food: who pays is not asked either, and the ply is over.
    assert state_string(game, state) == "...E....EMG...emg../3220222111011111111/2/0,0/14,15,16"


def test_several_organisms_are_named_by_their_rarest_kind():
    two = drawn("""
            E1 M1 m1
          G1 .0 .0 e1
        .0 .0 .0 .0 g1
          .0 E1 G1 .0
            E0 .0 M1
    """)
    game = game_of("", "micro")
    state = state_of(game, two)
    names = [game.text.action_name(game, state, int(action)) for action in game.legal(state)]
    # 10, 11, 12 has one of each: EAT names it. 5, 6, 15, 17 has two EAT: MOVE does.
    assert sorted(names) == ["organism at 11", "organism at 17"]


def test_no_choice_leads_into_a_dead_end():
    # Two EAT elements must use two sub-actions; whatever is chosen first, a second must remain.
    tight = drawn(".0 G0 M0  .0 .0 .0 E0  .0 .0 .0 .1 E0  e1 .0 .0 .0  m1 g1 .0")
    micro, whole = game_of("", "micro"), game_of("", "whole")
    state = state_of(micro, tight)
    assert reachable(micro, state) == whole_results(whole, state_of(whole, tight))


def test_a_byte_copy_in_the_middle_of_a_choice_plays_on_identically():
    game = game_of("", "micro")
    state, stream = game.start(), streams_of(1, 4)
    while game.returns(state) is None:
        twin = np.frombuffer(state.tobytes(), dtype=game.state_dtype).copy().view(np.recarray)[0]
        action = int(RandomPlayer().choose(game, one_row(game, state), stream)[0])
        state = game.after(state, action)
        assert game.after(twin, action).tobytes() == state.tobytes()


def test_a_parsed_drawing_is_the_same_state_to_the_byte():
    for rules in ("", "repetition=draw,ply_cap=30", "introduce=true,type_order=chosen,resolve_timing=turn"):
        game = game_of(rules, "micro")
        for seed in range(4):
            state = random_state(game, seed, 5 + 9 * seed)
            assert game.text.parse(game, game.text.draw(game, state)).tobytes() == state.tobytes()


def test_turned_games_turn_the_order_of_heirs_with_them():
    # Of two attackers the first in cell order inherits. That order is no symmetry of the board, so it must turn along.
    game = game_of("", "micro")
    ranks, maps = board.attacker_ranks(3), board.cell_symmetries(3)
    assert ranks[0][:4].tolist() == [1, 0, 2, 3]
    for symmetry in range(12):
        turned = game.start()
        game.kernels.turn_start(game.rules, turned, game.spec.cell_maps[symmetry])
        assert turned.frame == symmetry
        assert (ranks[symmetry][maps[symmetry]] == ranks[0]).all()
