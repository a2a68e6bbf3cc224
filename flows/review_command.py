"""`zeroline review GAME.sgf --player PLAYER`: what a player of ours thinks of a recorded game of Go, move by move."""

import argparse
from pathlib import Path
from typing import Any

from flows.console import ProgressLine

WORST = 5


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("review", help="let a player judge every move of an SGF game")
    command.add_argument("file", type=Path, metavar="GAME.sgf")
    command.add_argument("--player", default="champion", metavar="TEXT", help="who judges, champion by default")
    command.add_argument("--out", type=Path, metavar="FILE.sgf", help="the game with a comment on every move")
    command.add_argument("--worst", type=int, default=WORST, metavar="N", help=f"costly moves to show, {WORST} by default")
    command.add_argument("--seed", type=int, default=0)


def run(options: argparse.Namespace) -> int:
    from components.core.files import write_text
    from components.protocols.sgf import write_sgf
    from components.protocols.sgf_games import read_sgf_file
    from components.protocols.sgf_review import commented, review_game

    sgf, line = read_sgf_file(options.file), ProgressLine()

    def show(number: int) -> None:
        line.show(f"{options.file}: {number} of {len(sgf.moves)} moves", is_last=number == len(sgf.moves))

    notes = review_game(sgf, options.player, options.seed, show)
    for note in sorted(notes, key=lambda note: -note.cost)[: max(0, options.worst)]:
        if note.cost > 0:
            print(f"{note.number}. {note.name}: {note.text}")
    if options.out:
        write_text(options.out, write_sgf(commented(sgf, notes)))
        print(f"{options.out}: a comment on each of {len(notes)} moves")
    return 0
