"""A player of ours as a Riddles.io bot for GOLAD: settings and updates in, one line for every request out.

Called by `zeroline riddles` and by tests. Promises exactly one line per `action move`, in time by the bank that the request
names, whatever else was sent; a position that cannot be understood is answered with `pass`.
"""

import re
import sys
import time
from collections.abc import Callable

from components.core.errors import ZerolineError
from components.games.contract import Game, State
from components.games.golad.moves import PASS, move_of
from components.games.golad.spec import MOST_SIDE
from components.games.golad.text import board_of, position
from components.protocols.clock import Clock, seconds_for_timebank
from components.protocols.lines import Line, LineSource
from components.protocols.thinking import Thinker, trained_rules, with_knobs

MOST_ROUNDS = 1000  # that our rules can count
DEFAULT_PER_MOVE_MS = 100
PLY_SHARE = 0.6  # of the time left for a turn that its next ply may take: a birth has three
NUMBERS = ("timebank", "time_per_move", "your_botid", "field_width", "field_height", "max_rounds")


class RiddlesBot:
    """What the engine has told so far, and the player that answers."""

    def __init__(self, player_text: str, clock: Clock = time.monotonic, seed: int = 0) -> None:
        self.player_text, self.clock = player_text, clock
        self.thinker = Thinker(player_text, clock, seed)
        self.settings: dict[str, int] = {}
        self.updates: dict[str, str] = {}
        self.game: Game | None = None

    def hear(self, line: Line) -> str | None:
        """Take in one line; the answer if it was a request."""
        words = line.text.split()
        if words[:1] == ["settings"] and len(words) == 3:
            self.note_setting(words[1], words[2])
        elif words[:2] == ["update", "game"] and len(words) == 4:
            self.updates[words[2]] = words[3]
        elif words[:2] == ["action", "move"]:
            return self.answer(line.arrived, self.bank_seconds(words))
        return None

    def note_setting(self, name: str, value: str) -> None:
        if name in NUMBERS and re.fullmatch(r"[0-9]{1,8}", value):
            self.settings[name] = int(value)
        if all(needed in self.settings for needed in ("field_width", "field_height", "max_rounds")):
            self.get_ready()

    def bank_seconds(self, words: list[str]) -> float:
        """The time left as the request tells it; without a number, what every move gets back."""
        if len(words) > 2 and re.fullmatch(r"[0-9]{1,8}", words[2]):
            return int(words[2]) / 1000
        return self.per_move_seconds

    @property
    def per_move_seconds(self) -> float:
        return self.settings.get("time_per_move", DEFAULT_PER_MOVE_MS) / 1000

    def get_ready(self) -> None:
        """Set up the board of the settings; one that we cannot play leaves us passing."""
        width, height = self.settings["field_width"], self.settings["field_height"]
        rounds = min(self.settings["max_rounds"], MOST_ROUNDS)
        if self.game is not None and (self.game.size, int(self.game.rules.max_rounds)) == (f"{width}x{height}", rounds):
            return
        self.game = None
        if not (1 <= width <= MOST_SIDE and 1 <= height <= MOST_SIDE):
            return
        try:
            game = with_knobs(trained_rules(self.player_text, "golad", f"{width}x{height}"), max_rounds=rounds)
            self.thinker.sit(game)
            self.game = game
            self.rehearse()
        except ZerolineError as error:
            sys.stderr.write(f"Passing from now on: {error}\n")

    def rehearse(self) -> None:
        """One whole answer to nobody, so that everything on the way is compiled before a request's clock runs."""
        assert self.game is not None
        board = board_of(self.game.start().cells, self.game.spec.width)
        state = position(self.game, board)
        if self.game.returns(state) is None:
            self.choose_turn(state, self.clock(), 0.0)

    def answer(self, arrived: float, bank: float) -> str:
        state = self.read_position()
        if self.game is None or state is None or self.game.returns(state) is not None:
            return str(PASS)
        rounds_left = int(self.game.rules.max_rounds) - int(state.turn) // 2
        allowed = seconds_for_timebank(bank, self.per_move_seconds, rounds_left)
        if self.clock() - arrived + self.thinker.slice_seconds >= allowed:
            return str(PASS)  # no time even for one look
        return self.choose_turn(state, arrived, allowed)

    def choose_turn(self, state: State, arrived: float, allowed: float) -> str:
        """Think ply by ply until the turn is complete, each ply with its share of the time that is left."""
        assert self.game is not None
        player, turn, now, actions = int(state.mover), int(state.turn), self.game.copy(state), []
        while int(now.turn) == turn and int(now.mover) == player and self.game.returns(now) is None:
            began = self.clock()
            left = max(0.0, arrived + allowed - began)
            action = self.thinker.think(now, PLY_SHARE * left, began).action
            actions.append(action)
            self.game.kernels.apply(self.game.rules, now, action)
        return str(move_of(self.game, state, actions))

    def read_position(self) -> State | None:
        """The position of the last updates; None if they make no sense."""
        if self.game is None:
            return None
        board = self.updates.get("field", "").replace(",", "")
        number = self.updates.get("round", "1")
        if len(board) != self.game.spec.cells or set(board) - set(".01") or not re.fullmatch(r"[0-9]{1,6}", number):
            return None
        # Older engines counted rounds from 0; our clock must not run beyond the limit either.
        played = min(max(int(number), 1), max(1, int(self.game.rules.max_rounds))) - 1
        return position(self.game, board, 2 * played + min(1, self.settings.get("your_botid", 0)))


def serve(bot: RiddlesBot, lines: LineSource, write: Callable[[str], None]) -> None:
    """Answer requests until the end of input."""
    while (line := lines.next_line()) is not None:
        answer = bot.hear(line)
        if answer is not None:
            write(answer + "\n")
