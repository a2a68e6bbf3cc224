"""The games at the terminal: `python -m components.games list | check | play | playthrough`."""

import argparse
import sys
from pathlib import Path

from components.core.command import OneSentenceParser, run_command
from components.core.errors import BadParameter

MISMATCH_EXIT_CODE = 1


def parser() -> argparse.ArgumentParser:
    root = OneSentenceParser(prog="python -m components.games", description="List, check and watch the games.")
    commands = root.add_subparsers(dest="command", required=True, parser_class=OneSentenceParser)
    commands.add_parser("list", help="games, variants, sizes, planes, actions")
    check = commands.add_parser("check", help="compare our rules with a file of recorded truth")
    check.add_argument("path", type=Path, metavar="PATH.jsonl")
    check.add_argument("--game", help="the family, when the file's first record does not tell")
    check.add_argument("--deep", action="store_true", help="include the counts that take minutes")
    play = commands.add_parser("play", help="watch a game between baseline players")
    play.add_argument("game", metavar="GAME", help="for example golad-6x6 or go-9x9:komi=0.5")
    play.add_argument("--players", default="random,random", metavar="A,B", help="first and second player")
    play.add_argument("--seed", type=int, default=0)
    play.add_argument("--show", action="store_true", help="draw the board after every ply")
    playthrough = commands.add_parser("playthrough", help="print a game's golden playthrough")
    playthrough.add_argument("game", metavar="GAME")
    return root


def main(arguments: list[str] | None = None) -> int:
    return run_command(lambda: run(arguments))


def run(arguments: list[str] | None) -> int:
    options = parser().parse_args(arguments)
    commands = {"list": show_list, "check": run_check, "play": run_play, "playthrough": show_playthrough}
    return commands[options.command](options)


def show_list(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table

    from components.games.registry import FAMILIES, example_games, family_of, make

    games = Table("game", "board", "planes", "actions", "max legal", "max plies", "symmetries", "rules")
    for name in example_games():
        game = make(name)
        spec = game.spec
        actions = str(spec.actions) if spec.has_policy else "value only"
        numbers = (spec.planes, actions, spec.max_legal, spec.max_plies, spec.symmetries, spec.rules_version)
        games.add_row(game.name, f"{spec.width}x{spec.height}", *map(str, numbers))
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(games)
    for family in map(family_of, FAMILIES):
        console.print(
            f"[bold]{family.name}[/bold]  {family.title}" + (f"; sizes: {family.sizes_help}" if family.sizes_help else ""),
            highlight=False,
        )
        console.print(f"  variants: {', '.join(family.variants)}", highlight=False)
        for knob, field in family.knobs.model_fields.items():
            console.print(f"  {knob} = {field.default}: {field.description}", highlight=False, markup=False)
    return 0


def run_check(options: argparse.Namespace) -> int:
    from components.games.check import check_file
    from components.games.registry import family_of

    if options.game:
        family_of(options.game)
    tally = check_file(options.path, options.game, options.deep)
    for kind in sorted(tally.checks):
        print(f"{kind:<28} {tally.checks[kind]:>9} checks  {tally.mismatches[kind]:>6} mismatches")
    for kind, count in sorted(tally.skipped.items()):
        print(f"{kind:<28} {count:>9} skipped (--deep runs them)")
    for text in tally.shown:
        print(f"\n{text}")
    mismatches = tally.mismatches.total()
    print(f"{tally.checks.total()} checks, {mismatches} mismatches")
    return MISMATCH_EXIT_CODE if mismatches else 0


def run_play(options: argparse.Namespace) -> int:
    from components.games.players import make_baseline
    from components.games.record import play_game
    from components.games.registry import make

    game = make(options.game)
    names = options.players.split(",")
    if len(names) != 2:
        raise BadParameter(f"--players names {len(names)} players ('{options.players}'); write two, for example random,random.")
    players = [make_baseline(name, game) for name in names]
    for line in play_game(game, players, names, options.seed, is_drawn=options.show):
        print(line, flush=True)
    return 0


def show_playthrough(options: argparse.Namespace) -> int:
    from components.games.record import playthrough
    from components.games.registry import make

    print(playthrough(make(options.game)), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
