"""The dense ends of a net, row by row: pooling over the board, dense layers, policy maps, rounding to bytes.

Called by fused.py and quantize.py. Promises that a row's result depends on that row alone, bit by bit, whatever the size of
the batch: a matrix library sums in another order for another number of rows, and shards would not repeat.
"""

import math
from typing import Any

import numpy as np

from components.core.jit import kernel


@kernel
def pool_rows(flat: Any, scale: Any, cells: Any, out: Any) -> None:
    """out [n, 2, channels] = mean and maximum of flat [n, squares, channels] (not negative, zero off the board), times scale."""
    share = np.float32(scale / cells)
    for row in range(flat.shape[0]):
        for channel in range(flat.shape[2]):
            out[row, 0, channel] = np.float32(0.0)
            out[row, 1, channel] = np.float32(0.0)
        for square in range(flat.shape[1]):
            for channel in range(flat.shape[2]):
                out[row, 0, channel] += np.float32(flat[row, square, channel])
            # A loop of its own, without a branch around the write: so the compiler makes vectors of both.
            for channel in range(flat.shape[2]):
                entry = np.float32(flat[row, square, channel])
                out[row, 1, channel] = entry if entry > out[row, 1, channel] else out[row, 1, channel]
        for channel in range(flat.shape[2]):
            out[row, 0, channel] *= share
            out[row, 1, channel] *= scale


@kernel
def dense_rows(inputs: Any, weights: Any, bias: Any, rectified: Any, out: Any) -> None:
    """out [n, outputs] = inputs [n, features] times weights [features, outputs] + bias; negative results to 0 if rectified."""
    for row in range(inputs.shape[0]):
        for unit in range(bias.shape[0]):
            out[row, unit] = bias[unit]
        for feature in range(inputs.shape[1]):
            entry = inputs[row, feature]
            # Pooled features are often zero after ReLU; adding zero changes nothing.
            if entry != 0.0:
                for unit in range(bias.shape[0]):
                    out[row, unit] += entry * weights[feature, unit]
        if rectified:
            for unit in range(bias.shape[0]):
                if out[row, unit] < 0.0:
                    out[row, unit] = np.float32(0.0)


@kernel
def map_rows(flat: Any, weights: Any, bias: Any, out: Any) -> None:
    """out [n, planes*squares and more]: plane p of square s at p*squares + s, from flat [n, squares, channels].

    weights [planes, width]: only the first width channels count. Four sums at a time: one alone would wait for itself.
    """
    squares = flat.shape[1]
    width = weights.shape[1]
    fours = width - width % 4
    for row in range(flat.shape[0]):
        for plane in range(weights.shape[0]):
            for square in range(squares):
                a = bias[plane]
                b = np.float32(0.0)
                c = np.float32(0.0)
                d = np.float32(0.0)
                for channel in range(0, fours, 4):
                    a += flat[row, square, channel] * weights[plane, channel]
                    b += flat[row, square, channel + 1] * weights[plane, channel + 1]
                    c += flat[row, square, channel + 2] * weights[plane, channel + 2]
                    d += flat[row, square, channel + 3] * weights[plane, channel + 3]
                for channel in range(fours, width):
                    a += flat[row, square, channel] * weights[plane, channel]
                out[row, plane * squares + square] = (a + b) + (c + d)


@kernel
def finish_rows(last: Any, first_extra: Any, logits: Any, values: Any) -> None:
    """last [n, 1 + extras]: its first column becomes the values [n] by tanh, the others the logits from first_extra on."""
    for row in range(last.shape[0]):
        values[row] = math.tanh(last[row, 0])
        for extra in range(last.shape[1] - 1):
            logits[row, first_extra + extra] = last[row, 1 + extra]


@kernel
def bytes_of_rows(flat: Any, bias: Any, per_level: Any, out: Any) -> None:
    """out [n, squares, channels] uint8 = flat (float32) + bias [n, channels] in levels, rounded, within 0 and 255."""
    for row in range(flat.shape[0]):
        for square in range(flat.shape[1]):
            for channel in range(flat.shape[2]):
                level = (flat[row, square, channel] + bias[row, channel]) * per_level + np.float32(0.5)
                level = level if level > np.float32(0.0) else np.float32(0.0)
                level = level if level < np.float32(255.0) else np.float32(255.0)
                out[row, square, channel] = np.uint8(level)
