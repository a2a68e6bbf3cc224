"""Stones, chains and liberties on one state: the part of Go that knows nothing of turns, ko rules or scores.

Called by rules.py, perft.py and the setup of positions. Promises that after every call each chain is a ring of its stones
(`link`), that all its stones name the same head (`head`, -1 on empty points), and that `liberties[head]` counts the chain's
pseudo-liberties: pairs of a stone and an empty neighbour. They are 0 exactly when the chain has no liberty.
"""

from components.core.jit import kernel

EMPTY, BLACK, WHITE = 0, 1, 2
NOWHERE = -1  # no point: no ko, no last move, no chain
MOST_NEIGHBOURS = 4


@kernel
def clear_board(state):
    state.board[:] = EMPTY
    state.head[:] = NOWHERE
    state.link[:] = 0
    state.liberties[:] = 0
    state.board_hash = 0


@kernel
def edges_to(rules, state, point, chain):
    """How many neighbours of a point belong to the chain with that head."""
    count = 0
    for i in range(rules.degree[point]):
        if state.head[rules.neighbours[point, i]] == chain:
            count += 1
    return count


@kernel
def is_last_liberty(rules, state, point, stone):
    """Whether an empty point is the only liberty of the chain of a stone beside it."""
    chain = state.head[stone]
    pseudo = state.liberties[chain]
    return pseudo <= MOST_NEIGHBOURS and pseudo == edges_to(rules, state, point, chain)


@kernel
def breathes(rules, state, point, colour):
    """Whether a stone on an empty point would have a liberty, captures included. If not, the move is suicide."""
    for i in range(rules.degree[point]):
        neighbour = rules.neighbours[point, i]
        if state.board[neighbour] == EMPTY:
            return True
        is_own = state.board[neighbour] == colour
        # An own chain helps when it has another liberty, an enemy chain when it has none and comes off.
        if is_own != is_last_liberty(rules, state, point, neighbour):
            return True
    return False


@kernel
def hash_after(rules, state, point, colour):
    """The hash of the board that a move would make, without making it."""
    result = state.board_hash ^ rules.zobrist[point, colour - 1]
    for i in range(rules.degree[point]):
        neighbour = rules.neighbours[point, i]
        if state.board[neighbour] != 3 - colour or not is_last_liberty(rules, state, point, neighbour):
            continue
        is_counted = False  # one chain may touch the point several times
        for j in range(i):
            if state.head[rules.neighbours[point, j]] == state.head[neighbour]:
                is_counted = True
        if not is_counted:
            result ^= chain_hash(rules, state, neighbour)
    return result


@kernel
def chain_hash(rules, state, stone):
    colour = state.board[stone]
    result = rules.zobrist[stone, colour - 1]
    current = state.link[stone]
    while current != stone:
        result ^= rules.zobrist[current, colour - 1]
        current = state.link[current]
    return result


@kernel
def join_chains(state, kept, stone):
    """The chain of a stone becomes part of the chain with head `kept`; swapping one link of two rings makes one ring."""
    state.liberties[kept] += state.liberties[state.head[stone]]
    state.head[stone] = kept
    current = state.link[stone]
    while current != stone:
        state.head[current] = kept
        current = state.link[current]
    link = state.link[kept]
    state.link[kept] = state.link[stone]
    state.link[stone] = link


@kernel
def add_stone(rules, state, point, colour):
    """Put a stone on an empty point and join it with its own neighbours; captures nothing."""
    state.board[point] = colour
    state.head[point] = point
    state.link[point] = point
    state.liberties[point] = 0
    state.board_hash ^= rules.zobrist[point, colour - 1]
    for i in range(rules.degree[point]):
        neighbour = rules.neighbours[point, i]
        if state.board[neighbour] == EMPTY:
            state.liberties[point] += 1
        else:
            state.liberties[state.head[neighbour]] -= 1
    for i in range(rules.degree[point]):
        neighbour = rules.neighbours[point, i]
        if state.board[neighbour] == colour and state.head[neighbour] != state.head[point]:
            join_chains(state, state.head[neighbour], point)


@kernel
def remove_chain(rules, state, stone):
    """Take a chain off the board and return how many stones it had."""
    colour = state.board[stone]
    count = 0
    current = stone
    while count == 0 or current != stone:
        state.board[current] = EMPTY
        state.head[current] = NOWHERE
        state.board_hash ^= rules.zobrist[current, colour - 1]
        for i in range(rules.degree[current]):
            neighbour = rules.neighbours[current, i]
            # Also counts stones of this very chain that are still to go: its counter is never read again.
            if state.board[neighbour] != EMPTY:
                state.liberties[state.head[neighbour]] += 1
        count += 1
        current = state.link[current]
    return count


@kernel
def play_stone(rules, state, point, colour):
    """Put a stone, take off enemy chains without liberties, note the simple ko; return how many stones came off."""
    add_stone(rules, state, point, colour)
    captured = 0
    captured_point = NOWHERE
    for i in range(rules.degree[point]):
        neighbour = rules.neighbours[point, i]
        if state.board[neighbour] == 3 - colour and state.liberties[state.head[neighbour]] == 0:
            captured += remove_chain(rules, state, neighbour)
            captured_point = neighbour
    # Ko: one stone taken by a lone stone whose only liberty is the point of the taken one.
    is_ko = captured == 1 and state.link[point] == point and state.liberties[point] == 1
    state.ko = captured_point if is_ko else NOWHERE
    return captured


@kernel
def place_board(rules, state, board):
    """Make the state's stones those of board [cells], as they lie; the caller answers for chains without liberties."""
    clear_board(state)
    for point in range(rules.cells):
        if board[point] != EMPTY:
            add_stone(rules, state, point, board[point])


@kernel
def has_stifled_chain(rules, state):
    """Whether some chain has no liberty: such a board cannot arise in play."""
    stifled = 0
    for point in range(rules.cells):
        if state.board[point] != EMPTY and state.liberties[state.head[point]] == 0:
            stifled += 1
    return stifled > 0


@kernel
def count_liberties(rules, state, stone, most):
    """The liberties of a chain, each point once, up to `most` (at most 4)."""
    first, second, third = NOWHERE, NOWHERE, NOWHERE
    count = 0
    current = stone
    is_begun = False
    while not is_begun or current != stone:
        is_begun = True
        for i in range(rules.degree[current]):
            point = rules.neighbours[current, i]
            if state.board[point] != EMPTY or point in (first, second, third):
                continue
            count += 1
            if count == most:
                return count
            third, second, first = second, first, point
        current = state.link[current]
    return count
