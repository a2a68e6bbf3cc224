"""The game of small choices, played: what each choice does, and how forced ones are skipped.

Kernels on a workspace, called by rules.py and listing.py. After `settle` the mover has a real choice (or one forced ply of an
organism, or must pass), or the game is over.
"""

import numpy as np

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    ACTING,
    CELL,
    CHOOSE_ORGANISM,
    CHOOSE_PAYER,
    CHOOSE_PUSH,
    CHOOSE_SUB,
    CHOOSE_TARGET,
    CHOOSE_TYPE,
    CIRCULATE,
    CURRENT_ROW,
    DONE,
    DUE,
    EAT,
    EXTRAS,
    FIRST_WINS,
    FOOD,
    FROM_SUPPLY,
    GIVER_PLANE,
    GOES_ON,
    GROW,
    GROWS,
    HAS_CHOSEN,
    INTRODUCE,
    LEFT,
    MOVE,
    MOVER,
    MUST_PASS,
    NONE,
    OPTION_ROW,
    PASS_EXTRA,
    PENDING,
    PHASE,
    POLICY_EXTRAS,
    POLICY_PLANES,
    STOP_EXTRA,
    STUCK_LOSES,
    SUB,
    TARGET,
    TURNS,
    TYPE,
    WINNER,
)
from components.games.organism.expand import ANY, play_sub
from components.games.organism.groups import has_other_pending
from components.games.organism.offers import EXTRA, forget_offers, offer, offer_extra
from components.games.organism.results import finish_row, select_organism
from components.games.organism.subactions import allowance, count_pushes, price
from components.games.organism.turns import end_introduction, get, hand_over, kind_to_place, place_element, put


@kernel
def settle(knobs, near, boards, levels, is_order_chosen):
    """Go on to the next choice of the mover: skip what is forced, note the options. Look at levels[NEEDS_ROOM] afterwards."""
    while get(boards, WINNER) == GOES_ON:
        count = offer(knobs, near, boards, levels)
        if count == 0:
            offer_pass(knobs, boards)
            return
        # One ply of an organism stays visible even if it is forced: a game must not play itself to its end inside one action.
        is_skippable = get(boards, HAS_CHOSEN) or get(boards, PHASE) <= CHOOSE_TYPE
        if count > 1 or not is_skippable:
            return
        follow_only(knobs, near, boards, is_order_chosen)
    forget_offers(boards)


@kernel
def offer_pass(knobs, boards):
    """No organism can act. A player with organisms still to act is stuck; with none the turn is merely over."""
    if knobs[at.stuck_player] == STUCK_LOSES and has_other_pending(boards, CURRENT_ROW, NONE):
        put(boards, WINNER, FIRST_WINS + 1 - get(boards, MOVER))
    else:
        put(boards, PHASE, MUST_PASS)
        offer_extra(boards, PASS_EXTRA)


@kernel
def follow_only(knobs, near, boards, is_order_chosen):
    """Make the only choice there is; several cells that name one organism are one choice."""
    plane, place = ANY, ANY
    for extra in range(POLICY_EXTRAS):
        if get(boards, EXTRAS) >> extra & 1:
            plane, place = EXTRA, extra
    for cell in range(boards.shape[2]):
        for candidate in range(POLICY_PLANES):
            if boards[OPTION_ROW, 0, cell] >> candidate & 1:
                plane, place = candidate, cell
    follow(knobs, near, boards, plane, place, is_order_chosen)


@kernel
def follow(knobs, near, boards, plane, place, is_order_chosen):
    """Make one choice. place: a cell, or the extra where plane is EXTRA."""
    phase = get(boards, PHASE)
    is_complete = False
    if plane == EXTRA and place >= STOP_EXTRA:
        is_complete = True
    elif phase == INTRODUCE:
        introduce(knobs, near, boards, place)
    elif phase == CHOOSE_ORGANISM:
        put(boards, ACTING, np.int64(boards[CURRENT_ROW, PENDING, place]))
        select_organism(boards, CURRENT_ROW, get(boards, ACTING))
        put(boards, PHASE, CHOOSE_TYPE)
    elif phase == CHOOSE_TYPE:
        begin_sequence(knobs, boards, place + EAT)
    else:
        if phase == CHOOSE_SUB:
            begin_sub(knobs, boards, plane, place)
        elif phase == CHOOSE_TARGET:
            take_target(knobs, near, boards, place)
        elif phase == CHOOSE_PAYER:
            boards[CURRENT_ROW, FOOD, place] -= 1
            put(boards, DUE, get(boards, DUE) - 1)
        is_complete = try_sub(knobs, near, boards, place if phase == CHOOSE_PUSH else ANY)
    if is_complete:
        end_sequence(knobs, near, boards, plane == EXTRA and place == PASS_EXTRA, is_order_chosen)


@kernel
def introduce(knobs, near, boards, cell):
    mover = get(boards, MOVER)
    place_element(knobs, boards, CURRENT_ROW, mover, kind_to_place(boards, CURRENT_ROW, mover), cell)
    if kind_to_place(boards, CURRENT_ROW, mover) == 0:
        end_introduction(near, boards)
        put(boards, HAS_CHOSEN, NONE)


@kernel
def begin_sequence(knobs, boards, kind):
    put(boards, TYPE, kind)
    put(boards, LEFT, allowance(knobs, boards, CURRENT_ROW, kind, get(boards, TURNS) == 0))
    put(boards, DONE, NONE)
    put(boards, PHASE, CHOOSE_SUB)
    forget_sub(boards)


@kernel
def begin_sub(knobs, boards, plane, place):
    """The first half of a sub-action: who acts, who gives, what grows."""
    put(boards, PHASE, CHOOSE_TARGET)
    if plane == EXTRA:
        put(boards, SUB, GROW)
        put(boards, GROWS, place + EAT)
    else:
        put(boards, SUB, CIRCULATE if plane == GIVER_PLANE else get(boards, TYPE))
        put(boards, CELL, place)


@kernel
def take_target(knobs, near, boards, target):
    """The second half. A birth may still have to be paid, a move's target may hold food that has to be pushed on."""
    put(boards, TARGET, target)
    if get(boards, SUB) == GROW:
        put(boards, DUE, price(knobs, boards, CURRENT_ROW, get(boards, GROWS)))
        put(boards, PHASE, CHOOSE_PAYER)
    elif get(boards, SUB) == MOVE and count_pushes(knobs, near, boards, CURRENT_ROW, get(boards, CELL), target) > 0:
        put(boards, PHASE, CHOOSE_PUSH)


@kernel
def is_sub_chosen(knobs, boards, push):
    """Whether nothing of the sub-action is left to choose. Eating from the supply has no target."""
    phase = get(boards, PHASE)
    if phase == CHOOSE_PAYER:
        return get(boards, DUE) == 0
    if phase == CHOOSE_PUSH:
        return push != ANY
    return get(boards, TARGET) != ANY or (get(boards, SUB) == EAT and knobs[at.eat_source] == FROM_SUPPLY)


@kernel
def try_sub(knobs, near, boards, push):
    """Do the sub-action if it is fully chosen; says whether the sequence is complete."""
    if not is_sub_chosen(knobs, boards, push):
        return False
    sub, cell, target, kind = get(boards, SUB), get(boards, CELL), get(boards, TARGET), get(boards, GROWS)
    play_sub(knobs, boards, CURRENT_ROW, get(boards, MOVER), sub, cell, target, push, kind)
    forget_sub(boards)
    put(boards, LEFT, get(boards, LEFT) - 1)
    put(boards, DONE, get(boards, DONE) + 1)
    put(boards, PHASE, CHOOSE_SUB)
    return get(boards, LEFT) == 0


@kernel
def forget_sub(boards):
    put(boards, SUB, NONE)
    put(boards, CELL, ANY)
    put(boards, TARGET, ANY)
    put(boards, GROWS, NONE)
    put(boards, DUE, NONE)


@kernel
def end_sequence(knobs, near, boards, is_pass, is_order_chosen):
    """The organism has acted, or nothing could be done: resolve, and hand over when none is left to act."""
    if is_pass:
        for cell in range(boards.shape[2]):
            boards[CURRENT_ROW, PENDING, cell] = 0
    label = get(boards, ACTING)
    has_others = has_other_pending(boards, CURRENT_ROW, label)
    finish_row(knobs, near, boards, CURRENT_ROW, label, has_others)
    close_ply(knobs, near, boards, not has_others, is_order_chosen)


@kernel
def close_ply(knobs, near, boards, is_turn_end, is_order_chosen):
    """Clear what a sequence needed, so that equal positions are equal bytes, and hand over."""
    forget_sub(boards)
    put(boards, CELL, NONE)
    put(boards, TARGET, NONE)
    for place in (ACTING, TYPE, LEFT, DONE, HAS_CHOSEN):
        put(boards, place, NONE)
    hand_over(knobs, near, boards, is_turn_end, is_order_chosen)
