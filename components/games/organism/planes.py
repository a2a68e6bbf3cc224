"""What a net sees of an Organism state: the report's 11 planes, and for games of small choices the choice that is pending.

Called through rules.py. Everything is oriented to the mover; cells are written at their squares, constants fill the square.
"""

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    CHOOSE_PAYER,
    CHOOSE_PUSH,
    CHOOSE_SUB,
    CHOOSE_TARGET,
    CODE,
    EMPTY,
    KINDS,
    MEMBER,
    PHASES,
)
from components.games.organism.groups import kind_of, owner_of

FOOD, TOKENS_MISSING, PENDING, TO_MOVE = 6, 7, 9, 10  # the report's planes after the six of elements
ON_BOARD, HOME, MEMBERS, ACTOR, TARGET, PHASE = 11, 12, 14, 15, 16, 17
ACTS, DOES, GROWS, LEFT, DUE, PLIES_LEFT = 25, 28, 32, 35, 36, 37


@kernel
def is_shown_pending(state, cell):
    """Whether the element on cell still has to act: it belongs to the acting organism or to one that waits."""
    if state.element[cell] & CODE == EMPTY:
        return False
    return state.element[cell] & MEMBER != 0 or (state.pending[cell] > 0 and state.pending[cell] != state.acting)


@kernel
def encode(rules, state, planes):
    """Fill planes [11 or 38, side, side], already zero."""
    side = planes.shape[1]
    for player in range(2):
        missing = rules.knobs[at.tokens_to_win + player] - state.tokens[player]
        planes[TOKENS_MISSING + (player != state.mover)] = missing
    planes[TO_MOVE] = 1.0
    for cell in range(state.element.shape[0]):
        row, column = rules.square_of[cell] // side, rules.square_of[cell] % side
        planes[FOOD, row, column] = state.food[cell]
        code = state.element[cell] & CODE
        if code != EMPTY:
            plane = kind_of(code) - 1 + (0 if owner_of(code) == state.mover else KINDS)
            planes[plane, row, column] = 1.0
            if is_shown_pending(state, cell):
                planes[PENDING, row, column] = 1.0
    if rules.has_choice_planes:
        encode_choice(rules, state, planes)


@kernel
def encode_choice(rules, state, planes):
    """The choices made so far in this ply, and what is chosen now."""
    side = planes.shape[1]
    for cell in range(state.element.shape[0]):
        row, column = rules.square_of[cell] // side, rules.square_of[cell] % side
        planes[ON_BOARD, row, column] = rules.is_on_board[cell]
        planes[MEMBERS, row, column] = 1.0 if state.element[cell] & MEMBER != 0 else 0.0
        if state.home[cell] != EMPTY:
            planes[HOME + (owner_of(state.home[cell]) != state.mover), row, column] = 1.0
        if state.phase >= CHOOSE_TARGET and state.phase <= CHOOSE_PAYER and state.cell == cell:
            planes[ACTOR, row, column] = 1.0
        if (state.phase == CHOOSE_PUSH or state.phase == CHOOSE_PAYER) and state.target == cell:
            planes[TARGET, row, column] = 1.0
    for phase in range(PHASES):
        planes[PHASE + phase] = 1.0 if state.phase == phase else 0.0
    for kind in range(KINDS):
        planes[ACTS + kind] = 1.0 if state.kind == kind + 1 else 0.0
        planes[GROWS + kind] = 1.0 if state.grows == kind + 1 else 0.0
    for sub in range(KINDS + 1):
        planes[DOES + sub] = 1.0 if state.sub == sub + 1 else 0.0
    planes[LEFT] = state.left if state.phase >= CHOOSE_SUB else 0
    planes[DUE] = state.due
    planes[PLIES_LEFT] = 1.0 - state.acts / rules.knobs[at.ply_cap]
