"""One game and one match as plain values: what happened, what it proves, and both as JSON.

Made by match.py, kept by ledger.py, read by gates, tournaments and reports. Promises that everything but the seconds is a pure
function of the players, the game and the seed, so that `to_dict` gives the same bytes on every run.
"""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from components.core.errors import BadFile
from components.evaluation.statistics import Interval, elo_of_score, pentanomial_interval, wilson_interval
from components.games.contract import Game, Player, State

WIN, DRAW, LOSS = 2, 1, 0  # in half points, so that sums stay exact


@dataclass(frozen=True)
class GameRecord:
    """One game of a match between `player` and `opponent`; a void game has a reason and counts for nothing.

    `game.start_many([start])` followed by all actions plays it again.
    """

    match: str  # which match it belongs to: game, rules version, names, seed, opening
    pair: int
    side: int  # whom the player was in this game: 0 moves first
    start: int  # the stream that the start position and the opening were drawn from
    opening: int  # how many of the actions were drawn before the players took over
    actions: tuple[int, ...]
    returns: tuple[float, float]  # for the side that moved first, for the other
    digest: str  # of the start position and the actions: equal games have equal digests
    moves: tuple[int, int]  # chosen by the player, by the opponent
    seconds: tuple[float, float]  # that they thought, each its share of every batch
    void: str = ""
    forfeit: str = ""  # why the loser lost before the rules said so: it resigned or broke them
    versions: tuple[str, str] = ("", "")  # what the player and the opponent call themselves, if they are outside programs

    @property
    def plies(self) -> int:
        return len(self.actions)

    @property
    def points(self) -> int:
        """The player's half points. The sign decides: a win by a small margin is a win."""
        own = self.returns[self.side]
        return WIN if own > 0 else LOSS if own < 0 else DRAW

    @property
    def first_mover_points(self) -> int:
        return self.points if self.side == 0 else WIN - self.points

    def to_line(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_line(cls, line: str) -> "GameRecord":
        try:
            values: dict[str, Any] = json.loads(line, object_hook=tuples_for_lists)
            return cls(**values)
        except (ValueError, TypeError, AttributeError):
            needed = ", ".join(field.name for field in fields(cls))
            raise BadFile(f"Not a game record: need one JSON object with {needed}, found {line[:80]!r}.") from None


def tuples_for_lists(values: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


def positions_of(game: Game, record: GameRecord) -> list[State]:
    """Every position of a recorded game, the start first."""
    positions = [game.start_many(np.array([record.start], dtype=np.uint64))[0]]
    for action in record.actions:
        positions.append(game.after(positions[-1], action))
    return positions


def version_of(player: Player) -> str:
    """What an outside program calls itself; empty for a player of ours, whose name says it all."""
    return getattr(player, "version", "")


def versions_of(records: Sequence[GameRecord]) -> list[str]:
    """[2] of player and opponent; several if a program was exchanged while a match was interrupted."""
    return ["; ".join(sorted({record.versions[who] for record in records} - {""})) for who in (0, 1)]


@dataclass(frozen=True)
class MatchResult:
    """A match as its player saw it. Only pairs count of which both games were finished."""

    names: tuple[str, str]  # player, opponent
    records: tuple[GameRecord, ...]  # by pair, the player's game as first mover before the other
    voids: tuple[str, ...] = ()  # why games were left out for good

    @property
    def games(self) -> int:
        return len(self.records)

    @property
    def pairs(self) -> int:
        return self.games // 2

    @cached_property
    def tally(self) -> Counter[int]:
        return Counter(record.points for record in self.records)

    @property
    def wins(self) -> int:
        return self.tally[WIN]

    @property
    def draws(self) -> int:
        return self.tally[DRAW]

    @property
    def losses(self) -> int:
        return self.tally[LOSS]

    @property
    def points(self) -> float:
        # Half a point for a draw, as a match score; dropping draws would let 2 wins in 40 games promote a net.
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points per game; one half when nothing was played."""
        return self.points / self.games if self.games else 0.5

    @cached_property
    def pair_counts(self) -> tuple[int, ...]:
        """[5] how many pairs brought 0 to 4 half points."""
        both = zip(self.records[::2], self.records[1::2], strict=True)
        counts = Counter(first.points + second.points for first, second in both)
        return tuple(counts[half_points] for half_points in range(5))

    @property
    def distinct_games(self) -> int:
        return len({record.digest for record in self.records})

    @property
    def first_player_score(self) -> float:
        """The score of whoever moved first; above one half the first move is worth something."""
        return sum(record.first_mover_points for record in self.records) / (2 * self.games) if self.games else 0.5

    @property
    def mean_plies(self) -> float:
        return sum(record.plies for record in self.records) / self.games if self.games else 0.0

    @property
    def wilson(self) -> Interval:
        """95 % interval of the score, as if all games were independent."""
        return wilson_interval(self.score, self.games)

    @property
    def interval(self) -> Interval:
        """95 % interval of the score from the pairs: the one to quote."""
        return pentanomial_interval(self.pair_counts)

    @property
    def elo(self) -> float:
        return elo_of_score(self.score)

    @property
    def elo_interval(self) -> Interval:
        low, high = self.interval
        return elo_of_score(low), elo_of_score(high)

    @property
    def seconds_per_move(self) -> tuple[float, float]:
        """Thinking time of player and opponent. Not part of to_dict: no two runs agree on it."""
        spent = [sum(record.seconds[who] for record in self.records) for who in (0, 1)]
        moves = [sum(record.moves[who] for record in self.records) for who in (0, 1)]
        return spent[0] / max(1, moves[0]), spent[1] / max(1, moves[1])

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the same values on every run. An infinite Elo is None."""
        return {
            "player": self.names[0], "opponent": self.names[1],
            "games": self.games, "pairs": self.pairs, "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "score": self.score, "interval": list(self.interval), "wilson": list(self.wilson),
            "elo": finite(self.elo), "elo_interval": [finite(end) for end in self.elo_interval],
            "pair_counts": list(self.pair_counts), "distinct_games": self.distinct_games,
            "first_player_score": self.first_player_score, "mean_plies": self.mean_plies,
            "void_games": len(self.voids), "void_reasons": sorted(set(self.voids)),
        }  # fmt: skip


def finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None
