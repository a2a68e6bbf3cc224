"""A match or a ladder rung as a run in MLflow: numbers, players and files. Called by the match and ladder commands.

The run belongs to the match's key (game, players, seed): publishing again corrects it instead of making another.
"""

from pathlib import Path
from typing import Any

from components.core.errors import ZerolineError
from components.core.files import digest_of
from components.tracking.models import model_name
from components.tracking.numbers import numbers_in
from components.tracking.publish import first_line
from components.tracking.runs import experiment_id, log_params, log_points, open_run, set_status
from components.tracking.store import open_store


def publish_match(root: Path, key: str, summary: dict[str, Any], folder: Path | None = None) -> str | None:
    """Log a finished match; returns the problem in one sentence, or None."""
    try:
        with open_store(Path(root).resolve()) as store:
            place = experiment_id(store, summary["game"], model_name(summary["game"]))
            name = f"{summary['player']} against {summary['opponent']}"
            run = open_run(store, place, digest_of(f"match\0{key}".encode()), name[:250], {"kind": "match"})
            log_params(store, run, {"player": summary["player"][:500], "opponent": summary["opponent"][:500], "match": key[:500]})
            log_points(store, run, {metric: [(0, value)] for metric, value in numbers_in(summary).items()})
            if folder is not None:
                store.client.log_artifacts(run.info.run_id, str(folder))
            set_status(store, run, True)
    except ZerolineError as error:
        return str(error)
    except ImportError as error:
        return f"mlflow cannot be imported ({first_line(error)})"
    except Exception as error:
        # Whatever a store, a server or a driver throws: the match is played and its files are written.
        return f"{type(error).__name__}: {first_line(error)}"
    return None
