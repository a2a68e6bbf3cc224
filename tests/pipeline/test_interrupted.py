"""Ctrl-C at a terminal: it ends within seconds with one sentence, leaves no process behind, and the same command goes on."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import psutil
import pytest

pytestmark = pytest.mark.slow
SECONDS_TO_END = 20  # on a busy machine; what is waited for is a shard of minutes
START_SECONDS = 300  # of a flow and its temporary server, on a busy machine
SENTENCE = "Interrupted. Run the same command again to go on; what was finished is kept."
LONG = {"games": 4000, "shards": 3, "slots": 16, "precision": "fp32"}


@contextmanager
def start(project, *arguments, **extra):
    """The command as a terminal would run it: a process group of its own, which Ctrl-C reaches as a whole."""
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=project.root, env=project.environment(ZEROLINE_WORKERS="2", **extra), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        # A shell's background job ignores Ctrl-C, and hands that on: tests may be one.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        yield process
    finally:
        for left in living_in(project.root):
            with suppress(psutil.NoSuchProcess):
                left.kill()
        process.communicate()


def living_in(root):
    """Processes that work in a project's folder: stages, their workers, a flow and its temporary server."""
    found = []
    for process in psutil.process_iter(["cwd", "status", "cmdline"]):
        if process.info["cwd"] == str(root) and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def is_playing(root):
    return any("flows.stages generate" in " ".join(one.info["cmdline"] or []) for one in living_in(root))


def wait_for(is_true, seconds):
    until = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < until, f"not so within {seconds} s"
        time.sleep(0.1)


@pytest.mark.parametrize("to_all", [True, False], ids=["from-the-keyboard", "to-the-stage-only"])
def test_selfplay_ends_with_one_sentence(make_project, to_all):
    project = make_project(generations=1, selfplay=LONG)
    project.python("-m", "flows.stages", "start", "small")
    with start(project, "-m", "flows.stages", "generate", "small-g01") as process:
        line = process.stdout.readline()
        assert "positions/s" in line  # both workers are in the middle of their shards, or about to be
        (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
        told = process.communicate(timeout=SECONDS_TO_END)[1]
        assert process.returncode == 130
        assert told.strip() == SENTENCE
        wait_for(lambda: not living_in(project.root), SECONDS_TO_END)
    assert not (project.root / "runs/small/g01").exists()


def test_a_flow_without_a_server_ends_with_one_sentence_too(make_project):
    """Its temporary server lives in the same terminal: it must not go before the flow has told it the end."""
    project = make_project(generations=1, selfplay=LONG)
    home = str(project.root.parent / "prefect-home")
    with start(project, "-m", "flows", "run", "small", PREFECT_HOME=home) as process:
        wait_for(lambda: is_playing(project.root), START_SECONDS)
        os.killpg(process.pid, signal.SIGINT)
        told = process.communicate(timeout=SECONDS_TO_END)[1]
        assert process.returncode == 130
        assert told.strip().splitlines()[-1] == SENTENCE
        wait_for(lambda: not living_in(project.root), SECONDS_TO_END)
