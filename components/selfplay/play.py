"""Play a shard: many games in lock-step in one forest; a slot whose search is done moves on at once, so batches stay full.

Called by the workers of the generate stage. Promises that a game depends on its key, the net and the parameters only.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from components.core.seeds import draw_below, draw_unit, stream_of
from components.games.contract import Game, State
from components.search.config import SearchConfig
from components.search.evaluators import Evaluator
from components.search.forest import Clock, Forest, planned_size
from components.selfplay.config import SelfplayConfig
from components.selfplay.record import GameKey, GameRecord, PlyRecord
from components.selfplay.recorded import ending_of

FULL, FAST = 0, 1


@dataclass
class Seat:
    """A game under way in one slot."""

    key: GameKey
    state: State
    stream: int
    plies: list[PlyRecord] = field(default_factory=list)
    is_full: bool = True


@dataclass(frozen=True)
class Progress:
    """What a shard has done so far; clock says where the time went."""

    games_done: int
    games: int
    positions: int
    clock: Clock


def planned_memory(game: Game, search: SearchConfig, config: SelfplayConfig) -> str:
    """What the trees of a shard will take, in words."""
    return planned_size(game, search, min(config.slots, config.games_of_shard(0)), config.budgets_of(search))


class ShardPlay:
    """All games of one shard, from the first start position to the last result."""

    def __init__(
        self, game: Game, evaluator: Evaluator, search: SearchConfig, config: SelfplayConfig, keys: list[GameKey]
    ) -> None:
        self.game, self.search, self.config = game, search, config
        self.waiting = list(reversed(keys))
        self.games, self.done, self.positions = len(keys), [], 0  # type: tuple[int, list[GameRecord], int]
        slots = min(config.slots, len(keys))
        self.forest = Forest(game, evaluator, search, slots, config.budgets_of(search))
        self.seats: list[Seat | None] = [None] * slots

    def run(self, on_progress: Callable[[Progress], None] = lambda progress: None) -> list[GameRecord]:
        """Play to the end; the records come in the order of their keys."""
        for slot in range(len(self.seats)):
            self._seat_next(slot)
        while any(self.seats):
            self.forest.run_round()
            for slot in self.forest.done_slots():
                if self.seats[slot] is not None:
                    self._finish_ply(int(slot))
            on_progress(Progress(len(self.done), self.games, self.positions, self.forest.clock))
        return sorted(self.done, key=lambda record: record.key.game)

    def _seat_next(self, slot: int) -> None:
        """Begin the next waiting game here; a game that is over before its first choice has nothing to tell."""
        self.seats[slot] = None
        self.forest.arrays.trees[slot].goal = 0
        while self.waiting:
            key = self.waiting.pop()
            stream = np.array([stream_of(key.seed, key.generation, key.shard, key.game)], dtype=np.uint64)
            state = self.game.start_many(stream)[0]
            self._play_opening(state, stream)
            seat = Seat(key, state, int(stream[0]))
            if self.game.returns(state) is None:
                self.seats[slot] = seat
                self.forest.plant(slot, state)
                self._aim(slot, seat)
                return
            self.done.append(GameRecord(key, [], self._returns(state), "rules"))

    def _play_opening(self, state: State, stream: Any) -> None:
        """A few random plies, their number drawn too, so that games of a fixed start position differ."""
        if self.config.opening_plies == 0:
            return
        for _ in range(draw_below(stream, 0, self.config.opening_plies + 1)):
            legal = self.game.legal(state)
            if len(legal) == 0:
                return
            self.game.kernels.apply(self.game.rules, state, legal[draw_below(stream, 0, len(legal))])

    def _aim(self, slot: int, seat: Seat) -> None:
        """Playout-cap randomisation: a full search teaches, a fast one only carries the game on, without noise."""
        stream = np.array([seat.stream], dtype=np.uint64)
        seat.is_full = self.config.full_share >= 1 or bool(draw_unit(stream, 0) < self.config.full_share)
        is_noisy = seat.is_full and self.search.is_noisy_at(int(seat.state.ply))
        self.forest.aim(slot, int(stream[0]), FULL if seat.is_full else FAST, is_noisy)

    def _finish_ply(self, slot: int) -> None:
        seat = self.seats[slot]
        assert seat is not None
        insight = self.forest.insight(slot)
        edge = self.forest.choose(slot, self.search.temperature_at(int(seat.state.ply)))
        action = self.forest.action_of(slot, edge)
        seat.plies.append(
            PlyRecord(
                ply=int(seat.state.ply),
                mover=int(seat.state.mover),
                state=seat.state.tobytes(),
                actions=insight.actions,
                visits=insight.visits,
                policy=insight.policy,
                value=insight.value,
                prior_entropy=insight.prior_entropy,
                depth=insight.depth,
                breadth=insight.breadth,
                action=action,
                is_full=seat.is_full,
            )
        )
        self.positions += 1
        seat.stream = int(self.forest.streams[slot])
        self.game.kernels.apply(self.game.rules, seat.state, action)
        self._go_on(slot, seat, edge)

    def _go_on(self, slot: int, seat: Seat, edge: int) -> None:
        if self.game.returns(seat.state) is not None:
            self.done.append(GameRecord(seat.key, seat.plies, self._returns(seat.state), ending_of(self.game, seat.state)))
            self._seat_next(slot)
            return
        if not self.forest.keep(slot, edge):
            self.forest.plant(slot, seat.state)
        self._aim(slot, seat)

    def _returns(self, state: State) -> tuple[float, float]:
        returns = self.game.returns(state)
        assert returns is not None
        return float(returns[0]), float(returns[1])
