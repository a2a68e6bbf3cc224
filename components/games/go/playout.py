"""Random games to the end, as fast as the machine allows: a light board without history, simple ko only.

Called by the rollout kernels. Promises uniform choice among the points that the policy allows, at most the game's move cap of
plies, and the same captures, suicides and kos as board.py (a test plays both side by side). Points are numbered with a
wall around the board (`pitch` = side + 1 per row), so that the four neighbours are fixed steps and no table is read.
"""

import numpy as np

from components.core.jit import kernel
from components.core.seeds import draw_below
from components.games.go.board import EMPTY, NOWHERE
from components.games.go.spec import LARGEST_SIDE

# Policies: any point but own eyes, pass if none is left; any point or pass. The value is the number of passes in the draw.
NON_EYE, UNIFORM_WITH_PASS = 0, 1
WALL = 3
MOST_POINTS = (LARGEST_SIDE + 1) * (LARGEST_SIDE + 2) + 1
TRASH = 0  # the head of walls and empty points: what is added to its liberties is never read

# One layout for every board size: the kernels below are compiled once.
WORK = np.dtype(
    (
        np.record,
        [
            ("steps", "i8", (4,)),
            ("ko", "i8"),
            ("empty_count", "i8"),
            ("captures", "i8", (2,)),
            ("head", "i2", (MOST_POINTS,)),
            ("link", "i2", (MOST_POINTS,)),
            ("liberties", "i2", (MOST_POINTS,)),
            ("empties", "i2", (MOST_POINTS,)),  # the empty points in any order
            ("place", "i2", (MOST_POINTS,)),  # where each of them is in that list
            ("board", "i1", (MOST_POINTS,)),
        ],
    )
)


@kernel
def load(rules, state, work):
    """Copy a state's stones and chains to the light board."""
    side = np.int64(rules.side)
    pitch = side + 1
    work.steps[0], work.steps[1], work.steps[2], work.steps[3] = -pitch, -1, 1, pitch
    work.board[:] = WALL
    work.head[:] = TRASH
    work.empty_count = 0
    work.captures[:] = 0
    work.ko = NOWHERE if state.ko < 0 else padded(state.ko, side)
    for cell in range(rules.cells):
        point = padded(cell, side)
        work.board[point] = state.board[cell]
        if state.board[cell] == EMPTY:
            append_empty(work, point)
        else:
            work.head[point] = padded(state.head[cell], side)
            work.link[point] = padded(state.link[cell], side)
            work.liberties[point] = state.liberties[cell]


@kernel
def padded(cell, side):
    """The walled board's number of a point."""
    return (cell // side + 1) * (side + 1) + cell % side


@kernel
def append_empty(work, point):
    work.empties[work.empty_count] = point
    work.place[point] = work.empty_count
    work.empty_count += 1


@kernel
def swap_empties(work, i, j):
    first, second = work.empties[i], work.empties[j]
    work.empties[i], work.empties[j] = second, first
    work.place[first], work.place[second] = j, i


@kernel
def is_own_eye(work, point, colour):
    """The 9x9 report's eye on the walled board: all neighbours own or wall, at most one diagonal enemy or empty."""
    pitch = work.steps[3]
    for i in range(4):
        stone = work.board[point + work.steps[i]]
        if stone != colour and stone != WALL:
            return False
    missing = 0
    for diagonal in (point - pitch - 1, point - pitch + 1, point + pitch - 1, point + pitch + 1):
        stone = work.board[diagonal]
        if stone != colour and stone != WALL:
            missing += 1
    return missing < 2


@kernel
def try_stone(work, point, colour):
    """Play on an empty point unless it is the ko point or suicide; say whether it was played."""
    if point == work.ko:
        return False
    free = 0
    for i in range(4):
        neighbour = point + work.steps[i]
        work.liberties[work.head[neighbour]] -= 1
        if work.board[neighbour] == EMPTY:
            free += 1
    own, is_safe, is_capture = 0, free > 0, False
    for i in range(4):
        neighbour = point + work.steps[i]
        stone = work.board[neighbour]
        if stone == colour:
            own += 1
            is_safe = is_safe or work.liberties[work.head[neighbour]] > 0
        elif stone == 3 - colour and work.liberties[work.head[neighbour]] == 0:
            is_capture = True
    if not is_safe and not is_capture:
        for i in range(4):
            work.liberties[work.head[point + work.steps[i]]] += 1
        return False
    put_stone(work, point, colour, free, own)
    work.ko = NOWHERE
    if is_capture:
        take_chains(work, point, colour, free + own == 0)
    return True


@kernel
def put_stone(work, point, colour, free, own):
    """Put a stone whose neighbours have already lost this liberty, and join it with its own neighbours."""
    work.empty_count -= 1
    last = work.empties[work.empty_count]
    work.empties[work.place[point]] = last
    work.place[last] = work.place[point]
    work.board[point] = colour
    work.head[point] = point
    work.link[point] = point
    work.liberties[point] = free
    if own == 0:
        return
    for i in range(4):
        neighbour = point + work.steps[i]
        if work.board[neighbour] == colour and work.head[neighbour] != work.head[point]:
            join(work, work.head[neighbour], point)


@kernel
def join(work, kept, stone):
    """The chain of a stone becomes part of the chain with head `kept`."""
    work.liberties[kept] += work.liberties[work.head[stone]]
    work.head[stone] = kept
    current = work.link[stone]
    while current != stone:
        work.head[current] = kept
        current = work.link[current]
    link = work.link[kept]
    work.link[kept] = work.link[stone]
    work.link[stone] = link


@kernel
def take_chains(work, point, colour, is_lone_and_shut_in):
    """Take off the enemy chains beside a point that have no liberty; one stone taken by a shut-in lone stone is a ko."""
    taken = 0
    for i in range(4):
        neighbour = point + work.steps[i]
        if work.board[neighbour] != 3 - colour or work.liberties[work.head[neighbour]] != 0:
            continue
        current = neighbour
        is_begun = False
        while not is_begun or current != neighbour:
            is_begun = True
            work.board[current] = EMPTY
            work.head[current] = TRASH
            append_empty(work, current)
            for j in range(4):
                work.liberties[work.head[current + work.steps[j]]] += 1
            taken += 1
            current = work.link[current]
    work.captures[colour - 1] += taken
    if taken == 1 and is_lone_and_shut_in:
        work.ko = work.empties[work.empty_count - 1]


@kernel
def play_random_stone(work, streams, row, colour, policy):
    """Play one uniformly drawn point that the policy allows; False when it is a pass. Refused points go to the list's end."""
    left = work.empty_count
    while True:
        pick = draw_below(streams, row, left + policy)
        if pick == left:  # the pass of UNIFORM_WITH_PASS, or no point left to try
            return False
        point = np.int64(work.empties[pick])
        if not (policy == NON_EYE and is_own_eye(work, point, colour)) and try_stone(work, point, colour):
            return True
        left -= 1
        swap_empties(work, pick, left)


@kernel
def play_out(rules, state, work, streams, row, policy):
    """Play a loaded state to its end and return the plies it took. The state is only read."""
    passes = np.int64(state.passes)
    mover = np.int64(state.mover)
    plies = 0
    while passes < 2 and state.ply + plies < rules.cap:
        if play_random_stone(work, streams, row, mover + 1, policy):
            passes = np.int64(0)
        else:
            work.ko = NOWHERE
            passes += 1
        mover = 1 - mover
        plies += 1
    return plies


@kernel
def unload_board(rules, work, board):
    """board [cells] becomes the light board's stones."""
    side = np.int64(rules.side)
    for cell in range(rules.cells):
        board[cell] = work.board[padded(cell, side)]
