"""Programs that we did not write as players: any GTP engine for Go, one process at each table of a match.

Made by registry.make_player from `gtp:COMMAND` or a ladder name such as `gnugo-1`. What happens when an engine misbehaves:
- it dies, hangs or cannot be understood: the game is void and played again with a new process;
- it resigns: it loses; it plays a move that our rules forbid: it loses, and the record says which move.
An engine is told the moves it does not know yet, and everything again when its board is not the one of the game.
"""

import re
import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadParameter, EngineFailure, Forfeit, IllegalAction
from components.core.seeds import draw_below
from components.games.contract import Game, State, States
from components.players.gtp_client import GtpClient
from components.players.process import find_program

THINKING_SECONDS = 120.0  # for one move; GNU Go at level 10 needs up to 10 s on a busy machine
SEEDS = 2**31 - 1  # GNU Go takes a positive 32-bit number
SEED_COMMAND = "set_random_seed"
MOST_VERSION_CHARACTERS = 60
GNUGO = (
    "gnugo --mode gtp --level {level} --chinese-rules {ko} --forbid-suicide --never-resign --capture-all-dead --seed 1 "
    "--cache-size 8"
)
# The nearest setting to the 9x9 report's oracle is 500 playouts; resigning and early passes are off because we count raw area.
PACHI = (
    "pachi -d 0 -D -r chinese --nodcnn --nojoseki --nopatterns -s 1 -t ={playouts} threads=1 resign_threshold=0 pondering=0 "
    "pass_all_alive max_tree_size=100"
)
LEAST_PACHI_PLAYOUTS = 500
GO_FAMILY = "go"
KINDS = {
    "gtp": "gtp:gnugo --mode gtp --level 1    any program that speaks GTP; first words may be timeout=SECONDS",
    "gnugo": "gnugo-1 ... gnugo-10              GNU Go at a level",
    "pachi": "pachi-500                         Pachi with so many playouts",
}


def is_external(text: str) -> bool:
    return text.startswith("gtp:") or re.fullmatch(r"(gnugo|pachi)-\d+", text) is not None


def external_player(text: str, game: Game) -> "GtpPlayer":
    """The engine that a text names; refuses with a sentence what is not installed or does not play this game."""
    if game.family != GO_FAMILY:
        raise BadParameter(f"'{text}' speaks GTP, the protocol of Go; it cannot play {game.name}.")
    seconds, command = split_timeout(command_of(text, game))
    return GtpPlayer(find_program(command), seconds)


def command_of(text: str, game: Game) -> str:
    """The command line behind a player's text."""
    kind, _, rest = text.partition(":")
    if kind == "gtp":
        return rest
    engine, number = text.split("-")
    if engine == "gnugo":
        if not 1 <= int(number) <= 10:
            raise BadParameter(f"GNU Go has levels 1 to 10; found '{text}'.")
        is_positional = bool(game.rules.is_positional)
        return GNUGO.format(level=int(number), ko="--positional-superko" if is_positional else "--simple-ko")
    if int(number) < LEAST_PACHI_PLAYOUTS:
        raise BadParameter(f"Pachi needs at least {LEAST_PACHI_PLAYOUTS} playouts; found '{text}'.")
    return PACHI.format(playouts=int(number))


def split_timeout(command: str) -> tuple[float, str]:
    """(seconds a move may take, the rest) of `timeout=60 gnugo --mode gtp`."""
    found = re.fullmatch(r"\s*timeout=(\S+)\s+(.*)", command)
    if found is None:
        return THINKING_SECONDS, command
    try:
        seconds = float(found[1])
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise BadParameter(f"timeout is '{found[1]}'; need seconds, for example timeout=60.")
    return seconds, found[2]


@dataclass
class Table:
    """An engine and what it knows of the game at its table."""

    client: GtpClient | None = None
    is_new: bool = True  # the next request begins a game
    known: list[int] = field(default_factory=list)  # actions on the engine's board
    answer: tuple[tuple[int, ...], int | Exception] | None = None  # what it chose, by the history it was asked about


class GtpPlayer:
    """A GTP engine as a player. Engines of one match think side by side, each in its own process."""

    def __init__(self, words: list[str], thinking_seconds: float = THINKING_SECONDS) -> None:
        self.words, self.thinking_seconds = words, thinking_seconds
        self.tables: list[Table] = []
        self.game: Game | None = None
        self.version = ""  # as the engine tells it, for the record

    def begin_games(self, game: Game, count: int) -> None:
        self.close()
        self.game = game
        self.tables = [Table() for _ in range(count)]

    def begin_game(self, table: int) -> None:
        """Forget the last game; a dead engine is started again."""
        place = self.tables[table]
        place.is_new, place.known, place.answer = True, [], None
        if place.client is None or not place.client.is_alive:
            self.start(place)

    def start(self, place: Table) -> None:
        self.stop(place)
        place.client = GtpClient(self.words)
        try:
            self.version = f"{place.client.require('name')} {short_version(place.client.require('version'))}".strip()
        except EngineFailure:
            self.stop(place)
            raise

    def stop(self, place: Table) -> None:
        if place.client is not None:
            place.client.close()
            place.client = None

    def close(self) -> None:
        for place in self.tables:
            self.stop(place)

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        raise BadParameter("A GTP engine follows a game from its start; it cannot be asked about a position alone.")

    def choose_seated(
        self, game: Game, states: States, streams: NDArray[np.uint64], tables: NDArray[np.int64],
        histories: list[tuple[int, ...]],
    ) -> NDArray[np.int32]:  # fmt: skip
        """One action for each table. All engines are asked before the first answer is awaited."""
        places = [self.tables[int(table)] for table in tables]
        asked = [
            row for row, place in enumerate(places) if place.answer is None or place.answer[0] != histories[row]
        ]  # fmt: skip
        for row in asked:
            self.post_question(game, places[row], int(states[row].mover), histories[row], streams, row)
        deadline = time.monotonic() + self.thinking_seconds
        for row in asked:
            places[row].answer = (histories[row], self.read_move(game, places[row], states[row], histories[row], deadline))
        answers = [place.answer[1] for place in places if place.answer is not None]
        raise_problems(answers)
        return np.array(answers, dtype=np.int32)

    def post_question(
        self, game: Game, place: Table, mover: int, history: tuple[int, ...], streams: NDArray[np.uint64], row: int
    ) -> None:
        """Send everything up to the request for a move. A failure shows when the answer is read."""
        if place.client is None:
            return
        seed = draw_below(streams, row, SEEDS) + 1 if place.is_new else None
        try:
            for command in [*self.catch_up(game, place, history, seed), f"genmove {'bw'[mover]}"]:
                place.client.post(command)
        except EngineFailure:
            self.stop(place)

    def catch_up(self, game: Game, place: Table, history: tuple[int, ...], seed: int | None) -> list[str]:
        """The commands that bring the engine's board to the game's."""
        commands = []
        known = len(place.known)
        if place.is_new or history[:known] != tuple(place.known):
            # This order: GNU Go keeps the komi when it clears the board, other engines forget it with the size.
            commands = [f"boardsize {game.spec.width}", "clear_board", f"komi {float(game.rules.komi):g}"]
            commands += [f"{SEED_COMMAND} {seed}"] if seed is not None else []
            known = 0
        for ply in range(known, len(history)):
            commands.append(f"play {'bw'[ply % 2]} {game.text.action_name(game, None, history[ply])}")
        place.is_new = False
        return commands

    def read_move(self, game: Game, place: Table, state: State, history: tuple[int, ...], deadline: float) -> int | Exception:
        """The action that the engine chose, or what went wrong."""
        if place.client is None:
            return EngineFailure("the engine had ended.")
        try:
            *told, answer = place.client.receive_all(deadline)
            for reply in told:
                if not reply.is_success and "unknown command" not in reply.text:
                    raise EngineFailure(f"{place.client.process.name} refuses a move or setting: {reply.text}.")
            if not answer.is_success:
                raise EngineFailure(f"{place.client.process.name} refuses to move: {answer.text}.")
            action = action_of_answer(game, state, answer.text)
        except EngineFailure as failure:
            self.stop(place)
            return failure
        except Forfeit as forfeit:
            return forfeit
        place.known = [*history, action]
        return action


def short_version(text: str) -> str:
    """The version itself: Pachi adds `: ` and a greeting of three sentences."""
    return text.split("\n")[0].split(": ")[0][:MOST_VERSION_CHARACTERS]


def action_of_answer(game: Game, state: State, text: str) -> int:
    """The action of a genmove's answer; resigning and illegal moves lose, anything unreadable is a failure."""
    word = text.strip().lower()
    if word == "resign":
        raise Forfeit("resigned.")
    if not re.fullmatch(r"pass|[a-hj-t][1-9]\d?", word):
        raise EngineFailure(f"'{text[:40]}' is not a move.")
    try:
        return game.text.action_of(game, state, word)
    except IllegalAction as error:
        raise Forfeit(f"played an illegal move: {str(error).splitlines()[0]}") from None


def raise_problems(answers: list[int | Exception]) -> None:
    """Tell the match of failures first, then of lost games; it asks again for the rest, which is remembered."""
    for kind in (EngineFailure, Forfeit):
        rows = tuple(row for row, answer in enumerate(answers) if isinstance(answer, kind))
        if rows:
            raise kind(str(answers[rows[0]]), rows)
