"""How long a move really takes: `time_settings 0 5 1` on 13x13 with the 13x13 report's net of 10 blocks and 256 channels.

    python -m benchmarks.move_clock [--moves 6] [--sims 400]

Wall-clock seconds of every answer of the GTP engine. Fails if one takes more than 5 s; writes benchmarks/out/move_clock.json.
"""

import argparse
import platform
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timing import write_json
from components.games.registry import make
from components.nets.checkpoint import make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.model import build_model
from components.protocols.gtp_engine import GtpEngine, serve
from components.protocols.lines import ScriptedLines

LIMIT_SECONDS = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=6)
    parser.add_argument("--sims", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds, visits = measure(Path(folder), options.moves, options.sims)
    write_json("move_clock", {"machine": platform.processor() or platform.machine(), "seconds": seconds, "visits": visits})
    print(f"seconds {min(seconds):.2f} to {max(seconds):.2f}, simulations {min(visits)} to {max(visits)} of {options.sims}")
    return 0 if max(seconds) <= LIMIT_SECONDS else 1


def measure(folder: Path, moves: int, sims: int) -> tuple[list[float], list[int]]:
    """(seconds, simulations) of each move."""
    game, config = make("go-13x13"), NetConfig(blocks=10, channels=256)
    path = folder / "large.safetensors"
    save_checkpoint(path, build_model(game.spec, config, 1), make_card(game, config))
    engine = GtpEngine(f"search:{path},sims={sims}", 13)
    ask(engine, "clear_board")
    ask(engine, "time_settings 0 5 1")
    seconds, visits = [], []
    for ply in range(moves):
        began = time.perf_counter()
        ask(engine, f"genmove {'bw'[ply % 2]}")
        seconds.append(round(time.perf_counter() - began, 3))
        visits.append(int(engine.thinker.forest(False).insight(0).visits.sum()))
    return seconds, visits


def ask(engine: GtpEngine, line: str) -> None:
    serve(engine, ScriptedLines([line]), lambda text: None)


if __name__ == "__main__":
    sys.exit(main())
