"""GOLAD as scalar kernels: set up, legal actions, apply, returns, and turning a start board. No randomness, no exceptions.

Called by the batch loops of kernels.py and by the edges. A turn is a pass, a kill, or a birth paid with two own cells; one
generation of life follows every turn. Under `sacrifices=chosen` a birth is three plies of the same mover: target, sacrifice,
sacrifice. Until the third the choices are only marked in the state, the board does not change.
"""

import numpy as np

from components.core.jit import kernel
from components.core.seeds import GOLDEN_GAMMA, MIX_1, MIX_2
from components.games.golad.life import NO_CELLS, ONE, count_cells, flip, has_cells, life_step, owns, row_mask
from components.games.golad.planes import encode as encode_planes

NONE = -1  # no target, no first sacrifice
TOP_HALF = np.uint64(32)
MOST_CELLS = 4096  # on the largest board; keeps (turn, cell) keys apart


@kernel
def setup(rules, state, draws):
    """Draw a start board: cells of the first half, each with a rotated cell of the other colour. draws [cells + 1] uint64.

    The first half is the first floor(width * height / 2) cells in row-major order: on an even height that is the official
    top half, on an odd one (which the official engine refuses) half of the middle row belongs to it.
    """
    width = rules.width
    size = width * state.cells.shape[1]
    state.cells[:, :] = NO_CELLS
    for index in range(rules.cells):
        free = np.uint64(size // 2 - index)
        cell = nth_dead_cell(state, width, np.int64(((draws[index] >> TOP_HALF) * free) >> TOP_HALF))
        owner = 0 if rules.is_separate else np.int64(draws[index] & np.uint64(1))
        flip(state.cells, owner, cell, width)
        flip(state.cells, 1 - owner, size - 1 - cell, width)
    begin(state)
    # With chosen sacrifices the salt decides nothing; equal positions should then be equal bytes.
    state.salt = draws[rules.cells] if rules.is_random else NO_CELLS


@kernel
def begin(state):
    """The clock of a board on which no turn has been played."""
    state.turn = 0
    state.target = NONE
    state.first = NONE
    state.facing = 0
    state.mover = 0
    state.ply = 0


@kernel
def nth_dead_cell(state, width, rank):
    """The cell that rank dead cells precede in row-major order."""
    cell = 0
    while True:
        if not (owns(state.cells, 0, cell, width) or owns(state.cells, 1, cell, width)):
            if rank == 0:
                return cell
            rank -= 1
        cell += 1


@kernel
def is_over(rules, state):
    """A side without cells never gets one back; at the round limit cell counts do not matter."""
    return state.turn >= 2 * rules.max_rounds or not has_cells(state.cells, 0) or not has_cells(state.cells, 1)


@kernel
def legal(rules, state, out):
    """Write the legal actions to out in ascending order and return how many there are; 0 when the game is over."""
    if is_over(rules, state):
        return 0
    width, mover = rules.width, np.int64(state.mover)
    is_birth_pending = state.target != NONE
    can_birth = count_cells(state.cells, mover) >= 2
    count = 0
    cell = 0
    for y in range(state.cells.shape[1]):
        allowed = state.cells[mover, y]
        if not is_birth_pending:
            allowed = row_mask(width) if can_birth else allowed | state.cells[1 - mover, y]
        for _ in range(width):
            # The two sacrifices may be named in either order. "Second index above the first" would give a pair one name,
            # but a turned board has another order of cells: the rule would not commute with the board's symmetries.
            if allowed & ONE != NO_CELLS and cell != state.first:
                out[count] = cell
                count += 1
            allowed >>= ONE
            cell += 1
    if not is_birth_pending:
        out[count] = cell
        count += 1
    return count


@kernel
def apply(rules, state, action):
    """Play a legal action: a cell (kill if alive, birth if dead, sacrifice in a pending birth) or the pass width*height."""
    width = rules.width
    state.ply += 1
    if state.target != NONE and state.first == NONE:
        state.first = action
        return
    if state.target != NONE:
        give_birth(state, width, state.target, state.first, action)
    elif action < width * state.cells.shape[1]:
        if owns(state.cells, 0, action, width):
            flip(state.cells, 0, action, width)
        elif owns(state.cells, 1, action, width):
            flip(state.cells, 1, action, width)
        elif rules.is_random:
            first, second = turn_pair(rules, state)
            give_birth(state, width, action, first, second)
        else:
            state.target = action
            return
    finish_turn(rules, state)


@kernel
def give_birth(state, width, target, first, second):
    """The sacrifices die, then the target lives for the mover."""
    mover = np.int64(state.mover)
    flip(state.cells, mover, first, width)
    flip(state.cells, mover, second, width)
    flip(state.cells, mover, target, width)


@kernel
def finish_turn(rules, state):
    """Life runs, the clock moves on, the other player is asked."""
    life_step(state.cells, rules.width)
    state.turn += 1
    state.target = NONE
    state.first = NONE
    state.mover = 1 - state.mover


@kernel
def turn_pair(rules, state):
    """The two own cells that pay for a birth this turn under `sacrifices=random`; (-1, -1) with fewer than two."""
    return draw_pair(state.cells, rules.width, np.int64(state.mover), np.int64(state.turn), state.salt, np.int64(state.facing))


@kernel
def draw_pair(cells, width, mover, turn, salt, facing):
    """Two own cells by lot: a pure function of salt, turn and own cells, so that search and play agree.

    Each cell's lot goes by its place on the board as it was set up, not by its index now: a turned game must draw the turned
    pair.
    """
    first, second = NONE, NONE
    first_lot, second_lot = NO_CELLS, NO_CELLS
    for cell in range(width * cells.shape[1]):
        if not owns(cells, mover, cell, width):
            continue
        lot = lot_of(salt, turn * MOST_CELLS + home_cell(cell, facing, width, cells.shape[1]))
        if first == NONE or lot < first_lot:
            first, second, first_lot, second_lot = cell, first, lot, first_lot
        elif second == NONE or lot < second_lot:
            second, second_lot = cell, lot
    if second == NONE:
        return NONE, NONE
    return min(first, second), max(first, second)


@kernel
def lot_of(salt, key):
    """64 mixed bits of a key (SplitMix64): different for different keys."""
    bits = salt + GOLDEN_GAMMA * np.uint64(key + 1)
    bits = (bits ^ (bits >> np.uint64(30))) * MIX_1
    bits = (bits ^ (bits >> np.uint64(27))) * MIX_2
    return bits ^ (bits >> np.uint64(31))


@kernel
def home_cell(cell, facing, width, height):
    """Where a cell was when the board was set up. facing: bit 0 mirrored in x, bit 1 in y, bit 2 transposed before that."""
    x, y = cell % width, cell // width
    if facing & 1:
        x = width - 1 - x
    if facing & 2:
        y = height - 1 - y
    if facing & 4:
        x, y = y, x
    return y * width + x


@kernel
def returns(rules, state, out):
    """Write each player's result to out [2] and say whether the game is over; only a lone survivor wins."""
    out[0] = 0.0
    out[1] = 0.0
    is_alive_0, is_alive_1 = has_cells(state.cells, 0), has_cells(state.cells, 1)
    if is_alive_0 != is_alive_1:
        out[0] = 1.0 if is_alive_0 else -1.0
        out[1] = -out[0]
    return is_over(rules, state)


@kernel
def encode(rules, state, planes):
    """Fill planes [planes, height, width], already zero, with what a net sees from the mover's side."""
    first, second = NONE, NONE
    if rules.is_random:
        first, second = turn_pair(rules, state)
    encode_planes(rules, state, first, second, planes)


@kernel
def turn_start(rules, state, cell_map):
    """Turn a start position by a symmetry: cell c goes to cell_map[c]. Everything else stays."""
    width, height = rules.width, state.cells.shape[1]
    before = state.cells.copy()
    state.cells[:, :] = NO_CELLS
    for cell in range(width * height):
        for player in range(2):
            if owns(before, player, cell, width):
                flip(state.cells, player, cell_map[cell], width)
    facing = 0
    while facing < 7 and not faces(cell_map, state.facing, facing, width, height):
        facing += 1
    state.facing = facing


@kernel
def faces(cell_map, facing_before, facing_after, width, height):
    """Whether every cell keeps its home when the board is turned by cell_map and its facing changes so."""
    if facing_after & 4 and width != height:
        return False
    for cell in range(width * height):
        if home_cell(cell, facing_before, width, height) != home_cell(cell_map[cell], facing_after, width, height):
            return False
    return True
