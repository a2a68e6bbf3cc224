"""A further target that a net may learn: the next generation of the board if nobody moves, told from the mover's side.

Read by data/batches.py through kernels.AUXILIARY. Worth most where the planes do not show the next generations already.
"""

import numpy as np

from components.core.jit import kernel
from components.games.contract import Spec
from components.games.golad.life import life_step

EMPTY, MOVERS, OPPONENTS = 0, 1, 2


@kernel
def fill_next_generation_many(rules, states, rows, finals, games, out):
    """out [n, 3, height, width]: for each cell which of empty, the mover's, the opponent's it will be."""
    height, width = out.shape[2], out.shape[3]
    cells = np.empty((2, height), dtype=np.uint64)
    for i in range(rows.shape[0]):
        state = states[rows[i]]
        for y in range(height):
            cells[0, y] = state.cells[0, y]
            cells[1, y] = state.cells[1, y]
        life_step(cells, width)
        for y in range(height):
            for x in range(width):
                bit = np.uint64(1) << np.uint64(x)
                what = EMPTY
                if cells[state.mover, y] & bit:
                    what = MOVERS
                elif cells[1 - state.mover, y] & bit:
                    what = OPPONENTS
                out[i, what, y, x] = 1.0


def shape_of_classes(spec: Spec) -> tuple[int, ...]:
    return (3, spec.height, spec.width)


AUXILIARY = {"next_generation": (shape_of_classes, fill_next_generation_many)}
