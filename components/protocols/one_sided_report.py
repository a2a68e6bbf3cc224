"""The numbers of the 9x9 report's tables: win rate, margins, length, how deep and how broad the search went, seconds per game.

Called by `python -m flows papers`. Medians over games, as the report's code took them.
"""

from pathlib import Path
from typing import Any

import numpy as np

from components.evaluation.ledger import Ledger
from components.evaluation.one_sided import OneSidedResult, play_one_sided
from components.evaluation.result import GameRecord, versions_of
from components.games.contract import Game, Player
from components.protocols.match_report import margin_of, median
from components.protocols.match_watch import TreeLedger, WatchedPlayer

LEDGER, TREES = "games.jsonl", "trees.jsonl"
FAR_MARGIN = 90  # percentile; Table 2 of the report


def play_table_line(
    game: Game, players: tuple[Player, Player], names: tuple[str, str], games: int, *, seed: int = 1, slots: int = 64,
    opening_plies: int | None = None, folder: Path | None = None, on_game: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """One line of a table; with a folder it goes on where a kill left it."""
    watched = (WatchedPlayer(players[0]), WatchedPlayer(players[1]))
    trees = TreeLedger(folder / TREES if folder else None)
    ledger = Ledger(folder / LEDGER) if folder else None

    def note(record: GameRecord) -> None:
        if not record.void:
            trees.append(record, [one.facts_of(record) for one in watched])
        if on_game:
            on_game(record)

    result = play_one_sided(
        game, *watched, games, seed, slots, names=names, opening_plies=opening_plies, ledger=ledger, on_game=note
    )
    return table_line(game, result, trees)


def table_line(game: Game, result: OneSidedResult, trees: TreeLedger) -> dict[str, Any]:
    records, seconds = result.records, result.seconds_per_move
    facts = [trees.of(record)[0] for record in records]
    margins = [margin for margin in (margin_of(game, record) for record in records) if margin is not None]
    return {
        "game": game.name,
        **result.to_dict(),
        "versions": versions_of(records),
        "median_margin": median(margins),
        "far_margin": float(np.percentile(margins, FAR_MARGIN)) if margins else None,
        "median_plies": median([record.plies for record in records]),
        "median_depth": median([fact.depth if fact else None for fact in facts]),
        "median_least_breadth": median([fact.least_breadth if fact else None for fact in facts]),
        "median_seconds_per_game": median([sum(record.seconds) for record in records]),
        "player_seconds_per_move": round(seconds[0], 6),
        "opponent_seconds_per_move": round(seconds[1], 6),
    }
