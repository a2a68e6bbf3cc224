"""From one organism's sequence to the next: introduction, start of a turn, who is on move, who has won.

Kernels on a workspace's CURRENT_ROW and SCALAR_ROW; called by micro.py and listing.py. Promises that WINNER is set as soon as the
rules know it; only repetition needs the state's history and is looked at in rules.py.
"""

import numpy as np

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    ACTS,
    ANY_TIME,
    BASE_ROW,
    CAP_COUNTS_TOKENS,
    CHOOSE_ORGANISM,
    CODE,
    CURRENT_ROW,
    DRAWN,
    ELEMENT,
    EMPTY,
    EMPTY_ACTOR_LOSES,
    EMPTY_DRAW,
    FIRST_WINS,
    FOOD,
    GOES_ON,
    HOME_ROW,
    INTRODUCE,
    INTRODUCED,
    INTRODUCED_SECOND,
    KINDS,
    MOVER,
    NONE,
    NOT_YET,
    ON_ALL,
    ONE,
    PHASE,
    SCALAR_ROW,
    TIE_PLAYS_ON,
    TIE_TO_MOVE,
    TOKENS,
    TURNS,
    WINNER,
)
from components.games.organism.groups import count_organisms, has_elements, kind_of, label_all, owner_of


@kernel
def get(boards, place):
    """One of the state's numbers."""
    return np.int64(boards[SCALAR_ROW, 0, place])


@kernel
def put(boards, place, value):
    boards[SCALAR_ROW, 0, place] = value


@kernel
def place_element(knobs, boards, row, player, kind, cell):
    is_favoured = player == 1 and (knobs[at.head_start_food_on] in (ON_ALL, kind))
    boards[row, ELEMENT, cell] = 3 * player + kind
    boards[row, FOOD, cell] = knobs[at.start_food + player] + (knobs[at.head_start_food] if is_favoured else 0)


@kernel
def place_all(knobs, boards, player):
    """Put a player's start elements on the home cells in their fixed order."""
    for cell in range(boards.shape[2]):
        code = boards[HOME_ROW, 0, cell]
        if owner_of(code) == player:
            place_element(knobs, boards, CURRENT_ROW, player, kind_of(code), cell)
    put(boards, INTRODUCED + player, ONE)


@kernel
def clear_homes(near, boards, player):
    """Before an introduction: no enemy and no free food stays on a home cell or next to one."""
    for cell in range(boards.shape[2]):
        if owner_of(boards[HOME_ROW, 0, cell]) == player:
            boards[CURRENT_ROW, ELEMENT, cell] = EMPTY
            boards[CURRENT_ROW, FOOD, cell] = 0
            for side in range(6):
                other = near[cell, side]
                if other < 0:
                    break
                boards[CURRENT_ROW, ELEMENT, other] = EMPTY
                boards[CURRENT_ROW, FOOD, other] = 0


@kernel
def kind_to_place(boards, row, player):
    """The kind that a player introduces next, 0 when all are on the board."""
    for kind in range(1, KINDS + 1):
        missing = 0
        for cell in range(boards.shape[2]):
            missing += boards[HOME_ROW, 0, cell] == 3 * player + kind
            missing -= boards[row, ELEMENT, cell] & CODE == 3 * player + kind
        if missing > 0:
            return kind
    return 0


@kernel
def qualifies(knobs, near, boards, player, actor, is_turn_end):
    """Whether a player has reached a threshold of tokens or organisms."""
    if 0 < knobs[at.tokens_to_win + player] <= boards[CURRENT_ROW, TOKENS, player]:
        return True
    if knobs[at.organisms_to_win] <= 0 or (knobs[at.organisms_when] != ANY_TIME and not (player == actor and is_turn_end)):
        return False
    return count_organisms(near, boards, CURRENT_ROW, player) >= knobs[at.organisms_to_win]


@kernel
def tie_winner(knobs, boards, actor, to_move):
    """Both players would win."""
    if knobs[at.tie_rule] == TIE_PLAYS_ON:
        return GOES_ON
    if knobs[at.tie_rule] == TIE_TO_MOVE:
        return FIRST_WINS + to_move
    surplus_0 = boards[CURRENT_ROW, TOKENS, 0] - knobs[at.tokens_to_win]
    surplus_1 = boards[CURRENT_ROW, TOKENS, 1] - knobs[at.tokens_to_win + 1]
    has_limits = min(knobs[at.tokens_to_win], knobs[at.tokens_to_win + 1]) > 0
    if has_limits and min(surplus_0, surplus_1) >= 0 and surplus_0 != surplus_1:
        return FIRST_WINS if surplus_0 > surplus_1 else FIRST_WINS + 1
    return FIRST_WINS + 1 - actor


@kernel
def judge(knobs, near, boards, actor, to_move, is_turn_end):
    """Who has won after a ply of actor, with to_move on move in the resulting position."""
    first = qualifies(knobs, near, boards, NONE, actor, is_turn_end)
    second = qualifies(knobs, near, boards, ONE, actor, is_turn_end)
    if knobs[at.elimination_wins] and get(boards, INTRODUCED) and get(boards, INTRODUCED_SECOND):
        has_first, has_second = has_elements(boards, CURRENT_ROW, NONE), has_elements(boards, CURRENT_ROW, ONE)
        if not has_first and not has_second:
            if knobs[at.empty_board] == EMPTY_DRAW:
                return DRAWN
            heir = 1 - actor if knobs[at.empty_board] == EMPTY_ACTOR_LOSES else to_move
            has_first, has_second = heir == 0, heir == 1
        first = first or (has_first and not has_second)
        second = second or (has_second and not has_first)
    if first and second:
        return tie_winner(knobs, boards, actor, to_move)
    if first or second:
        return FIRST_WINS if first else FIRST_WINS + 1
    return GOES_ON


@kernel
def refresh_base(boards):
    """The next sequence starts from here: its results will be compared with this board."""
    for cell in range(boards.shape[2]):
        boards[BASE_ROW, ELEMENT, cell] = boards[CURRENT_ROW, ELEMENT, cell] & CODE
        boards[BASE_ROW, FOOD, cell] = boards[CURRENT_ROW, FOOD, cell]


@kernel
def begin_turn(knobs, near, boards, is_order_chosen):
    """Introduce if the rules say so, pay the centre bonus, make all organisms of the mover pending."""
    mover = get(boards, MOVER)
    put(boards, PHASE, CHOOSE_ORGANISM)
    if knobs[at.introduce] and not has_elements(boards, CURRENT_ROW, mover):
        clear_homes(near, boards, mover)
        if is_order_chosen:
            put(boards, PHASE, INTRODUCE)
        else:
            place_all(knobs, boards, mover)
    if knobs[at.centre_bonus] > 0 and owner_of(boards[CURRENT_ROW, ELEMENT, 0]) == mover:
        boards[CURRENT_ROW, TOKENS, mover] += knobs[at.centre_bonus]
        put(boards, WINNER, judge(knobs, near, boards, mover, mover, NOT_YET))
    label_all(near, boards, CURRENT_ROW, mover)
    refresh_base(boards)


@kernel
def end_introduction(near, boards):
    """All start elements are placed: the turn goes on with them."""
    mover = get(boards, MOVER)
    put(boards, INTRODUCED + mover, ONE)
    put(boards, PHASE, CHOOSE_ORGANISM)
    label_all(near, boards, CURRENT_ROW, mover)
    refresh_base(boards)


@kernel
def hand_over(knobs, near, boards, is_turn_end, is_order_chosen):
    """After a resolved sequence or a pass: count it, look for a winner, give the move to whom it belongs."""
    actor = get(boards, MOVER)
    to_move = 1 - actor if is_turn_end else actor
    put(boards, ACTS, get(boards, ACTS) + 1)
    put(boards, PHASE, CHOOSE_ORGANISM)
    put(boards, WINNER, judge(knobs, near, boards, actor, to_move, is_turn_end))
    put(boards, MOVER, to_move)
    if is_turn_end:
        put(boards, TURNS, get(boards, TURNS) + 1)
        if get(boards, WINNER) == GOES_ON:
            begin_turn(knobs, near, boards, is_order_chosen)
        else:
            label_all(near, boards, CURRENT_ROW, to_move)
    if get(boards, WINNER) == GOES_ON and get(boards, ACTS) >= knobs[at.ply_cap]:
        put(boards, WINNER, cap_winner(knobs, boards))
    refresh_base(boards)


@kernel
def cap_winner(knobs, boards):
    first, second = boards[CURRENT_ROW, TOKENS, 0], boards[CURRENT_ROW, TOKENS, 1]
    if knobs[at.ply_cap_result] != CAP_COUNTS_TOKENS or first == second:
        return DRAWN
    return FIRST_WINS if first > second else FIRST_WINS + 1
