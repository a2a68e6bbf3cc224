"""Run one DVC stage: `dvc repro -s` is the only thing that ever runs and records a stage; this starts it and says what it did.

Called by the flow's tasks. The stage's processes form a group of their own, which ends with the task, however that ends.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.core.errors import ZerolineError

SECONDS_TO_END = 5.0
RAN, RESTORED, UNCHANGED = "Ran", "Restored", "Unchanged"


class StageFailed(ZerolineError):
    """A stage ended with an error; its last words are in the message."""


@dataclass(frozen=True)
class StageRun:
    stage: str
    label: str  # Ran, Restored or Unchanged
    reason: str
    seconds: float


def run_stage(stage: str, root: Path, say: Callable[[str], None]) -> StageRun:
    """Let DVC decide whether a stage must run, and run it."""
    began = time.monotonic()
    reason = why_changed(stage, root)
    lines: list[str] = []

    def hear(line: str) -> None:
        lines.append(line)
        say(line)

    code = follow([*dvc_command(), "--wait-for-lock", "repro", "-s", stage], root, hear)
    if code != 0:
        words = [line for line in lines if line.strip()][-3:]
        raise StageFailed(
            f"The stage {stage} failed (exit code {code}): {' | '.join(words)}. Mend it and run the same command again."
        )
    label = label_of(stage, lines)
    reasons = {UNCHANGED: "inputs and outputs are as recorded", RESTORED: "the same inputs were run before"}
    return StageRun(stage, label, reasons.get(label, reason), time.monotonic() - began)


def dvc_command() -> list[str]:
    return [sys.executable, "-m", "dvc"]


def environment() -> dict[str, str]:
    """The stage's `python` must be ours, also where no virtual environment is active."""
    paths = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    return {**os.environ, "PATH": os.pathsep.join(paths), "DVC_NO_ANALYTICS": "1", "PYTHONUNBUFFERED": "1"}


def follow(command: list[str], root: Path, hear: Callable[[str], None]) -> int:
    """Run a command, pass its lines on, and take its whole process group down if we are stopped."""
    process = subprocess.Popen(
        command, cwd=root, env=environment(), text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        for line in process.stdout:
            hear(line.rstrip("\n"))
        return process.wait()
    except BaseException:
        end_group(process)
        raise


def run_group(command: list[str]) -> int:
    """Run a command at our own terminal, but in a group that Ctrl-C does not reach: it ends as a whole, when we are stopped."""
    process = subprocess.Popen(command, text=True, start_new_session=True)
    try:
        return process.wait()
    except BaseException:
        end_group(process)
        raise


def end_group(process: "subprocess.Popen[str]") -> None:
    """Ask the group to end, then make it: shards and checkpoints survive either way."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            return
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def label_of(stage: str, lines: list[str]) -> str:
    text = "\n".join(lines)
    if f"Running stage '{stage}'" in text:
        return RAN
    return RESTORED if "is cached - skipping run" in text or "checking out outputs" in text else UNCHANGED


def why_changed(stage: str, root: Path) -> str:
    """What DVC sees changed before a stage runs, in words."""
    command = [*dvc_command(), "--wait-for-lock", "status", "--json", stage]
    answer = subprocess.run(command, cwd=root, env=environment(), capture_output=True, text=True, check=False)
    try:
        changes = json.loads(answer.stdout or "{}").get(stage, [])
    except ValueError:
        return "its state could not be read"
    return describe(changes) or "nothing changed"


def describe(changes: list[Any]) -> str:
    """For example: params.yaml experiments.golad-6x6.train modified; runs/... new."""
    words = []
    for change in changes:
        if isinstance(change, str):
            words.append(change)
            continue
        for group in change.values():
            for path, state in group.items():
                detail = ", ".join(f"{name} {what}" for name, what in state.items()) if isinstance(state, dict) else str(state)
                words.append(f"{path} {detail}")
    return "; ".join(words)
