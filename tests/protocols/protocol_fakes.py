"""What the protocol tests share: sessions without processes, a clock that tests move, engines that misbehave."""

import re
import sys
import textwrap

from components.protocols.gtp import parse_command
from components.protocols.gtp_engine import GtpEngine, serve
from components.protocols.lines import ScriptedLines


def take_apart(output):
    """[(status, id, text)] of a whole output; fails if anything is left that is no answer."""
    answers, place = [], 0
    while place < len(output):
        end = output.index("\n\n", place)
        found = re.fullmatch(r"([=?])([0-9]*)(?:[ \n](.*)|)", output[place:end], re.DOTALL)
        assert found, f"not an answer: {output[place : end + 2]!r}"
        assert output[end + 2 : end + 3] != "\n", "more than one empty line"
        answers.append((found[1], found[2], found[3] or ""))
        place = end + 2
    return answers


def converse(lines, player="random-eyes", side=5, engine=None, **options):
    """The answers to some lines, and the engine that gave them."""
    engine = engine or GtpEngine(player, side, **options)
    pieces = []
    serve(engine, ScriptedLines(lines, engine.clock), pieces.append)
    answers = take_apart("".join(pieces))
    commands = [command for command in map(parse_command, lines) if command is not None]
    names = [command.name for command in commands]
    expected = commands[: names.index("quit") + 1] if "quit" in names else commands
    assert [number for _, number, _ in answers] == [command.number for command in expected]
    return [(status, text) for status, _, text in answers], engine


class FakeClock:
    """Time passes when a test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class SlowEvaluator:
    """Every evaluation takes some of the fake clock's seconds."""

    def __init__(self, evaluator, clock, seconds):
        self.evaluator, self.clock, self.seconds, self.calls = evaluator, clock, seconds, 0

    def evaluate(self, states, rows, streams):
        self.calls += 1
        self.clock.now += self.seconds() if callable(self.seconds) else self.seconds
        return self.evaluator.evaluate(states, rows, streams)


FAKE_ENGINE = """
    import sys, time, os, signal
    mode = sys.argv[1]
    moves = 0
    for line in sys.stdin:
        number, name, *words = line.split()
        say = ""
        if name == "genmove":
            moves += 1
            if mode == "hang": time.sleep(600)
            if mode == "die" and moves == 2: os._exit(3)
            if mode == "complain" and moves == 2:
                sys.stderr.write("out of memory\\n"); sys.stderr.flush(); os._exit(1)
            say = {"resign": "resign", "illegal": "A1", "nonsense": "Z99", "child": "pass"}.get(mode, "pass")
        elif name == "name": say = "Fake"
        elif name == "version": say = "7"
        if mode == "refuse" and name == "boardsize":
            print(f"?{number} unacceptable size\\n", flush=True); continue
        if mode == "unframed" and name == "genmove":
            print("hello\\n", flush=True); continue
        if mode == "child" and name == "name":
            import subprocess
            subprocess.Popen(["sleep", "600"])
        print(f"={number} {say}\\n", flush=True)
        if name == "quit": break
"""


def fake_engine(folder, mode):
    """The player text of an engine that misbehaves in one way."""
    script = folder / "fake_engine.py"
    script.write_text(textwrap.dedent(FAKE_ENGINE))
    return f"{sys.executable} {script} {mode}"
