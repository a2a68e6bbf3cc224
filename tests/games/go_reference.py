"""Go written to be obviously right rather than fast: boards as tuples, flood fills, whole boards compared for ko.

Used by the tests as a second opinion. Shares no code and no idea with the kernels: no chains kept, no hashes, no counters.
"""

EMPTY, BLACK, WHITE = 0, 1, 2


def neighbours(side, point):
    row, column = divmod(point, side)
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * side + c for r, c in steps if 0 <= r < side and 0 <= c < side]


def region_of(board, side, point):
    """(points connected to a point through its own colour, what the region touches)."""
    region, touched, waiting = {point}, set(), [point]
    while waiting:
        for neighbour in neighbours(side, waiting.pop()):
            if board[neighbour] != board[point]:
                touched.add(board[neighbour])
            elif neighbour not in region:
                region.add(neighbour)
                waiting.append(neighbour)
    return region, touched


def board_after(board, side, point, colour):
    """The board after a stone, or None if that is suicide or the point is taken."""
    if board[point] != EMPTY:
        return None
    stones = list(board)
    stones[point] = colour
    for neighbour in neighbours(side, point):
        if stones[neighbour] == 3 - colour:
            chain, touched = region_of(stones, side, neighbour)
            if EMPTY not in touched:
                for stone in chain:
                    stones[stone] = EMPTY
    return tuple(stones) if EMPTY in region_of(stones, side, point)[1] else None


class ReferenceGame:
    """One game: `boards` holds the board after every ply, the start first."""

    def __init__(self, side, is_positional):
        self.side, self.is_positional = side, is_positional
        self.boards = [(EMPTY,) * (side * side)]
        self.moves = []

    @property
    def board(self):
        return self.boards[-1]

    @property
    def colour(self):
        return BLACK if len(self.moves) % 2 == 0 else WHITE

    @property
    def is_over(self):
        return self.moves[-2:] == [self.side**2] * 2

    def legal(self):
        if self.is_over:
            return []
        results = {point: board_after(self.board, self.side, point, self.colour) for point in range(self.side**2)}
        return [point for point, board in results.items() if board and board not in self.forbidden()] + [self.side**2]

    def forbidden(self):
        """All earlier boards; under simple ko the one before the last move, unless that was a pass."""
        if self.is_positional:
            return set(self.boards)
        return {self.boards[-2]} if self.moves and self.moves[-1] != self.side**2 else set()

    def play(self, action):
        is_pass = action == self.side**2
        self.boards.append(self.board if is_pass else board_after(self.board, self.side, action, self.colour))
        self.moves.append(action)

    def area(self):
        owned = {BLACK: 0, WHITE: 0}
        for point, stone in enumerate(self.board):
            touched = {stone} if stone else region_of(self.board, self.side, point)[1]
            if len(touched) == 1:
                owned[touched.pop()] += 1
        return owned[BLACK], owned[WHITE]
