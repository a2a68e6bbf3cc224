"""One trial of a tuning study: a small line of its own in a folder of its own, measured after every generation.

Called by tune.py. Runs the very stages of the line (no DVC), so that what was found holds for the line; what a killed process
had finished, shards, training steps and match games, is found again and not done twice.
"""

import contextlib
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from components.config import PARAMS_FILE, START, Experiment
from components.core.files import read_json, write_json, write_text
from components.layout import Layout
from components.tuning.budget import Budget, trial_params

if TYPE_CHECKING:
    from components.evaluation.result import MatchResult
    from components.games.contract import Player

SCORES, GAMES = "scores.json", "games.jsonl"


class TrialLine:
    """A line in `folder`, whose experiment is called like the folder."""

    def __init__(self, folder: Path, experiment: Experiment, budget: Budget) -> None:
        self.folder, self.name, self.experiment = folder.resolve(), folder.name, experiment
        self.layout = Layout(self.name, self.folder)
        text = yaml.safe_dump(trial_params(self.name, experiment, budget.generations).model_dump(mode="json"), sort_keys=False)
        path = self.folder / PARAMS_FILE
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return
        shutil.rmtree(self.folder, ignore_errors=True)  # of other values: nothing in it is of use
        write_text(path, text)

    def champion(self, generation: int) -> Path:
        return self.layout.champion(f"g{generation:02d}")

    def play_generation(self, generation: int) -> None:
        """Self-play, training and promotion, unless they are done already."""
        label = f"g{generation:02d}"
        self.run_stage("start", self.name, self.layout.window(START))
        self.run_stage("generate", f"{self.name}-{label}", self.layout.selfplay(label))
        self.run_stage("train", f"{self.name}-{label}", self.layout.window(label))
        self.run_stage("gate", f"{self.name}-{label}", self.layout.gate(label))

    def run_stage(self, stage: str, key: str, last_output: Path) -> None:
        """Run a stage of the line, unless the file that it writes last is there."""
        from flows.stages import STAGES

        if not last_output.exists():
            with contextlib.chdir(self.folder):
                STAGES[stage](key)

    def player(self, generation: int, simulations: int) -> "Player":
        from flows.stages import gate_player

        return gate_player(self.experiment, self.champion(generation), simulations)

    def known_score(self, generation: int) -> float | None:
        path = self.folder / SCORES
        return read_json(path).get(str(generation)) if path.exists() else None

    def note_score(self, generation: int, score: float) -> None:
        path = self.folder / SCORES
        write_json(path, {**(read_json(path) if path.exists() else {}), str(generation): score})


def play_scored_match(
    line: TrialLine, generation: int, opponent: "Player", opponent_name: str, games: int, seed: int
) -> "MatchResult":
    """The line's net against the opponent, from the same starts in every trial."""
    from components.evaluation.ledger import Ledger
    from components.evaluation.match import play_match
    from components.games.registry import make
    from components.nets.checkpoint import read_card
    from flows.console import ProgressLine

    gate, watch, points = line.experiment.gate, ProgressLine(), [0.0, 0.0]
    watch.shown_at = time.monotonic()  # a short match needs no line of its own

    def show(record: object) -> None:
        points[0] += 1
        points[1] += record.points / 2  # type: ignore[attr-defined]
        watch.show(f"match {line.name}-g{generation:02d}: {points[0]:.0f} of {games} games, score {points[1] / points[0]:.3f}")

    digest = read_card(line.champion(generation)).parameters_digest
    return play_match(
        make(line.experiment.game), line.player(generation, gate.simulations), opponent, games // 2, seed, gate.slots,
        names=(f"{line.name}-{digest}", opponent_name), ledger=Ledger(line.folder / GAMES), on_game=show,
    )  # fmt: skip
