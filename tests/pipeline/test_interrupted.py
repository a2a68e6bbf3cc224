"""Ctrl-C at a terminal: it ends within seconds with one sentence, leaves no process behind, and the same command goes on."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
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
        # Both workers are in the middle of their shards, or about to be.
        assert any("positions/s" in line for line in process.stdout)
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


ORPHAN = """
import multiprocessing, os, pathlib, sys, time

def work(folder):
    from flows.shards import die_with_parent

    (folder / "started").touch()
    while os.getppid() == multiprocessing.parent_process().pid:
        time.sleep(0.01)
    die_with_parent()
    (folder / "lives on").touch()

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    multiprocessing.get_context("spawn").Process(target=work, args=(folder,)).start()
    while not (folder / "started").exists():
        time.sleep(0.01)
    os._exit(0)
"""


def test_a_worker_whose_parent_went_while_it_started_ends_too(tmp_path):
    (tmp_path / "orphan.py").write_text(ORPHAN)
    with suppress(subprocess.TimeoutExpired):  # the pipe is open as long as the worker lives
        subprocess.run(
            [sys.executable, tmp_path / "orphan.py", tmp_path], cwd=ROOT, env=ENVIRONMENT, capture_output=True, timeout=60
        )
    assert (tmp_path / "started").exists()
    assert not (tmp_path / "lives on").exists()
