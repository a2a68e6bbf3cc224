"""Go as scalar kernels: whose turn it is, what may be played, when it ends, what a net sees. In place, no exceptions.

Called by the batch kernels and everything above them. Promises that `refusal` is the only judge of a point: the drawn
reasons and the conformance check ask it, and `legal` asks it wherever an empty neighbour does not settle the matter. Under
positional superko the state itself carries every earlier board's hash, so a copy is exact anywhere, inside a tree too.
"""

import numpy as np

from components.core.jit import kernel
from components.games.go.board import (
    BLACK,
    EMPTY,
    NOWHERE,
    breathes,
    clear_board,
    count_liberties,
    hash_after,
    play_stone,
)
from components.games.go.score import score

# Answers of `refusal`.
LEGAL, OCCUPIED, SUICIDE, KO, SUPERKO = 0, 1, 2, 3, 4
KOMI_UNIT = 7.5  # the komi plane is 1 at the usual komi
LIBERTY_PLANES = 3  # chains with 1, 2 and 3 liberties


@kernel
def setup(rules, state, draws):
    """Make a zeroed state the start position. Nothing to draw: the board is empty and Black begins."""
    clear_board(state)
    state.ko = NOWHERE
    state.last = NOWHERE
    state.passes = 0
    state.resigned = 0
    state.captures[:] = 0
    state.past[:] = EMPTY
    state.mover = 0
    state.ply = 0
    forget_positions(state)
    remember(rules, state, state.board_hash)


@kernel
def forget_positions(state):
    state.seen[:] = 0
    state.bloom[:] = 0
    state.seen_count = 0
    state.can_repeat = 0


@kernel
def remember(rules, state, board_hash):
    """Add a board to those that may not come again. The filter holds two bits of each hash."""
    if not rules.is_positional:
        return
    state.seen[state.seen_count] = board_hash
    state.seen_count += 1
    mask = np.uint64(state.bloom.shape[0] * 64 - 1)
    for shift in (0, 32):
        bit = (board_hash >> np.uint64(shift)) & mask
        state.bloom[np.int64(bit >> np.uint64(6))] |= np.uint64(1) << (bit & np.uint64(63))


@kernel
def forbid_result(rules, state, point):
    """Add the board that the mover would make on a point, so that he may not. Setups use it for a known ban."""
    state.can_repeat = 1
    remember(rules, state, hash_after(rules, state, point, state.mover + 1))


@kernel
def was_seen(state, board_hash):
    """Whether a board was there before: the filter rules out almost all, the exact list decides the rest."""
    mask = np.uint64(state.bloom.shape[0] * 64 - 1)
    for shift in (0, 32):
        bit = (board_hash >> np.uint64(shift)) & mask
        if (state.bloom[np.int64(bit >> np.uint64(6))] >> (bit & np.uint64(63))) & np.uint64(1) == np.uint64(0):
            return False
    index = 0
    while index < state.seen_count and state.seen[index] != board_hash:
        index += 1
    return index < state.seen_count


@kernel
def copy_state(source, target):
    """target = source, but of the room for hashes only what either uses: half a state's bytes, and a search copies many."""
    for i in range(source.seen_count):
        target.seen[i] = source.seen[i]
    for i in range(source.seen_count, target.seen_count):
        target.seen[i] = 0
    target.seen_count, target.can_repeat = source.seen_count, source.can_repeat
    target.bloom[:] = source.bloom
    target.board_hash, target.board[:], target.past[:] = source.board_hash, source.board, source.past
    target.head[:], target.link[:], target.liberties[:] = source.head, source.link, source.liberties
    target.captures[:] = source.captures
    target.ko, target.last, target.passes, target.resigned = source.ko, source.last, source.passes, source.resigned
    target.mover, target.ply = source.mover, source.ply


@kernel
def is_over(rules, state):
    return state.passes >= 2 or state.resigned != 0 or state.ply >= rules.cap


@kernel
def is_truncated(rules, state):
    """Whether the move cap ended the game; the board is then scored as it lies."""
    return state.passes < 2 and state.resigned == 0 and state.ply >= rules.cap


@kernel
def refusal(rules, state, point):
    """Why the mover may not play on a point (OCCUPIED, SUICIDE, KO, SUPERKO), or LEGAL. Does not ask if the game is over."""
    if state.board[point] != EMPTY:
        return OCCUPIED
    if point == state.ko:
        return KO
    colour = state.mover + 1
    if not breathes(rules, state, point, colour):
        return SUICIDE
    if state.can_repeat and was_seen(state, hash_after(rules, state, point, colour)):
        return SUPERKO
    return LEGAL


@kernel
def empty_row(rules, board, row):
    """The empty points of a row as bits, column 0 the lowest; none off the board."""
    bits = np.int64(0)
    if 0 <= row < rules.side:
        for column in range(rules.side):
            bits |= np.int64(board[row * rules.side + column] == EMPTY) << column
    return bits


@kernel
def legal(rules, state, out):
    """Write the legal actions to out in ascending order and return how many there are; 0 when the game is over."""
    if is_over(rules, state):
        return 0
    count = 0
    above, here = np.int64(0), empty_row(rules, state.board, 0)
    for row in range(rules.side):
        below = empty_row(rules, state.board, row + 1)
        # A stone beside an empty point has a liberty: of most points no more need be known while no board can come again.
        airy = np.int64(0) if state.can_repeat else here & (above | below | here << 1 | here >> 1)
        for column in range(rules.side):
            point = row * rules.side + column
            if (here >> column) & 1 and (((airy >> column) & 1 and point != state.ko) or refusal(rules, state, point) == LEGAL):
                out[count] = point
                count += 1
        above, here = here, below
    out[count] = rules.cells
    return count + 1


@kernel
def apply(rules, state, action):
    """Play a legal action, a pass or a resignation. The turn is complete after every ply, so the mover always changes."""
    state.past[state.ply % state.past.shape[0]] = state.board
    if action < rules.cells:
        captured = play_stone(rules, state, action, state.mover + 1)
        state.captures[state.mover] += captured
        if captured > 0 and rules.is_positional:
            state.can_repeat = 1
        remember(rules, state, state.board_hash)
        state.passes = 0
    elif action == rules.cells:
        state.ko = NOWHERE
        state.passes += 1
    else:
        state.resigned = state.mover + 1
    state.last = action
    state.mover = 1 - state.mover
    state.ply += 1


@kernel
def write_result(margin, out):
    """out [2] from Black's margin: half-point komi never ties, a whole one may."""
    out[0] = 1.0 if margin > 0 else (-1.0 if margin < 0 else 0.0)
    out[1] = -out[0]


@kernel
def returns(rules, state, out):
    """Write each player's result to out [2] and say whether the game is over; 0 for both while it is not."""
    out[0] = 0.0
    out[1] = 0.0
    if not is_over(rules, state):
        return False
    if state.resigned != 0:
        out[state.resigned - 1] = -1.0
        out[2 - state.resigned] = 1.0
    else:
        write_result(score(rules, state), out)
    return True


@kernel
def encode(rules, state, planes):
    """Fill planes, already zero, in the order of spec.plane_names: own boards, the opponent's, colour, extras."""
    seen = planes.reshape(planes.shape[0], rules.cells)  # rows of a board side by side: one loop, which the compiler vectorises
    own, enemy = np.int8(state.mover + 1), np.int8(2 - state.mover)
    encode_stones(state.board, own, enemy, seen[0], seen[rules.history])
    for age in range(1, rules.history):
        # Slots of boards before the first ply were never written and are empty.
        past = state.past[(state.ply - age) % state.past.shape[0]]
        encode_stones(past, own, enemy, seen[age], seen[rules.history + age])
    if own == BLACK:
        seen[2 * rules.history] = 1.0
    if rules.has_extras:
        for point in range(rules.cells):
            encode_extras(rules, state, seen, 2 * rules.history + 1, point)


@kernel
def encode_stones(board, own, enemy, own_plane, enemy_plane):
    """One board as two planes. Colours come as narrow as the board's: the compiler then compares many points at once."""
    for point in range(board.shape[0]):
        own_plane[point] = np.float32(board[point] == own)
        enemy_plane[point] = np.float32(board[point] == enemy)


@kernel
def encode_extras(rules, state, planes, first, point):
    """One point of the planes that spare a net counting: on-board, own and enemy liberties, banned, passed, komi, plies gone."""
    planes[first, point] = 1.0
    stone = state.board[point]
    if stone != EMPTY:
        count = count_liberties(rules, state, point, LIBERTY_PLANES + 1)
        if count <= LIBERTY_PLANES:
            whose = 0 if stone == state.mover + 1 else LIBERTY_PLANES
            planes[first + whose + count, point] = 1.0
    after = first + 2 * LIBERTY_PLANES + 1
    planes[after, point] = 1.0 if refusal(rules, state, point) >= KO else 0.0
    planes[after + 1, point] = 1.0 if state.passes > 0 else 0.0
    planes[after + 2, point] = (rules.komi if state.mover == 1 else -rules.komi) / KOMI_UNIT
    planes[after + 3, point] = state.ply / rules.cap


@kernel
def turn_start(rules, state, cell_map):
    """Turn a start position by a symmetry. The empty board looks the same from every side."""
