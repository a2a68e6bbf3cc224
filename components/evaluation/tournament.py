"""Many players, one table: who plays whom next, the crosstable and the ratings.

Called once per experiment. Promises that the result is a pure function of players, parameters and seed: the ledger only
remembers games, so a killed tournament ends as an undisturbed one, and a player added later costs its own games only.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadParameter
from components.core.seeds import stream_of
from components.evaluation.config import TournamentConfig
from components.evaluation.ledger import Ledger
from components.evaluation.match import play_match
from components.evaluation.rating import Pairing, Rating, expected_scores, fit_strengths, rate_players
from components.evaluation.result import GameRecord, MatchResult
from components.games.contract import Game, Player, States

GAIN_DIGITS = 9  # gains that agree so far are equal: the last bits depend on the machine's algebra library
Names = tuple[str, str]
Event = dict[str, Any]


@dataclass(frozen=True)
class TournamentResult:
    """All matches of a tournament, by (player, opponent) in alphabetical order, and the ratings that explain them."""

    names: tuple[str, ...]
    anchor: str
    matches: Mapping[Names, MatchResult]

    @cached_property
    def ratings(self) -> list[Rating]:
        """The strongest first."""
        return rate_players(self.names, pairings_of(self.matches), self.anchor)

    def points(self, player: str, opponent: str) -> tuple[float, int]:
        """(points, games) of one player against another."""
        if (player, opponent) in self.matches:
            result = self.matches[player, opponent]
            return result.points, result.games
        result = self.matches.get((opponent, player), MatchResult((opponent, player), ()))
        return result.games - result.points, result.games

    def crosstable_rows(self) -> list[list[str]]:
        """A header, then a row for each player, the strongest first: rating, interval, games, score, points/games by opponent."""
        order = [rating.name for rating in self.ratings]
        header = ["player", "elo", "low", "high", "games", "score", *order]
        return [header, *(self.crosstable_row(rating, order) for rating in self.ratings)]

    def crosstable_row(self, rating: Rating, order: list[str]) -> list[str]:
        score = f"{rating.points / rating.games:.3f}" if rating.games else ""
        numbers = [f"{rating.elo:.0f}", f"{rating.low:.0f}", f"{rating.high:.0f}", str(rating.games), score]
        return [rating.name, *numbers, *(self.cell(rating.name, opponent) for opponent in order)]

    def cell(self, player: str, opponent: str) -> str:
        points, games = self.points(player, opponent)
        return f"{points:g}/{games}" if games else ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the same values on every run."""
        return {
            "anchor": self.anchor,
            "ratings": [rating.to_dict() for rating in self.ratings],
            "matches": [result.to_dict() for _, result in sorted(self.matches.items())],
            "crosstable": self.crosstable_rows(),
        }


def pairings_of(matches: Mapping[Names, MatchResult]) -> list[Pairing]:
    return [Pairing(*names, result.points, result.games) for names, result in sorted(matches.items()) if result.games]


def run_tournament(
    game: Game, entries: Mapping[str, Callable[[], Player]], config: TournamentConfig, seed: int, ledger: Path | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> TournamentResult:  # fmt: skip
    """Play config.pairs pairs where they teach most about the ratings.

    A player is made when its first game is due. The ledger knows players by their names: put a net's digest into its name.
    `on_event` gets {"event": "tournament_game", ...} after every game and {"event": "tournament_ratings", ...} after every batch.
    """
    refuse_bad_entries(list(entries), config.anchor)
    tournament = Tournament(game, entries, config, seed, Ledger(ledger) if ledger else None, on_event)
    while tournament.pairs_left > 0:
        tournament.play_batch(tournament.pick_pairing())
    return tournament.result()


def refuse_bad_entries(names: list[str], anchor: str) -> None:
    if len(names) < 2:
        raise BadParameter(f"A tournament needs two players or more, found {', '.join(names) or 'none'}. Enter another one.")
    if anchor not in names:
        raise BadParameter(
            f"The anchor '{anchor}' is not entered; the players are {', '.join(names)}. Enter it or name one of them."
        )


class LazyPlayer:
    """Makes its player when the first game really has to be played: a remembered tournament loads no net."""

    def __init__(self, make: Callable[[], Player]) -> None:
        self.make = make
        self.made: Player | None = None

    def player(self) -> Player:
        if self.made is None:
            self.made = self.make()
        return self.made

    def __getattr__(self, name: str) -> Any:
        """The optional hooks are the player's own, if it has them."""
        return getattr(self.player(), name)

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        return self.player().choose(game, states, streams)


class Tournament:
    """A tournament in progress: the pairs asked of every pairing and what they gave."""

    def __init__(
        self, game: Game, entries: Mapping[str, Callable[[], Player]], config: TournamentConfig, seed: int,
        ledger: Ledger | None, on_event: Callable[[Event], None] | None,
    ) -> None:  # fmt: skip
        self.game, self.config, self.seed, self.ledger = game, config, seed, ledger
        self.on_event = on_event or (lambda event: None)
        # Alphabetical: the order in which players were entered must not change a game.
        self.names = tuple(sorted(entries))
        self.players = {name: LazyPlayer(entries[name]) for name in self.names}
        self.pairs = dict.fromkeys(combinations(self.names, 2), 0)
        self.matches: dict[Names, MatchResult] = {}

    @property
    def pairs_left(self) -> int:
        return self.config.pairs - sum(self.pairs.values())

    def pick_pairing(self) -> Names:
        """The pairing to play next: the least played one below the minimum, then the one that teaches most."""
        lacking = [names for names in self.owed if self.pairs[names] < self.config.min_pairs]
        if lacking or not self.matches:
            # Games against the anchor come first among equals: they tie everybody to it, even on a small budget.
            return min(lacking or self.pairs, key=lambda names: (self.pairs[names], self.config.anchor not in names, names))
        return self.most_telling_pairing()

    @cached_property
    def owed(self) -> list[Names]:
        """The pairings that get their minimum: all, or if the budget is too small for that those with the anchor.

        Of twenty champions most pairings teach nothing; in order of names the budget would end before the best had met.
        """
        is_enough = len(self.pairs) * self.config.min_pairs <= self.config.pairs
        return [names for names in self.pairs if is_enough or self.config.anchor in names]

    def most_telling_pairing(self) -> Names:
        """Where one more batch is expected to shrink the summed variance of the ratings most.

        Games of weight w between i and j change the covariance C by -w*(C d)(C d)'/(1 + w d'C d), with d = e_i - e_j.
        """
        fit = fit_strengths(self.names, pairings_of(self.matches), self.config.anchor)
        expected = expected_scores(fit.values)
        gains = []
        for i, j in combinations(range(len(self.names)), 2):
            weight = 2 * self.config.batch_pairs * expected[i, j] * expected[j, i]
            shift = fit.covariance[:, i] - fit.covariance[:, j]
            gain = weight * (shift @ shift) / (1.0 + weight * (shift[i] - shift[j]))
            gains.append(0.0 if self.is_failing((self.names[i], self.names[j])) else gain)
        relative = np.round(np.array(gains) / max(max(gains), 1e-300), GAIN_DIGITS)
        return list(self.pairs)[int(np.argmax(relative))]

    def is_failing(self, names: Names) -> bool:
        """Whether most games of a pairing were void: an engine that cannot play must not swallow the budget."""
        return names in self.matches and 2 * self.matches[names].pairs < self.pairs[names]

    def play_batch(self, names: Names) -> None:
        """Bring a pairing to its next number of pairs; the games played before come from memory."""
        wanted = (
            self.config.min_pairs if self.pairs[names] < self.config.min_pairs else self.pairs[names] + self.config.batch_pairs
        )
        self.pairs[names] = min(wanted, self.pairs[names] + self.pairs_left)
        self.matches[names] = play_match(
            self.game, self.players[names[0]], self.players[names[1]], self.pairs[names], seed_of(self.seed, names),
            self.config.slots, names=names, opening_plies=self.config.opening_plies, ledger=self.memory,
            replays=self.config.replays, on_game=lambda record: self.note_game(names, record),
        )  # fmt: skip
        self.on_event({"event": "tournament_ratings", "pairs_left": self.pairs_left, "ratings": self.rating_dicts()})

    @cached_property
    def memory(self) -> Ledger:
        return self.ledger or MemoryLedger()

    def note_game(self, names: Names, record: GameRecord) -> None:
        points = None if record.void else record.points / 2
        self.on_event({
            "event": "tournament_game", "player": names[0], "opponent": names[1], "points": points, "void": record.void,
            "pairs_left": self.pairs_left,
        })  # fmt: skip

    def rating_dicts(self) -> list[dict[str, Any]]:
        return [rating.to_dict() for rating in self.result().ratings]

    def result(self) -> TournamentResult:
        return TournamentResult(self.names, self.config.anchor, dict(self.matches))


class MemoryLedger(Ledger):
    """Remembers for as long as the process lives; nothing is written."""

    def __init__(self) -> None:
        self.records: list[GameRecord] = []

    def append(self, record: GameRecord) -> None:
        self.records.append(record)


def seed_of(seed: int, names: Names) -> int:
    """The seed of a match, from the names alone: it stays the same when players are added."""
    digest = hashlib.sha256("\0".join(names).encode()).digest()
    return stream_of(seed, int.from_bytes(digest[:8], "big"))
