"""The hexagonal board: ring-major cells, their places on the square, neighbours, the twelve symmetries.

Called by spec.py when a game is built and by text.py. Pure arithmetic on tables, no kernels.
"""

import numpy as np
from numpy.typing import NDArray

# Steps to the six neighbours as (row, column) on the square; ring r starts at r * DIRECTIONS[0].
DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
SYMMETRIES = 12
NO_CELL = -1


def cell_count(rings: int) -> int:
    return 1 + 3 * rings * (rings - 1)


def ring_of_cells(rings: int) -> NDArray[np.int16]:
    """[cells] the ring of each cell."""
    return np.array([0, *(ring for ring in range(1, rings) for _ in range(6 * ring))], dtype=np.int16)


def cell_id(ring: int, step: int) -> int:
    return 1 + 3 * ring * (ring - 1) + step % (6 * ring) if ring else 0


def offsets(rings: int) -> list[tuple[int, int]]:
    """(row, column) of each cell relative to the centre."""
    places = [(0, 0)]
    for ring in range(1, rings):
        for step in range(6 * ring):
            side, along = divmod(step, ring)
            corner, onward = DIRECTIONS[side], DIRECTIONS[(side + 2) % 6]
            places.append((ring * corner[0] + along * onward[0], ring * corner[1] + along * onward[1]))
    return places


def square_of_cells(rings: int) -> NDArray[np.int16]:
    """[cells] the index row * side + column of each cell on the square of side 2 * rings - 1."""
    side, middle = 2 * rings - 1, rings - 1
    return np.array([(row + middle) * side + column + middle for row, column in offsets(rings)], dtype=np.int16)


def cell_of_squares(rings: int) -> NDArray[np.int16]:
    """[side * side] the cell on each square; NO_CELL off the board."""
    table = np.full((2 * rings - 1) ** 2, NO_CELL, dtype=np.int16)
    table[square_of_cells(rings)] = np.arange(cell_count(rings))
    return table


def removed_corners(rings: int, corners_removed: bool) -> set[int]:
    """The six outer corners when the board is played without them."""
    return {cell_id(rings - 1, side * (rings - 1)) for side in range(6)} if corners_removed else set()


def neighbours(rings: int, corners_removed: bool) -> NDArray[np.int16]:
    """[cells, 6] the neighbours of each cell, padded with NO_CELL; a removed corner has none and is nobody's."""
    places = offsets(rings)
    cell_at = {place: cell for cell, place in enumerate(places)}
    removed = removed_corners(rings, corners_removed)
    table = np.full((len(places), 6), NO_CELL, dtype=np.int16)
    for cell, (row, column) in enumerate(places):
        around = [cell_at.get((row + down, column + right), NO_CELL) for down, right in DIRECTIONS]
        present = [other for other in around if other != NO_CELL and other not in removed and cell not in removed]
        table[cell, : len(present)] = present
    return table


def cell_symmetries(rings: int) -> NDArray[np.int16]:
    """[12, cells] where each cell goes: index 6*f + q transposes if f, then turns q times by 60 degrees."""
    places = offsets(rings)
    cell_at = {place: cell for cell, place in enumerate(places)}
    return np.array([[cell_at[moved(place, s)] for place in places] for s in range(SYMMETRIES)], dtype=np.int16)


def moved(place: tuple[int, int], symmetry: int) -> tuple[int, int]:
    row, column = place[::-1] if symmetry >= 6 else place
    for _ in range(symmetry % 6):
        row, column = row + column, -row
    return row, column


def square_symmetries(rings: int) -> NDArray[np.int32]:
    """[12, side * side] the same on the square. A hexagon's turn moves no square off the board, so those stay where they are."""
    squares = square_of_cells(rings)
    maps = np.tile(np.arange((2 * rings - 1) ** 2, dtype=np.int32), (SYMMETRIES, 1))
    for symmetry, cell_map in enumerate(cell_symmetries(rings)):
        maps[symmetry, squares] = squares[cell_map]
    return maps


def attacker_ranks(rings: int) -> NDArray[np.int16]:
    """[12, cells] who gets a captured element's food first, by symmetry of the board.

    The order is 1, 0, 2, 3, ... in the original position of the board. It prefers some cells to their images, so a turned
    game must keep counting in the original position: row s ranks the cells of a board turned by symmetry s.
    """
    original = np.arange(cell_count(rings), dtype=np.int16)
    original[:2] = (1, 0)
    ranks = np.empty((SYMMETRIES, len(original)), dtype=np.int16)
    for symmetry, cell_map in enumerate(cell_symmetries(rings)):
        ranks[symmetry, cell_map] = original
    return ranks
