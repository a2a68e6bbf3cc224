"""How fast each precision is: positions/s of the same nets in fp32 eager, fp32 folded, bf16 and int8, in one run.

    python -m benchmarks.precision [--rounds 7] [--batch 128]

One thread, CPU seconds. Prints a table with ratios to fp32 eager (the plain module under inference_mode) and writes
benchmarks/out/precision.json.
"""

import argparse
import platform
from collections.abc import Callable
from typing import Any

import torch

from benchmarks.timing import rates, write_json
from components.games.contract import Spec, square_maps
from components.nets.config import NetConfig
from components.nets.evaluator import has_bf16, set_threads
from components.nets.fused import FusedTower
from components.nets.model import TowerNet, build_model
from components.nets.quantize import QuantizedTower, calibrate

SLICE_SECONDS = 0.2
NEEDED = {"bf16": 1.7, "int8": 2.8}  # times fp32 eager
SHAPES = {
    "go-9x9 5x32": (17, 9, 9, 1, 1, NetConfig(blocks=5, channels=32)),
    "go-9x9 6x64": (17, 9, 9, 1, 1, NetConfig(blocks=6, channels=64)),
    "golad-8x8 3x64": (8, 8, 8, 3, 1, NetConfig(blocks=3, channels=64)),
}


def spec_of(planes: int, height: int, width: int, policy_planes: int, policy_extras: int) -> Spec:
    names = tuple(f"plane {index}" for index in range(planes))
    return Spec(1, height, width, names, policy_planes, policy_extras, height * width, 500, 0, square_maps(height, width))


def used_net(spec: Spec, config: NetConfig) -> TowerNet:
    """A net whose blocks do something: a new one starts as the identity."""
    model = build_model(spec, config)
    assert isinstance(model, TowerNet)
    for block in model.residual_blocks():
        torch.nn.init.constant_(block.second.norm.weight, 0.5)
    return model.eval()


def back_ends(model: TowerNet, planes: torch.Tensor) -> dict[str, Callable[[], int]]:
    """Each evaluates the planes once and says how many positions that were."""
    shape = (planes.shape[0], planes.shape[2], planes.shape[3])
    nets: dict[str, Callable[[torch.Tensor], Any]] = {
        "fp32 eager": model,
        "fp32": FusedTower(model, torch.float32, shape),
        "int8": QuantizedTower(model, calibrate(model, planes), shape),
    }
    if has_bf16(torch.device("cpu")):  # without it the packed operations refuse
        nets["bf16"] = FusedTower(model, torch.bfloat16, shape)
    return {name: lambda net=net: len(net(planes)[1]) for name, net in nets.items()}  # type: ignore[misc]


def table(results: dict[str, dict[str, float]]) -> str:
    lines = [f"{'net':<16}" + "".join(f"{name:>20}" for name in next(iter(results.values())))]
    for net, speeds in results.items():
        cells = [f"{speed:>10,.0f}/s {speed / speeds['fp32 eager']:>5.2f}x" for speed in speeds.values()]
        lines.append(f"{net:<16}" + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)


def verdicts(results: dict[str, dict[str, float]]) -> list[str]:
    lines = []
    measured = next(iter(results.values()))
    for name, needed in NEEDED.items():
        if name not in measured:
            lines.append(f"{name}: this processor does not compute it")
            continue
        lowest = min(speeds[name] / speeds["fp32 eager"] for speeds in results.values())
        lines.append(f"{name}: at least {lowest:.2f}x fp32 eager (need {needed}x): {'met' if lowest >= needed else 'MISSED'}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description="positions/s of each precision, with ratios to fp32 eager")
    parser.add_argument("--rounds", type=int, default=7, help=f"slices of {SLICE_SECONDS} s for each net and back end")
    parser.add_argument("--batch", type=int, default=128)
    options = parser.parse_args()
    set_threads(1)
    results = {}
    with torch.inference_mode():
        for net, (*layout, config) in SHAPES.items():
            spec = spec_of(*layout)
            planes = (torch.rand(options.batch, spec.planes, spec.height, spec.width) < 0.3).float()
            results[net] = rates(back_ends(used_net(spec, config), planes), options.rounds, SLICE_SECONDS)
    print(f"positions per CPU second, batch {options.batch}, one thread, torch {torch.__version__}, {platform.machine()}")
    print(table(results))
    print("\n".join(verdicts(results)))
    setting = {"batch": options.batch, "threads": 1, "torch": torch.__version__, "machine": platform.machine()}
    print(f"written: {write_json('precision', {'setting': setting, 'positions_per_second': results})}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
