"""Lists of distinct boards in a workspace: a range of rows with a hash table over it.

Called by expand.py, results.py, listing.py and micro.py. The next free row is where a caller writes a candidate; `keep_row` takes
it in or finds it known. A workspace is allocated per call, never kept in the rules record: threads share that.
"""

import numpy as np

from components.core.jit import kernel
from components.games.organism.codes import CODE, ELEMENT, FIRST_ROW, FOOD, fixed

# A table is one array int64: these numbers, then its slots (row or -1), then a weight per row.
FIRST, NEXT, END, SLOTS, WEIGHTS_AT, IS_CUT, NEEDS_ROOM = range(
    7
)  # rows FIRST .. NEXT - 1 are in use, END is the first not its own
HEADER = 8
FIRST_SLOTS = 128  # a table starts small: clearing slots would cost more than most plies need
BOARD, SCORED, POSITION = fixed(2), fixed(3), fixed(4)  # planes: elements and food; tokens as well; all
HASH_START = np.uint64(0x9E3779B97F4A7C15)
HASH_FACTOR = np.uint64(0xBF58476D1CE4E5B9)


@kernel
def new_boards(cells, rows):
    """A workspace with room for `rows` boards beside the rows of fixed use, and a spare one for the candidate."""
    return np.empty((FIRST_ROW + rows + 2, 4, cells), np.int16)


@kernel
def new_table(first, rows):
    """A table over rows first .. first + rows - 1; the row after them may hold a candidate but is never kept."""
    slots = FIRST_SLOTS
    while slots < 2 * (rows + 1):
        slots *= 2
    table = np.empty(HEADER + slots + rows + 1, np.int64)
    table[FIRST] = first
    table[END] = first + rows
    table[WEIGHTS_AT] = HEADER + slots - first
    table[NEEDS_ROOM] = 0
    clear(table, first)
    return table


@kernel
def clear(table, first):
    """Forget all rows and go on at row first."""
    table[FIRST] = first
    table[NEXT] = first
    table[SLOTS] = FIRST_SLOTS
    table[IS_CUT] = 0
    for slot in range(HEADER, HEADER + FIRST_SLOTS):
        table[slot] = -1


@kernel
def hash_row(boards, row, planes):
    """Four numbers a step: a step is a multiplication that has to wait for the one before."""
    digest = HASH_START
    cells = boards.shape[2]
    for plane in range(planes):
        for cell in range(0, cells - 3, 4):
            left = np.int64(boards[row, plane, cell]) + (np.int64(boards[row, plane, cell + 1]) << 16)
            right = np.int64(boards[row, plane, cell + 2]) + (np.int64(boards[row, plane, cell + 3]) << 16)
            digest = (digest ^ np.uint64(left + (right << 32))) * HASH_FACTOR
        for cell in range(cells - cells % 4, cells):
            digest = (digest ^ np.uint64(boards[row, plane, cell])) * HASH_FACTOR
        digest ^= digest >> np.uint64(31)
    return digest ^ digest >> np.uint64(43)


@kernel
def is_same(boards, row, other, planes):
    # No early way out: without one the compiler compares many cells at once.
    difference = 0
    for plane in range(planes):
        for cell in range(boards.shape[2]):
            difference |= boards[row, plane, cell] ^ boards[other, plane, cell]
    return difference == 0


@kernel
def is_same_board(boards, row, other):
    """Equal elements and food, whatever the flags."""
    difference = 0
    for cell in range(boards.shape[2]):
        difference |= (boards[row, ELEMENT, cell] ^ boards[other, ELEMENT, cell]) & CODE
        difference |= boards[row, FOOD, cell] ^ boards[other, FOOD, cell]
    return difference == 0


@kernel
def has_same_elements(boards, row, other):
    """Equal elements, whatever the food and the flags."""
    difference = 0
    for cell in range(boards.shape[2]):
        difference |= (boards[row, ELEMENT, cell] ^ boards[other, ELEMENT, cell]) & CODE
    return difference == 0


@kernel
def copy_row(boards, target, source, planes):
    for plane in range(planes):
        for cell in range(boards.shape[2]):
            boards[target, plane, cell] = boards[source, plane, cell]


@kernel
def slot_for(boards, table, row, planes):
    """The slot that holds a row equal to this one, or the free slot where it belongs."""
    last = table[SLOTS] - 1
    slot = np.int64(hash_row(boards, row, planes) & np.uint64(last))
    while table[HEADER + slot] >= 0 and not is_same(boards, row, table[HEADER + slot], planes):
        slot = (slot + 1) & last
    return HEADER + slot


@kernel
def keep_row(boards, table, weight, planes):
    """Take in the candidate on row NEXT; a known one only adds its weight. A full table says IS_CUT."""
    row = table[NEXT]
    slot = slot_for(boards, table, row, planes)
    if table[slot] >= 0:
        table[table[WEIGHTS_AT] + table[slot]] += weight
    elif row == table[END]:
        table[IS_CUT] = 1
    else:
        table[slot] = row
        table[table[WEIGHTS_AT] + row] = weight
        table[NEXT] = row + 1
        if 2 * (row + 1 - table[FIRST]) > table[SLOTS]:
            widen(boards, table, planes)


@kernel
def widen(boards, table, planes):
    """Twice the slots, every row put in again."""
    table[SLOTS] *= 2
    for slot in range(HEADER, HEADER + table[SLOTS]):
        table[slot] = -1
    for row in range(table[FIRST], table[NEXT]):
        table[slot_for(boards, table, row, planes)] = row


@kernel
def next_list(table):
    """Close the list and start an empty one behind it; returns its first row."""
    is_cut = table[IS_CUT]
    clear(table, table[NEXT])
    table[IS_CUT] = is_cut
    return table[FIRST]
