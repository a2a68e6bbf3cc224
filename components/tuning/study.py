"""A study on disk: which trials there are, what the next one tries, whether it is worth going on with.

Called by the tune command, one process at a time. Optuna's sampler (TPE) and pruner (median) decide, a database in the study's
folder remembers. Promises that a kill loses nothing but the trial at hand, which is tried again with the same values and under
the same number, and that what a trial tries depends on the seed and the trials before it, not on how often we were killed.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from components.core.errors import BadParameter, ZerolineError
from components.core.files import read_json, write_json
from components.tuning.budget import digest_of_settings
from components.tuning.space import Space

DATABASE, SETTINGS, LOCK = "study.db", "study.json", "study.lock"
STUDY = "tune"  # the only study in its database
TRIAL_VALUES = 7  # what the random stream is for
FIRST_TRIALS = 6  # drawn at random before TPE has something to go by
UNPRUNED_TRIALS = 4  # that a median is taken of before a trial is given up
NUMBER, VALUES, REASON, SECONDS = "number", "values", "reason", "seconds"  # what we note at a trial
COMPLETE, PRUNED, FAILED = "complete", "pruned", "failed"


class StudyBusy(ZerolineError):
    """Another process works on the same study."""


@dataclass(frozen=True)
class TrialTold:
    """A settled trial as plain values."""

    number: int  # from 1
    state: str  # complete, pruned or failed
    values: dict[str, Any]
    scores: dict[int, float] = field(default_factory=dict)  # by generation
    reason: str = ""  # why it failed
    seconds: float = 0.0

    @property
    def score(self) -> float | None:
        """After the last generation that was played."""
        return self.scores[max(self.scores)] if self.scores else None


@dataclass
class Attempt:
    """A trial under way."""

    number: int
    values: dict[str, Any]
    trial: Any  # optuna.trial.Trial


class Study:
    """Trials so far and the next one. Invariant: at most one trial is under way."""

    def __init__(self, folder: Path, space: Space, seed: int, first: dict[str, Any]) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.space, self.seed = space, seed
        pruner = optuna.pruners.MedianPruner(n_startup_trials=UNPRUNED_TRIALS, n_warmup_steps=0)
        storage = f"sqlite:///{folder / DATABASE}"
        self.study = optuna.create_study(
            storage=storage, study_name=STUDY, direction="maximize", pruner=pruner, load_if_exists=True
        )
        if first and not self.study.get_trials(deepcopy=False):
            self.study.enqueue_trial(first)
        self.take_up_killed()

    def take_up_killed(self) -> None:
        """Nobody else works on this study, so a trial that is still running was killed: it failed and is queued again."""
        from optuna.trial import TrialState

        for killed in self.study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            self.study.tell(killed.number, state=TrialState.FAIL)
            self.study.enqueue_trial(killed.params)

    def settled(self) -> list[TrialTold]:
        """The trials that count, by number. A killed trial has no reason of its own and does not."""
        states = {"COMPLETE": COMPLETE, "PRUNED": PRUNED, "FAIL": FAILED}
        told = [
            TrialTold(
                trial.user_attrs[NUMBER], states[trial.state.name], trial.user_attrs[VALUES], dict(trial.intermediate_values),
                trial.user_attrs.get(REASON, ""), trial.user_attrs.get(SECONDS, 0.0),
            )
            for trial in self.study.get_trials(deepcopy=False)
            if trial.state.name in ("COMPLETE", "PRUNED") or (trial.state.name == "FAIL" and REASON in trial.user_attrs)
        ]  # fmt: skip
        return sorted(told, key=lambda one: one.number)

    def begin(self) -> Attempt:
        """The next trial and what it tries."""
        number = len(self.settled()) + 1
        self.study.sampler = self.sampler(number)
        trial = self.study.ask()
        values = {one.name: one.suggest(trial) for one in self.space}
        trial.set_user_attr(NUMBER, number)
        trial.set_user_attr(VALUES, values)
        return Attempt(number, values, trial)

    def sampler(self, number: int) -> Any:
        """A sampler for this trial alone: one that lived on would draw its first numbers again after every kill."""
        from optuna.samplers import TPESampler

        from components.core.seeds import stream_of

        return TPESampler(n_startup_trials=FIRST_TRIALS, seed=stream_of(self.seed, TRIAL_VALUES, number) % 2**32)

    def report(self, attempt: Attempt, generation: int, score: float) -> bool:
        """Note a generation's score; True if the trial is behind the others and should be given up."""
        attempt.trial.report(score, step=generation)
        return bool(attempt.trial.should_prune())

    def complete(self, attempt: Attempt, score: float, seconds: float) -> None:
        attempt.trial.set_user_attr(SECONDS, round(seconds, 1))
        self.study.tell(attempt.trial, score)

    def prune(self, attempt: Attempt, seconds: float) -> None:
        from optuna.trial import TrialState

        attempt.trial.set_user_attr(SECONDS, round(seconds, 1))
        self.study.tell(attempt.trial, state=TrialState.PRUNED)

    def fail(self, attempt: Attempt, reason: str, seconds: float) -> None:
        """Its values do not work, so it counts as tried."""
        from optuna.trial import TrialState

        attempt.trial.set_user_attr(REASON, reason)
        attempt.trial.set_user_attr(SECONDS, round(seconds, 1))
        self.study.tell(attempt.trial, state=TrialState.FAIL)


@contextmanager
def open_study(folder: Path, settings: dict[str, Any], space: Space, seed: int, first: dict[str, Any]) -> Iterator[Study]:
    """The study in a folder, begun or gone on with; first: the values of its first trial, none to let the sampler choose."""
    folder.mkdir(parents=True, exist_ok=True)
    with only_process(folder):
        check_settings(folder, settings)
        yield Study(folder, space, seed, first)


@contextmanager
def only_process(folder: Path) -> Iterator[None]:
    with open(folder / LOCK, "a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.seek(0)
            raise StudyBusy(f"Process {handle.read().strip()} works on {folder}; wait for it or choose another --name.") from None
        handle.truncate(0)
        handle.write(str(os.getpid()))
        handle.flush()
        yield


def check_settings(folder: Path, settings: dict[str, Any]) -> None:
    """Refuse to mix trials that were measured in different ways."""
    path = folder / SETTINGS
    if not path.exists():
        write_json(path, settings)
        return
    known = read_json(path)
    if digest_of_settings(known) != digest_of_settings(settings):
        changed = [name for name in settings if known.get(name) != settings[name]]
        raise BadParameter(
            f"The study {folder} was begun with another {' and '.join(changed)} (see {path})."
            " Run it with the same options, or begin another with --name."
        )


def best_of(trials: list[TrialTold]) -> TrialTold | None:
    """The completed trial with the highest score; of equals the first."""
    completed = [trial for trial in trials if trial.state == COMPLETE]
    return max(completed, key=lambda trial: (trial.score or 0.0, -trial.number)) if completed else None
