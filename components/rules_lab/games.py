"""A played game as the measurements read it: who chose when, among how many, what the search thought, how it ended.

Made from self-play's records. The measurements are pure functions over lists of these, so that a test can write games by hand.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from components.games.contract import Game, State
from components.rules_lab.classes import action_kind, is_capped, margin_of, position_key
from components.selfplay.record import GameRecord

OPENING_TURNS = 2  # one of each player
Turn = tuple[int, ...]


@dataclass(frozen=True)
class LabGame:
    """One game. Values per ply have one entry for every choice, in order."""

    first: int  # the player who moved first
    returns: tuple[float, float]  # for player 0 and player 1
    movers: tuple[int, ...]
    choices: tuple[int, ...]  # legal actions
    values: tuple[float, ...]  # what the search expected, for the mover
    kinds: tuple[str, ...]  # what sort of action was chosen; empty where it only carried out an earlier choice
    opening: tuple[Turn, ...]  # the first turns, turned to a common form where the start position is symmetric
    opening_name: str  # the first action as a person would say it; its kind where start positions are drawn
    positions: tuple[bytes, ...]  # at the start of each turn, clocks left out
    is_capped: bool  # the length limit ended it
    margin: float | None  # of player 0, in the game's own count
    digest: str  # of the start position and all actions

    @property
    def plies(self) -> int:
        return len(self.movers)

    @property
    def winner(self) -> int | None:
        """None for a draw. The sign decides: a win by a small margin is a win."""
        return None if self.returns[0] == self.returns[1] else int(self.returns[1] > self.returns[0])

    @property
    def first_points(self) -> float:
        """The first player's points: 1, half or 0."""
        return 0.5 if self.winner is None else float(self.winner == self.first)

    @property
    def turns(self) -> list[slice]:
        """Consecutive plies of one player."""
        found, begin = [], 0
        for _, plies in groupby(self.movers):
            length = len(list(plies))
            found.append(slice(begin, begin + length))
            begin += length
        return found

    def value_for(self, player: int) -> list[float]:
        return [value if mover == player else -value for value, mover in zip(self.values, self.movers, strict=True)]


def tell_games(game: Game, records: Iterable[GameRecord]) -> list[LabGame]:
    """Self-play's records as the lab reads them."""
    maps_by_start: dict[bytes, NDArray[np.int32]] = {}
    told = []
    for record in records:
        start = record.plies[0].state
        if start not in maps_by_start:
            maps_by_start[start] = symmetries_of(game, state_of(game, start))
        told.append(tell_game(game, record, maps_by_start[start]))
    return told


def tell_game(game: Game, record: GameRecord, maps: NDArray[np.int32]) -> LabGame:
    states = [state_of(game, ply.state) for ply in record.plies]
    final = game.after(states[-1], record.plies[-1].action)
    movers = tuple(ply.mover for ply in record.plies)
    actions = [ply.action for ply in record.plies]
    starts = [place for place in range(len(movers)) if place == 0 or movers[place] != movers[place - 1]]
    played = record.plies[0].state + np.array(actions, dtype=np.int64).tobytes()
    kinds = tuple(action_kind(game, state, action) for state, action in zip(states, actions, strict=True))
    opening = common_form(actions, starts, maps)
    return LabGame(
        first=movers[0],
        returns=record.returns,
        movers=movers,
        choices=tuple(len(ply.actions) for ply in record.plies),
        values=tuple(float(ply.value) for ply in record.plies),
        kinds=kinds,
        opening=opening,
        # On a board that was drawn, the same cell is another opening in every game.
        opening_name=kinds[0] if game.spec.draws else opening_name(game, states[0], opening[0][0], maps),
        positions=tuple(position_key(game, states[place]) for place in starts),
        is_capped=is_capped(game, final),
        margin=margin_of(game, final),
        digest=hashlib.sha256(played).hexdigest()[:16],
    )


def state_of(game: Game, content: bytes) -> State:
    states = game.new_states(1)
    states[:] = np.frombuffer(content, dtype=game.state_dtype)
    return states[0]


def symmetries_of(game: Game, start: State) -> NDArray[np.int32]:
    """[n, actions] the action maps of all symmetries that leave the start position as it is; the first changes nothing."""
    spec = game.spec
    if not spec.has_policy:
        return np.arange(spec.actions, dtype=np.int32)[None]  # numbered results do not turn with the board
    planes = game.encode(start).reshape(spec.planes, spec.cells)
    kept = [place for place, cells in enumerate(spec.cell_maps) if np.array_equal(planes[:, np.argsort(cells)], planes)]
    return spec.action_maps[kept]


def common_form(actions: list[int], starts: list[int], maps: NDArray[np.int32]) -> tuple[Turn, ...]:
    """The first turns as the smallest of their mirror images: mirrored openings are one opening."""
    ends = [*starts, len(actions)]
    count = min(OPENING_TURNS, len(starts))
    turned = maps[:, actions[: ends[count]]].tolist()
    best = min(turned)
    return tuple(tuple(best[ends[turn] : ends[turn + 1]]) for turn in range(count))


def opening_name(game: Game, start: State, action: int, maps: NDArray[np.int32]) -> str:
    """The first choice, and how many mirror images stand behind the name."""
    alike = len(np.unique(maps[:, action]))
    return game.text.action_name(game, start, action) + (f" ({alike} places alike)" if alike > 1 else "")
