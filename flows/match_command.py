"""`zeroline match A B --game GAME --games N`: paired starts, sides swapped, a live table, files, resumable."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from components.evaluation.result import GameRecord, MatchResult
    from components.games.contract import Game, Player
    from components.protocols.match_watch import TreeLedger, WatchedPlayer

LEDGER, TREES = "games.jsonl", "trees.jsonl"
PLAYER_HELP = (
    "a baseline (random, pass, ...), champion, search:NET,sims=200, uct:sims=1000, gnugo-1, gtp:COMMAND or riddles:COMMAND"
)


def add_match_options(command: argparse.ArgumentParser, games: int) -> None:
    command.add_argument("--game", required=True, metavar="GAME", help="for example go-9x9 or golad-8x8")
    command.add_argument("--games", type=int, default=games, metavar="N", help=f"games, an even number (default {games})")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--slots", type=int, default=8, metavar="N", help="games played side by side (default 8)")
    command.add_argument("--opening", type=int, default=None, metavar="PLIES", help="random plies first; default by game")
    command.add_argument("--out", type=Path, metavar="FOLDER", help="results and games; run again to go on where it was")
    command.add_argument("--mlflow", action="store_true", help="log to MLflow too")


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("match", help="play two players against each other")
    command.add_argument("player", metavar="A", help=PLAYER_HELP)
    command.add_argument("opponent", metavar="B")
    add_match_options(command, games=100)


def run(options: argparse.Namespace) -> int:
    from components.games.registry import make
    from components.players.registry import make_player
    from flows.match_view import MatchView, print_summary

    game = make(options.game)
    player, opponent = make_player(options.player, game), make_player(options.opponent, game)
    view = MatchView(game.name, options.games)
    with view:
        result, summary, _ = play(game, options, (options.player, options.opponent), (player, opponent), view.show, options.out)
    print_summary(result, summary)
    return 0 if result.games else 1


def play(
    game: "Game", options: argparse.Namespace, texts: tuple[str, str], players: tuple["Player", "Player"],
    show: Callable[["Running"], None], out: Path | None,
) -> tuple["MatchResult", dict[str, Any], str]:  # fmt: skip
    """(result, its numbers, the match's key): play, write the files, tell MLflow."""
    from components.evaluation.ledger import Ledger
    from components.evaluation.match import default_opening_plies, match_key, play_match
    from components.protocols.ladders import label_of, pairs_of
    from components.protocols.match_report import summary_of, write_match
    from components.protocols.match_watch import TreeLedger, WatchedPlayer

    pairs = pairs_of(options.games)
    names = (label_of(texts[0], game), label_of(texts[1], game))
    if names[0] == names[1]:
        names = (names[0], f"{names[1]} (again)")
    watched = (WatchedPlayer(players[0]), WatchedPlayer(players[1]))
    trees = TreeLedger(out / TREES if out else None)
    ledger = Ledger(out / LEDGER) if out else None
    plies = default_opening_plies(game) if options.opening is None else options.opening
    key = match_key(game, names, options.seed, plies)
    running = Running(names, ledger.finished(key) if ledger else {}, show)
    result = play_match(
        game, *watched, pairs, options.seed, options.slots, names=names, opening_plies=plies, ledger=ledger,
        on_game=lambda record: running.note(record, watched, trees),
    )  # fmt: skip
    summary = summary_of(game, result, trees)
    if out:
        write_match(out, game, result, summary, trees)
    if options.mlflow:
        tell_mlflow(key, summary, out)
    return result, summary, key


class Running:
    """The games so far, told to whoever shows them."""

    def __init__(self, names: tuple[str, str], known: dict[Any, "GameRecord"], show: Callable[["Running"], None]) -> None:
        self.names, self.show = names, show
        self.records = list(known.values())
        self.voids: list[str] = []
        self.show(self)

    def note(self, record: "GameRecord", watched: tuple["WatchedPlayer", "WatchedPlayer"], trees: "TreeLedger") -> None:
        if record.void:
            self.voids.append(record.void)
        else:
            self.records.append(record)
            trees.append(record, [one.facts_of(record) for one in watched])
        self.show(self)


def tell_mlflow(key: str, summary: dict[str, Any], out: Path | None) -> None:
    from components.tracking.matches import publish_match
    from flows.settings import apply_settings

    apply_settings()
    problem = publish_match(Path.cwd(), key, summary, out)
    if problem:
        print(f"Not logged to MLflow: {problem}")
