"""A whole line in seconds, for the tests of the report and of tracking: the real stages on tic-tac-toe with tiny settings."""

import os
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from components.core.files import write_text
from flows import stages
from flows.shards import play_shard

NAME = "ttt"
PARAMS = """\
experiments:
  ttt:
    game: tictactoe
    family: tictactoe
    seed: 1
    net: {blocks: 1, channels: 8}
    search: {mode: gumbel, simulations: 8, considered: 4}
    selfplay: {games: 24, shards: 2, slots: 12, precision: fp32}
    window: {generations: 2}
    train: {batch_size: 32, uses_per_row: 4, learning_rate: LEARNING_RATE, report_steps: 4}
    gate: {kind: fixed, games: 20, threshold: 0.5, strict: false, simulations: 8, slots: 10}
    tournament: {pairs: 24, slots: 12}
    ladder: [random]
generations:
"""
QUIET = {"MLFLOW_TRACKING_URI": "", "ZEROLINE_WORKERS": "1", "RAY_ADDRESS": "", "ZEROLINE_PREFECT_SHARDS": ""}


def write_params(root: Path, generations: int, learning_rate: float = 0.01) -> None:
    names = [(f"g{number:02d}", f"g{number - 1:02d}") for number in range(1, generations + 1)]
    lines = [
        f"  {NAME}-{name}: {{experiment: {NAME}, family: tictactoe, generation: {name}, parent: {parent}}}\n"
        for name, parent in names
    ]
    write_text(root / "params.yaml", PARAMS.replace("LEARNING_RATE", str(learning_rate)) + ("".join(lines) or "  {}\n"))


@contextmanager
def inside(root: Path):
    """Stages work in the project's root. Shards are played in this process, and nobody is told after each stage."""
    before = Path.cwd()
    os.chdir(root)
    try:
        with mock.patch.dict(os.environ, QUIET), mock.patch("flows.shards.choose_mapper", return_value=play_here):
            yield
    finally:
        os.chdir(before)


def play_here(jobs, report):
    for job in jobs:
        play_shard(job, report)


def run_stage(root: Path, stage: str, key: str) -> None:
    with inside(root), mock.patch("flows.stages.publish"):
        assert stages.run([stage, key]) == 0


def run_generation(root: Path, generation: str) -> None:
    for stage in ("generate", "train", "gate"):
        run_stage(root, stage, f"{NAME}-{generation}")


def run_line(root: Path, generations: int = 2) -> Path:
    """From nothing to a report."""
    write_params(root, generations)
    run_stage(root, "start", NAME)
    for number in range(1, generations + 1):
        run_generation(root, f"g{number:02d}")
    run_stage(root, "tournament", NAME)
    return root
