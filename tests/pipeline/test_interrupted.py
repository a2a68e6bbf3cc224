"""Ctrl-C at a terminal: it ends within seconds with one sentence, leaves no process behind, and the same command goes on."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

pytestmark = pytest.mark.slow
SECONDS_TO_END = 20  # on a busy machine; what is waited for is a shard of minutes
LONG = {"games": 4000, "shards": 3, "slots": 16, "precision": "fp32"}


def start(project, *arguments):
    """The command as a terminal would run it: a process group of its own, which Ctrl-C reaches as a whole."""
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=project.root, env=project.environment(ZEROLINE_WORKERS="2"), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def of_group(group):
    """Living processes of a process group."""
    found = []
    for process in psutil.process_iter(["pid", "status"]):
        try:
            if os.getpgid(process.info["pid"]) == group and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process)
        except ProcessLookupError:
            continue
    return found


def wait_for(is_true, seconds):
    until = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < until, f"not so within {seconds} s"
        time.sleep(0.1)


@pytest.mark.parametrize("to_all", [True, False], ids=["from-the-keyboard", "to-the-stage-only"])
def test_selfplay_ends_with_one_sentence(make_project, to_all):
    project = make_project(generations=1, selfplay=LONG)
    project.python("-m", "flows.stages", "start", "small")
    process = start(project, "-m", "flows.stages", "generate", "small-g01")
    line = process.stdout.readline()
    assert "positions/s" in line  # both workers are in the middle of their shards, or about to be
    began = time.monotonic()
    (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
    told = process.communicate(timeout=SECONDS_TO_END)[1]
    print(f"ended within {time.monotonic() - began:.1f} s")
    assert process.returncode == 130
    assert told.strip() == "Interrupted. Run the same command again to go on; what was finished is kept."
    wait_for(lambda: not of_group(process.pid), SECONDS_TO_END)
    assert not (project.root / "runs/small/g01").exists()
