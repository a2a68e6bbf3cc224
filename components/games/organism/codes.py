"""The small whole numbers of Organism: element codes, flags, rows of a workspace, phases, values of knobs that name a choice.

Imported by every kernel module. Numbers of a knob's values follow the order of its Literal in knobs.py; a test holds them so.
They are np.int64 on purpose: numba compiles a kernel once more for every plain int that is written where the kernel is called.
"""

from typing import Any

import numpy as np


def fixed(number: int) -> Any:
    return np.int64(number)


def numbers(count: int) -> tuple[Any, ...]:
    return tuple(fixed(number) for number in range(count))


NONE, ONE = numbers(2)  # for calls, where a plain 0 or 1 would be such an int
NOT_YET = np.bool_(False)

EMPTY, EAT, MOVE, GROW = numbers(4)  # kinds of elements; an element code is 3 * player + kind, 0 is an empty cell
CIRCULATE = fixed(4)  # the fourth sub-action
KINDS = fixed(3)

# One number per cell: the element's code in the low three bits, and flags.
CODE = fixed(7)
MEMBER = fixed(8)  # belongs to the organism that acts now
VICTIM = fixed(16)  # only while conflicts are resolved
VISITED = fixed(16)  # only while groups are filled
CAPTOR = fixed(32)  # took part in a capture; only between conflicts and integrity
TRIMMED = fixed(64)  # only while a capture cycle is looked for
KIND_DIGITS = fixed(0x3213210)  # hexadecimal digit `code` is the kind; a shift is faster than a table
OWNER_DIGITS = fixed(0x2221110)  # digit `code` is 1 + the owner, 0 for an empty cell

# A workspace is one array boards [rows, 4, cells] int16. Planes of a row:
ELEMENT, FOOD, TOKENS, PENDING = numbers(4)
# Rows with a fixed use; lists of boards start at FIRST_ROW. HOME_ROW and RANK_ROW use plane 0 only, as do the lists.
QUEUE_ROW, PAYER_ROW, PAYMENT_ROW, HOME_ROW, RANK_ROW, SCALAR_ROW, OPTION_ROW, BASE_ROW, CURRENT_ROW, TRIAL_ROW = numbers(10)
FIRST_ROW = fixed(10)
# Places in SCALAR_ROW: the numbers of a state beside its cells.
MOVER, PHASE, ACTING, TYPE, LEFT, DONE, SUB, CELL, TARGET, GROWS, DUE, HAS_CHOSEN = numbers(12)
WINNER, ACTS, TURNS, INTRODUCED, INTRODUCED_SECOND, EXTRAS, IS_STABLE = numbers(19)[12:]

# What the mover chooses now. Whole-sequence games use CHOOSE_ORGANISM and INTRODUCE only.
CHOOSE_ORGANISM, CHOOSE_TYPE, CHOOSE_SUB, CHOOSE_TARGET, CHOOSE_PUSH, CHOOSE_PAYER, INTRODUCE, MUST_PASS = numbers(8)
PHASES = fixed(8)

# Policy planes and extras of the micro-ply game: action = plane * cells + cell, or first extra + extra.
ORGANISM_PLANE, ACTOR_PLANE, GIVER_PLANE, TARGET_PLANE, PUSH_PLANE, PAYER_PLANE = numbers(6)
POLICY_PLANES = fixed(6)
EAT_EXTRA, MOVE_EXTRA, GROW_EXTRA, STOP_EXTRA, PASS_EXTRA = numbers(5)  # the first three also name the kind to grow
POLICY_EXTRAS = fixed(5)

GOES_ON, FIRST_WINS, SECOND_WINS, DRAWN = numbers(4)  # who has won

NO_LIMIT = fixed(30000)  # "none" of a cap: food never gets there
OFF = fixed(-1)  # a threshold that is switched off; this number is part of the report's planes

MICRO, WHOLE = numbers(2)  # turns
FROM_NEIGHBOUR, FROM_SUPPLY, FROM_NEIGHBOUR_AND_SUPPLY = numbers(3)  # eat_source
REACH_ADJACENT, REACH_ORGANISM = numbers(2)  # circulate_reach
AMOUNT_ONE, AMOUNT_HALF = numbers(2)  # circulate_amount
MOVE_PUSHES, MOVE_TAKES, MOVE_DESTROYS = numbers(3)  # move_food
GROW_DESTROYS, GROW_TAKES = numbers(2)  # grow_food
BLOCK_ANY, BLOCK_SAME_TYPE, BLOCK_OFF = numbers(3)  # grow_enemy_block
COST_COUNT, COST_COUNT_LESS_ONE, COST_COUNT_PLUS_ONE, COST_CONSTANT = numbers(4)  # grow_cost
ACTIONS_COUNT, ACTIONS_CAPPED, ACTIONS_CONSTANT = numbers(3)  # actions_per_turn
AFTER_ORGANISM, AFTER_TURN = numbers(2)  # resolve_timing
TO_ATTACKER, DROPPED, DROPPED_PLUS_ONE, VANISHES = numbers(4)  # captured_food
PER_PAIR, PER_VICTIM = numbers(2)  # conflict_token
PER_ELEMENT, PER_ORGANISM, PER_PLAYER = numbers(3)  # integrity_token
SUICIDE_PAYS, SUICIDE_IS_FREE, SUICIDE_PAYS_CAPTORS = numbers(3)  # suicide_pays
ANY_TIME, TURN_END = numbers(2)  # organisms_when
TIE_TO_MOVE, TIE_ACTOR_LOSES, TIE_PLAYS_ON = numbers(3)  # tie_rule
EMPTY_TO_MOVE, EMPTY_ACTOR_LOSES, EMPTY_DRAW = numbers(3)  # empty_board
STUCK_PASSES, STUCK_LOSES = numbers(2)  # stuck_player
ON_ALL, ON_EAT, ON_MOVE, ON_GROW = numbers(4)  # head_start_food_on: but for ON_ALL the kinds
CAP_DRAWS, CAP_COUNTS_TOKENS = numbers(2)  # ply_cap_result
REPEAT_FREE, REPEAT_DRAWS = numbers(2)  # repetition
NO_OP_FORBIDDEN, NO_OP_ALLOWED = numbers(2)  # no_op_turns
