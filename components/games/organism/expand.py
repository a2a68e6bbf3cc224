"""Every board that one more sub-action can make, added to a list in the workspace.

Called by results.py (all sub-actions) and offers.py (those that fit a choice made so far). A choice that is still open is ANY; so
one source says what is legal, whether a sequence is listed as a whole or chosen bit by bit.
"""

import numpy as np

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    CIRCULATE,
    EAT,
    ELEMENT,
    FOOD,
    FROM_SUPPLY,
    GROW,
    KINDS,
    MEMBER,
    MOVE,
    NONE,
    PAYER_ROW,
    PAYMENT_ROW,
    REACH_ADJACENT,
    fixed,
)
from components.games.organism.subactions import (
    circulate,
    count_pushes,
    eat,
    give_birth,
    is_birth_cell,
    is_member_of,
    may_eat,
    may_eat_from,
    may_give,
    may_grow,
    may_grow_at,
    may_move,
    may_move_to,
    may_push_to,
    may_receive,
    move,
    price,
    purse,
)
from components.games.organism.tables import BOARD, NEXT, copy_row, keep_row

ANY = fixed(-1)


@kernel
def fits(only, cell):
    return only == ANY or only == cell


@kernel
def play_sub(knobs, boards, row, player, sub, cell, target, push, kind):
    """Do a legal sub-action on a board. The price of GROW is paid by the caller."""
    if sub == EAT:
        eat(knobs, boards, row, cell, target)
    elif sub == MOVE:
        move(knobs, boards, row, cell, target, push)
    elif sub == CIRCULATE:
        circulate(knobs, boards, row, cell, target)
    else:
        give_birth(knobs, boards, row, player, kind, target)


@kernel
def add_child(knobs, boards, table, row, player, sub, cell, target, push, kind, payers, weight):
    """Add the board that a sub-action makes of a row. payers: how many cells of PAYER_ROW pay what PAYMENT_ROW says."""
    child = table[NEXT]
    copy_row(boards, child, row, BOARD)
    for i in range(payers):
        boards[child, FOOD, boards[PAYER_ROW, 0, i]] -= boards[PAYMENT_ROW, 0, i]
    play_sub(knobs, boards, child, player, sub, cell, target, push, kind)
    keep_row(boards, table, weight, BOARD)


@kernel
def expand_eat(knobs, near, boards, table, row, player, eater, source_only, weight):
    if not may_eat(knobs, boards, row, eater):
        return
    for side in range(6):
        source = np.int64(near[eater, side])
        if knobs[at.eat_source] == FROM_SUPPLY:
            source = ANY  # the supply is no cell: one board, whatever the neighbours
        elif source < 0:
            break
        elif not fits(source_only, source) or not may_eat_from(knobs, boards, row, source):
            continue
        add_child(knobs, boards, table, row, player, EAT, eater, source, ANY, NONE, NONE, weight)
        if source == ANY:
            break


@kernel
def expand_move(knobs, near, boards, table, row, player, cell, target_only, push_only, weight):
    if not may_move(knobs, near, boards, row, cell):
        return
    for side in range(6):
        target = np.int64(near[cell, side])
        if target < 0:
            break
        if not fits(target_only, target) or not may_move_to(knobs, near, boards, row, cell, target):
            continue
        # Without a cell that can receive it, the target's food is lost (or taken: move() knows).
        is_pushing = count_pushes(knobs, near, boards, row, cell, target) > 0
        for place in range(6 if is_pushing else 1):
            push = np.int64(near[target, place]) if is_pushing else ANY
            if is_pushing and push < 0:
                break
            if not is_pushing or (fits(push_only, push) and may_push_to(boards, row, cell, push)):
                add_child(knobs, boards, table, row, player, MOVE, cell, target, push, NONE, NONE, weight)


@kernel
def price_kinds(knobs, boards, row, player, kind_only, due):
    """Write to PAYER_ROW, plane 1, what each kind costs, ANY where it cannot be had. due: what is still to pay, if chosen."""
    for kind in range(EAT, KINDS + 1):
        cost = ANY
        if kind_only == NONE or kind_only == kind:
            if due != ANY:
                cost = due if purse(boards, row) >= due else ANY
            elif may_grow(knobs, boards, row, player, kind):
                cost = price(knobs, boards, row, kind)
        boards[PAYER_ROW, 1, kind] = cost


@kernel
def expand_grow(knobs, near, boards, table, row, player, target, weight):
    """The births on one cell: every kind that price_kinds found, every way to pay."""
    if not is_birth_cell(near, boards, row, target):
        return
    payers = list_payers(boards, row)
    for kind in range(EAT, KINDS + 1):
        cost = np.int64(boards[PAYER_ROW, 1, kind])
        if cost == ANY or not may_grow_at(knobs, near, boards, row, player, kind, target):
            continue
        fill_payment(boards, row, payers, cost)
        is_left = True
        while is_left:
            add_child(knobs, boards, table, row, player, GROW, ANY, target, ANY, kind, payers, weight)
            is_left = next_payment(boards, row, payers)


@kernel
def list_payers(boards, row):
    count = 0
    for cell in range(boards.shape[2]):
        if is_member_of(boards, row, cell, GROW):
            boards[PAYER_ROW, 0, count] = cell
            count += 1
    return count


@kernel
def fill_payment(boards, row, count, due):
    """The first payers pay all they can."""
    for i in range(count):
        paid = min(due, np.int64(boards[row, FOOD, boards[PAYER_ROW, 0, i]]))
        boards[PAYMENT_ROW, 0, i] = paid
        due -= paid


@kernel
def next_payment(boards, row, count):
    """The next split of the same sum: one more from a later payer, the earlier ones filled up again. False after the last."""
    before = NONE
    for i in range(count):
        if before > 0 and boards[PAYMENT_ROW, 0, i] < boards[row, FOOD, boards[PAYER_ROW, 0, i]]:
            boards[PAYMENT_ROW, 0, i] += 1
            fill_payment(boards, row, i, before - 1)
            return True
        before += np.int64(boards[PAYMENT_ROW, 0, i])
    return False


@kernel
def expand_circulate(knobs, near, boards, table, row, player, giver, receiver_only, weight):
    if not may_give(boards, row, giver):
        return
    # Adjacent receivers are at most six; the whole board is only searched where the rules reach that far.
    is_near = knobs[at.circulate_reach] == REACH_ADJACENT
    for place in range(6 if is_near else boards.shape[2]):
        receiver = np.int64(near[giver, place]) if is_near else place
        if receiver < 0:
            break
        if fits(receiver_only, receiver) and may_receive(knobs, near, boards, row, player, giver, receiver):
            add_child(knobs, boards, table, row, player, CIRCULATE, giver, receiver, ANY, NONE, NONE, weight)


@kernel
def expand(knobs, near, boards, table, row, player, subs, cell_only, target, push, kind_only, due, weight):
    """Add the boards one sub-action after a row. subs: bits of EAT, MOVE, GROW, CIRCULATE; what is chosen already is not ANY."""
    if subs >> GROW & 1:
        price_kinds(knobs, boards, row, player, kind_only, due)
    for cell in range(boards.shape[2]):
        if subs >> GROW & 1 and fits(target, cell):
            expand_grow(knobs, near, boards, table, row, player, cell, weight)
        if boards[row, ELEMENT, cell] & MEMBER == 0 or not fits(cell_only, cell):
            continue
        if subs >> EAT & 1:
            expand_eat(knobs, near, boards, table, row, player, cell, target, weight)
        if subs >> MOVE & 1:
            expand_move(knobs, near, boards, table, row, player, cell, target, push, weight)
        if subs >> CIRCULATE & 1:
            expand_circulate(knobs, near, boards, table, row, player, cell, target, weight)
