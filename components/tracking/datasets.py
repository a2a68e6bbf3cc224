"""The data a net was trained on, as MLflow sees it: name, place and DVC's digest. No row is read."""

from pathlib import Path
from typing import Any

import yaml

from components.layout import Layout
from components.tracking.evidence import readable
from components.tracking.store import Store

DVC_LOCK = "dvc.lock"


def log_datasets(store: Store, run: Any, generation: str, layout: Layout) -> None:
    """Add to a generation's run the data of every generation in its window that DVC has recorded."""
    from mlflow.data.meta_dataset import MetaDataset
    from mlflow.data.sources import LocalArtifactDatasetSource  # type: ignore[attr-defined]
    from mlflow.entities import DatasetInput, InputTag

    known = {given.dataset.digest for given in run.inputs.dataset_inputs} if run.inputs else set()
    inputs = []
    for name in window_generations(layout, generation):
        digest = recorded_digest(layout, name)
        if digest and digest not in known:
            source = LocalArtifactDatasetSource(str(layout.data(name)))
            dataset = MetaDataset(source, name=f"{layout.experiment}-{name}", digest=digest)  # type: ignore[abstract]
            inputs.append(DatasetInput(dataset._to_mlflow_entity(), [InputTag("mlflow.data.context", "training")]))
    if inputs:
        store.client.log_inputs(run.info.run_id, inputs)


def window_generations(layout: Layout, generation: str) -> list[str]:
    """The generations whose shards are in a window, in its order. A path is runs/EXPERIMENT/GENERATION/data/SHARD."""
    window = readable(layout.window(generation)) or {"shards": []}
    return list(dict.fromkeys(Path(shard["path"]).parent.parent.name for shard in window["shards"]))


def recorded_digest(layout: Layout, generation: str) -> str | None:
    """DVC's digest of a generation's data; None until it is recorded. DVC writes its lock after the stage, so the entry of a
    stage that has just run again may be the one of the run before: it counts only if files and bytes agree."""
    try:
        lock = yaml.safe_load((layout.root / DVC_LOCK).read_text(encoding="utf-8"))
        outputs = lock["stages"][f"generate@{layout.experiment}-{generation}"]["outs"]
    except (OSError, yaml.YAMLError, KeyError, TypeError):
        return None
    folder = layout.data(generation)
    sizes = [path.stat().st_size for path in folder.glob("*.parquet")]
    for output in outputs:
        if layout.root / output["path"] == folder and (output.get("nfiles"), output.get("size")) == (len(sizes), sum(sizes)):
            return output["md5"]
    return None
