"""All distinct results of a ply: every sequence of every organism that may act, boards merged after each sub-action.

Kernels on a workspace, called by listing.py; can_complete also decides what offers.py offers. BASE_ROW is the board before the
sequence, CURRENT_ROW the position now; a list of boards inside a sequence is a range of rows of `levels`.
"""

import numpy as np

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    AFTER_ORGANISM,
    BASE_ROW,
    CIRCULATE,
    CODE,
    CURRENT_ROW,
    EAT,
    ELEMENT,
    GROW,
    IS_STABLE,
    KINDS,
    MEMBER,
    MOVER,
    NO_OP_ALLOWED,
    NONE,
    ONE,
    PENDING,
    SCALAR_ROW,
    TRIAL_ROW,
    TURNS,
)
from components.games.organism.expand import ANY, expand
from components.games.organism.groups import has_other_pending, label_pending
from components.games.organism.resolve import resolve
from components.games.organism.subactions import allowance, circulate, may_give, may_receive
from components.games.organism.tables import (
    BOARD,
    END,
    FIRST,
    IS_CUT,
    NEEDS_ROOM,
    NEXT,
    POSITION,
    SCORED,
    WEIGHTS_AT,
    clear,
    copy_row,
    has_same_elements,
    is_same_board,
    keep_row,
    next_list,
)


@kernel
def is_resolved_now(knobs, boards, label):
    """Whether conflicts and integrity follow at once when the labelled organism has acted."""
    return knobs[at.resolve_timing] == AFTER_ORGANISM or not has_other_pending(boards, CURRENT_ROW, label)


@kernel
def finish_row(knobs, near, boards, row, label, has_others):
    """Resolve a board after the labelled organism's sequence and bring pending up to date. Label 0: a pass ends the turn.

    has_others: other organisms of the mover still have to act.
    """
    mover = np.int64(boards[SCALAR_ROW, 0, MOVER])
    for cell in range(boards.shape[2]):
        if boards[row, PENDING, cell] == label:
            boards[row, PENDING, cell] = 0
        boards[row, ELEMENT, cell] &= CODE
    is_still = boards[SCALAR_ROW, 0, IS_STABLE] and has_same_elements(boards, row, BASE_ROW)
    if (knobs[at.resolve_timing] == AFTER_ORGANISM or not has_others) and not is_still:
        resolve(knobs, near, boards, row, mover)
    if knobs[at.resolve_timing] == AFTER_ORGANISM and has_others:
        label_pending(near, boards, row, mover)


@kernel
def note_stability(knobs, near, boards):
    """Note whether resolution would leave the base as it is. Then it also leaves every board with the same elements as it is."""
    boards[SCALAR_ROW, 0, IS_STABLE] = 0
    copy_row(boards, TRIAL_ROW, CURRENT_ROW, POSITION)
    copy_row(boards, TRIAL_ROW, BASE_ROW, BOARD)
    resolve(knobs, near, boards, TRIAL_ROW, np.int64(boards[SCALAR_ROW, 0, MOVER]))
    boards[SCALAR_ROW, 0, IS_STABLE] = has_same_elements(boards, TRIAL_ROW, BASE_ROW)


@kernel
def is_result(knobs, near, boards, row, label, kind):
    """Whether a sequence may end with this board: its resolved position must be new, unless the rules allow standing still."""
    if knobs[at.no_op_turns] == NO_OP_ALLOWED:
        return True
    is_changed = not is_same_board(boards, row, BASE_ROW)
    # Only growing adds elements and resolution only removes them: any other change can never be undone by resolution.
    if (kind != GROW and is_changed) or not is_resolved_now(knobs, boards, label):
        return is_changed
    copy_row(boards, TRIAL_ROW, CURRENT_ROW, POSITION)
    copy_row(boards, TRIAL_ROW, row, BOARD)
    resolve(knobs, near, boards, TRIAL_ROW, np.int64(boards[SCALAR_ROW, 0, MOVER]))
    return not is_same_board(boards, TRIAL_ROW, BASE_ROW)


@kernel
def select_organism(boards, row, label):
    """Flag the organism that CURRENT_ROW labels so as the one that acts."""
    for cell in range(boards.shape[2]):
        if boards[CURRENT_ROW, PENDING, cell] == label:
            boards[row, ELEMENT, cell] |= MEMBER


@kernel
def start_list(boards, levels, first):
    """A list at row first that holds CURRENT_ROW's board."""
    clear(levels, first)
    copy_row(boards, first, CURRENT_ROW, BOARD)
    keep_row(boards, levels, ONE, BOARD)


@kernel
def next_level(knobs, near, boards, levels, kind):
    """Close the last list and start a new one with everything one sub-action after it."""
    first, end = levels[FIRST], levels[NEXT]
    next_list(levels)
    mover = np.int64(boards[SCALAR_ROW, 0, MOVER])
    for row in range(first, end):
        weight = levels[levels[WEIGHTS_AT] + row]
        expand(knobs, near, boards, levels, row, mover, 1 << kind | 1 << CIRCULATE, ANY, ANY, ANY, NONE, ANY, weight)


@kernel
def collect(knobs, near, boards, levels, label, results, most):
    """Resolve every board of the last list and take in what is new. Stops at `most` results, or when there is no more room."""
    has_others = has_other_pending(boards, CURRENT_ROW, label)
    planes = POSITION if has_others else SCORED  # without others nothing is pending in any result
    for source in range(levels[FIRST], levels[NEXT]):
        if is_enough(results, most):
            return
        row = results[NEXT]
        copy_row(boards, row, CURRENT_ROW, POSITION)
        copy_row(boards, row, source, BOARD)
        finish_row(knobs, near, boards, row, label, has_others)
        if knobs[at.no_op_turns] == NO_OP_ALLOWED or not is_same_board(boards, row, BASE_ROW):
            keep_row(boards, results, ONE, planes)


@kernel
def is_enough(results, most):
    """Whether listing may stop. In a full table the first results stay, so even a cut list is deterministic."""
    return results[NEXT] - results[FIRST] >= most or (results[IS_CUT] != 0 and results[NEXT] == results[END])


@kernel
def list_sequences(knobs, near, boards, levels, label, kind, left, results, most):
    """Results of all sequences of `left` more sub-actions from the last list. Returns how many sequences there are."""
    sequences = 0
    for step in range(left + 1):
        if step > 0:
            next_level(knobs, near, boards, levels, kind)
            results[IS_CUT] |= levels[IS_CUT]
        if step == left or not knobs[at.must_use_all]:
            collect(knobs, near, boards, levels, label, results, most)
            for row in range(levels[FIRST], levels[NEXT]):
                sequences += levels[levels[WEIGHTS_AT] + row]
        if is_enough(results, most):
            break
    return sequences


@kernel
def list_turn(knobs, near, boards, levels, label_only, results, most):
    """Results of every pending organism, or of one, whatever action type it chooses. Returns how many sequences there are."""
    sequences = 0
    start = levels[FIRST]
    for cell in range(boards.shape[2]):
        label = cell + 1  # an organism's label is 1 + its smallest cell
        if boards[CURRENT_ROW, PENDING, cell] != label or (label_only != 0 and label != label_only):
            continue
        for kind in range(EAT, KINDS + 1):
            start_list(boards, levels, start)
            select_organism(boards, start, label)
            left = allowance(knobs, boards, start, kind, boards[SCALAR_ROW, 0, TURNS] == 0)
            if left > 0 and not is_enough(results, most):
                sequences += list_sequences(knobs, near, boards, levels, label, kind, left, results, most)
    return sequences


@kernel
def circulate_any(knobs, near, boards, row):
    """Play the first CIRCULATE there is, in place; False if there is none."""
    mover = np.int64(boards[SCALAR_ROW, 0, MOVER])
    for giver in range(boards.shape[2]):
        if may_give(boards, row, giver):
            for receiver in range(boards.shape[2]):
                if may_receive(knobs, near, boards, row, mover, giver, receiver):
                    circulate(knobs, boards, row, giver, receiver)
                    return True
    return False


@kernel
def has_result(knobs, near, boards, levels, label, kind):
    """Whether a sequence may end with a board of the last list."""
    for row in range(levels[FIRST], levels[NEXT]):
        if is_result(knobs, near, boards, row, label, kind):
            return True
    return False


@kernel
def guess(knobs, near, boards, levels, label, kind, left):
    """Circulate food on the list's first board until the sequence is full: nearly always that ends in a new position."""
    trial = levels[NEXT]
    copy_row(boards, trial, levels[FIRST], BOARD)
    for _ in range(left):
        if not circulate_any(knobs, near, boards, trial):
            return False
    return is_result(knobs, near, boards, trial, label, kind)


@kernel
def can_complete(knobs, near, boards, levels, label, kind, left):
    """Whether any board of the last list can be played on to a legal end with `left` more sub-actions.

    If the answer is no and the workspace was too small for all boards, levels says NEEDS_ROOM: ask again with more.
    """
    if levels[FIRST] == levels[NEXT]:
        return False
    for step in range(left + 1):
        if step == 1 and guess(knobs, near, boards, levels, label, kind, left):
            return True
        if step > 0:
            next_level(knobs, near, boards, levels, kind)
        if (step == left or not knobs[at.must_use_all]) and has_result(knobs, near, boards, levels, label, kind):
            return True
    levels[NEEDS_ROOM] |= levels[IS_CUT]
    return False
