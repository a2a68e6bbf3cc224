"""The real command in a real process: nothing but answers on stdout, pipelining, live analysis, and Sabaki as the controller."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from protocol_fakes import take_apart

from components.core.command import INTERRUPTED_EXIT_CODE
from components.players.gtp_client import GtpClient

ROOT = Path(__file__).parents[2]
ENGINE = [sys.executable, "-m", "flows", "gtp", "--player", "uct:sims=40", "--size", "5"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def test_everything_sent_at_once_is_answered_in_order():
    lines = ["1 name", "", "# hello", "2 boardsize 5", "3 clear_board", "4 genmove b", "5 genmove w", "6 nonsense", "7 quit"]
    done = subprocess.run(
        ENGINE, input="\n".join(lines) + "\n", capture_output=True, text=True, env=ENVIRONMENT, cwd=ROOT, timeout=240
    )
    answers = take_apart(done.stdout)
    assert done.returncode == 0, done.stderr
    assert [number for _, number, _ in answers] == list("1234567")
    assert [status for status, _, _ in answers] == ["=", "=", "=", "=", "=", "?", "="]


def test_the_end_of_input_ends_the_engine():
    done = subprocess.run(ENGINE, input="name\n", capture_output=True, text=True, env=ENVIRONMENT, cwd=ROOT, timeout=240)
    assert (done.returncode, done.stdout) == (0, "= Zeroline\n\n")


@pytest.mark.parametrize(
    ("job", "lines"),
    [
        (["gtp", "--player", "random-eyes", "--size", "5"], "name\nquit\n"),
        (["riddles", "--player", "random"], "action move 1000\n"),
    ],
)
def test_an_engine_ends_cleanly_while_its_input_stays_open(job, lines):
    """A controller says quit, or somebody presses Ctrl-C, long before the pipe is closed: no crash of the interpreter."""
    words = [sys.executable, "-m", "flows", *job]
    engine = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, cwd=ROOT,
        # A shell's background job ignores Ctrl-C, and hands that on: tests may be one.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        engine.stdin.write(lines)
        engine.stdin.flush()
        if job[0] == "riddles":
            assert engine.stdout.readline() == "pass\n"
            engine.send_signal(signal.SIGINT)  # it has no word for quitting: interrupted while it waits
        status = engine.wait(60)
        said = engine.stderr.read()
    finally:
        engine.kill()
        engine.communicate()
    assert status == (0 if job[0] == "gtp" else INTERRUPTED_EXIT_CODE), said
    assert "Fatal" not in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--player", "genius:1"], "has no player 'genius:1'"),
        (["--player", "uct:sims=5", "--size", "30"], "Boards of size 30 cannot be played"),
        (["--player", "uct:sims=5", "--resign", "2"], "--resign is 2.0"),
    ],
)
def test_a_wrong_command_line_is_one_sentence(words, sentence):
    done = subprocess.run(
        [sys.executable, "-m", "flows", "gtp", *words], capture_output=True, text=True, env=ENVIRONMENT, cwd=ROOT, timeout=120
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_analysis_streams_until_the_next_line(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    client = GtpClient(ENGINE, command_seconds=240)
    try:
        client.require("clear_board")
        client.post("lz-analyze b 5")
        time.sleep(0.8)
        client.post("name")
        analysis, name = client.receive_all(time.monotonic() + 60)
    finally:
        client.close()
    told = analysis.text.split("\n")
    assert len(told) >= 2
    assert all(line.startswith("info move ") for line in told)
    assert name.text == "Zeroline"


@pytest.fixture(scope="session")
def sabaki(tmp_path_factory):
    """The folder with @sabaki/gtp, from the npm registry."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("npm is not installed: the independent controller @sabaki/gtp cannot be fetched")
    folder = tmp_path_factory.mktemp("npm")
    words = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder), "@sabaki/gtp@3.0.0"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=180)
    if done.returncode != 0:
        pytest.skip(f"npm cannot fetch @sabaki/gtp: {done.stderr.strip().splitlines()[-1:]}")
    return folder / "node_modules"


def test_sabaki_drives_our_engine(sabaki):
    """Sabaki's engine layer, written by others, finds nothing to complain about."""
    script = Path(__file__).with_name("sabaki_session.js")
    words = ["node", str(script), str(sabaki), *ENGINE]
    done = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT, cwd=ROOT, timeout=240)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["name"], told["protocol"]) == ("Zeroline", "2")
    assert "lz-analyze" in told["names"]
    assert told["whiteId"] == 42
    assert told["illegal"] == [True, "illegal move"]
    assert told["infos"] >= 1
    assert not told["analysisError"]
    assert "X" in told["board"]
