"""Random streams as arguments: one 64-bit number per game, advanced in place by whoever draws from it.

Called by players, self-play and rollouts. Promises that what a game draws depends on its own key only, never on its
neighbours in a batch, on threads or on the order of work.
"""

import numpy as np
from numpy.typing import NDArray

from components.core.jit import kernel

# Weyl constant and multipliers of SplitMix64 (Steele, Lea, Flood 2014): passes BigCrush, one word of state.
GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)


def stream_of(*key: int) -> int:
    """The 64-bit start of the stream that belongs to a key such as (run seed, generation, shard, game)."""
    return int(np.random.SeedSequence(key).generate_state(1, np.uint64)[0])


def streams_of(count: int, *key: int) -> NDArray[np.uint64]:
    """[count] starts of the streams key + (0,), key + (1,), ..."""
    return np.array([stream_of(*key, index) for index in range(count)], dtype=np.uint64)


@kernel
def draw(streams, row):
    """The next 64 random bits of streams[row], which moves on."""
    streams[row] += GOLDEN_GAMMA
    bits = streams[row]
    bits = (bits ^ (bits >> np.uint64(30))) * MIX_1
    bits = (bits ^ (bits >> np.uint64(27))) * MIX_2
    return bits ^ (bits >> np.uint64(31))


@kernel
def draw_below(streams, row, bound):
    """A whole number in [0, bound), by the high half of a product: no division, bias below 2**-31 for bounds under 2**32."""
    high_bits = draw(streams, row) >> np.uint64(32)
    return np.int64((high_bits * np.uint64(bound)) >> np.uint64(32))


@kernel
def draw_unit(streams, row):
    """A number in [0, 1) with 53 random bits."""
    return np.float64(draw(streams, row) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def fill_draws(streams, row, out):
    """Fill out [n] uint64 with the next bits of streams[row]."""
    for index in range(out.shape[0]):
        out[index] = draw(streams, row)


@kernel
def draw_normal(streams, row):
    """A standard normal number (Marsaglia's polar method)."""
    while True:
        x = 2.0 * draw_unit(streams, row) - 1.0
        y = 2.0 * draw_unit(streams, row) - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return x * np.sqrt(-2.0 * np.log(square) / square)


@kernel
def draw_gamma(streams, row, alpha):
    """A Gamma(alpha, 1) number (Marsaglia and Tsang 2000); for alpha < 1 by the boost of alpha + 1."""
    shape = alpha if alpha >= 1.0 else alpha + 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        x = draw_normal(streams, row)
        v = (1.0 + c * x) ** 3
        if v <= 0.0:
            continue
        if np.log(draw_unit(streams, row) + 1e-300) < 0.5 * x * x + d - d * v + d * np.log(v):
            break
    if alpha >= 1.0:
        return d * v
    return d * v * (draw_unit(streams, row) + 1e-300) ** (1.0 / alpha)
