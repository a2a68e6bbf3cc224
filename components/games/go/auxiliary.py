"""Further targets that a net may learn from a finished game: who owned which point, and by how much the mover won.

Read by data/batches.py through kernels.AUXILIARY. Everything is told from the side of the row's mover.
"""

import numpy as np

from components.core.jit import kernel
from components.games.contract import Spec
from components.games.go.score import ownership, score


@kernel
def fill_ownership_many(rules, states, rows, finals, games, out):
    """out [n, height, width]: +1 where the mover owned the point at the end, -1 where the opponent did."""
    owner = np.empty(rules.cells, dtype=np.int8)
    for i in range(rows.shape[0]):
        ownership(rules, finals[games[rows[i]]], owner)
        side = 1.0 if states[rows[i]].mover == 0 else -1.0
        for point in range(rules.cells):
            out[i, point // rules.side, point % rules.side] = side * owner[point]


@kernel
def fill_margin_many(rules, states, rows, finals, games, out):
    """out [n]: the mover's final margin as a share of the board."""
    for i in range(rows.shape[0]):
        margin = score(rules, finals[games[rows[i]]]) / rules.cells
        out[i] = margin if states[rows[i]].mover == 0 else -margin


def shape_of_board(spec: Spec) -> tuple[int, ...]:
    return (spec.height, spec.width)


def shape_of_number(spec: Spec) -> tuple[int, ...]:
    return ()


AUXILIARY = {"ownership": (shape_of_board, fill_ownership_many), "margin": (shape_of_number, fill_margin_many)}
