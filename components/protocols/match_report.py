"""A finished match as files: numbers as JSON, a line a game as CSV, every game as SGF or as text.

Called by `zeroline match` and `zeroline ladder`. Everything is made from the ledger's records, so a resumed match writes the
same files as one that was never interrupted.
"""

import csv
import io
import re
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from components.core.files import write_json, write_text
from components.evaluation.result import GameRecord, MatchResult, positions_of, versions_of
from components.games.contract import Game, State
from components.protocols.match_watch import TreeFacts, TreeLedger
from components.protocols.sgf import write_sgf
from components.protocols.sgf_games import sgf_of_match_game

COLUMNS = (
    "pair", "player_side", "player_points", "margin", "plies", "player_seconds", "opponent_seconds", "depth", "least_breadth",
    "most_breadth", "end", "digest",
)  # fmt: skip


def margin_of(game: Game, record: GameRecord) -> float | None:
    """By how much the player won, in the game's own count; None where there is none to count."""
    counters: dict[str, Callable[[Game, State], float]] = {"go": go_margin, "golad": golad_margin}
    if record.void or record.forfeit or game.family not in counters:
        return None
    margin = counters[game.family](game, positions_of(game, record)[-1])
    return margin if record.side == 0 else -margin


def go_margin(game: Game, state: State) -> float:
    from components.games.go.score import score

    return float(score(game.rules, state))


def golad_margin(game: Game, state: State) -> float:
    from components.games.golad.life import count_cells

    return float(count_cells(state.cells, 0) - count_cells(state.cells, 1))


def median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def summary_of(game: Game, result: MatchResult, trees: TreeLedger) -> dict[str, Any]:
    """The match's numbers: score with its interval, and the 9x9 report's medians over games."""
    records = result.records
    facts = [trees.of(record)[0] for record in records]
    seconds = result.seconds_per_move
    return {
        "game": game.name,
        **result.to_dict(),
        "versions": versions_of(records),
        "forfeits": sum(bool(record.forfeit) for record in records),
        "median_margin": median([margin_of(game, record) for record in records]),
        "median_plies": median([record.plies for record in records]),
        "median_depth": median([fact.depth if fact else None for fact in facts]),
        "median_least_breadth": median([fact.least_breadth if fact else None for fact in facts]),
        "median_most_breadth": median([fact.most_breadth if fact else None for fact in facts]),
        "median_player_seconds_per_game": median([record.seconds[0] for record in records]),
        "player_seconds_per_move": round(seconds[0], 6),
        "opponent_seconds_per_move": round(seconds[1], 6),
    }


def games_csv(game: Game, result: MatchResult, trees: TreeLedger) -> str:
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in result.records:
        writer.writerow(game_row(game, record, trees.of(record)[0]))
    return sink.getvalue()


def game_row(game: Game, record: GameRecord, facts: TreeFacts | None) -> list[Any]:
    trees = [facts.depth, round(facts.least_breadth, 4), round(facts.most_breadth, 4)] if facts else ["", "", ""]
    margin = margin_of(game, record)
    return [
        record.pair, record.side, record.points / 2, "" if margin is None else margin, record.plies, *record.seconds, *trees,
        record.forfeit or "rules", record.digest,
    ]  # fmt: skip


def write_match(folder: Path, game: Game, result: MatchResult, summary: dict[str, Any], trees: TreeLedger) -> None:
    """result.json, games.csv and a file for each game."""
    write_json(folder / "result.json", summary)
    write_text(folder / "games.csv", games_csv(game, result, trees))
    for record in result.records:
        name = f"{record.pair + 1:04d}-{'first' if record.side == 0 else 'second'}"
        if game.family == "go":
            write_text(folder / "sgf" / f"{name}.sgf", write_sgf(sgf_of_match_game(game, record, result.names)))
        else:
            write_text(folder / "games" / f"{name}.txt", told_game(game, record, result.names))


def told_game(game: Game, record: GameRecord, names: tuple[str, str]) -> str:
    """A game in words: who played, each ply by its name, the last position."""
    sides = names if record.side == 0 else (names[1], names[0])
    positions = positions_of(game, record)
    lines = [f"{game.name}: {sides[0]} against {sides[1]}", game.text.draw(game, positions[0])]
    for ply, action in enumerate(record.actions):
        state = positions[ply]
        lines.append(f"{ply + 1}. player {int(state.mover) + 1}: {game.text.action_name(game, state, action)}")
    outcome = f"player {1 + int(record.returns[1] > record.returns[0])} wins" if any(record.returns) else "draw"
    return "\n".join([*lines, game.text.draw(game, positions[-1]), record.forfeit or outcome]) + "\n"


def folder_name(text: str) -> str:
    """A player's text as the name of a folder."""
    return re.sub(r"[^A-Za-z0-9.=-]+", "_", text).strip("_")[:80] or "player"
