"""A tuning study in MLflow: a parent run for the study, a nested run for each trial. Called by the tune command after each trial.

The runs belong to the study's name, the digest of its settings and a trial's number: publishing again writes only what is new.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.core.files import digest_of
from components.tracking.models import model_name
from components.tracking.numbers import Points, flatten
from components.tracking.publish import NOTE, PARENT
from components.tracking.runs import experiment_id, log_params, log_points, open_run, set_status, set_tags
from components.tracking.store import Store, tell_store
from components.tuning.budget import digest_of_settings
from components.tuning.study import COMPLETE, FAILED, TrialTold

SCORE, BEST = "tune/score", "tune/best"
# MLflow's own words: a pruned trial was ended early on purpose.
STATUS = {COMPLETE: "FINISHED", FAILED: "FAILED"}
PRUNED_STATUS = "KILLED"


@dataclass(frozen=True)
class StudyTold:
    """A study as it stands, for MLflow."""

    name: str
    game: str
    settings: dict[str, Any]
    trials: list[TrialTold]
    note: str = ""  # what came out, in Markdown
    files: tuple[Path, ...] = ()  # written when the study is over

    @property
    def is_finished(self) -> bool:
        return bool(self.files)


def publish_study(root: Path, told: StudyTold) -> str | None:
    """Bring MLflow up to date with a study; returns the problem in one sentence, or None."""
    return tell_store(Path(root).resolve(), lambda store: publish(store, told))


def publish(store: Store, told: StudyTold) -> None:
    place = experiment_id(store, told.game, model_name(told.game))
    digest = digest_of_settings(told.settings)
    key = digest_of(f"tune\0{told.name}\0{digest}".encode())
    parent = open_run(store, place, key, f"tune {told.name}", {"kind": "tune", "parameters": digest})
    log_params(store, parent, flatten({"budget": told.settings["budget"], "space": told.settings["space"]}))
    log_points(store, parent, parent_points(told.trials))
    for trial in told.trials:
        publish_trial(store, place, f"{key}/{trial.number}", parent.info.run_id, told.name, trial)
    if told.is_finished:
        for path in told.files:
            store.client.log_artifact(parent.info.run_id, str(path))
        set_tags(store, parent, {NOTE: told.note})
    set_status(store, parent, told.is_finished)


def publish_trial(store: Store, place: str, key: str, parent: str, name: str, trial: TrialTold) -> None:
    tags = {PARENT: parent, "kind": "trial", "trial": str(trial.number)}
    run = open_run(store, place, key, f"tune {name} trial {trial.number}", tags)
    log_params(store, run, {name: str(value) for name, value in trial.values.items()})
    points: Points = {SCORE: sorted(trial.scores.items())} if trial.scores else {}
    log_points(store, run, {**points, "seconds/trial": [(0, trial.seconds)]})
    set_tags(store, run, {"state": trial.state, **({"reason": trial.reason} if trial.reason else {})})
    status = STATUS.get(trial.state, PRUNED_STATUS)
    if run.info.status != status:
        store.client.set_terminated(run.info.run_id, status)


def parent_points(trials: list[TrialTold]) -> Points:
    """Each trial's score and the best so far, with the trial's number as the step."""
    points: Points = {}
    best = 0.0
    for trial in trials:
        if trial.state == COMPLETE and trial.score is not None:
            best = max(best, trial.score)
            points.setdefault(SCORE, []).append((trial.number, trial.score))
            points.setdefault(BEST, []).append((trial.number, best))
    return points
