"""Counting by brute force: move sequences of a given length, and Tromp's legal positions. Truths that need no second engine.

Called by the conformance check and the tests. Promises exact counts; the time grows with them.
"""

import numpy as np

from components.core.jit import kernel
from components.games.contract import Game, State
from components.games.go.rules import apply, legal


def count_sequences(game: Game, state: State, depth: int) -> int:
    """How many legal sequences of exactly `depth` plies start here; two passes end a sequence early and it is not counted."""
    states = game.new_states(depth)
    states[0] = state
    actions = np.zeros((depth, game.spec.max_legal), dtype=np.int32)
    return int(perft(game.rules, states, actions, np.zeros(depth, dtype=np.int32), np.zeros(depth, dtype=np.int32)))


@kernel
def perft(rules, states, actions, counts, tried):
    """Sequences of states.shape[0] plies from states[0]. The last ply is counted without being played."""
    deepest = states.shape[0] - 1
    total = 0
    level = 0
    counts[0] = legal(rules, states[0], actions[0])
    tried[0] = 0
    while level >= 0:
        if level == deepest:
            total += counts[level]
            level -= 1
        elif tried[level] == counts[level]:
            level -= 1
        else:
            states[level + 1] = states[level]
            apply(rules, states[level + 1], actions[level, tried[level]])
            tried[level] += 1
            level += 1
            counts[level] = legal(rules, states[level], actions[level])
            tried[level] = 0
    return total


@kernel
def spread(stones, own, pitch):
    """What of `own` can be reached from `stones` through `own`. Boards are sets of bits, `pitch` of them a row."""
    reached = np.uint64(0)
    grown = neighbours_of(stones, pitch) & own
    while grown != reached:
        reached = grown
        grown = (reached | neighbours_of(reached, pitch)) & own
    return reached


@kernel
def neighbours_of(stones, pitch):
    one, row = np.uint64(1), np.uint64(pitch)
    return (stones << one) | (stones >> one) | (stones << row) | (stones >> row)


@kernel
def count_legal_positions(side):
    """How many of the 3^(side*side) boards leave every chain a liberty; side up to 4 takes seconds, 5 would take days."""
    cells = side * side
    pitch = side + 1  # a bit that is never set between the rows keeps the edges apart
    colours = np.zeros(cells, dtype=np.int8)
    bits = np.zeros(cells, dtype=np.uint64)
    for cell in range(cells):
        bits[cell] = np.uint64(1) << np.uint64((cell // side) * pitch + cell % side)
    stones = np.zeros(3, dtype=np.uint64)  # empty, black, white
    for cell in range(cells):
        stones[0] |= bits[cell]
    total = 0
    while True:
        is_legal = spread(stones[0], stones[1], pitch) == stones[1] and spread(stones[0], stones[2], pitch) == stones[2]
        total += 1 if is_legal else 0
        # Count up in base 3, the first point being the last digit.
        cell = 0
        while cell < cells and colours[cell] == 2:
            stones[2] ^= bits[cell]
            stones[0] ^= bits[cell]
            colours[cell] = 0
            cell += 1
        if cell == cells:
            return total
        stones[colours[cell]] ^= bits[cell]
        colours[cell] += 1
        stones[colours[cell]] ^= bits[cell]
