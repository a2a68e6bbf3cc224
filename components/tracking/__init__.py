"""MLflow sees what the line has done: the only rooms that import mlflow, and they do so when something is published.

Called after every stage with the project's root. An observer fed from the files that stages write: publishing again changes
nothing, a broken or locked store is one sentence, and the line never waits for it or fails because of it.
"""

from pathlib import Path


def publish_experiment(root: Path, experiment: str) -> str | None:
    """Bring MLflow up to date with an experiment's files. Returns the problem in one sentence, or None."""
    from components.tracking.publish import publish_safely

    return publish_safely(Path(root).resolve(), experiment)
