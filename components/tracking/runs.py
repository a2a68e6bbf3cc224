"""Runs in MLflow: find the one that is meant, or make it; add only what it does not have yet.

Called by publish.py. Promises that logging the same points again writes nothing, after a kill at any moment too.
"""

import time
from typing import Any

from components.tracking.numbers import Points
from components.tracking.store import Store

KEY = "zeroline.key"  # tag: which run it is
POINTS_PER_BATCH = 1000  # MLflow's limits
ENTRIES_PER_BATCH = 100


def experiment_id(store: Store, game: str, folder: str) -> str:
    """MLflow's experiment is a game. A deleted one is restored: its name stays taken."""
    found = store.client.get_experiment_by_name(game)
    if found is None:
        return store.client.create_experiment(game, artifact_location=store.artifact_location(folder))
    if found.lifecycle_stage == "deleted":
        store.client.restore_experiment(found.experiment_id)
    return found.experiment_id


def find_run(store: Store, experiment: str, key: str) -> Any:
    found = store.client.search_runs([experiment], f"tags.`{KEY}` = '{key}'", max_results=1)
    return found[0] if found else None


def open_run(store: Store, experiment: str, key: str, name: str, tags: dict[str, str]) -> Any:
    """The run with this key, made if there is none."""
    found = find_run(store, experiment, key)
    return found or store.client.create_run(experiment, run_name=name, tags={KEY: key, **tags})


def log_params(store: Store, run: Any, params: dict[str, str]) -> None:
    from mlflow.entities import Param

    missing = [Param(name, value) for name, value in params.items() if name not in run.data.params]
    for start in range(0, len(missing), ENTRIES_PER_BATCH):
        store.client.log_batch(run.info.run_id, params=missing[start : start + ENTRIES_PER_BATCH])


def log_points(store: Store, run: Any, points: Points) -> None:
    """Log the points that the run does not have. A step whose value has changed gets the new one: the UI shows the last."""
    from mlflow.entities import Metric

    now = int(time.time() * 1000)
    metrics = []
    for name, wanted in points.items():
        known = last_values(store, run, name) if name in run.data.metrics else {}
        # After a value that was logged within this millisecond, the new one must still be the later one.
        metrics += [
            Metric(name, value, max(now, known[step][0] + 1) if step in known else now, step)
            for step, value in wanted
            if step not in known or known[step][1] != value
        ]
    for start in range(0, len(metrics), POINTS_PER_BATCH):
        store.client.log_batch(run.info.run_id, metrics=metrics[start : start + POINTS_PER_BATCH])


def last_values(store: Store, run: Any, name: str) -> dict[int, tuple[int, float]]:
    """(time, value) logged last, by step."""
    last: dict[int, tuple[int, float]] = {}
    for metric in store.client.get_metric_history(run.info.run_id, name):
        last[metric.step] = max(last.get(metric.step, (0, 0.0)), (metric.timestamp, metric.value), key=lambda entry: entry[0])
    return last


def set_tags(store: Store, run: Any, tags: dict[str, str]) -> None:
    for name, value in tags.items():
        if run.data.tags.get(name) != value:
            store.client.set_tag(run.info.run_id, name, value)


def set_status(store: Store, run: Any, is_finished: bool) -> None:
    wanted = "FINISHED" if is_finished else "RUNNING"
    if run.info.status != wanted:
        if is_finished:
            store.client.set_terminated(run.info.run_id)
        else:
            store.client.update_run(run.info.run_id, status=wanted)
