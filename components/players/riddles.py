"""Riddles.io bots as players of GOLAD: the wrapper's side of the text protocol, with its timebank.

Made by registry.make_player from `riddles:COMMAND`; the referee of protocols/referee.py uses the same seats. As on the official
engine an invalid answer is no move at all, and a bot that is late once is shut down and makes no more moves: the game goes on.
Unlike there, a bot that dies by itself does not cost a whole timebank of waiting; in a match its game is void.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadParameter, EngineFailure
from components.games.contract import Game, States
from components.games.golad.check_transcript import ASKING, FIRST_ECHO, as_engine_reads, request_lines
from components.games.golad.moves import PASS, Move, actions_of, point_of, read_answer
from components.games.golad.text import board_of
from components.players.process import LineProcess, find_program

TIMEBANK_MS, PER_MOVE_MS = 10_000, 500  # the wrapper's defaults
POLL_SECONDS = 0.002  # of several lines written at once the last one counts
GOLAD_FAMILY = "golad"
KIND = "riddles:./bot.sh                  a bot that speaks Riddles.io text; first words may be timebank=MS per_move=MS"


@dataclass
class Timebank:
    """A bot's time in milliseconds: what it has now, and what it gets back after every answer."""

    most: int = TIMEBANK_MS
    per_move: int = PER_MOVE_MS
    left: float = -1.0

    def __post_init__(self) -> None:
        self.left = float(self.most) if self.left < 0 else self.left

    def spend(self, used: float) -> None:
        self.left = min(max(self.left - used, 0.0) + self.per_move, float(self.most))


def settings_lines(game: Game, player: int, bank: Timebank) -> list[str]:
    """What a bot is told before the first turn."""
    return [
        "settings player_names player0,player1",
        f"settings your_bot player{player}",
        f"settings timebank {bank.most}",
        f"settings time_per_move {bank.per_move}",
        f"settings your_botid {player}",
        f"settings field_width {game.spec.width}",
        f"settings field_height {game.spec.height}",
        f"settings max_rounds {int(game.rules.max_rounds)}",
    ]


class Seat(Protocol):
    """Somebody who is told lines and answers requests."""

    bank: Timebank

    def tell(self, lines: Sequence[str]) -> None: ...

    def ask(self, lines: Sequence[str]) -> str:
        """The answer to a request, the last of the lines; empty if there was none in time."""


class ProcessSeat:
    """A bot in its own process. One that dies is a failure, unless it is told to survive: then it answers nothing any more."""

    def __init__(self, words: Sequence[str], bank: Timebank, survives_death: bool = False) -> None:
        self.bank, self.survives_death = bank, survives_death
        self.process = LineProcess(words)
        self.is_shut_down = False

    def tell(self, lines: Sequence[str]) -> None:
        if self.is_shut_down:
            return
        try:
            self.process.send("".join(f"{line}\n" for line in lines))
        except EngineFailure:
            if not self.survives_death:
                raise
            self.is_shut_down = True

    def ask(self, lines: Sequence[str]) -> str:
        if self.is_shut_down:
            return ""
        self.process.lines_waiting()  # what was said before the request is nobody's answer
        began = time.monotonic()
        self.tell(lines)
        answer = "" if self.is_shut_down else self.await_answer(began + self.bank.left / 1000)
        self.bank.spend(1000 * (time.monotonic() - began))
        return answer

    def await_answer(self, deadline: float) -> str:
        try:
            answer = self.process.read_line(deadline)
        except EngineFailure:
            if time.monotonic() < deadline and not self.survives_death:
                raise
            self.is_shut_down = True  # late: the wrapper ends the bot and answers for it from now on
            return ""
        time.sleep(POLL_SECONDS)
        return [answer, *self.process.lines_waiting()][-1]

    def close(self) -> None:
        self.process.close()


def riddles_player(text: str, game: Game) -> "RiddlesPlayer":
    if game.family != GOLAD_FAMILY or game.rules.is_random:
        raise BadParameter(f"'{text}' speaks Riddles.io text: it plays golad with chosen sacrifices, not {game.name}.")
    command = text.partition(":")[2]
    bank = Timebank()
    while found := re.fullmatch(r"\s*(timebank|per_move)=(\d{1,7})\s+(.*)", command):
        bank = Timebank(int(found[2]), bank.per_move) if found[1] == "timebank" else Timebank(bank.most, int(found[2]))
        command = found[3]
    return RiddlesPlayer(find_program(command), bank)


@dataclass
class Plan:
    """A turn that a bot decided: the plies played before it and its own."""

    begins: int
    actions: list[int]


@dataclass
class Table:
    seat: ProcessSeat | None = None
    plans: list[Plan] = field(default_factory=list)


class RiddlesPlayer:
    """A bot as a player in our matches: a new process for every game, asked one after the other so that clocks are fair."""

    def __init__(self, words: list[str], bank: Timebank) -> None:
        self.words, self.bank = words, bank
        self.tables: list[Table] = []

    def begin_games(self, game: Game, count: int) -> None:
        self.close()
        self.tables = [Table() for _ in range(count)]

    def begin_game(self, table: int) -> None:
        self.stop(self.tables[table])
        self.tables[table] = Table()

    def stop(self, table: Table) -> None:
        if table.seat is not None:
            table.seat.close()
            table.seat = None

    def close(self) -> None:
        for table in self.tables:
            self.stop(table)

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        raise BadParameter("A Riddles.io bot follows a game from its start; it cannot be asked about a position alone.")

    def choose_seated(
        self, game: Game, states: States, streams: NDArray[np.uint64], tables: NDArray[np.int64],
        histories: list[tuple[int, ...]],
    ) -> NDArray[np.int32]:  # fmt: skip
        chosen = np.zeros(len(tables), dtype=np.int32)
        failed: dict[int, str] = {}
        for row, table in enumerate(tables):
            try:
                chosen[row] = self.next_action(game, self.tables[int(table)], states[row], histories[row])
            except EngineFailure as failure:
                self.stop(self.tables[int(table)])
                failed[row] = str(failure)
        if failed:
            raise EngineFailure(next(iter(failed.values())), tuple(failed))
        return chosen

    def next_action(self, game: Game, table: Table, state: np.record, history: tuple[int, ...]) -> int:
        """The next ply of the turn under way, or the first of a new one."""
        plies = len(history)
        plan = table.plans[-1] if table.plans else Plan(0, [])
        if not plan.begins <= plies < plan.begins + len(plan.actions):
            plan = Plan(plies, self.ask_turn(game, table, state, history))
            table.plans.append(plan)
        return plan.actions[plies - plan.begins]

    def ask_turn(self, game: Game, table: Table, state: np.record, history: tuple[int, ...]) -> list[int]:
        player = int(state.mover)
        if table.seat is None:
            table.seat = ProcessSeat(self.words, Timebank(self.bank.most, self.bank.per_move))
            table.seat.tell(settings_lines(game, player, table.seat.bank))
        since = table.plans[-1].begins + len(table.plans[-1].actions) if table.plans else 0
        board = board_of(state.cells, game.spec.width)
        lines = request_lines(state, board, echo_of(game, history[since:]), int(table.seat.bank.left))
        assert lines[-1].startswith(ASKING)
        answer = read_answer(as_engine_reads(table.seat.ask(lines)), board, game.spec.width, player)
        return actions_of(game, state, answer.effect)


def echo_of(game: Game, actions: Sequence[int]) -> str:
    """How the opponent's turn is told: three plies are a birth, one is a kill or a pass."""
    if not actions:
        return FIRST_ECHO
    if actions[0] == game.spec.cells:
        return str(PASS)
    target, *sacrifices = (point_of(game, int(action)) for action in actions)
    return str(Move("birth" if sacrifices else "kill", target, tuple(sacrifices))).replace(" ", "_")
