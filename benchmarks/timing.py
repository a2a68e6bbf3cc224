"""Rates as ratios within one run: candidates take turns, so that a busy machine slows all of them alike."""

import json
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent / "out"


def rates(
    candidates: Mapping[str, Callable[[], int]],
    rounds: int = 5,
    seconds: float = 0.4,
    clock: Callable[[], float] = time.thread_time,
) -> dict[str, float]:
    """Median units per CPU second of each candidate; a candidate does some work and returns how many units it did."""
    found: dict[str, list[float]] = {name: [] for name in candidates}
    for work in candidates.values():
        work()  # compile, allocate, warm up
    for _ in range(rounds):
        for name, work in candidates.items():
            found[name].append(rate(work, seconds, clock))
    return {name: statistics.median(values) for name, values in found.items()}


def process_rates(candidates: Mapping[str, Callable[[], int]], rounds: int = 5, seconds: float = 0.8) -> dict[str, float]:
    """The same, counting the CPU seconds of all threads of this process: fair to those who use several."""
    return rates(candidates, rounds, seconds, time.process_time)


def rate(work: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    units, began, until = 0, clock(), time.perf_counter() + seconds
    while time.perf_counter() < until:
        units += work()
    return units / (clock() - began)


def write_json(name: str, content: Any) -> Path:
    OUT.mkdir(exist_ok=True)
    path = OUT / f"{name}.json"
    path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n")
    return path
