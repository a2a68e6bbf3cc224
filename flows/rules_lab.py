"""`zeroline rules-lab --game GAME --variants FILE`: which rules are fair, decisive and varied, and which handicap helps."""

import argparse
import multiprocessing
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.console import ProgressLine
from flows.watch import TrainingWatch

if TYPE_CHECKING:
    from components.rules_lab.play import PlayJob

TRAINING = "training_"  # what the lab puts before a training event's name


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("rules-lab", help="compare variants of a game's rules and find the handicap that makes one fair")
    command.add_argument("--game", metavar="GAME", help="the base game, for example organism-3; default: the file's")
    command.add_argument("--variants", type=Path, required=True, metavar="FILE", help="variants file; docs/variants has examples")
    command.add_argument("--out", type=Path, metavar="FOLDER", help="default rules-lab/NAME; run again to go on where it was")
    command.add_argument("--budget", default="", metavar="NAME=N,...", help="over the file's: games=200,generations=2,...")
    command.add_argument("--no-mlflow", action="store_true", help="do not log to MLflow")


def run(options: argparse.Namespace) -> int:
    from components.rules_lab.config import load_lab
    from components.rules_lab.lab import PAGE, RESULT, Lab
    from components.rules_lab.plan import make_plan

    plan = make_plan(load_lab(options.variants, options.budget), options.game, str(options.variants))
    folder = options.out or Path("rules-lab") / options.variants.stem
    print(f"rules-lab {folder.name}: {len(plan.variants)} variants of {plan.base.name}, agent {plan.config.agent}", flush=True)
    result = Lab(plan, folder, play_side_by_side, LabWatch(folder.name).note).run(folder.name)
    for finding in result["findings"]:
        print(f"{finding['title']}. {finding['text']}")
    print(f"The page: {folder / PAGE}")
    if not options.no_mlflow:
        tell_mlflow(result, [folder / PAGE, folder / RESULT])
    return 0


def tell_mlflow(result: dict[str, Any], files: list[Path]) -> None:
    from components.tracking.lab import publish_lab
    from flows.settings import apply_settings

    apply_settings()
    problem = publish_lab(Path.cwd(), result, files)
    if problem:
        print(f"Not logged to MLflow: {problem}")


class LabWatch:
    """Progress lines: games of each batch, training steps, what each variant came out as."""

    def __init__(self, name: str) -> None:
        self.name, self.line = name, ProgressLine()
        self.trainings: dict[str, TrainingWatch] = {}

    def note(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "games":
            is_last = event["done"] >= event["games"]
            self.line.show(f"{self.name}: {event['label']}: {event['done']} of {event['games']} games", is_last)
        elif kind.startswith(TRAINING):
            watch = self.trainings.setdefault(event["label"], TrainingWatch(event["label"]))
            watch.note({**event, "event": kind.removeprefix(TRAINING)})
        elif kind == "measured":
            score = event["score"]
            told = f"{score.value:.3f} (95 % {score.low:.3f} to {score.high:.3f}) in {score.games} games"
            print(f"{self.name}: {event['label']}: the first player scored {told}", flush=True)
        elif kind == "handicap":
            print(f"{self.name}: {event['label']} {event['value']} is nearest to fair: {event['score']:.3f}", flush=True)


def play_side_by_side(jobs: list["PlayJob"], on_done: Callable[["PlayJob"], None]) -> None:
    """A process per core, unless one is enough. A batch is the same bytes whoever plays it; one that died is played again."""
    from components.rules_lab.play import play_here
    from flows.shards import RETRIES, worker_count

    if min(worker_count(), len(jobs)) == 1:
        return play_here(jobs, on_done)
    for failures in range(RETRIES + 1):
        try:
            return play_in_pool([job for job in jobs if not Path(job.out).exists()], on_done)
        except BrokenExecutor:
            if failures == RETRIES:
                raise
    return None


def play_in_pool(jobs: list["PlayJob"], on_done: Callable[["PlayJob"], None]) -> None:
    from components.rules_lab.play import play_job
    from flows.shards import die_with_parent, worker_count

    context = multiprocessing.get_context("spawn")
    workers = max(1, min(worker_count(), len(jobs)))
    with ProcessPoolExecutor(workers, mp_context=context, initializer=die_with_parent) as pool:
        waiting = {pool.submit(play_job, job): job for job in jobs}
        try:
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    future.result()
                    on_done(waiting.pop(future))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
