"""Two-coloured life on row bitboards: bit x of cells[player, y] is player's living cell in column x of row y.

Called by the rules, the planes and the scripted players. Promises one generation in one pass, in place, without memory: all
cells of a row are counted at once by full adders over the bits of its three neighbour rows.
"""

import numpy as np

from components.core.jit import kernel

NO_CELLS = np.uint64(0)
ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE = np.uint64(1)
PAIRS = np.uint64(0x5555555555555555)
NIBBLES = np.uint64(0x3333333333333333)
BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)


@kernel
def row_mask(width):
    """The bits of a row that are on the board."""
    return ALL_BITS >> np.uint64(64 - width)


@kernel
def life_step(cells, width):
    """One generation of cells [2, height] uint64, in place.

    A count of neighbours is ones + 2 * twos. The rows above and below give three cells each, the own row two. Only counts of
    2 and 3 matter, and they are the ones with exactly one two among the four bits of weight two.
    """
    mask = row_mask(width)
    height = cells.shape[1]
    old = NO_CELLS  # the row above as it was: cells[., y - 1] is already of the next generation
    old_0 = NO_CELLS
    for y in range(height):
        row_0 = cells[0, y]
        row = row_0 | cells[1, y]
        below_0 = cells[0, y + 1] if y + 1 < height else NO_CELLS
        below = below_0 | cells[1, y + 1] if y + 1 < height else NO_CELLS

        left, right = old << ONE, old >> ONE
        above_ones = left ^ old ^ right
        above_twos = (left & old) | (right & (left | old))
        left, right = below << ONE, below >> ONE
        below_ones = left ^ below ^ right
        below_twos = (left & below) | (right & (left | below))
        left, right = row << ONE, row >> ONE
        side_ones, side_twos = left ^ right, left & right
        carry = (above_ones & below_ones) | (side_ones & (above_ones | below_ones))
        is_odd = above_ones ^ below_ones ^ side_ones
        one_two = (above_twos ^ below_twos ^ side_twos ^ carry) & ~((above_twos & below_twos) | (side_twos & carry))

        # The same adders on player 0's cells. Wanted only where all neighbours are three: "at least two" is "any two".
        left, right = old_0 << ONE, old_0 >> ONE
        above_ones = left ^ old_0 ^ right
        twos = (left & old_0) | (right & (left | old_0))
        left, right = below_0 << ONE, below_0 >> ONE
        below_ones = left ^ below_0 ^ right
        twos |= (left & below_0) | (right & (left | below_0))
        left, right = row_0 << ONE, row_0 >> ONE
        side_ones = left ^ right
        twos |= (left & right) | (above_ones & below_ones) | (side_ones & (above_ones | below_ones))

        born = ~row & is_odd & one_two & mask
        old, old_0 = row, row_0
        cells[0, y] = (row_0 & one_two) | (born & twos)
        cells[1, y] = (cells[1, y] & one_two) | (born & ~twos)


@kernel
def count_bits(bits):
    """How many bits of a uint64 are set; by sums only, so that plain NumPy does not warn of an overflowing product."""
    bits = bits - ((bits >> ONE) & PAIRS)
    bits = (bits & NIBBLES) + ((bits >> np.uint64(2)) & NIBBLES)
    bits = (bits + (bits >> np.uint64(4))) & BYTES
    bits = bits + (bits >> np.uint64(8))
    bits = bits + (bits >> np.uint64(16))
    bits = bits + (bits >> np.uint64(32))
    return np.int64(bits & np.uint64(127))


@kernel
def count_cells(cells, player):
    """How many living cells a player has."""
    count = 0
    for y in range(cells.shape[1]):
        count += count_bits(cells[player, y])
    return count


@kernel
def has_cells(cells, player):
    """Whether a player is alive: cheaper than counting."""
    any_bits = NO_CELLS
    for y in range(cells.shape[1]):
        any_bits |= cells[player, y]
    return any_bits != NO_CELLS


@kernel
def owns(cells, player, cell, width):
    """Whether cell (row-major index) is a living cell of player."""
    return (cells[player, cell // width] >> np.uint64(cell % width)) & ONE != NO_CELLS


@kernel
def flip(cells, player, cell, width):
    """Let a player's cell die, or a dead cell live for that player."""
    cells[player, cell // width] ^= ONE << np.uint64(cell % width)


@kernel
def step_many(boards, width, generations):
    """Run boards [n, 2, height] that many generations: the measure of this file's speed."""
    for board in range(boards.shape[0]):
        for _ in range(generations):
            life_step(boards[board], width)
