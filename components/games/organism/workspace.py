"""Between a state record and a workspace: the rules work on plain arrays, so that one compilation serves every board size.

Called by rules.py, listing.py and check.py. `load` and `store` are each other's inverse.
"""

import numpy as np

from components.core.jit import kernel
from components.games.organism.codes import (
    ACTING,
    ACTS,
    BASE_ROW,
    CELL,
    CHOOSE_TYPE,
    CODE,
    CURRENT_ROW,
    DONE,
    DUE,
    ELEMENT,
    EXTRAS,
    FOOD,
    GROWS,
    HAS_CHOSEN,
    HOME_ROW,
    INTRODUCE,
    INTRODUCED,
    INTRODUCED_SECOND,
    IS_STABLE,
    LEFT,
    MOVER,
    OPTION_ROW,
    PENDING,
    PHASE,
    RANK_ROW,
    SCALAR_ROW,
    SUB,
    TARGET,
    TOKENS,
    TURNS,
    TYPE,
    WINNER,
)


@kernel
def is_between_sequences(phase):
    """Whether no sequence is under way: then the board itself is the base and need not be kept twice."""
    return phase <= CHOOSE_TYPE or phase >= INTRODUCE


@kernel
def load(rules, state, boards):
    """Copy a state into the fixed rows of a workspace."""
    is_fresh = is_between_sequences(np.int64(state.phase))
    for cell in range(boards.shape[2]):
        boards[HOME_ROW, 0, cell] = state.home[cell]
        boards[RANK_ROW, 0, cell] = rules.rank[state.frame, cell]
        boards[OPTION_ROW, 0, cell] = state.options[cell]
        boards[BASE_ROW, ELEMENT, cell] = state.element[cell] & CODE if is_fresh else state.base_element[cell]
        boards[BASE_ROW, FOOD, cell] = state.food[cell] if is_fresh else state.base_food[cell]
        boards[CURRENT_ROW, ELEMENT, cell] = state.element[cell]
        boards[CURRENT_ROW, FOOD, cell] = state.food[cell]
        boards[CURRENT_ROW, PENDING, cell] = state.pending[cell]
        boards[CURRENT_ROW, TOKENS, cell] = state.tokens[cell] if cell < 2 else 0
    scalars = boards[SCALAR_ROW, 0]
    scalars[MOVER] = state.mover
    scalars[PHASE] = state.phase
    scalars[ACTING] = state.acting
    scalars[TYPE] = state.kind
    scalars[LEFT] = state.left
    scalars[DONE] = state.done
    scalars[SUB] = state.sub
    scalars[CELL] = state.cell
    scalars[TARGET] = state.target
    scalars[GROWS] = state.grows
    scalars[DUE] = state.due
    scalars[HAS_CHOSEN] = state.has_chosen
    scalars[WINNER] = state.winner
    scalars[ACTS] = state.acts
    scalars[TURNS] = state.turns
    scalars[INTRODUCED] = state.introduced[0]
    scalars[INTRODUCED_SECOND] = state.introduced[1]
    scalars[EXTRAS] = state.extras
    scalars[IS_STABLE] = 0


@kernel
def store(boards, state):
    """Copy the fixed rows of a workspace back into a state."""
    scalars = boards[SCALAR_ROW, 0]
    is_fresh = is_between_sequences(np.int64(scalars[PHASE]))
    for cell in range(boards.shape[2]):
        state.options[cell] = boards[OPTION_ROW, 0, cell]
        state.base_element[cell] = 0 if is_fresh else boards[BASE_ROW, ELEMENT, cell]
        state.base_food[cell] = 0 if is_fresh else boards[BASE_ROW, FOOD, cell]
        state.element[cell] = boards[CURRENT_ROW, ELEMENT, cell]
        state.food[cell] = boards[CURRENT_ROW, FOOD, cell]
        state.pending[cell] = boards[CURRENT_ROW, PENDING, cell]
    state.tokens[0] = boards[CURRENT_ROW, TOKENS, 0]
    state.tokens[1] = boards[CURRENT_ROW, TOKENS, 1]
    state.mover = scalars[MOVER]
    state.phase = scalars[PHASE]
    state.acting = scalars[ACTING]
    state.kind = scalars[TYPE]
    state.left = scalars[LEFT]
    state.done = scalars[DONE]
    state.sub = scalars[SUB]
    state.cell = scalars[CELL]
    state.target = scalars[TARGET]
    state.grows = scalars[GROWS]
    state.due = scalars[DUE]
    state.has_chosen = scalars[HAS_CHOSEN]
    state.winner = scalars[WINNER]
    state.acts = scalars[ACTS]
    state.turns = scalars[TURNS]
    state.introduced[0] = scalars[INTRODUCED]
    state.introduced[1] = scalars[INTRODUCED_SECOND]
    state.extras = scalars[EXTRAS]
