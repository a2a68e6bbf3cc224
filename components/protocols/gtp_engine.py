"""A player of ours as a GTP engine. `serve` reads lines and writes answers until `quit` or the end of input.

Called by `zeroline gtp` and by tests. Promises that every command gets one well-formed answer, that nothing a controller
sends can end the session but `quit`, and that a move is answered within the time that the clock allows.
"""

import sys
import time
from collections.abc import Callable, Iterator

from components.core.errors import ZerolineError
from components.protocols.clock import Clock
from components.protocols.go_status import dead_points
from components.protocols.go_table import GoTable
from components.protocols.gtp import Command, failure, parse_command, streamed, success
from components.protocols.gtp_analysis import AnalysisCommands
from components.protocols.gtp_board import BoardCommands, GtpError
from components.protocols.gtp_moves import MoveCommands
from components.protocols.lines import LineSource
from components.protocols.thinking import Thinker

NAME, VERSION, PROTOCOL = "Zeroline", "0.1.0", "2"
Answer = str | Iterator[str] | None


class GtpEngine(BoardCommands, MoveCommands, AnalysisCommands):
    """The commands by name, and what they share: the board, the player, the clock."""

    def __init__(
        self, player_text: str, side: int = 19, ko: str | None = "positional", resign_below: float | None = None,
        clock: Clock = time.monotonic, seed: int = 0,
    ) -> None:  # fmt: skip
        self.player_text, self.resign_below, self.clock = player_text, resign_below, clock
        self.table = GoTable(player_text, side, ko)
        self.thinker = Thinker(player_text, clock, seed)
        self.answered_at = clock()
        self.lines: LineSource | None = None
        self.is_running = True
        self.reset_clocks()
        self.commands: dict[str, Callable[[Command], Answer]] = {
            "protocol_version": lambda command: PROTOCOL,
            "name": lambda command: NAME,
            "version": lambda command: VERSION,
            "quit": self.quit,
            "known_command": self.known_command,
            "list_commands": lambda command: "\n".join(self.commands),
            "cputime": lambda command: f"{time.process_time():.3f}",
            **self.board_commands(),
            **self.move_commands(),
            **self.analysis_commands(),
        }

    def quit(self, command: Command) -> Answer:
        self.is_running = False
        return None

    def known_command(self, command: Command) -> Answer:
        if len(command.arguments) != 1:
            raise GtpError("syntax error")
        return "true" if command.arguments[0] in self.commands else "false"

    def answer(self, command: Command) -> Iterator[str]:
        """The pieces of a command's answer, in order."""
        try:
            if command.name not in self.commands:
                raise GtpError("unknown command")
            said = self.commands[command.name](command)
        except ZerolineError as error:
            # A controller gets one line; what a person can do about it goes to the log.
            text = str(error) if isinstance(error, GtpError) else f"{type(error).__name__}"
            if not isinstance(error, GtpError):
                sys.stderr.write(f"{command.name}: {type(error).__name__}: {error}\n")
            yield failure(command, text)
            return
        if said is None or isinstance(said, str):
            yield success(command, said or "")
        else:
            yield from streamed(command, said)

    def get_ready(self) -> None:
        """Load and compile for the board at hand, outside of anybody's thinking time."""
        if self.thinker.game is not self.table.game:
            self.thinker.sit(self.table.game, self.table.seen_as)
            dead_points(self.table.game, self.table.game.start())  # what a cleanup move asks before it thinks


def serve(engine: GtpEngine, lines: LineSource, write: Callable[[str], None]) -> None:
    """Answer until the end. `write` must flush: a controller waits for every answer."""
    engine.lines = lines
    while engine.is_running:
        line = lines.next_line()
        if line is None:
            return
        command = parse_command(line.text, line.arrived)
        if command is None:
            continue
        for piece in engine.answer(command):
            write(piece)
        engine.answered_at = engine.clock()
