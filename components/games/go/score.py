"""Who owns what: area scoring, ownership per point, and the two eye rules of the reports. Stones are never judged dead.

Called by rules.py at the end of a game, by players, rollouts and the conformance check. Promises Tromp-Taylor area: stones
plus empty regions that touch one colour only; a region that touches both or none is nobody's.
"""

import numpy as np

from components.core.jit import kernel
from components.games.go.board import BLACK, EMPTY, WHITE

UNSEEN = 2  # an ownership no point can have


@kernel
def fill_ownership(rules, board, owner, region):
    """owner [cells] becomes +1 Black's, -1 White's, 0 nobody's. region [cells] is working space."""
    for point in range(rules.cells):
        stone = board[point]
        owner[point] = UNSEEN if stone == EMPTY else (1 if stone == BLACK else -1)
    for point in range(rules.cells):
        if owner[point] == UNSEEN:
            fill_region(rules, board, owner, region, point)


@kernel
def fill_region(rules, board, owner, region, start):
    """Give the empty region around a point to the one colour it touches; region is the queue of a flood fill."""
    region[0] = start
    owner[start] = 0
    found, done = 1, 0
    touches_black, touches_white = False, False
    while done < found:
        point = region[done]
        done += 1
        for i in range(rules.degree[point]):
            neighbour = rules.neighbours[point, i]
            if board[neighbour] == BLACK:
                touches_black = True
            elif board[neighbour] == WHITE:
                touches_white = True
            elif owner[neighbour] == UNSEEN:
                owner[neighbour] = 0
                region[found] = neighbour
                found += 1
    if touches_black != touches_white:
        for i in range(found):
            owner[region[i]] = 1 if touches_black else -1


@kernel
def ownership(rules, state, out):
    """out [cells] int8: +1 where Black owns the point, -1 where White does, 0 where nobody does."""
    fill_ownership(rules, state.board, out, np.empty(rules.cells, dtype=np.int16))


@kernel
def area(rules, state):
    """(Black's area, White's area)."""
    owner = np.empty(rules.cells, dtype=np.int8)
    ownership(rules, state, owner)
    black, white = 0, 0
    for point in range(rules.cells):
        if owner[point] > 0:
            black += 1
        elif owner[point] < 0:
            white += 1
    return black, white


@kernel
def score(rules, state):
    """Black's area minus White's minus komi: above 0 Black is ahead. Says nothing about a game that was resigned."""
    black, white = area(rules, state)
    return black - white - rules.komi


@kernel
def is_surrounded(rules, board, point, colour):
    """Whether an empty point has only stones of one colour around it."""
    own = 0
    for i in range(rules.degree[point]):
        if board[rules.neighbours[point, i]] == colour:
            own += 1
    return board[point] == EMPTY and own == rules.degree[point]


@kernel
def is_report_eye(rules, board, point, colour):
    """The 9x9 report's own eye: surrounded, and at least 3 of the 4 diagonals own or off the board."""
    if not is_surrounded(rules, board, point, colour):
        return False
    held = 0
    for i in range(4):
        diagonal = rules.diagonals[point, i]
        if diagonal < 0 or board[diagonal] == colour:
            held += 1
    return held >= 3


@kernel
def is_pachi_eye(rules, board, point, colour):
    """Pachi's playout eye: surrounded, and fewer than 2 enemy diagonals, the edge of the board counting as one of them."""
    if not is_surrounded(rules, board, point, colour):
        return False
    enemies, is_at_edge = 0, 0
    for i in range(4):
        diagonal = rules.diagonals[point, i]
        if diagonal < 0:
            is_at_edge = 1
        elif board[diagonal] == 3 - colour:
            enemies += 1
    return enemies + is_at_edge < 2


@kernel
def eyes(rules, state, colour, by_pachi, out):
    """out [cells] bool: the eyes of a colour by the report's rule or by Pachi's."""
    for point in range(rules.cells):
        if by_pachi:
            out[point] = is_pachi_eye(rules, state.board, point, colour)
        else:
            out[point] = is_report_eye(rules, state.board, point, colour)
