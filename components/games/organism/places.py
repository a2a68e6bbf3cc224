"""Where each knob lies in `rules.knobs` [places] int64. Kernels import this module as `at` and write knobs[at.eat_cap].

One array instead of a field per knob: numba describes every field of a record anew in each call from Python. knobs.py fills the
array by these names, so a knob without a place, or a place without a knob, cannot stay unnoticed.
"""

from components.games.organism.codes import fixed, numbers

(
    turns,
    first_mover,
    introduce,
    eat_source,
    eat_cap,
    circulate_cap,
    circulate_reach,
    circulate_amount,
    move_food,
    move_same_type_block,
    move_needs_alive,
    grow_food,
    grow_enemy_block,
    grow_cost,
    grow_constant,
    actions_per_turn,
    actions_number,
    must_use_all,
    first_turn_limit,
    resolve_timing,
    captured_food,
    conflict_token,
    integrity_token,
    suicide_pays,
    self_wipe_food,
    centre_bonus,
    organisms_to_win,
    organisms_when,
    elimination_wins,
    head_start_tokens,
    head_start_food,
    head_start_food_on,
    tie_rule,
    empty_board,
    stuck_player,
    ply_cap,
    ply_cap_result,
    repetition,
    no_op_turns,
    piece_supply,
) = numbers(40)
# One place per player: knobs[at.start_food + player].
start_food, tokens_to_win = fixed(40), fixed(42)
COUNT = 44
