"""`zeroline ladder PLAYER --game GAME`: a match against every fixed opponent of a game, weakest first."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.match_command import PLAYER_HELP, add_match_options, play

if TYPE_CHECKING:
    from components.games.contract import Game


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("ladder", help="play a player against every fixed opponent of its game")
    command.add_argument("player", metavar="PLAYER", help=PLAYER_HELP)
    command.add_argument("--against", nargs="+", metavar="OPPONENT", help="these opponents instead of the game's ladder")
    add_match_options(command, games=40)


def run(options: argparse.Namespace) -> int:
    from rich.console import Console

    from components.core.files import write_json
    from components.games.registry import make
    from components.players.registry import make_player
    from components.protocols.ladders import ladder_of, try_player
    from flows.match_view import ladder_table

    game = make(options.game)
    make_player(options.player, game)  # a misspelt name is told before the first game
    for opponent in options.against or ():
        try_player(opponent, game)
    rows, summaries = [], []
    for opponent in options.against or ladder_of(game):
        row, summary = play_rung(game, options, opponent)
        rows.append(row)
        summaries.append(summary)
    console = Console(width=None if Console().is_terminal else 140)
    console.print(ladder_table(game.name, options.player, rows))
    if options.out:
        write_json(options.out / "ladder.json", {"game": game.name, "player": options.player, "rungs": summaries})
    return 0


def play_rung(game: "Game", options: argparse.Namespace, opponent: str) -> tuple[list[str], dict[str, Any]]:
    """(the table's row, the numbers) of one opponent; one that is not installed is told and left out."""
    from components.players.registry import make_player
    from components.protocols.ladders import try_player
    from components.protocols.match_report import folder_name
    from flows.match_view import MatchView, print_summary

    other, why = try_player(opponent, game)
    if other is None:
        print(f"{opponent}: not played. {why}")
        return [opponent, "not here", *[""] * 8], {"opponent": opponent, "not_played": why}
    out: Path | None = options.out / folder_name(opponent) if options.out else None
    view = MatchView(game.name, options.games)
    with view:
        players = (make_player(options.player, game), other)
        result, summary, _ = play(game, options, (options.player, opponent), players, view.show, out)
    print_summary(result, summary)
    return rung_row(opponent, summary), summary


def rung_row(opponent: str, summary: dict[str, Any]) -> list[str]:
    low, high = summary["interval"]
    margin, elo = summary["median_margin"], summary["elo"]
    counts = [str(summary[name]) for name in ("games", "wins", "draws", "losses")]
    rest = ["" if elo is None else f"{elo:+.0f}", "" if margin is None else f"{margin:+g}"]
    speed = f"{summary['player_seconds_per_move']:.3f}"
    return [opponent, *counts, f"{summary['score']:.3f}", f"{low:.2f}-{high:.2f}", *rest, speed]
