"""Games of a row: a paired match with its files and its progress line, and a player whose every move is timed."""

import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.evaluation.ledger import Ledger
from components.evaluation.match import default_opening_plies, match_key, play_match
from components.games.contract import Game, Player, States
from components.protocols.match_report import summary_of
from components.protocols.match_watch import TreeLedger, WatchedPlayer
from flows.match_command import LEDGER, TREES, Running
from flows.match_view import MatchView
from flows.papers.nets import Entrant

Pair = tuple[Player, Player]


def names_of(player: Entrant, opponent: Entrant) -> tuple[str, str]:
    is_same = player.label == opponent.label
    return player.label, f"{opponent.label} (again)" if is_same else opponent.label


def play_paired(
    game: Game, players: Pair, names: tuple[str, str], games: int, folder: Path, *, seed: int, slots: int, opening: int | None
) -> dict[str, Any]:  # fmt: skip
    """A match as `zeroline match` plays it; returns its numbers. A folder may hold the games of several matches."""
    watched = (WatchedPlayer(players[0]), WatchedPlayer(players[1]))
    trees, ledger = TreeLedger(folder / TREES), Ledger(folder / LEDGER)
    plies = default_opening_plies(game) if opening is None else opening
    with MatchView(game.name, games) as view:
        running = Running(names, ledger.finished(match_key(game, names, seed, plies)), view.show)
        result = play_match(
            game, *watched, games // 2, seed, slots, names=names, opening_plies=plies, ledger=ledger,
            on_game=lambda record: running.note(record, watched, trees),
        )  # fmt: skip
    spent = [round(sum(record.seconds[who] for record in result.records), 3) for who in (0, 1)]
    told = {"slots": min(slots, games), "player_seconds": spent[0], "opponent_seconds": spent[1]}
    return summary_of(game, result, trees) | told


class TimedPlayer(WatchedPlayer):
    """Plays as its player does, one game at a time, and notes the seconds of every choice after the first game.

    The first game loads the net and warms the caches; its times are nobody's.
    """

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self.games = 0
        self.choices: list[float] = []
        self.turns: list[float] = []
        self.mover: int | None = None  # of the turn in progress

    def begin_game(self, table: int) -> None:
        super().begin_game(table)
        self.games += 1
        self.mover = None

    def choose_seated(
        self, game: Game, states: States, streams: NDArray[np.uint64], tables: NDArray[np.int64],
        histories: list[tuple[int, ...]],
    ) -> NDArray[np.int32]:  # fmt: skip
        began = time.perf_counter()
        chosen = super().choose_seated(game, states, streams, tables, histories)
        if self.games > 1:
            self.note_seconds(time.perf_counter() - began, int(states[0].mover))
        return chosen

    def note_seconds(self, seconds: float, mover: int) -> None:
        self.choices.append(seconds)
        if mover != self.mover:
            self.turns.append(0.0)
        self.turns[-1] += seconds
        self.mover = mover

    def numbers(self) -> dict[str, Any]:
        return {
            "choices": len(self.choices), "turns": len(self.turns),
            **{f"{name}_per_choice": round(value, 6) for name, value in spread(self.choices).items()},
            **{f"{name}_per_turn": round(value, 6) for name, value in spread(self.turns).items()},
        }  # fmt: skip


def spread(seconds: list[float]) -> dict[str, float]:
    """Seconds in four numbers; the slowest tells what a person waits for."""
    values = np.array(seconds or [0.0])
    return {
        "mean": float(values.mean()), "median": float(np.median(values)),
        "slow": float(np.percentile(values, 95)), "slowest": float(values.max()),
    }  # fmt: skip
