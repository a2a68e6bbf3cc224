"""The machine a number was measured on: a speed without it says nothing."""

import os
import platform
from pathlib import Path
from typing import Any


def machine_facts() -> dict[str, Any]:
    import torch

    return {
        "processor": processor_name(),
        "cores": os.cpu_count(),
        "gpu": torch.cuda.get_device_name(0) if torch.cuda.is_available() else None,
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


def processor_name() -> str:
    """As Linux tells it; elsewhere what Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def load() -> float | None:
    """How many processes wanted a core in the last minute: others on the machine make a player look slow."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def machine_name(facts: dict[str, Any]) -> str:
    gpu = f", {facts['gpu']}" if facts["gpu"] else ", no GPU"
    return f"{facts['processor']}, {facts['cores']} cores{gpu}, torch {facts['torch']}, Python {facts['python']}"
