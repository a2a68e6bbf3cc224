"""What happens after a sequence: conflicts between enemies in contact, then the removal of incomplete organisms.

Kernels on one row of a workspace, in place; called by results.py and check.py. Promises that no flag but the codes is left.
"""

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    CAPTOR,
    CODE,
    DROPPED_PLUS_ONE,
    ELEMENT,
    EMPTY,
    FOOD,
    IS_STABLE,
    PER_ELEMENT,
    PER_ORGANISM,
    PER_PAIR,
    PER_PLAYER,
    QUEUE_ROW,
    RANK_ROW,
    SCALAR_ROW,
    SUICIDE_IS_FREE,
    SUICIDE_PAYS_CAPTORS,
    TO_ATTACKER,
    TOKENS,
    TRIMMED,
    VANISHES,
    VICTIM,
    VISITED,
    fixed,
)
from components.games.organism.groups import fill_group, is_complete, kind_of, owner_of

ANYBODY = fixed(-1)


@kernel
def attacks(boards, row, attacker, victim):
    """EAT beats GROW, GROW beats MOVE, MOVE beats EAT; only enemies fight."""
    one, other = boards[row, ELEMENT, attacker], boards[row, ELEMENT, victim]
    if one & CODE == EMPTY or other & CODE == EMPTY or owner_of(one) == owner_of(other):
        return False
    return (kind_of(one) - kind_of(other)) % 3 == 1


@kernel
def resolve_conflicts(knobs, near, boards, row):
    """Count tokens, then remove every victim. An element goes after everything it attacks: a captured element still captures."""
    is_waiting = mark_victims(knobs, near, boards, row)
    while is_waiting:
        is_changed = False
        is_waiting = False
        for cell in range(boards.shape[2]):
            if boards[row, ELEMENT, cell] & VICTIM != 0:
                if has_prey(near, boards, row, cell):
                    is_waiting = True
                else:
                    capture(knobs, near, boards, row, cell)
                    is_changed = True
        if is_waiting and not is_changed:
            remove_cycles(knobs, near, boards, row)


@kernel
def mark_victims(knobs, near, boards, row):
    """Flag victims and captors, pay the tokens, and say whether there is any victim."""
    is_any = False
    for cell in range(boards.shape[2]):
        if boards[row, ELEMENT, cell] & CODE == EMPTY:
            continue
        attackers = 0
        for side in range(6):
            other = near[cell, side]
            if other < 0:
                break
            if attacks(boards, row, other, cell):
                attackers += 1
                boards[row, ELEMENT, other] |= CAPTOR
        if attackers > 0:
            is_any = True
            boards[row, ELEMENT, cell] |= VICTIM
            winner = 1 - owner_of(boards[row, ELEMENT, cell])
            boards[row, TOKENS, winner] += attackers if knobs[at.conflict_token] == PER_PAIR else 1
    return is_any


@kernel
def has_prey(near, boards, row, cell):
    """Whether something that this element attacks is still on the board."""
    for side in range(6):
        other = near[cell, side]
        if other < 0:
            break
        if attacks(boards, row, cell, other):
            return True
    return False


@kernel
def capture(knobs, near, boards, row, victim):
    """Remove a victim. Its attackers are all still there, because none of them goes before its own victims."""
    if knobs[at.captured_food] == TO_ATTACKER:
        heir = -1
        for side in range(6):
            other = near[victim, side]
            if other < 0:
                break
            is_first = heir < 0 or boards[RANK_ROW, 0, other] < boards[RANK_ROW, 0, heir]
            if is_first and attacks(boards, row, other, victim):
                heir = other
        boards[row, FOOD, heir] += boards[row, FOOD, victim]
        boards[row, FOOD, victim] = 0
    else:
        drop_food(knobs, boards, row, victim)
    boards[row, ELEMENT, victim] = EMPTY


@kernel
def drop_food(knobs, boards, row, cell):
    if knobs[at.captured_food] == VANISHES:
        boards[row, FOOD, cell] = 0
    elif knobs[at.captured_food] == DROPPED_PLUS_ONE:
        boards[row, FOOD, cell] += 1


@kernel
def remove_cycles(knobs, near, boards, row):
    """Remove all members of closed capture cycles at once; their food has no heir and drops (our choice, the sources are silent).

    Every victim left has prey. Those that no waiting victim attacks only lead into a cycle, so they are trimmed off first.
    """
    is_changed = True
    while is_changed:
        is_changed = False
        for cell in range(boards.shape[2]):
            code = boards[row, ELEMENT, cell]
            if code & VICTIM != 0 and code & TRIMMED == 0 and not is_chased(near, boards, row, cell):
                boards[row, ELEMENT, cell] = code | TRIMMED
                is_changed = True
    for cell in range(boards.shape[2]):
        code = boards[row, ELEMENT, cell]
        if code & VICTIM != 0 and code & TRIMMED == 0:
            drop_food(knobs, boards, row, cell)
            boards[row, ELEMENT, cell] = EMPTY
        else:
            boards[row, ELEMENT, cell] = code & ~TRIMMED


@kernel
def is_chased(near, boards, row, cell):
    """Whether a waiting victim that is not trimmed attacks this one."""
    for side in range(6):
        other = near[cell, side]
        if other < 0:
            break
        code = boards[row, ELEMENT, other]
        if code & VICTIM != 0 and code & TRIMMED == 0 and attacks(boards, row, other, cell):
            return True
    return False


@kernel
def resolve_integrity(knobs, near, boards, row, actor, whose):
    """Remove every organism without all three kinds; its cells keep the food plus 1. Clears all flags of the board.

    whose: the player whose organisms can be incomplete, or ANYBODY.
    """
    hits_0 = 0
    hits_1 = 0
    for cell in range(boards.shape[2]):
        code = boards[row, ELEMENT, cell]
        if code & CODE == EMPTY or code & VISITED != 0:
            continue
        player = owner_of(code)
        if whose != ANYBODY and player != whose:
            continue
        count = fill_group(near, boards, row, cell)
        if not is_complete(boards, row, count):
            is_first_hit = (hits_0 if player == 0 else hits_1) == 0
            hits_0 += player == 0
            hits_1 += player == 1
            pay_for_removal(knobs, boards, row, player, player == actor, count, is_first_hit)
            remove_group(knobs, boards, row, player == actor, count)
    for cell in range(boards.shape[2]):
        boards[row, ELEMENT, cell] &= CODE


@kernel
def pay_for_removal(knobs, boards, row, player, is_suicide, count, is_first_hit):
    """Tokens for the opponent of a player who loses the organism in QUEUE_ROW."""
    tokens = 0
    if is_suicide and knobs[at.suicide_pays] == SUICIDE_PAYS_CAPTORS:
        for i in range(count):
            tokens += boards[row, ELEMENT, boards[QUEUE_ROW, 0, i]] & CAPTOR != 0
    elif is_suicide and knobs[at.suicide_pays] == SUICIDE_IS_FREE:
        tokens = 0
    elif knobs[at.integrity_token] == PER_ELEMENT:
        tokens = count
    elif knobs[at.integrity_token] == PER_ORGANISM or (knobs[at.integrity_token] == PER_PLAYER and is_first_hit):
        tokens = 1
    boards[row, TOKENS, 1 - player] += tokens


@kernel
def remove_group(knobs, boards, row, is_suicide, count):
    for i in range(count):
        cell = boards[QUEUE_ROW, 0, i]
        boards[row, ELEMENT, cell] = EMPTY
        boards[row, FOOD, cell] = boards[row, FOOD, cell] + 1 if knobs[at.self_wipe_food] or not is_suicide else 0


@kernel
def has_contact(near, boards, row, player):
    """Whether an element of the player touches an enemy. Without contact there is no conflict."""
    for cell in range(boards.shape[2]):
        if owner_of(boards[row, ELEMENT, cell]) == player:
            for side in range(6):
                other = near[cell, side]
                if other < 0:
                    break
                if owner_of(boards[row, ELEMENT, other]) == 1 - player:
                    return True
    return False


@kernel
def resolve(knobs, near, boards, row, actor):
    """Conflicts and integrity of the whole board, once."""
    if has_contact(near, boards, row, actor):
        resolve_conflicts(knobs, near, boards, row)
        resolve_integrity(knobs, near, boards, row, actor, ANYBODY)
    else:
        # A sequence changes nothing of the enemy's but by conflict: if the base was stable, so are the enemy's organisms.
        resolve_integrity(knobs, near, boards, row, actor, actor if boards[SCALAR_ROW, 0, IS_STABLE] else ANYBODY)
