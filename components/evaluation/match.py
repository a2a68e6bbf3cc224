"""Play two players against each other: paired starts, sides swapped, many games in lock-step.

Called by gates, tournaments and ladders. Promises that a game depends on the players, the seed, its pair and its side only: not
on how many games run beside it, on kills in between, or on which games finish first.

A player needs `choose` (games/contract.py). One that keeps something per game, such as an engine's process or a tree, may also
have any of these; a match uses tables 0 .. count-1, one game at a time at each:
- `begin_games(game, count)` before the first game, and `close()` after the last, whatever happened in between. Start processes
  in the first and end them in the second; the same player may be begun again for the next match.
- `begin_game(table)` when a new game starts there: forget the last one, restart what has died.
- `choose_seated(game, states, streams, tables, histories)` is called instead of `choose`: tables [n] and, for each, all actions
  since the start position. A history may lack the last action that the player chose there (another game of the batch failed and
  the batch is asked again), so follow the history, not the memory.
Each raises EngineFailure for games it cannot go on with; they are void and played again. Choosing may also raise Forfeit for
games that the player gives up or whose rules it broke; it loses them.
"""

import hashlib
import heapq
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadParameter, EngineFailure, Forfeit, IllegalAction
from components.core.seeds import stream_of
from components.evaluation.ledger import Ledger
from components.evaluation.result import GameRecord, MatchResult, version_of
from components.games.contract import PLAYERS, Game, Player, States
from components.games.players import RandomPlayer

OPENING_PLIES = 4  # even, so that both sides are served alike
OPENING_SHARE = 4  # at most a quarter of a game is drawn: 2 plies of tic-tac-toe
OPENING_KEY, PLAY_KEY = 0, 1  # keep the streams of openings apart from those of the players
DIGEST_CHARACTERS = 16


def play_match(
    game: Game, player: Player, opponent: Player, pairs: int, seed: int, slots: int = 64, *,
    names: tuple[str, str] = ("player", "opponent"), opening_plies: int | None = None, ledger: Ledger | None = None,
    until: Callable[[MatchResult], bool] | None = None, replays: int = 3, on_game: Callable[[GameRecord], None] | None = None,
) -> MatchResult:  # fmt: skip
    """Play `pairs` pairs of games, or fewer if `until` says so of the pairs so far, and tell how the player fared.

    Pair i starts both games from the same position; the player moves first in one and second in the other. Games that the ledger
    knows are not played again. The ledger knows players by their names: if what is behind a name may change (another net),
    the name must change too. `until` sees whole pairs in their order, so that quick games do not weigh more than long ones.
    """
    refuse_bad_numbers(pairs, seed, slots)
    plies = default_opening_plies(game) if opening_plies is None else opening_plies
    key = match_key(game, names, seed, plies)
    match = Match(game, (player, opponent), names, pairs, seed, plies, key, ledger, until, replays, on_game)
    match.run(slots)
    return match.result()


def refuse_bad_numbers(pairs: int, seed: int, slots: int) -> None:
    for name, number, least in (("pairs", pairs, 0), ("seed", seed, 0), ("slots", slots, 1)):
        if number < least:
            raise BadParameter(f"A match needs {name} of at least {least}, found {number}.")


def match_key(game: Game, names: tuple[str, str], seed: int, opening_plies: int) -> str:
    """What the games of a match have in common: by this the ledger finds them."""
    rules = f"{game.name} rules {game.spec.rules_version}"
    return f"{rules}, {names[0]} against {names[1]}, seed {seed}, opening {opening_plies}"


def default_opening_plies(game: Game) -> int:
    """None where setup draws the start position; else a few, or two deterministic players would play one game over and over."""
    return 0 if game.spec.draws else min(OPENING_PLIES, game.spec.max_plies // OPENING_SHARE)


def draw_opening(game: Game, start: int, plies: int) -> tuple[States, bytes, list[int]]:
    """([1] the position to play from, the start position's bytes, the uniformly drawn actions between them)."""
    streams = np.array([start], dtype=np.uint64)
    states = game.start_many(streams)
    start_bytes = states.tobytes()
    actions: list[int] = []
    while len(actions) < plies:
        action = int(RandomPlayer().choose(game, states, streams)[0])
        child = game.after(states[0], action)
        if game.returns(child) is not None:
            break  # an opening leaves something to play
        states[0] = child
        actions.append(action)
    return states, start_bytes, actions


@dataclass
class LiveGame:
    """What a table remembers of its game beside the position."""

    pair: int
    side: int
    start: int
    opening: int
    start_bytes: bytes
    actions: list[int]
    moves: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def digest(self) -> str:
        played = self.start_bytes + np.array(self.actions, dtype=np.int64).tobytes()
        return hashlib.sha256(played).hexdigest()[:DIGEST_CHARACTERS]


@dataclass
class Match:
    """A match in progress. Invariant: every game of the match is finished, at a table, in the queue, or void for good."""

    game: Game
    players: tuple[Player, Player]
    names: tuple[str, str]
    pairs: int
    seed: int
    opening_plies: int
    key: str
    ledger: Ledger | None
    until: Callable[[MatchResult], bool] | None
    replays: int
    on_game: Callable[[GameRecord], None] | None

    def __post_init__(self) -> None:
        known = self.ledger.finished(self.key) if self.ledger else {}
        wanted = [(pair, side) for pair in range(self.pairs) for side in range(PLAYERS)]
        self.finished = {slot: known[slot] for slot in wanted if slot in known}
        self.queue = [slot for slot in wanted if slot not in known]  # ascending, so already a heap
        self.attempts: Counter[tuple[int, int]] = Counter()
        self.voids: dict[tuple[int, int], str] = {}
        self.live: dict[int, LiveGame] = {}
        self.counted: list[GameRecord] = []  # of the settled pairs, in order
        self.settled_pairs = 0
        self.is_decided = False
        self.settle_pairs()

    def run(self, slots: int) -> None:
        if self.is_decided or not self.queue:
            return
        self.set_up_tables(min(slots, len(self.queue)))
        try:
            self.call_hooks("begin_games", self.game, len(self.states))
            while not self.is_decided and (self.queue or self.live):
                self.seat_games()
                self.play_ply()
        finally:
            self.call_hooks("close")

    def set_up_tables(self, count: int) -> None:
        self.states = self.game.new_states(count)
        self.streams = np.zeros((count, PLAYERS), dtype=np.uint64)  # one for each player: what one draws does not move the other
        self.legal = np.zeros((count, self.game.spec.max_legal), dtype=np.int32)
        self.counts = np.zeros(count, dtype=np.int32)
        self.results = np.zeros((count, PLAYERS), dtype=np.float32)
        self.over = np.zeros(count, dtype=np.bool_)

    def call_hooks(self, name: str, *arguments: Any) -> None:
        """Call an optional method once on each player; one who plays both sides is told once."""
        for player in {id(player): player for player in self.players}.values():
            hook = getattr(player, name, None)
            if hook is not None:
                hook(*arguments)

    def seat_games(self) -> None:
        """Put the next games of the queue at the free tables."""
        for table in range(len(self.states)):
            while table not in self.live and self.queue:
                pair, side = heapq.heappop(self.queue)
                self.live[table] = self.open_game(table, pair, side)
                try:
                    self.call_hooks("begin_game", table)
                except EngineFailure as failure:
                    self.void_game(table, str(failure))

    def open_game(self, table: int, pair: int, side: int) -> LiveGame:
        start = stream_of(self.seed, OPENING_KEY, pair)
        states, start_bytes, actions = draw_opening(self.game, start, self.opening_plies)
        self.states[table] = states[0]
        for who in range(PLAYERS):
            self.streams[table, who] = stream_of(self.seed, PLAY_KEY, pair, side, who)
        return LiveGame(pair, side, start, len(actions), start_bytes, actions)

    def play_ply(self) -> None:
        """Finish the games that are over, then one ply in each of the others."""
        rows = np.array(sorted(self.live), dtype=np.int64)
        self.game.kernels.describe_many(
            self.game.rules, self.states, rows, self.legal, self.counts, self.results, self.over
        )  # fmt: skip
        places = {int(table): place for place, table in enumerate(rows)}
        movers = {table: int(self.states[table].mover) for table in places}
        for table, place in places.items():
            if self.over[place]:
                self.finish_game(table, self.results[place])
        for who in range(PLAYERS):
            asked = [table for table, live in self.live.items() if movers[table] ^ live.side == who]
            self.advance(*self.ask(who, sorted(asked)), places)

    def ask(self, who: int, tables: list[int]) -> tuple[int, list[int], NDArray[np.int32]]:
        """(who, the tables where the player still plays, its action for each)."""
        while tables:
            streams = self.streams[tables, who]
            started = time.perf_counter()
            try:
                chosen = self.choose(who, tables, streams)
            except EngineFailure as failure:
                lost = {tables[row] for row in failure.rows} or set(tables)
                for table in lost:
                    self.void_game(table, f"{self.names[who]}: {failure}")
                tables = [table for table in tables if table not in lost]
            except Forfeit as forfeit:
                given_up = {tables[row] for row in forfeit.rows} or set(tables)
                for table in given_up:
                    self.finish_forfeit(who, table, f"{self.names[who]} {forfeit}")
                tables = [table for table in tables if table not in given_up]
            else:
                self.streams[tables, who] = streams
                self.note_time(who, tables, time.perf_counter() - started)
                return who, tables, np.asarray(chosen, dtype=np.int32)
        return who, [], np.zeros(0, dtype=np.int32)

    def choose(self, who: int, tables: list[int], streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        player, states = self.players[who], self.states[tables]
        choose_seated = getattr(player, "choose_seated", None)
        if choose_seated is None:
            return player.choose(self.game, states, streams)
        histories = [tuple(self.live[table].actions) for table in tables]
        return choose_seated(self.game, states, streams, np.array(tables), histories)

    def note_time(self, who: int, tables: list[int], seconds: float) -> None:
        for table in tables:
            self.live[table].moves[who] += 1
            self.live[table].seconds[who] += seconds / len(tables)

    def advance(self, who: int, tables: list[int], chosen: NDArray[np.int32], places: dict[int, int]) -> None:
        if not tables:
            return
        for table, action in zip(tables, chosen.tolist(), strict=True):
            place = places[table]
            if action not in self.legal[place, : self.counts[place]]:
                drawn = self.game.text.draw(self.game, self.states[table])
                raise IllegalAction(f"{self.names[who]} chose action {action} of {self.game.name}, not legal here:\n{drawn}")
            self.live[table].actions.append(action)
        rows = np.array(tables, dtype=np.int64)
        self.game.kernels.advance_many(self.game.rules, self.states, rows, rows, chosen)

    def finish_forfeit(self, who: int, table: int, reason: str) -> None:
        loser = who ^ self.live[table].side
        self.finish_game(table, np.array([-1.0, 1.0] if loser == 0 else [1.0, -1.0], dtype=np.float32), reason)

    def finish_game(self, table: int, returns: NDArray[np.float32], forfeit: str = "") -> None:
        record = self.record_of(self.live.pop(table), (float(returns[0]), float(returns[1])), forfeit=forfeit)
        self.report(record)
        self.finished[record.pair, record.side] = record
        self.attempts.clear()  # games do get finished: one that was unlucky several times in a row is tried on
        self.settle_pairs()

    def void_game(self, table: int, reason: str) -> None:
        """Take a game off its table, to be played again unless that was tried often enough."""
        live = self.live.pop(table)
        slot = (live.pair, live.side)
        self.attempts[slot] += 1
        self.report(self.record_of(live, (0.0, 0.0), reason))
        if self.attempts[slot] <= self.replays:
            heapq.heappush(self.queue, slot)
        else:
            self.voids[slot] = reason
            self.settle_pairs()

    def record_of(self, live: LiveGame, returns: tuple[float, float], void: str = "", forfeit: str = "") -> GameRecord:
        return GameRecord(
            self.key, live.pair, live.side, live.start, live.opening, tuple(live.actions), returns, live.digest(),
            (live.moves[0], live.moves[1]), (round(live.seconds[0], 6), round(live.seconds[1], 6)), void, forfeit,
            (version_of(self.players[0]), version_of(self.players[1])),
        )  # fmt: skip

    def report(self, record: GameRecord) -> None:
        if self.ledger:
            self.ledger.append(record)
        if self.on_game:
            self.on_game(record)

    def settle_pairs(self) -> None:
        """Count the pairs that are complete, in order and without a gap, until the match is decided."""
        while not self.is_decided and self.settled_pairs < self.pairs:
            slots = [(self.settled_pairs, side) for side in range(PLAYERS)]
            if not all(slot in self.finished or slot in self.voids for slot in slots):
                return
            self.settled_pairs += 1
            if all(slot in self.finished for slot in slots):
                self.counted += [self.finished[slot] for slot in slots]
                self.is_decided = self.until is not None and self.until(self.result())

    def result(self) -> MatchResult:
        voids = tuple(reason for slot, reason in sorted(self.voids.items()) if slot[0] < self.settled_pairs)
        return MatchResult(self.names, tuple(self.counted), voids)
