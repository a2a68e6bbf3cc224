"""What may be chosen in the game of small choices: organism, action type, then sub-actions one cell at a time.

Called by micro.py. `offer` notes it in OPTION_ROW, a bit per policy plane on each cell, and in EXTRAS. Promises no dead ends: a
choice is offered only if the sequence can still be completed to a legal result.
"""

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    ACTING,
    ACTOR_PLANE,
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
    ELEMENT,
    EMPTY,
    EXTRAS,
    FIRST_ROW,
    FOOD,
    GIVER_PLANE,
    GROW,
    GROWS,
    HOME_ROW,
    INTRODUCE,
    KINDS,
    LEFT,
    MEMBER,
    MOVE,
    MOVER,
    NONE,
    ONE,
    OPTION_ROW,
    ORGANISM_PLANE,
    PAYER_PLANE,
    PENDING,
    PHASE,
    POLICY_PLANES,
    PUSH_PLANE,
    STOP_EXTRA,
    SUB,
    TARGET,
    TARGET_PLANE,
    TURNS,
    TYPE,
)
from components.games.organism.expand import ANY, expand
from components.games.organism.groups import kind_of, owner_of
from components.games.organism.results import can_complete, is_result, next_level, select_organism, start_list
from components.games.organism.subactions import allowance
from components.games.organism.tables import clear
from components.games.organism.turns import get, put

EXTRA = POLICY_PLANES  # the "plane" of a choice without a cell


@kernel
def offer_cell(boards, plane, cell):
    boards[OPTION_ROW, 0, cell] |= 1 << plane


@kernel
def offer_extra(boards, extra):
    put(boards, EXTRAS, get(boards, EXTRAS) | 1 << extra)


@kernel
def can_use(knobs, near, boards, levels, label, kind):
    """Whether the labelled organism can complete a sequence of this action type, with one sub-action at least."""
    start_list(boards, levels, FIRST_ROW)
    select_organism(boards, FIRST_ROW, label)
    left = allowance(knobs, boards, FIRST_ROW, kind, get(boards, TURNS) == 0)
    if left == 0:
        return False
    if not knobs[at.must_use_all]:
        next_level(knobs, near, boards, levels, kind)
        left -= 1
    return can_complete(knobs, near, boards, levels, label, kind, left)


@kernel
def can_stand_still(knobs, near, boards, label):
    """Whether the labelled organism may end its ply without any sub-action."""
    return not knobs[at.must_use_all] and is_result(knobs, near, boards, CURRENT_ROW, label, GROW)


@kernel
def rarest_kind(boards, label):
    """The kind an organism has fewest of. It names the organism by few cells, the same ones however the board is turned."""
    best, fewest = 0, boards.shape[2] + 1
    for kind in range(EAT, KINDS + 1):
        count = 0
        for cell in range(boards.shape[2]):
            if boards[CURRENT_ROW, PENDING, cell] == label and kind_of(boards[CURRENT_ROW, ELEMENT, cell]) == kind:
                count += 1
        if 0 < count < fewest:
            best, fewest = kind, count
    return best


@kernel
def offer_types(knobs, near, boards, levels, label):
    """Note the action types of an organism in EXTRAS; returns how many there are. Standing still is one, where it is legal."""
    put(boards, EXTRAS, NONE)
    count = 0
    for kind in range(EAT, KINDS + 1):
        if can_use(knobs, near, boards, levels, label, kind):
            offer_extra(boards, kind - EAT)
            count += 1
    if can_stand_still(knobs, near, boards, label):
        offer_extra(boards, STOP_EXTRA)
        count += 1
    return count


@kernel
def offer_organisms(knobs, near, boards, levels):
    """Returns how many pending organisms can act."""
    organisms = 0
    for head in range(boards.shape[2]):
        label = head + 1
        if boards[CURRENT_ROW, PENDING, head] != label or offer_types(knobs, near, boards, levels, label) == 0:
            continue
        organisms += 1
        kind = rarest_kind(boards, label)
        for cell in range(boards.shape[2]):
            if boards[CURRENT_ROW, PENDING, cell] == label and kind_of(boards[CURRENT_ROW, ELEMENT, cell]) == kind:
                offer_cell(boards, ORGANISM_PLANE, cell)
    put(boards, EXTRAS, NONE)
    return organisms


@kernel
def is_open(knobs, near, boards, levels, sub, cell, target, push, kind, due):
    """Whether a sub-action that begins like this leads to a legal result."""
    clear(levels, FIRST_ROW)
    mover = get(boards, MOVER)
    expand(knobs, near, boards, levels, CURRENT_ROW, mover, 1 << sub, cell, target, push, kind, due, ONE)
    return can_complete(knobs, near, boards, levels, get(boards, ACTING), get(boards, TYPE), get(boards, LEFT) - 1)


@kernel
def offer_if_open(knobs, near, boards, levels, plane, place):
    """Offer one choice if the sequence can go on from there; returns 1 or 0. plane and place say what is chosen."""
    sub, cell, target, push, kind, due = get(boards, SUB), get(boards, CELL), get(boards, TARGET), ANY, get(boards, GROWS), ANY
    if plane == TARGET_PLANE:
        target = place
    elif plane == PUSH_PLANE:
        push = place
    elif plane == PAYER_PLANE:
        due = get(boards, DUE) - 1
        boards[CURRENT_ROW, FOOD, place] -= 1
    elif plane == EXTRA:
        sub, cell, target, kind = GROW, ANY, ANY, place + EAT
    else:
        sub, cell, target, kind = CIRCULATE if plane == GIVER_PLANE else get(boards, TYPE), place, ANY, 0
    is_offered = is_open(knobs, near, boards, levels, sub, cell, target, push, kind, due)
    if plane == PAYER_PLANE:
        boards[CURRENT_ROW, FOOD, place] += 1
    if is_offered and plane == EXTRA:
        offer_extra(boards, place)
    elif is_offered:
        offer_cell(boards, plane, place)
    return 1 if is_offered else 0


@kernel
def is_candidate(boards, phase, plane, cell):
    """A quick look before the long one: whether a cell could be chosen at all."""
    code = boards[CURRENT_ROW, ELEMENT, cell]
    is_member = code & MEMBER != 0
    if phase == CHOOSE_SUB and plane == ACTOR_PLANE:
        kind = get(boards, TYPE)
        return is_member and (kind == MOVE or (kind == EAT and kind_of(code) == EAT))
    if phase == CHOOSE_SUB and plane == GIVER_PLANE:
        return is_member and boards[CURRENT_ROW, FOOD, cell] > 0
    if phase == CHOOSE_TARGET and plane == TARGET_PLANE:
        return get(boards, SUB) == CIRCULATE or code == EMPTY
    if phase == CHOOSE_PUSH and plane == PUSH_PLANE:
        return code == EMPTY
    if phase == CHOOSE_PAYER and plane == PAYER_PLANE:
        return is_member and kind_of(code) == GROW and boards[CURRENT_ROW, FOOD, cell] > 0
    return False


@kernel
def offer_in_sequence(knobs, near, boards, levels, phase):
    """The choices inside a sequence: who acts or gives food, what grows, where to, who pays; or to stop here."""
    count = 0
    for plane in range(ACTOR_PLANE, POLICY_PLANES):
        for cell in range(boards.shape[2]):
            if is_candidate(boards, phase, plane, cell):
                count += offer_if_open(knobs, near, boards, levels, plane, cell)
    if phase != CHOOSE_SUB:
        return count
    for kind in range(KINDS):
        if get(boards, TYPE) == GROW:
            count += offer_if_open(knobs, near, boards, levels, EXTRA, kind)
    is_stoppable = get(boards, DONE) > 0 and not knobs[at.must_use_all]
    if is_stoppable and is_result(knobs, near, boards, CURRENT_ROW, get(boards, ACTING), get(boards, TYPE)):
        offer_extra(boards, STOP_EXTRA)
        count += 1
    return count


@kernel
def offer_homes(boards):
    """An introduction: the home cells that are still free."""
    count = 0
    for cell in range(boards.shape[2]):
        if owner_of(boards[HOME_ROW, 0, cell]) == get(boards, MOVER) and boards[CURRENT_ROW, ELEMENT, cell] == EMPTY:
            offer_cell(boards, TARGET_PLANE, cell)
            count += 1
    return count


@kernel
def forget_offers(boards):
    put(boards, EXTRAS, NONE)
    for cell in range(boards.shape[2]):
        boards[OPTION_ROW, 0, cell] = 0


@kernel
def offer(knobs, near, boards, levels):
    """Note what may be chosen; returns how many different choices that is."""
    forget_offers(boards)
    phase = get(boards, PHASE)
    if phase == CHOOSE_ORGANISM:
        return offer_organisms(knobs, near, boards, levels)
    if phase == CHOOSE_TYPE:
        return offer_types(knobs, near, boards, levels, get(boards, ACTING))
    if phase == INTRODUCE:
        return offer_homes(boards)
    return offer_in_sequence(knobs, near, boards, levels, phase)
