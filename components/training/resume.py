"""Training states on disk: what a killed run needs to go on, and what a child needs to go on with its parent's optimiser.

Called by trainer.py. Promises: one safetensors file, born whole, never pickle; a state of other parameters, data or net is
never continued.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from components.core.errors import BadFile
from components.core.files import write_bytes
from components.training.schedule import TrainingAge

NOTE_KEY = "zeroline-training"  # the only metadata entry: safetensors writes several in random order


@dataclass
class Progress:
    """Where a run stands. Data position and random numbers follow from `step`; sums are of the report line at hand."""

    fingerprint: str
    step: int = 0
    averaged_steps: int = 0
    seconds: float = 0.0  # spent so far, over all processes; told, never used
    sums: dict[str, float] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)


def write_state(path: Path, tensors: dict[str, Tensor], note: dict[str, Any]) -> None:
    write_bytes(path, save(tensors, {NOTE_KEY: json.dumps(note, sort_keys=True)}))


def read_state(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """(tensors by name, note); anything that is no training state is a sentence."""
    try:
        with safe_open(str(path), framework="pt", device="cpu") as opened:
            note = json.loads((opened.metadata() or {})[NOTE_KEY])
            return {name: opened.get_tensor(name) for name in opened.keys()}, note  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise BadFile(
            f"{path} is damaged or no training state ({type(error).__name__}: {error}). Delete it and run the same command"
            " again: training starts from its first step."
        ) from None


def save_progress(path: Path, tensors: dict[str, Tensor], progress: Progress) -> None:
    write_state(path, tensors, asdict(progress))


def load_progress(path: Path, fingerprint: str) -> tuple[dict[str, Tensor], Progress] | None:
    """What a killed run of the same parameters, data and net left; None if there is nothing or it is of another run."""
    if not path.exists():
        return None
    tensors, note = read_state(path)
    return (tensors, Progress(**note)) if note["fingerprint"] == fingerprint else None


def optimizer_path(checkpoint: Path) -> Path:
    """Where the optimiser's state lies beside a net unless somebody says otherwise."""
    return checkpoint.with_suffix(".optimizer.safetensors")


def save_optimizer(path: Path, moments: dict[str, Tensor], age: TrainingAge, kind: str, net: str) -> None:
    """Keep the moments and age of the optimiser that made a net, known by the digest of its weights."""
    write_state(path, moments, {"age": asdict(age), "optimizer": kind, "net": net})


def save_no_optimizer(path: Path) -> None:
    """The same few bytes whenever no optimiser is kept: the next training must not run again because of them."""
    write_state(path, {}, {"age": asdict(TrainingAge()), "optimizer": "", "net": ""})


def load_optimizer(path: Path, kind: str, net: str) -> tuple[dict[str, Tensor], TrainingAge] | None:
    """The moments and age of a net's optimiser; None if they were not kept or are of another kind or net.

    Another kind's moments mean nothing, and after a rejected candidate the champion is not the net that they belong to.
    """
    if not path.exists():
        return None
    moments, note = read_state(path)
    return (moments, TrainingAge(**note["age"])) if (note["optimizer"], note["net"]) == (kind, net) else None
