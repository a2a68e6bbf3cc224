"""The results that a state's mover can still reach in the present ply, in either form of play, and how one of them is played.

Called by rules.py, kernels.py, players.py and check.py. The order of results is that of discovery: organisms by smallest cell,
then EAT, MOVE, GROW. More results than max_results are cut, which the table says: nothing is ever dropped silently.
"""

import numpy as np

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    ACTING,
    CELL,
    CHOOSE_ORGANISM,
    CHOOSE_PAYER,
    CHOOSE_SUB,
    CHOOSE_TYPE,
    CURRENT_ROW,
    DONE,
    DUE,
    ELEMENT,
    EMPTY,
    FIRST_ROW,
    GROWS,
    HAS_CHOSEN,
    HOME_ROW,
    INTRODUCE,
    LEFT,
    MOVER,
    MUST_PASS,
    NONE,
    ONE,
    PASS_EXTRA,
    PENDING,
    PHASE,
    SUB,
    TARGET,
    TYPE,
    fixed,
)
from components.games.organism.expand import ANY, expand
from components.games.organism.groups import has_other_pending, label_all, owner_of
from components.games.organism.micro import close_ply, follow
from components.games.organism.offers import EXTRA
from components.games.organism.results import list_sequences, list_turn, next_level, note_stability, start_list
from components.games.organism.tables import (
    BOARD,
    FIRST,
    IS_CUT,
    NEXT,
    POSITION,
    copy_row,
    keep_row,
    new_boards,
    new_table,
    next_list,
)
from components.games.organism.turns import end_introduction, get, kind_to_place, place_element, put
from components.games.organism.workspace import load, store

FEW_RESULTS = 512  # room that most plies find enough; the others are listed again with all the room there is
ROWS_PER_RESULT = 4  # boards inside sequences that may be kept beside each result
PASS_ROW = fixed(-1)


@kernel
def list_results(rules, state, most):
    """(boards, results, sequences): rows results[FIRST] .. results[NEXT] - 1 of boards are what the mover can reach in this ply.

    Stops at `most`. No rows: only a pass is left. results[IS_CUT] says that there are more than max_results.
    """
    cells = state.element.shape[0]
    rows = min(FEW_RESULTS, rules.max_results)
    while True:
        boards = new_boards(cells, (1 + ROWS_PER_RESULT) * rows + 1)
        results = new_table(FIRST_ROW, rows)
        levels = new_table(FIRST_ROW + rows + 1, ROWS_PER_RESULT * rows)
        load(rules, state, boards)
        sequences = list_ply(rules.knobs[:], rules.near[:], boards, levels, results, most)
        if results[IS_CUT] == 0 or rows == rules.max_results:
            return boards, results, sequences
        rows = rules.max_results


@kernel
def list_ply(knobs, near, boards, levels, results, most):
    """Fill results, whatever has been chosen of the ply already. Returns how many sequences there are."""
    phase = get(boards, PHASE)
    if phase == INTRODUCE:
        return list_introductions(knobs, near, boards, levels, results)
    if phase == MUST_PASS:
        return 0
    note_stability(knobs, near, boards)
    if phase == CHOOSE_ORGANISM or phase == CHOOSE_TYPE:
        return list_turn(knobs, near, boards, levels, get(boards, ACTING), results, most)
    left = start_from_choice(knobs, near, boards, levels)
    return list_sequences(knobs, near, boards, levels, get(boards, ACTING), get(boards, TYPE), left, results, most)


@kernel
def start_from_choice(knobs, near, boards, levels):
    """A list of the boards that fit the choices made so far in a sequence; returns how many sub-actions then remain."""
    phase = get(boards, PHASE)
    if phase == CHOOSE_SUB:
        start_list(boards, levels, levels[FIRST])
        if knobs[at.must_use_all] or get(boards, DONE) > 0:
            return get(boards, LEFT)
        # The type is chosen but nothing done: the sequence may no longer end here.
        next_level(knobs, near, boards, levels, get(boards, TYPE))
        return get(boards, LEFT) - 1
    due = get(boards, DUE) if phase == CHOOSE_PAYER else ANY
    sub, cell, target, kind = get(boards, SUB), get(boards, CELL), get(boards, TARGET), get(boards, GROWS)
    expand(knobs, near, boards, levels, CURRENT_ROW, get(boards, MOVER), 1 << sub, cell, target, ANY, kind, due, ONE)
    return get(boards, LEFT) - 1


@kernel
def list_introductions(knobs, near, boards, levels, results):
    """Every way to place the missing start elements on the free home cells."""
    mover = get(boards, MOVER)
    start_list(boards, levels, levels[FIRST])
    kind = kind_to_place(boards, levels[FIRST], mover)
    while kind > 0:
        first, end = levels[FIRST], levels[NEXT]
        next_list(levels)
        for row in range(first, end):
            for cell in range(boards.shape[2]):
                if owner_of(boards[HOME_ROW, 0, cell]) == mover and boards[row, ELEMENT, cell] == EMPTY:
                    copy_row(boards, levels[NEXT], row, BOARD)
                    place_element(knobs, boards, levels[NEXT], mover, kind, cell)
                    keep_row(boards, levels, ONE, BOARD)
        kind = kind_to_place(boards, levels[FIRST], mover)
    for source in range(levels[FIRST], levels[NEXT]):
        row = results[NEXT]
        copy_row(boards, row, CURRENT_ROW, POSITION)
        copy_row(boards, row, source, BOARD)
        label_all(near, boards, row, mover)
        keep_row(boards, results, ONE, POSITION)
    return results[NEXT] - results[FIRST]


@kernel
def has_two_pending(boards):
    """Whether another organism has to act after the present one."""
    for cell in range(boards.shape[2]):
        if boards[CURRENT_ROW, PENDING, cell] > 0:
            return has_other_pending(boards, CURRENT_ROW, np.int64(boards[CURRENT_ROW, PENDING, cell]))
    return False


@kernel
def take_result(rules, state, boards, row):
    """Play the ply that leads to a listed row, or the pass. The micro-ply game's next choice is not opened."""
    knobs, near = rules.knobs[:], rules.near[:]
    load(rules, state, boards)
    is_turn_end = not has_two_pending(boards)
    if row == PASS_ROW:
        follow(knobs, near, boards, EXTRA, PASS_EXTRA, rules.is_order_chosen)
    else:
        copy_row(boards, CURRENT_ROW, row, POSITION)
        if get(boards, PHASE) == INTRODUCE:
            end_introduction(near, boards)
            put(boards, HAS_CHOSEN, NONE)
        else:
            close_ply(knobs, near, boards, is_turn_end, rules.is_order_chosen)
    store(boards, state)
