"""`zeroline quantize NET --game GAME`: may this net be played in int8? A match against fp32 decides and the net's file tells."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from components.core.errors import BadFile, BadParameter
from flows.console import ProgressLine

if TYPE_CHECKING:
    from components.evaluation.result import GameRecord

GAMES, SIMULATIONS = 400, 100


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("quantize", help="may a net be played in int8? a match against fp32 decides")
    command.add_argument("net", metavar="NET.safetensors")
    command.add_argument("--game", required=True, help="for example go-9x9")
    command.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"paired games, {GAMES} by default")
    command.add_argument("--sims", type=int, default=SIMULATIONS, metavar="N", help=f"simulations, {SIMULATIONS} by default")


def run(options: argparse.Namespace) -> int:
    from components.evaluation.precision import judge_int8
    from components.games.registry import make
    from components.protocols.ladders import pairs_of
    from components.search.config import SearchConfig

    games, net = 2 * pairs_of(options.games), Path(options.net)
    if options.sims < 1:
        raise BadParameter(f"--sims is {options.sims}; need at least 1.")
    if not net.exists():
        raise BadFile(f"There is no net {net}; name a .safetensors file of the line.")
    line, points = ProgressLine(), [0.0]

    def show(record: "GameRecord") -> None:
        points.append(record.points / 2)
        line.show(f"int8 against fp32: {len(points) - 1} of {games} games, score {sum(points) / (len(points) - 1):.3f}")

    search = SearchConfig(simulations=options.sims)
    verdict = judge_int8(net, make(options.game), search, games, on_game=show)
    print(verdict.reason)
    return 0
