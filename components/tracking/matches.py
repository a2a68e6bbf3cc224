"""A match or a ladder rung as a run in MLflow: numbers, players and files. Called by the match and ladder commands.

The run belongs to the match's key (game, players, seed): publishing again corrects it instead of making another.
"""

from pathlib import Path
from typing import Any

from components.core.files import digest_of
from components.tracking.models import model_name
from components.tracking.numbers import numbers_in
from components.tracking.runs import experiment_id, log_params, log_points, open_run, set_status
from components.tracking.store import Store, tell_store


def publish_match(root: Path, key: str, summary: dict[str, Any], folder: Path | None = None) -> str | None:
    """Log a finished match; returns the problem in one sentence, or None."""
    return tell_store(Path(root).resolve(), lambda store: publish(store, key, summary, folder))


def publish(store: Store, key: str, summary: dict[str, Any], folder: Path | None) -> None:
    place = experiment_id(store, summary["game"], model_name(summary["game"]))
    name = f"{summary['player']} against {summary['opponent']}"
    run = open_run(store, place, digest_of(f"match\0{key}".encode()), name[:250], {"kind": "match"})
    log_params(store, run, {"player": summary["player"][:500], "opponent": summary["opponent"][:500], "match": key[:500]})
    log_points(store, run, {metric: [(0, value)] for metric, value in numbers_in(summary).items()})
    if folder is not None:
        store.client.log_artifacts(run.info.run_id, str(folder))
    set_status(store, run, True)
