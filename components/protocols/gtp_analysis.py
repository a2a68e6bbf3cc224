"""GTP commands that show what the engine thinks: lz-analyze while it thinks, GoGui's boards of numbers."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from components.games.contract import State
from components.protocols.analysis import info_line
from components.protocols.clock import Clock, Stopwatch
from components.protocols.go_status import mean_ownership
from components.protocols.go_table import GoTable
from components.protocols.gtp import Command
from components.protocols.gtp_board import COLOURS, GtpError, read_whole_number
from components.protocols.lines import LineSource
from components.protocols.thinking import Thinker, Thought

CENTISECOND = 0.01
DEFAULT_INTERVAL = 100  # centiseconds
IDLE_SECONDS = 0.02  # between looks for the next line when there is nothing left to search
GOGUI = (
    "dboard/Zeroline Policy/zeroline-policy\ndboard/Zeroline Ownership/zeroline-ownership\nstring/Zeroline Value/zeroline-value"
)


class AnalysisCommands:
    """Mixed into GtpEngine."""

    table: GoTable
    thinker: Thinker
    clock: Clock
    lines: LineSource | None
    get_ready: Callable[[], None]
    think: Callable[..., tuple[State, Thought]]
    settle: Callable[[Command, int, State, Thought], str]
    began: Callable[[Command], float]
    seconds_allowed: Callable[[int], float | None]

    def analysis_commands(self) -> dict[str, Callable[[Command], Any]]:
        return {
            "lz-analyze": self.analyze,
            "lz-genmove_analyze": self.genmove_analyze,
            "gogui-analyze_commands": lambda command: GOGUI,
            "zeroline-policy": self.policy_board,
            "zeroline-ownership": self.ownership_board,
            "zeroline-value": self.value_text,
        }

    def analyze(self, command: Command) -> Iterator[str]:
        """Think about the position until the next line comes, and tell it every interval."""
        colour, interval = read_analysis(command.arguments, int(self.table.state.mover))
        self.get_ready()
        if self.thinker.config is None:
            raise GtpError("this player does not search")
        state = self.table.turned_to(colour)
        return self.watch_search(state, interval, None, self.clock(), self.is_interrupted, True)

    def is_interrupted(self) -> bool:
        return self.lines is None or self.lines.is_waiting()

    def watch_search(
        self, state: State, interval: float, seconds: float | None, started: float, is_done: Callable[[], bool], is_open: bool
    ) -> Iterator[str]:
        """Lines about a search under way. An open one goes on telling when it has nothing more to look at."""
        forest = self.thinker.forest(is_open)
        watch = Stopwatch(self.clock, started, seconds, self.thinker.slice_seconds)
        told_at = self.clock()
        for _ in self.thinker.slices(forest, state, watch):
            if is_done():
                break
            if self.clock() - told_at >= interval:
                told_at = self.clock()
                yield info_line(self.table.game, forest)
        yield info_line(self.table.game, forest)
        while is_open and not is_done():
            time.sleep(IDLE_SECONDS)

    def genmove_analyze(self, command: Command) -> Iterator[str]:
        """genmove that tells its thoughts on the way and ends with the line `play MOVE`."""
        colour, interval = read_analysis(command.arguments, int(self.table.state.mover))
        self.get_ready()
        began = self.began(command)
        return self.genmove_lines(command, colour, interval, began)

    def genmove_lines(self, command: Command, colour: int, interval: float, began: float) -> Iterator[str]:
        state = self.table.turned_to(colour)
        if self.thinker.config is None:
            thought = self.thinker.think(state)
        else:
            seconds = self.seconds_allowed(colour)
            yield from self.watch_search(state, interval, seconds, began, lambda: False, False)
            thought = self.thinker.decide(state, self.clock() - began)
        yield f"play {self.settle(command, colour, state, thought)}"

    def look(self) -> Thought:
        """An ordinary search of the position, for the mover."""
        self.get_ready()
        return self.thinker.think(self.table.turned_to(int(self.table.state.mover)))

    def policy_board(self, command: Command) -> str:
        insight = self.look().insight
        if insight is None:
            raise GtpError("this player does not search")
        shares = dict(zip(insight.actions.tolist(), insight.policy.tolist(), strict=True))
        return self.board_of_numbers([shares.get(point, 0.0) for point in range(self.table.game.spec.cells)])

    def ownership_board(self, command: Command) -> str:
        return self.board_of_numbers(mean_ownership(self.table.game, self.table.state).tolist())

    def board_of_numbers(self, numbers: list[float]) -> str:
        side = self.table.side
        rows = [numbers[start : start + side] for start in range(0, side * side, side)]
        return "\n" + "\n".join(" ".join(f"{number:.3f}" for number in row) for row in rows)

    def value_text(self, command: Command) -> str:
        value = self.look().value
        if value is None:
            raise GtpError("this player has no opinion")
        return f"{value:+.3f} for {('black', 'white')[int(self.table.state.mover)]}"


def read_analysis(words: tuple[str, ...], mover: int) -> tuple[int, float]:
    """(colour, seconds between lines) of `[color] [interval N | N] ...`; other pairs of other engines are ignored."""
    colour, centiseconds, place = mover, DEFAULT_INTERVAL, 0
    while place < len(words):
        word = words[place].lower()
        if word in COLOURS:
            colour = COLOURS[word]
        elif word.isdecimal() and word.isascii():
            centiseconds = read_whole_number(word)
        elif place + 1 < len(words):
            place += 1
            if word == "interval":
                centiseconds = read_whole_number(words[place])
        else:
            raise GtpError("syntax error")
        place += 1
    return colour, max(1, centiseconds) * CENTISECOND
