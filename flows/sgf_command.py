"""`zeroline sgf-import FOLDER --game go-9x9 --out FILE.parquet`: games of others as training rows, one file of them."""

import argparse
from pathlib import Path
from typing import Any

from components.core.errors import BadFile

MOST_REASONS_SHOWN = 10


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("sgf-import", help="make training rows of SGF files")
    command.add_argument("source", type=Path, metavar="FOLDER", help="a folder with .sgf files, or one file")
    command.add_argument("--game", required=True, metavar="GAME", help="for example go-9x9")
    command.add_argument("--out", type=Path, required=True, metavar="FILE.parquet")


def run(options: argparse.Namespace) -> int:
    from components.data.schema import card_of
    from components.data.shards import write_shard
    from components.games.registry import make
    from components.protocols.sgf_games import import_games

    game = make(options.game)
    paths = sorted(options.source.rglob("*.sgf")) if options.source.is_dir() else [options.source]
    if game.family != "go" or not paths:
        raise BadFile(f"{options.source} holds no .sgf file of {game.name}; SGF import is for Go.")
    records, refused = import_games(game, paths)
    for reason in refused[:MOST_REASONS_SHOWN]:
        print(f"left out {reason}")
    if not any(record.plies for record in records):
        raise BadFile(f"None of the {len(paths)} files in {options.source} is a game of {game.name} with a result.")
    card = write_shard(options.out, game, records, card_of(game, "", "{}", 0, 0))
    print(f"{options.out}: {card.games} games, {card.rows} positions; {len(refused)} files left out")
    return 0
