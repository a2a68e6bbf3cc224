"""Play games in which one player always moves first: the 9x9 report's tables, and what the first move is worth.

Called by the tables of the reports. Promises what match.py does: a game depends on the players, the seed and its number only,
and games that the ledger knows are not played again. Sides are not swapped, so a score here is no measure of strength.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from components.evaluation.ledger import Ledger
from components.evaluation.match import Match, default_opening_plies, match_key, refuse_bad_numbers
from components.evaluation.result import GameRecord
from components.evaluation.statistics import Interval, wilson_interval
from components.games.contract import Game, Player

FIRST = 0


@dataclass(frozen=True)
class OneSidedResult:
    """The games of a player who moved first in all of them."""

    names: tuple[str, str]  # the first player, the second
    records: tuple[GameRecord, ...]
    voids: tuple[str, ...] = ()  # why games were left out for good

    @property
    def games(self) -> int:
        return len(self.records)

    @property
    def score(self) -> float:
        """Half a point for a draw; one half when nothing was played."""
        return sum(record.points for record in self.records) / (2 * self.games) if self.games else 0.5

    @property
    def distinct_games(self) -> int:
        return len({record.digest for record in self.records})

    @property
    def interval(self) -> Interval:
        """95 % interval of the score. A game played twice proves nothing twice: only distinct ones are counted."""
        return wilson_interval(self.score, self.distinct_games)

    @property
    def seconds_per_move(self) -> tuple[float, float]:
        spent = [sum(record.seconds[who] for record in self.records) for who in (0, 1)]
        moves = [sum(record.moves[who] for record in self.records) for who in (0, 1)]
        return spent[0] / max(1, moves[0]), spent[1] / max(1, moves[1])

    def to_dict(self) -> dict[str, Any]:
        points = [record.points for record in self.records]
        return {
            "player": self.names[0], "opponent": self.names[1], "games": self.games,
            "wins": points.count(2), "draws": points.count(1), "losses": points.count(0),
            "score": self.score, "interval": list(self.interval), "distinct_games": self.distinct_games,
            "void_games": len(self.voids), "void_reasons": sorted(set(self.voids)),
        }  # fmt: skip


class OneSidedMatch(Match):
    """A match without the games in which the player moves second."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.finished = {slot: record for slot, record in self.finished.items() if slot[1] == FIRST}
        self.queue = [slot for slot in self.queue if slot[1] == FIRST]

    def settle_pairs(self) -> None:
        """There are no pairs, and nothing that could be decided early."""

    def one_sided_result(self) -> OneSidedResult:
        records = tuple(record for _, record in sorted(self.finished.items()))
        return OneSidedResult(self.names, records, tuple(reason for _, reason in sorted(self.voids.items())))


def play_one_sided(
    game: Game, player: Player, opponent: Player, games: int, seed: int, slots: int = 64, *,
    names: tuple[str, str] = ("player", "opponent"), opening_plies: int | None = None, ledger: Ledger | None = None,
    replays: int = 3, on_game: Callable[[GameRecord], None] | None = None,
) -> OneSidedResult:  # fmt: skip
    """Play `games` games, the player first in each. Names, ledger and replays are those of play_match."""
    refuse_bad_numbers(games, seed, slots)
    plies = default_opening_plies(game) if opening_plies is None else opening_plies
    key = one_sided_key(game, names, seed, plies)
    match = OneSidedMatch(game, (player, opponent), names, games, seed, plies, key, ledger, None, replays, on_game)
    match.run(slots)
    return match.one_sided_result()


def one_sided_key(game: Game, names: tuple[str, str], seed: int, opening_plies: int) -> str:
    """Games of a paired match between the same players are others: their streams belong to a side."""
    return f"{match_key(game, names, seed, opening_plies)}, one-sided"
