"""Train a candidate: the parent's net and a window of rows in, a checkpoint and training.json out.

Called by the training stage. Promises that the candidate and training.json are pure functions of the request, bit by bit on
CPUs with the same number of threads, however often the run was killed; a kill loses at most checkpoint_seconds.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from components.core.errors import BadParameter
from components.core.files import digest_of, json_text, remove_stale_parts, write_json
from components.core.memory import keep_freed_memory
from components.core.seeds import stream_of
from components.data.batches import BatchSource
from components.data.config import WindowConfig
from components.data.rows import load_rows
from components.data.window import Window, require_rows, window_to_json
from components.games.contract import Game
from components.games.registry import make
from components.nets.checkpoint import make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.evaluator import choose_device, set_threads
from components.training.config import TrainConfig, missing_heads
from components.training.resume import (
    Progress,
    load_optimizer,
    load_progress,
    optimizer_path,
    save_no_optimizer,
    save_optimizer,
    save_progress,
)
from components.training.schedule import StepPlan, TrainingAge, learning_rate_at, plan_steps
from components.training.start import source_digests, starting_net
from components.training.steps import Learner, Numbers
from components.training.targets import targets_of

Listener = Callable[[dict[str, Any]], None]
RESUME_FILE = "resume.safetensors"
TIMING_FILE = "timing.json"
PROGRESS_SECONDS = 1.0  # between two progress events
ROW_ORDER, STEP_NOISE = 1, 2  # what a random stream is for, so that no two uses share one
UNMARKED = {"checkpoint_seconds", "checkpoint_steps"}  # parameters that change when we save, never what we learn


@dataclass(frozen=True)
class TrainRequest:
    """Everything that decides a candidate, and where it goes."""

    game: str  # as the registry reads it
    net: NetConfig
    config: TrainConfig
    window: Window
    window_config: WindowConfig  # training refuses to start below its min_rows
    root: Path  # the window's paths are relative to it
    seed: int
    generation: int
    parent: Path | None  # checkpoint of the champion; None before there is one
    candidate: Path  # written: the net
    report: Path  # written last: training.json
    work: Path  # folder for what a killed run needs and for timing.json
    parent_optimizer: Path | None = None  # of the parent's training; beside the parent by default
    optimizer: Path | None = None  # written: the optimiser's state; beside the candidate by default

    @property
    def optimizer_in(self) -> Path | None:
        return self.parent_optimizer or (optimizer_path(self.parent) if self.parent else None)

    @property
    def optimizer_out(self) -> Path:
        return self.optimizer or optimizer_path(self.candidate)


@dataclass(frozen=True)
class TrainReport:
    """What training.json says (`told`), and what differs from run to run (`seconds`, `rows_per_second`)."""

    told: dict[str, Any]
    digest: str  # of the candidate's weights
    seconds: float
    rows_per_second: float


def train(request: TrainRequest, on_event: Listener = lambda event: None) -> TrainReport:
    """Train the candidate, from its first step or from where a killed run left off."""
    with torch_set_up(request.config):
        return Run(request, on_event).finish()


@contextmanager
def torch_set_up(config: TrainConfig) -> Iterator[None]:
    """Fixed threads, repeatable operations and a random state of our own; everything back as it was afterwards."""
    threads, was_strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    fills: Any = torch.utils.deterministic
    was_filled = fills.fill_uninitialized_memory
    set_threads(config.threads)
    keep_freed_memory()
    torch.use_deterministic_algorithms(True, warn_only=True)
    # Strict mode also fills fresh memory with NaN to find bugs; we only want its choice of algorithms.
    fills.fill_uninitialized_memory = False
    try:
        with torch.random.fork_rng():
            yield
    finally:
        set_threads(threads)
        torch.use_deterministic_algorithms(was_strict)
        fills.fill_uninitialized_memory = was_filled


class Run:
    """One run of training in one process."""

    def __init__(self, request: TrainRequest, on_event: Listener) -> None:
        self.request, self.config, self.tell = request, request.config, on_event
        self.game = make(request.game)
        check_auxiliary(request)
        require_rows(request.window, request.window_config, self.game.name, "the window", "window.min_rows")
        remove_stale_parts(request.work)
        self.source = self.open_rows()
        self.plan = plan_steps(self.config, len(self.source.train_rows), self.source.new_train_rows)
        self.start = starting_net(self.game, request.net, self.config.start, request.parent, request.seed)
        self.learner = Learner(self.start.model, self.config, choose_device(self.config.device))
        self.age = self.take_up_optimizer()
        self.progress = self.take_up_progress()
        self.began = self.saved = self.told = time.monotonic()
        self.seconds_before, self.rows_here = self.progress.seconds, 0

    def open_rows(self) -> BatchSource:
        request, config = self.request, self.config
        rows = load_rows(request.window, self.game, request.root)
        return BatchSource(
            rows,
            targets_of(rows, config),
            self.game,
            config.batch_size,
            stream_of(request.seed, request.generation, ROW_ORDER),
            config.held_out,
            config.symmetries,
            config.weighted_auxiliaries,
        )

    def take_up_optimizer(self) -> TrainingAge:
        """The age of the optimiser: the parent's with its moments if they were kept and are wanted, else none."""
        place = self.request.optimizer_in
        if self.config.reset_optimizer or place is None or self.start.digest is None:
            return TrainingAge()
        kept = load_optimizer(place, self.config.optimizer, self.start.digest)
        if kept is None:
            reason = f"{place} holds no {self.config.optimizer} state of {self.start.parent}: a new optimiser begins"
            self.tell({"event": "optimizer_new", "reason": reason})
            return TrainingAge()
        self.learner.restore_moments(kept[0])
        return kept[1]

    def take_up_progress(self) -> Progress:
        """Go on where a killed run of the same request stopped, or begin."""
        fingerprint = fingerprint_of(self.request, self.game)
        found = load_progress(self.resume_path, fingerprint)
        if found is None:
            if self.resume_path.exists():
                self.tell({"event": "restart", "reason": "the unfinished run was of other parameters, rows or nets"})
            return Progress(fingerprint)
        tensors, progress = found
        self.learner.restore(tensors, progress.averaged_steps)
        self.tell({"event": "resumed", "step": progress.step, "steps": self.plan.steps})
        return progress

    @property
    def resume_path(self) -> Path:
        return self.request.work / RESUME_FILE

    @property
    def seconds(self) -> float:
        return self.seconds_before + time.monotonic() - self.began

    def finish(self) -> TrainReport:
        """Do the remaining steps and write the results, training.json last."""
        self.tell({"event": "started", "step": self.progress.step, "steps": self.plan.steps, "rows": len(self.source.train_rows)})
        for step in range(self.progress.step, self.plan.steps):
            self.do_step(step)
            self.save_if_due()
        report = self.write_results()
        self.resume_path.unlink(missing_ok=True)
        self.tell({"event": "finished", "steps": self.plan.steps, "seconds": report.seconds, "reason": self.plan.reason})
        return report

    def do_step(self, step: int) -> None:
        noise = stream_of(self.request.seed, self.request.generation, STEP_NOISE, step)
        numbers = self.learner.learn(self.source.batch(step), self.rate(step), noise)
        self.progress.step = step + 1
        self.rows_here += self.config.batch_size
        for name, number in numbers.items():
            self.progress.sums[name] = self.progress.sums.get(name, 0.0) + number
        if self.progress.step % self.config.report_steps == 0 or self.progress.step == self.plan.steps:
            self.close_line()
        if time.monotonic() - self.told >= PROGRESS_SECONDS:
            self.told = time.monotonic()
            self.tell({"event": "progress", "step": self.progress.step, "steps": self.plan.steps, **self.speed(), **numbers})

    def rate(self, step: int) -> float:
        epoch = self.age.epochs + step * self.config.batch_size / len(self.source.train_rows)
        return learning_rate_at(self.config, step, self.plan.steps, epoch)

    def speed(self) -> Numbers:
        spent = max(1e-9, time.monotonic() - self.began)
        per_second = self.rows_here / spent
        remaining = (self.plan.steps - self.progress.step) * self.config.batch_size
        return {"rows_per_second": per_second, "seconds_left": remaining / per_second if per_second else 0.0}

    def close_line(self) -> None:
        """One line of training.json: means since the last one, and the losses on held-out games now."""
        progress = self.progress
        steps = progress.step - (progress.history[-1]["step"] if progress.history else 0)
        validation = self.learner.validate(self.source.held_out_batches(self.config.validation_rows))
        line: dict[str, Any] = {name: total / steps for name, total in progress.sums.items()}
        line |= {"step": progress.step, "learning_rate": self.rate(progress.step - 1), "validation": validation}
        progress.history.append(line)
        progress.sums = {}
        self.tell({"event": "losses", **line})

    def save_if_due(self) -> None:
        every = self.config.checkpoint_steps
        is_due = time.monotonic() - self.saved >= self.config.checkpoint_seconds
        if self.progress.step < self.plan.steps and (is_due or (every and self.progress.step % every == 0)):
            self.progress.averaged_steps = self.learner.averaged_steps
            self.progress.seconds = self.seconds
            save_progress(self.resume_path, self.learner.tensors(), self.progress)
            self.saved = time.monotonic()
            self.tell({"event": "saved", "step": self.progress.step})

    def write_results(self) -> TrainReport:
        request, config = self.request, self.config
        card = make_card(self.game, request.net, self.start.digest, request.generation, self.start.note)
        digest = save_checkpoint(request.candidate, self.learner.candidate, card).parameters_digest
        if config.reset_optimizer:
            save_no_optimizer(request.optimizer_out)
        else:
            save_optimizer(request.optimizer_out, self.learner.moments(), self.age_after(), config.optimizer, digest)
        told = {"candidate": digest, "parent": self.start.digest, "start": self.start.note, **self.summary(self.plan)}
        rows_per_second = self.rows_here / max(1e-9, time.monotonic() - self.began)
        # Times stay out of training.json: its bytes must be the same whenever and wherever it is made.
        write_json(request.work / TIMING_FILE, {"seconds": self.seconds, "rows_per_second": rows_per_second})
        write_json(request.report, told)
        return TrainReport(told, digest, self.seconds, rows_per_second)

    def age_after(self) -> TrainingAge:
        drawn = self.plan.steps * self.config.batch_size
        return TrainingAge(self.age.steps + self.plan.steps, self.age.epochs + drawn / len(self.source.train_rows))

    def summary(self, plan: StepPlan) -> dict[str, Any]:
        drawn = plan.steps * self.config.batch_size
        return {
            "method": self.config.method,
            "precision": "bf16" if self.learner.uses_bf16 else "fp32",
            "generation": self.request.generation,
            "generations": list(self.request.window.generations),
            "steps_asked": plan.asked,
            "steps_done": plan.steps,
            "stopped_by": plan.reason,
            "rows": len(self.source.train_rows),
            "rows_held_out": len(self.source.held_rows),
            "new_rows": self.source.new_train_rows,
            "mean_uses_per_row": drawn / len(self.source.train_rows),
            "uses_per_new_row": drawn / max(1, self.source.new_train_rows),
            "history": self.progress.history,
        }


def check_auxiliary(request: TrainRequest) -> None:
    if problem := missing_heads(request.config, request.net.auxiliary):
        raise BadParameter(problem)


def fingerprint_of(request: TrainRequest, game: Game) -> str:
    """Tells whether an unfinished run was for the same candidate: everything that decides a weight's last bit."""
    decisive = {
        "game": game.name,
        "rules_version": game.spec.rules_version,
        "net": request.net.model_dump(mode="json"),
        "config": request.config.model_dump(mode="json", exclude=UNMARKED),
        "window": window_to_json(request.window),
        "seed": request.seed,
        "generation": request.generation,
        "nets": source_digests(request.config.start, request.parent, request.optimizer_in),
        "torch": torch.__version__,
    }
    return digest_of(json_text(decisive).encode())
