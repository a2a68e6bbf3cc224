"""GTP commands about the board: size, komi, playing, undo, handicaps, files, the drawn board and the final score."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from components.core.errors import ZerolineError
from components.games.go.board import EMPTY, NOWHERE
from components.games.go.score import score
from components.games.go.text import point_of, vertex
from components.protocols.go_seki import seki_points
from components.protocols.go_status import cleared_board, dead_points
from components.protocols.go_table import GoTable, GtpError, fixed_handicap, free_handicap, refuse_size
from components.protocols.gtp import Command

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
MOST_KOMI = 400.0


def read_whole_number(text: str) -> int:
    if re.fullmatch(r"[+-]?[0-9]{1,6}", text) is None:
        raise GtpError("syntax error")
    return int(text)


def read_seconds(text: str) -> float:
    """A time in seconds; some controllers send fractions."""
    if re.fullmatch(r"[0-9]{1,8}(\.[0-9]{0,9})?", text) is None:
        raise GtpError("syntax error")
    return float(text)


def read_colour(text: str) -> int:
    if text.lower() not in COLOURS:
        raise GtpError("invalid color or coordinate")
    return COLOURS[text.lower()]


def need_arguments(command: Command, *counts: int) -> tuple[str, ...]:
    if len(command.arguments) not in counts:
        raise GtpError("syntax error")
    return command.arguments


class BoardCommands:
    """Mixed into GtpEngine."""

    table: GoTable
    reset_clocks: Callable[[], None]
    get_ready: Callable[[], None]

    def board_commands(self) -> dict[str, Callable[[Command], Any]]:
        return {
            "boardsize": self.boardsize,
            "clear_board": self.clear_board,
            "komi": self.set_komi,
            "get_komi": lambda command: f"{float(self.table.game.rules.komi):g}",
            "play": self.play,
            "undo": self.undo,
            "showboard": lambda command: "\n" + self.table.game.text.draw(self.table.game, self.table.state),
            "final_score": self.final_score,
            "final_status_list": self.final_status_list,
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.place_free_handicap,
            "set_free_handicap": self.set_free_handicap,
            "loadsgf": self.loadsgf,
        }

    def boardsize(self, command: Command) -> None:
        side = read_whole_number(*need_arguments(command, 1))
        old = self.table
        try:
            refuse_size(side)
            self.table = GoTable(old.player_text, side, old.ko)
            if old.komi is not None:
                self.table.set_komi(old.komi)
            self.get_ready()
        except ZerolineError:
            self.table = old  # for example a net with fully connected heads, made for one size
            raise GtpError("unacceptable size") from None

    def clear_board(self, command: Command) -> None:
        self.table.clear()
        self.reset_clocks()
        self.get_ready()

    def set_komi(self, command: Command) -> None:
        text = need_arguments(command, 1)[0]
        if re.fullmatch(r"[+-]?([0-9]{1,6}(\.[0-9]*)?|\.[0-9]+)", text) is None:
            raise GtpError("syntax error")
        komi = float(text)
        if not math.isfinite(komi) or abs(komi) > MOST_KOMI:
            raise GtpError("unacceptable komi")
        self.table.set_komi(komi)

    def read_action(self, text: str) -> int:
        if text.lower() == "pass":
            return self.table.pass_action
        point = point_of(self.table.game, text) if text.isascii() else NOWHERE
        if point == NOWHERE:
            raise GtpError("invalid color or coordinate")
        return point

    def play(self, command: Command) -> None:
        colour, move = need_arguments(command, 2)
        self.table.play(read_colour(colour), self.read_action(move))

    def undo(self, command: Command) -> None:
        self.table.undo()

    def final_score(self, command: Command) -> str:
        game, state = self.table.game, self.table.state
        margin = float(score(game.rules, cleared_board(state, dead_points(game, state))))
        return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"

    def final_status_list(self, command: Command) -> str:
        """One chain a line; every stone is in one of the three lists."""
        status = need_arguments(command, 1)[0].lower()
        if status not in ("alive", "seki", "dead"):
            raise GtpError("syntax error")
        game, state = self.table.game, self.table.state
        dead = dead_points(game, state)
        status_of = dict.fromkeys(dead, "dead") | dict.fromkeys(seki_points(game, state, dead), "seki")
        chains: dict[int, list[str]] = {}
        for point in range(game.spec.cells):
            if state.board[point] != EMPTY and status_of.get(point, "alive") == status:
                chains.setdefault(int(state.head[point]), []).append(vertex(game, point))
        return "\n".join(" ".join(chain) for chain in chains.values())

    def fixed_handicap(self, command: Command) -> str:
        return self.place(fixed_handicap(self.table.side, read_whole_number(*need_arguments(command, 1))))

    def place_free_handicap(self, command: Command) -> str:
        return self.place(free_handicap(self.table.game, read_whole_number(*need_arguments(command, 1))))

    def place(self, vertices: list[str]) -> str:
        self.table.set_handicap([self.read_action(name) for name in vertices])
        return " ".join(vertices)

    def set_free_handicap(self, command: Command) -> None:
        points = [self.read_action(name) for name in command.arguments]
        # Black would fill the whole board with stones that have no liberty.
        is_bad = len(points) < 2 or len(set(points)) < len(points) or self.table.pass_action in points
        if is_bad or len(points) >= self.table.game.spec.cells:
            raise GtpError("bad vertex list")
        try:
            self.table.set_handicap(points)
        except ZerolineError as error:
            raise error if isinstance(error, GtpError) else GtpError("bad vertex list") from None

    def loadsgf(self, command: Command) -> None:
        """loadsgf FILE [MOVE]: the position before move number MOVE, or after the last one. A file name may have blanks."""
        words = list(need_arguments(command, *range(1, 30)))
        number = read_whole_number(words.pop()) if len(words) > 1 and words[-1].isdecimal() and words[-1].isascii() else None
        self.table.load(Path(" ".join(words)), None if number is None else max(0, number - 1))
        self.reset_clocks()
        self.get_ready()
