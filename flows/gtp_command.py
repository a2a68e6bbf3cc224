"""`zeroline gtp --player TEXT`: a player of ours for Sabaki, GoGui and every other program that speaks GTP."""

import argparse
import os
import sys
from typing import Any, TextIO

from components.core.errors import BadParameter


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("gtp", help="play Go over GTP: for Sabaki, GoGui, KGS bridges")
    command.add_argument(
        "--player", required=True, metavar="TEXT", help="for example champion,sims=400 or search:NET.safetensors"
    )
    command.add_argument("--size", type=int, default=19, metavar="N", help="board size before the first boardsize (default 19)")
    command.add_argument("--ko", choices=("positional", "simple"), default="positional", help="what is refused as illegal")
    command.add_argument("--resign", type=float, default=None, metavar="V", help="resign below this value, for example -0.95")
    command.add_argument("--seed", type=int, default=0)


def own_stdout() -> TextIO:
    """The real stdout for the protocol alone: whatever else a library prints goes to stderr, C code included."""
    sys.stdout.flush()
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return protocol


def run(options: argparse.Namespace) -> int:
    from components.protocols.go_table import refuse_size
    from components.protocols.gtp_engine import GtpEngine, serve
    from components.protocols.lines import StreamLines
    from components.protocols.thinking import check_player

    refuse_size(options.size)
    if options.resign is not None and not -1 <= options.resign < 0:
        raise BadParameter(f"--resign is {options.resign}; need a value from -1 to below 0, for example -0.95.")
    check_player(options.player, "go", f"{options.size}x{options.size}")
    protocol = own_stdout()

    def write(text: str) -> None:
        protocol.write(text)
        protocol.flush()

    engine = GtpEngine(options.player, options.size, options.ko, options.resign, seed=options.seed)
    serve(engine, StreamLines(sys.stdin), write)
    return 0
