"""GTP commands that think: genmove and its relatives, and the clock that limits them."""

from collections.abc import Callable
from typing import Any

from components.games.contract import State
from components.protocols.clock import Clock, TimeLeft, TimeSettings, after_move, seconds_for_move, time_at_start
from components.protocols.go_status import dead_points
from components.protocols.go_table import GoTable
from components.protocols.gtp import Command
from components.protocols.gtp_board import GtpError, need_arguments, read_colour, read_seconds, read_whole_number
from components.protocols.thinking import Thinker, Thought


class MoveCommands:
    """Mixed into GtpEngine."""

    table: GoTable
    thinker: Thinker
    clock: Clock
    answered_at: float
    resign_below: float | None
    get_ready: Callable[[], None]

    def move_commands(self) -> dict[str, Callable[[Command], Any]]:
        return {
            "genmove": self.genmove,
            "reg_genmove": self.reg_genmove,
            "kgs-genmove_cleanup": self.genmove_cleanup,
            "time_settings": self.set_time,
            "kgs-time_settings": self.set_kgs_time,
            "time_left": self.time_left,
        }

    time_settings = TimeSettings()

    def reset_clocks(self) -> None:
        """A new game: full clocks, nobody has moved."""
        self.clocks = [time_at_start(self.time_settings) for _ in range(2)]
        self.own_moves = [0, 0]

    def set_time(self, command: Command) -> None:
        main, period, stones = need_arguments(command, 3)
        self.time_settings = TimeSettings.of_gtp(read_seconds(main), read_seconds(period), abs(read_whole_number(stones)))
        self.reset_clocks()

    def set_kgs_time(self, command: Command) -> None:
        """none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD STONES."""
        kind = command.arguments[0].lower() if command.arguments else ""
        words = {"none": 1, "absolute": 2, "byoyomi": 4, "canadian": 4}
        if len(command.arguments) != words.get(kind):
            raise GtpError("syntax error")
        numbers = [read_seconds(text) for text in command.arguments[1:3]]
        count = abs(read_whole_number(command.arguments[3])) if len(command.arguments) == 4 else 0
        if kind == "byoyomi":
            self.time_settings = TimeSettings(numbers[0], numbers[1], 1 if numbers[1] > 0 else 0, max(1, count), True)
        elif kind == "canadian":
            self.time_settings = TimeSettings.of_gtp(numbers[0], numbers[1], count)
        else:
            self.time_settings = TimeSettings(numbers[0], is_limited=True) if numbers else TimeSettings()
        self.reset_clocks()

    def time_left(self, command: Command) -> None:
        colour, seconds, stones = need_arguments(command, 3)
        side = read_colour(colour)
        self.clocks[side] = TimeLeft(read_seconds(seconds), abs(read_whole_number(stones)))
        if not self.time_settings.is_limited:
            # Somebody counts our time without having said how: the safest reading is that it is all we have.
            self.time_settings = TimeSettings(self.clocks[side].seconds, is_limited=True)

    def seconds_allowed(self, colour: int) -> float | None:
        return seconds_for_move(self.time_settings, self.clocks[colour], self.table.game.spec.cells, self.own_moves[colour])

    def began(self, command: Command) -> float:
        """When our time began to run: when the request arrived, or when the answer before it was given."""
        return max(command.arrived, self.answered_at) if command.arrived else self.clock()

    def think(self, command: Command, colour: int, excluded: int | None = None) -> tuple[State, Thought]:
        began = self.began(command)
        self.get_ready()
        state = self.table.turned_to(colour)
        return state, self.thinker.think(state, self.seconds_allowed(colour), began, excluded=excluded)

    def settle(self, command: Command, colour: int, state: State, thought: Thought) -> str:
        """Play what was decided, or resign; either costs time."""
        self.clocks[colour] = after_move(self.time_settings, self.clocks[colour], self.clock() - self.began(command))
        self.own_moves[colour] += 1
        if self.resign_below is not None and thought.value is not None and thought.value < self.resign_below:
            return "resign"
        self.table.play(colour, thought.action)
        return self.name_of(state, thought.action)

    def name_of(self, state: State, action: int) -> str:
        return self.table.game.text.action_name(self.table.game, state, action)

    def genmove(self, command: Command) -> str:
        colour = read_colour(*need_arguments(command, 1))
        return self.settle(command, colour, *self.think(command, colour))

    def reg_genmove(self, command: Command) -> str:
        """The move without playing it."""
        state, thought = self.think(command, read_colour(*need_arguments(command, 1)))
        return self.name_of(state, thought.action)

    def genmove_cleanup(self, command: Command) -> str:
        """As genmove, but no pass while dead stones of the opponent are on the board."""
        colour = read_colour(*need_arguments(command, 1))
        dead = dead_points(self.table.game, self.table.state)
        has_work = any(int(self.table.state.board[point]) == 2 - colour for point in dead)
        return self.settle(command, colour, *self.think(command, colour, self.table.pass_action if has_work else None))
