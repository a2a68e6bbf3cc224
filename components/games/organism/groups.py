"""Connected groups of one player's elements: filling, completeness, counting, and the labels of pending organisms.

Kernels on one row of a workspace (see codes.py); called by resolve.py, subactions.py, turns.py, results.py. None leaves a flag
behind. QUEUE_ROW holds the cells of the group filled last. `near` [cells, 6] is padded with -1.
"""

from components.core.jit import kernel
from components.games.organism.codes import CODE, ELEMENT, KIND_DIGITS, OWNER_DIGITS, PENDING, QUEUE_ROW, VISITED

ALL_KINDS = 14  # bits 1, 2 and 3: EAT, MOVE and GROW


@kernel
def kind_of(code):
    """EAT, MOVE or GROW of an element code, flags ignored; 0 for an empty cell."""
    return KIND_DIGITS >> 4 * (code & CODE) & 3


@kernel
def owner_of(code):
    """0 or 1; -1 for an empty cell."""
    return (OWNER_DIGITS >> 4 * (code & CODE) & 3) - 1


@kernel
def fill_group(near, boards, row, start):
    """Mark the group of the element on start as VISITED, list its cells in QUEUE_ROW and return how many they are."""
    owner = owner_of(boards[row, ELEMENT, start])
    boards[QUEUE_ROW, 0, 0] = start
    boards[row, ELEMENT, start] |= VISITED
    count = 1
    done = 0
    while done < count:
        cell = boards[QUEUE_ROW, 0, done]
        done += 1
        for side in range(6):
            other = near[cell, side]
            if other < 0:
                break
            code = boards[row, ELEMENT, other]
            if code & VISITED == 0 and owner_of(code) == owner:
                boards[row, ELEMENT, other] = code | VISITED
                boards[QUEUE_ROW, 0, count] = other
                count += 1
    return count


@kernel
def is_complete(boards, row, count):
    """Whether the group filled last has all three kinds."""
    kinds = 0
    for i in range(count):
        kinds |= 1 << kind_of(boards[row, ELEMENT, boards[QUEUE_ROW, 0, i]])
    return kinds == ALL_KINDS


@kernel
def forget_visits(boards, row):
    for cell in range(boards.shape[2]):
        boards[row, ELEMENT, cell] &= ~VISITED


@kernel
def is_alive(near, boards, row, cell):
    """Whether the group of the element on cell has all three kinds."""
    count = fill_group(near, boards, row, cell)
    forget_visits(boards, row)
    return is_complete(boards, row, count)


@kernel
def count_organisms(near, boards, row, player):
    """How many complete groups a player has."""
    organisms = 0
    for cell in range(boards.shape[2]):
        code = boards[row, ELEMENT, cell]
        if code & VISITED == 0 and owner_of(code) == player:
            count = fill_group(near, boards, row, cell)
            if is_complete(boards, row, count):
                organisms += 1
    forget_visits(boards, row)
    return organisms


@kernel
def has_elements(boards, row, player):
    is_found = False
    for cell in range(boards.shape[2]):
        is_found = is_found or owner_of(boards[row, ELEMENT, cell]) == player
    return is_found


@kernel
def label_all(near, boards, row, player):
    """Every group of the player becomes pending; its label is 1 + its smallest cell."""
    for cell in range(boards.shape[2]):
        boards[row, PENDING, cell] = 1
    label_pending(near, boards, row, player)


@kernel
def label_pending(near, boards, row, player):
    """Pending become those whole groups of the player that hold a pending cell; nothing else stays pending."""
    for cell in range(boards.shape[2]):
        code = boards[row, ELEMENT, cell]
        if owner_of(code) != player:
            boards[row, PENDING, cell] = 0
        elif code & VISITED == 0:
            count = fill_group(near, boards, row, cell)
            label = 0
            for i in range(count):
                if boards[row, PENDING, boards[QUEUE_ROW, 0, i]] > 0:
                    label = cell + 1
            for i in range(count):
                boards[row, PENDING, boards[QUEUE_ROW, 0, i]] = label
    forget_visits(boards, row)


@kernel
def has_other_pending(boards, row, label):
    """Whether an organism besides the labelled one still has to act."""
    is_found = False
    for cell in range(boards.shape[2]):
        pending = boards[row, PENDING, cell]
        is_found = is_found or (pending > 0 and pending != label)
    return is_found
