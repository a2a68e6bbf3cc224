"""Whole turns as the official engine reads, judges and repeats them, and as plies of ours. Plain Python.

Called by the conformance check and by the Riddles.io protocol. Promises the engine's verdicts and messages word by word,
including what its parser lets pass: it is the parser of a Java program, so splitting and whole numbers follow Java.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from components.core.errors import IllegalAction
from components.games.contract import Game, State

INT_HIGH = 2**31 - 1


class Point(NamedTuple):
    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


@dataclass(frozen=True)
class Move:
    """One player's turn: a pass, a kill of target, or a birth at target paid with two sacrifices."""

    kind: Literal["pass", "kill", "birth"]
    target: Point | None = None
    sacrifices: tuple[Point, ...] = ()

    def __str__(self) -> str:
        """As a bot prints it."""
        return " ".join([self.kind, *map(str, self.points())])

    def points(self) -> tuple[Point, ...]:
        return () if self.target is None else (self.target, *self.sacrifices)


PASS = Move("pass")


@dataclass(frozen=True)
class Answer:
    """What the engine makes of a bot's line: a move, or its message. A refused answer changes nothing on the board."""

    move: Move | None
    error: str | None = None

    @property
    def echo(self) -> str:
        """How the opponent is told next turn."""
        return "null" if self.move is None else str(self.move).replace(" ", "_")

    @property
    def effect(self) -> Move:
        """What happens on the board: nothing after a refused answer."""
        return self.move or PASS


class Refusal(Exception):
    """The engine's message; never leaves this module."""


def read_answer(text: str, board: str, width: int, player: int) -> Answer:
    """The engine's verdict on a bot's line, given the row-major board and whose turn it is."""
    try:
        move = parse_move(text)
        judge_move(move, board, width, player)
    except Refusal as refusal:
        return Answer(None, str(refusal))
    return Answer(move)


def parse_move(text: str) -> Move:
    """Syntax only. Text after `pass` is ignored; the sacrifices are read before the target."""
    words = split_like_java(text, " ")
    kind = words[0].lower() if words else ""
    if kind == "pass":
        return PASS
    if kind == "kill":
        if len(words) != 2:
            raise Refusal("Invalid input: Kill move doesn't split into 2 parts")
        return Move("kill", parse_point(words[1]))
    if kind == "birth":
        if len(words) != 4:
            raise Refusal("Invalid input: Birth move doesn't split into 4 parts")
        sacrifices = (parse_point(words[2]), parse_point(words[3]))
        return Move("birth", parse_point(words[1]), sacrifices)
    raise Refusal("Invalid input: Failed to parse move")


def split_like_java(text: str, separator: str) -> list[str]:
    """Java's String.split: empty pieces at the end are dropped, except that an empty text is one empty piece."""
    pieces = text.split(separator)
    while len(pieces) > 1 and not pieces[-1]:
        pieces.pop()
    return pieces


def parse_point(text: str) -> Point:
    """Two whole numbers; whatever follows a second comma is ignored."""
    numbers = [parse_int_like_java(piece) for piece in split_like_java(text, ",")[:2]]
    if len(numbers) < 2 or numbers[0] is None or numbers[1] is None:
        raise Refusal(f"Invalid input: Failed to parse coordinate {text}")
    return Point(numbers[0], numbers[1])


def parse_int_like_java(text: str) -> int | None:
    """Integer.parseInt: one sign at most, decimal digits of any script in one 16-bit unit, 32-bit range; else None."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits or not all(digit.isdecimal() and ord(digit) < 0x10000 for digit in digits):
        return None
    number = 0
    for digit in digits:
        number = 10 * number + unicodedata.decimal(digit)
        if number > INT_HIGH + 1:
            return None
    number = -number if text[0] == "-" else number
    return number if number <= INT_HIGH else None


def judge_move(move: Move, board: str, width: int, player: int) -> None:
    """The rules, in the engine's order: target, first sacrifice, second, the two distinct."""
    if move.kind == "pass":
        return
    assert move.target is not None
    is_dead = mark_at(move.target, board, width) == "."
    if move.kind == "kill":
        if is_dead:
            raise Refusal("Invalid move: Can't kill a dead cell")
        return
    if not is_dead:
        raise Refusal("Invalid move: You can only birth a dead cell")
    for sacrifice in move.sacrifices:
        if mark_at(sacrifice, board, width) != str(player):
            raise Refusal("Invalid move: You can only sacrifice your own living cells")
    if move.sacrifices[0] == move.sacrifices[1]:
        raise Refusal("Invalid move: You can sacrifice a cell only once")


def mark_at(point: Point, board: str, width: int) -> str:
    if not (0 <= point.x < width and 0 <= point.y < len(board) // width):
        raise Refusal(f"Invalid move: {point} is not a point on the field")
    return board[point.y * width + point.x]


def actions_of(game: Game, state: State, move: Move) -> list[int]:
    """The plies of a legal move. Where the pair of sacrifices is drawn by lot, only a birth with that pair can be played."""
    if move.kind == "pass":
        return [game.spec.cells]
    target, *sacrifices = (point.y * game.spec.width + point.x for point in move.points())
    if not game.rules.is_random:
        return [target, *sacrifices]
    if move.kind == "birth":
        drawn = move_of(game, state, [target])
        if set(drawn.sacrifices) != set(move.sacrifices):
            raise IllegalAction(f"{game.name}: '{move}' pays with other cells than this turn's; the birth here is '{drawn}'.")
    return [target]


def move_of(game: Game, state: State, actions: Sequence[int]) -> Move:
    """The move that a turn's plies are, state being the position before the first."""
    if actions[0] == game.spec.cells:
        return PASS
    cells = list(actions)
    name = game.text.action_name(game, state, actions[0]).split()
    if name[0] == "kill":
        return Move("kill", point_of(game, cells[0]))
    if game.rules.is_random:
        return parse_move(" ".join(name))
    return Move("birth", point_of(game, cells[0]), (point_of(game, cells[1]), point_of(game, cells[2])))


def point_of(game: Game, cell: int) -> Point:
    return Point(cell % game.spec.width, cell // game.spec.width)
