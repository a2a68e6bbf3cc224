"""The registry: one registered model per game, a version per net, the aliases `candidate` and `champion`.

Called by publish.py. A net is stored once, known by the digest of its weights. An alias moves when something happens (trained,
promoted) and not when it is told again, so that experiments on the same game do not take it from each other.
"""

import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import components
from components.tracking.evidence import Evidence, GenerationEvidence
from components.tracking.store import TRACKING_VARIABLE, Store

DIGEST = "zeroline.digest"  # tag of a version: which weights
REQUIREMENTS = ("mlflow", "numba", "numpy", "pandas", "pyarrow", "pydantic", "pyyaml", "safetensors", "torch")


def model_name(game: str) -> str:
    """A game's canonical name in signs that MLflow allows for a model."""
    return re.sub(r"[/:]", "_", game)


def publish_nets(store: Store, evidence: Evidence, game: str, runs: dict[str, str]) -> None:
    """Store the newest candidate and the newest promoted champion; runs: the run of each generation by name."""
    trained = [one for one in evidence.main_line if one.training is not None]
    promoted = [one for one in evidence.main_line if one.is_promoted]
    for alias, found in (("candidate", trained), ("champion", promoted)):
        if found:
            publish_net(store, evidence, found[-1], alias, model_name(game), runs[found[-1].name])


def publish_net(store: Store, evidence: Evidence, one: GenerationEvidence, alias: str, name: str, run_id: str) -> None:
    assert one.training is not None
    digest = one.training["candidate"]
    known = find_version(store, name, digest) or store_net(store, evidence, one, name, run_id, digest)
    event = f"zeroline.{alias}"
    if event not in known.tags:
        store.client.set_registered_model_alias(name, alias, known.version)
        store.client.set_model_version_tag(name, known.version, event, f"{evidence.name} {one.name}")


def find_version(store: Store, name: str, digest: str) -> Any:
    for known in store.client.search_model_versions(f"name = '{name}'"):
        if known.tags.get(DIGEST) == digest:
            return known
    return None


def store_net(store: Store, evidence: Evidence, one: GenerationEvidence, name: str, run_id: str, digest: str) -> Any:
    """Log the net as a model of its generation's run and register it, its tag included, in one call."""
    if not store.client.search_registered_models(f"name = '{name}'"):
        store.client.create_registered_model(
            name, description=f"Nets that play {evidence.experiment.game}: {{state}} -> {{policy, value}}."
        )
    tags = {DIGEST: digest, "experiment": evidence.name, "generation": one.name}
    with active_run(store, run_id):
        model = log_net(evidence, one)
        return store.client.create_model_version(name, model.model_uri, run_id, tags=tags, model_id=model.model_id)


def log_net(evidence: Evidence, one: GenerationEvidence) -> Any:
    """Weights, the code that reads them and the way to ask: a model that is served without this project at hand."""
    import mlflow
    from mlflow.models import ModelSignature
    from mlflow.types import ColSpec, DataType, Schema

    answer = Schema([ColSpec(DataType.string, "policy"), ColSpec(DataType.double, "value")])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks for an input example, which it would load the net to try
        return mlflow.pyfunc.log_model(
            name="net",
            python_model=str(Path(__file__).with_name("served.py")),
            artifacts={"net": str(evidence.layout.candidate(one.name))},
            code_paths=[str(Path(components.__file__).parent)],
            # Named here, or MLflow would load the model in a process of its own to find them out: 10 to 20 s.
            pip_requirements=[f"{package}=={version(package)}" for package in REQUIREMENTS],
            signature=ModelSignature(inputs=Schema([ColSpec(DataType.string, "state")]), outputs=answer),
            model_config={"prior_temperature": evidence.experiment.search.prior_temperature},
        )


@contextmanager
def active_run(store: Store, run_id: str) -> Iterator[None]:
    """log_model and a model's URI mean the run and store that are active in this process. All is as before afterwards."""
    import mlflow

    status = store.client.get_run(run_id).info.status
    exported = os.environ.get(TRACKING_VARIABLE)
    before = mlflow.get_tracking_uri() if mlflow.is_tracking_uri_set() else None
    # The registry is left alone: it follows this URI, and setting it would be inherited by every child process.
    mlflow.set_tracking_uri(store.uri)
    try:
        with mlflow.start_run(run_id=run_id):
            yield
    finally:
        mlflow.set_tracking_uri(before)  # type: ignore[arg-type]
        restore_variable(exported)
        if status == "RUNNING":
            store.client.update_run(run_id, status=status)


def restore_variable(uri: str | None) -> None:
    """mlflow hands its URI on to child processes by this variable; we read it as the user's choice."""
    if uri is None:
        os.environ.pop(TRACKING_VARIABLE, None)
    else:
        os.environ[TRACKING_VARIABLE] = uri
