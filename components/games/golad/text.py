"""GOLAD for people: rows of `. 0 1`, one line for the clock, one for a half-chosen birth; cells are `x,y` from the top left.

Also the flat board strings of the vector files and of the Riddles.io protocol. Promises that `parse` restores everything that
decides the rest of the game; only the count of plies before the drawn turn is not drawn.
"""

import re

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadFile, IllegalAction
from components.games.contract import Game, State
from components.games.golad.life import owns
from components.games.golad.rules import NONE, begin, turn_pair

MARKS = ".01"
POSITION = re.compile(
    r"(?P<board>(?:[.01](?: [.01])*\n)+)"
    r"(?:round (?P<round>\d{1,4}) of (?P<limit>\d+), player (?P<mover>[01]) to move|all (?P<played>\d+) rounds are played)"
    r"(?:\nbirth at (?P<target>\d+,\d+), (?:no sacrifice yet|first sacrifice (?P<first>\d+,\d+)))?"
    r"(?:\nsacrifices drawn from (?P<salt>[0-9a-f]{16}), facing (?P<facing>[0-7]))?"
)
ACTION = re.compile(r"(?:kill|birth|sacrifice) (\d{1,2}),(\d{1,2})( \d{1,2},\d{1,2} \d{1,2},\d{1,2})?")


def board_of(cells: NDArray[np.uint64], width: int) -> str:
    """Row-major string of `.`, `0`, `1` for cells [2, height]."""
    marks = []
    for y in range(cells.shape[1]):
        own, other = int(cells[0, y]), int(cells[1, y])
        marks += [MARKS[(own >> x & 1) + 2 * (other >> x & 1)] for x in range(width)]
    return "".join(marks)


def cells_of(board: str, width: int) -> NDArray[np.uint64]:
    """cells [2, height] of a row-major string."""
    rows = [board[start : start + width] for start in range(0, len(board), width)]
    words = [[sum(1 << x for x, mark in enumerate(row) if mark == player) for row in rows] for player in "01"]
    return np.array(words, dtype=np.uint64)


def position(game: Game, board: str, turn: int = 0) -> State:
    """The position with this board at the start of a turn; even turns are player 0's."""
    state = game.new_states(1)[0]
    begin(state)
    state.cells[:] = cells_of(board, game.spec.width)
    state.turn = state.ply = turn
    state.mover = turn % 2
    return state


def point_name(cell: int, width: int) -> str:
    return f"{cell % width},{cell // width}"


class GoladText:
    def draw(self, game: Game, state: State) -> str:
        board, width = board_of(state.cells, game.spec.width), game.spec.width
        lines = [" ".join(board[start : start + width]) for start in range(0, len(board), width)]
        rounds = int(game.rules.max_rounds)
        if state.turn >= 2 * rounds:
            lines.append(f"all {rounds} rounds are played")
        else:
            lines.append(f"round {state.turn // 2 + 1} of {rounds}, player {state.mover} to move")
        if state.target != NONE:
            first = "no sacrifice yet" if state.first == NONE else f"first sacrifice {point_name(state.first, width)}"
            lines.append(f"birth at {point_name(state.target, width)}, {first}")
        if game.rules.is_random:
            lines.append(f"sacrifices drawn from {int(state.salt):016x}, facing {state.facing}")
        return "\n".join(lines)

    def parse(self, game: Game, text: str) -> State:
        found = POSITION.fullmatch(text.strip())
        rows = found["board"].split("\n")[:-1] if found else []
        if found is None or {len(row.split()) for row in rows} != {game.spec.width} or len(rows) != game.spec.height:
            raise BadFile(
                f"Not a position of {game.name}: need {game.spec.height} rows of {game.spec.width} marks '. 0 1' and "
                f"'round 1 of {game.rules.max_rounds}, player 0 to move', found {text!r}."
            )
        state = position(game, found["board"].replace(" ", "").replace("\n", ""), self.parse_turn(game, found))
        self.parse_birth(game, found, state)
        if bool(found["salt"]) != bool(game.rules.is_random):
            raise BadFile(
                f"{game.name} {'needs' if game.rules.is_random else 'has no'} line 'sacrifices drawn from ...', see {text!r}."
            )
        if found["salt"]:
            state.salt, state.facing = np.uint64(int(found["salt"], 16)), int(found["facing"])
        return state

    def parse_turn(self, game: Game, found: re.Match[str]) -> int:
        """How many turns have been played."""
        limit = int(game.rules.max_rounds)
        if int(found["limit"] or found["played"]) != limit or (found["round"] and not 1 <= int(found["round"]) <= limit):
            raise BadFile(f"{game.name} has rounds 1 to {limit}; found {found[0].splitlines()[game.spec.height]!r}.")
        return 2 * limit if found["played"] else 2 * (int(found["round"]) - 1) + int(found["mover"])

    def parse_birth(self, game: Game, found: re.Match[str], state: State) -> None:
        """Mark a half-chosen birth, ply by ply, as it was chosen."""
        for field in ("target", "first"):
            if found[field] is None:
                continue
            x, y = map(int, found[field].split(","))
            cell = y * game.spec.width + x
            name = f"birth {x},{y}" if field == "target" else f"sacrifice {x},{y}"
            is_named = x < game.spec.width and y < game.spec.height and cell in game.legal(state)
            if not is_named or self.action_name(game, state, cell) != name or game.rules.is_random:
                raise BadFile(f"{game.name}: '{name}' is not possible in the position {found[0]!r}.")
            game.kernels.apply(game.rules, state, cell)

    def action_name(self, game: Game, state: State, action: int) -> str:
        width = game.spec.width
        if action == game.spec.cells:
            return "pass"
        point = point_name(action, width)
        if state.target != NONE:
            return f"sacrifice {point}"
        if owns(state.cells, 0, action, width) or owns(state.cells, 1, action, width):
            return f"kill {point}"
        if not game.rules.is_random:
            return f"birth {point}"
        first, second = turn_pair(game.rules, state)
        return f"birth {point} {point_name(first, width)} {point_name(second, width)}"

    def action_of(self, game: Game, state: State, name: str) -> int:
        wanted = " ".join(name.lower().split())
        found = ACTION.fullmatch(wanted)
        action = game.spec.cells if found is None else int(found[2]) * game.spec.width + int(found[1])
        if action not in game.legal(state) or self.action_name(game, state, action) != wanted:
            raise IllegalAction(f"'{name}' is not legal here; write {self.help(game, state)}.\n{self.draw(game, state)}")
        return action

    def help(self, game: Game, state: State) -> str:
        if state.target != NONE:
            return "'sacrifice x,y' with an own cell"
        pair = " a,b c,d' with a dead cell and the turn's pair" if game.rules.is_random else "' with a dead cell"
        return f"'pass', 'kill x,y' with a living cell or 'birth x,y{pair}"


TEXT = GoladText()
