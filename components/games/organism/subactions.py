"""The four sub-actions EAT, MOVE, GROW and CIRCULATE: who may, from where, to where, and what they do.

Kernels on one row of a workspace; called by expand.py, micro.py and check.py. Elements of the organism that acts carry the MEMBER
flag. Legality and effect are separate, so a caller that has asked need not ask again.
"""

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    ACTIONS_CAPPED,
    ACTIONS_CONSTANT,
    AMOUNT_HALF,
    BLOCK_OFF,
    BLOCK_SAME_TYPE,
    CODE,
    COST_CONSTANT,
    COST_COUNT_LESS_ONE,
    COST_COUNT_PLUS_ONE,
    EAT,
    ELEMENT,
    EMPTY,
    FOOD,
    FROM_NEIGHBOUR,
    FROM_SUPPLY,
    GROW,
    GROW_TAKES,
    MEMBER,
    MOVE,
    MOVE_PUSHES,
    MOVE_TAKES,
    NONE,
    REACH_ORGANISM,
)
from components.games.organism.groups import is_alive, kind_of, owner_of


@kernel
def is_member_of(boards, row, cell, kind):
    return boards[row, ELEMENT, cell] & MEMBER != 0 and kind_of(boards[row, ELEMENT, cell]) == kind


@kernel
def count_members(boards, row, kind):
    count = 0
    for cell in range(boards.shape[2]):
        if is_member_of(boards, row, cell, kind):
            count += 1
    return count


@kernel
def allowance(knobs, boards, row, kind, is_first_turn):
    """How many sub-actions the acting organism gets for an action type; 0 without an element of that type."""
    count = count_members(boards, row, kind)
    if count == 0:
        return 0
    if knobs[at.actions_per_turn] == ACTIONS_CONSTANT:
        count = knobs[at.actions_number]
    elif knobs[at.actions_per_turn] == ACTIONS_CAPPED:
        count = min(count, knobs[at.actions_number])
    return min(count, knobs[at.first_turn_limit]) if is_first_turn else count


@kernel
def may_eat(knobs, boards, row, eater):
    return is_member_of(boards, row, eater, EAT) and boards[row, FOOD, eater] < knobs[at.eat_cap]


@kernel
def may_eat_from(knobs, boards, row, source):
    """For a neighbour of the eater; FROM_SUPPLY has no source."""
    return boards[row, ELEMENT, source] == EMPTY and (boards[row, FOOD, source] >= 1 or knobs[at.eat_source] != FROM_NEIGHBOUR)


@kernel
def eat(knobs, boards, row, eater, source):
    if knobs[at.eat_source] == FROM_SUPPLY:
        boards[row, FOOD, eater] += 1
    elif knobs[at.eat_source] == FROM_NEIGHBOUR:
        boards[row, FOOD, eater] += 1
        boards[row, FOOD, source] -= 1
    else:
        boards[row, FOOD, eater] += 1 + boards[row, FOOD, source]
        boards[row, FOOD, source] = 0


@kernel
def may_move(knobs, near, boards, row, cell):
    """Fed, and a MOVE element or next to one of the same organism; where the rules ask for it, in a living group."""
    if boards[row, ELEMENT, cell] & MEMBER == 0 or boards[row, FOOD, cell] < 1:
        return False
    is_mobile = kind_of(boards[row, ELEMENT, cell]) == MOVE
    for side in range(6):
        other = near[cell, side]
        if other < 0 or is_mobile:
            break
        is_mobile = is_member_of(boards, row, other, MOVE)
    return is_mobile and (not knobs[at.move_needs_alive] or is_alive(near, boards, row, cell))


@kernel
def touches_enemy(near, boards, row, cell, player, kind):
    """Whether an enemy element is next to cell; kind 0 means any."""
    for side in range(6):
        other = near[cell, side]
        if other < 0:
            break
        code = boards[row, ELEMENT, other] & CODE
        if owner_of(code) == 1 - player and (kind == 0 or kind_of(code) == kind):
            return True
    return False


@kernel
def may_move_to(knobs, near, boards, row, cell, target):
    """For a neighbour of a cell that may move."""
    if boards[row, ELEMENT, target] != EMPTY:
        return False
    code = boards[row, ELEMENT, cell] & CODE
    return not knobs[at.move_same_type_block] or not touches_enemy(near, boards, row, target, owner_of(code), kind_of(code))


@kernel
def count_pushes(knobs, near, boards, row, cell, target):
    """How many cells could receive the food of the target; 0 also when there is nothing to push. The vacated cell never does."""
    if knobs[at.move_food] != MOVE_PUSHES or boards[row, FOOD, target] == 0:
        return 0
    count = 0
    for side in range(6):
        other = near[target, side]
        if other < 0:
            break
        if may_push_to(boards, row, cell, other):
            count += 1
    return count


@kernel
def may_push_to(boards, row, cell, push):
    return push != cell and boards[row, ELEMENT, push] == EMPTY


@kernel
def move(knobs, boards, row, cell, target, push):
    """The element goes with its food. push: the cell that gets the target's food, or -1."""
    free = boards[row, FOOD, target]
    if push >= 0:
        boards[row, FOOD, push] += free
    boards[row, FOOD, target] = boards[row, FOOD, cell] + (free if knobs[at.move_food] == MOVE_TAKES else 0)
    boards[row, FOOD, cell] = 0
    boards[row, ELEMENT, target] = boards[row, ELEMENT, cell]
    boards[row, ELEMENT, cell] = EMPTY


@kernel
def price(knobs, boards, row, kind):
    """What growing an element of this kind costs now."""
    if knobs[at.grow_cost] == COST_CONSTANT:
        return knobs[at.grow_constant]
    count = count_members(boards, row, kind)
    if knobs[at.grow_cost] == COST_COUNT_LESS_ONE:
        return max(count - 1, 0)
    return count + 1 if knobs[at.grow_cost] == COST_COUNT_PLUS_ONE else count


@kernel
def purse(boards, row):
    """All the food that the organism's GROW elements could pay."""
    total = 0
    for cell in range(boards.shape[2]):
        if is_member_of(boards, row, cell, GROW):
            total += boards[row, FOOD, cell]
    return total


@kernel
def may_grow(knobs, boards, row, player, kind):
    """Whether price and supply allow this kind at all, wherever it is born."""
    held = 0
    for cell in range(boards.shape[2]):
        if boards[row, ELEMENT, cell] & CODE == 3 * player + kind:
            held += 1
    return held < knobs[at.piece_supply] and purse(boards, row) >= price(knobs, boards, row, kind)


@kernel
def is_birth_cell(near, boards, row, target):
    """Whether something could grow here: an empty cell next to a GROW element of the organism."""
    if boards[row, ELEMENT, target] != EMPTY:
        return False
    for side in range(6):
        other = near[target, side]
        if other < 0:
            break
        if is_member_of(boards, row, other, GROW):
            return True
    return False


@kernel
def may_grow_at(knobs, near, boards, row, player, kind, target):
    """For a birth cell: whether its enemies let this kind grow there."""
    if knobs[at.grow_enemy_block] == BLOCK_OFF:
        return True
    return not touches_enemy(near, boards, row, target, player, kind if knobs[at.grow_enemy_block] == BLOCK_SAME_TYPE else NONE)


@kernel
def give_birth(knobs, boards, row, player, kind, target):
    """The new element joins the organism. The price is paid by the caller."""
    boards[row, ELEMENT, target] = (3 * player + kind) | MEMBER
    if knobs[at.grow_food] != GROW_TAKES:
        boards[row, FOOD, target] = 0


@kernel
def may_give(boards, row, giver):
    return boards[row, ELEMENT, giver] & MEMBER != 0 and boards[row, FOOD, giver] >= 1


@kernel
def may_receive(knobs, near, boards, row, player, giver, receiver):
    """Any own element next to the giver, also of another organism; or any other member, wherever it is."""
    if receiver == giver or boards[row, FOOD, receiver] >= knobs[at.circulate_cap]:
        return False
    if knobs[at.circulate_reach] == REACH_ORGANISM:
        return boards[row, ELEMENT, receiver] & MEMBER != 0
    if owner_of(boards[row, ELEMENT, receiver]) != player:
        return False
    for side in range(6):
        if near[giver, side] == receiver:
            return True
    return False


@kernel
def circulate(knobs, boards, row, giver, receiver):
    amount = (boards[row, FOOD, giver] + 1) // 2 if knobs[at.circulate_amount] == AMOUNT_HALF else 1
    boards[row, FOOD, giver] -= amount
    boards[row, FOOD, receiver] += amount
