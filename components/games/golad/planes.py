"""What a net sees of a GOLAD position; the order of the planes is spec.plane_names'.

Called by rules.encode. Promises own before opponent's everywhere, except with `planes=report`, which repeats the report's
three planes: player 0's cells, player 1's cells, the side to move.
"""

import numpy as np

from components.core.jit import kernel
from components.games.golad.life import ONE, life_step


@kernel
def paint(cells, player, width, plane):
    """Mark a player's living cells on plane [height, width]."""
    for y in range(plane.shape[0]):
        row = cells[player, y]
        for x in range(width):
            plane[y, x] = (row >> np.uint64(x)) & ONE


@kernel
def mark(cell, width, plane):
    """Mark one cell, if there is one."""
    if cell >= 0:
        plane[cell // width, cell % width] = 1.0


@kernel
def encode(rules, state, first_payment, second_payment, planes):
    """Fill planes [planes, height, width], already zero. The payments are this turn's random pair, or -1."""
    width, mover = rules.width, np.int64(state.mover)
    if rules.has_report_planes:
        paint(state.cells, 0, width, planes[0])
        paint(state.cells, 1, width, planes[1])
        planes[2, :, :] = mover
        return
    paint(state.cells, mover, width, planes[0])
    paint(state.cells, 1 - mover, width, planes[1])
    plane = 2
    if rules.next_generations > 0:
        future = state.cells.copy()
        for _ in range(rules.next_generations):
            life_step(future, width)
            paint(future, mover, width, planes[plane])
            paint(future, 1 - mover, width, planes[plane + 1])
            plane += 2
    if rules.is_random:
        mark(first_payment, width, planes[plane])
        mark(second_payment, width, planes[plane])
        plane += 1
    else:
        mark(state.target, width, planes[plane])
        mark(state.first, width, planes[plane + 1])
        # The phase on every cell: a small net would need many layers to carry one marked cell across the board.
        planes[plane + 2, :, :] = 1.0 if state.target >= 0 and state.first < 0 else 0.0
        planes[plane + 3, :, :] = 1.0 if state.first >= 0 else 0.0
        plane += 4
    turns = 2 * rules.max_rounds
    planes[plane, :, :] = np.float32((turns - state.turn) / turns) if turns > 0 else np.float32(0.0)
    planes[plane + 1, :, :] = 1.0 if mover == 0 else 0.0
    planes[plane + 2, :, :] = 1.0  # zero padding then shows where the board ends
