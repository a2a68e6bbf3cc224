"""Train one small net on the shards below a folder, as a process that a test can kill: train_once.py FOLDER NAME [CONFIG]."""

import json
import sys
from pathlib import Path

from components.core.files import file_digest
from components.data.config import WindowConfig
from components.data.shards import entry_of
from components.data.window import Window
from components.nets.config import NetConfig
from components.training.config import TrainConfig
from components.training.trainer import TrainRequest, train

NET = NetConfig(blocks=2, channels=16, pool_every=2, policy_channels=4, value_channels=4, value_hidden=16)
CONFIG = {
    "batch_size": 32, "steps": 120, "uses_per_row": None, "report_steps": 25, "checkpoint_steps": 5, "ema": 0.9,
    "schedule": "cosine", "warmup_steps": 10, "value_mix": 0.25, "held_out": 0.1,
}  # fmt: skip


def request_of(folder, name, parent=None, generation=1, net=NET, **config):
    shards = sorted(folder.glob("g*/*.parquet"))
    return TrainRequest(
        game="tictactoe",
        net=net,
        config=TrainConfig(**{**CONFIG, **config}),
        window=Window(tuple(entry_of(path, folder) for path in shards)),
        window_config=WindowConfig(),
        root=folder,
        seed=3,
        generation=generation,
        parent=parent,
        candidate=folder / name / "candidate.safetensors",
        report=folder / name / "training.json",
        work=folder / name / "work",
    )


def rename(request, **changes):
    return type(request)(**{**request.__dict__, **changes})


def outputs(place):
    return {path.name: file_digest(path) for path in sorted(place.iterdir()) if path.is_file()}


def tell(event):
    if event["event"] in ("saved", "resumed"):
        print(json.dumps(event), flush=True)


if __name__ == "__main__":
    chosen = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
    train(request_of(Path(sys.argv[1]), sys.argv[2], **chosen), tell)
