"""A program outside this process: lines in, lines out, deadlines, and an end that leaves nothing behind.

Used by gtp_client.py and riddles_client.py. Promises that no wait is without a limit, that a dead or silent program is an
EngineFailure with the last words it wrote to stderr, and that close() ends its whole process group and reaps it.
"""

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress

from components.core.errors import BadParameter, EngineFailure

MORE_FOLDERS = "/usr/games:/usr/local/games"  # where Debian puts engines; not on everybody's PATH
INSTALL_HINTS = {
    "gnugo": "install gnugo: apt-get install gnugo",
    "pachi": "build it from https://github.com/pasky/pachi (Debian's package 'pachi' is another game)",
}
READ_BYTES = 65_536
MOST_PENDING_BYTES = 4_000_000  # an engine that writes more without being asked has run wild
LAST_WORDS = 300  # characters of stderr that a failure quotes
GOODBYE_SECONDS = 1.0
LAST_BREATH_SECONDS = 0.5
ENDED = "ended"


class MissingProgram(BadParameter):
    """A program that is not installed here; it may be by the time it is played."""


def find_program(command: str) -> list[str]:
    """The words of a command line with its program found; a missing one is a sentence that says how to get it."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadParameter(f"The command '{command}' cannot be split into words ({error}); check its quotes.") from None
    if not words:
        raise BadParameter("A program's command line is empty; write it after the colon, for example gtp:gnugo --mode gtp.")
    path = shutil.which(words[0], path=os.environ.get("PATH", os.defpath) + os.pathsep + MORE_FOLDERS)
    if path is None:
        name = os.path.basename(words[0])
        raise MissingProgram(f"There is no program '{words[0]}'; {INSTALL_HINTS.get(name, 'install it or give its full path')}.")
    return [path, *words[1:]]


class LineProcess:
    """A running program that is spoken to in lines. Not for threads: one caller at a time."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self.pending = b""
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process and is closed with it
        try:
            # Its own session, so that whatever it starts ends with it, and Ctrl-C at our terminal does not reach it first.
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0, start_new_session=True
            )  # fmt: skip
        except OSError as error:
            self.errors.close()
            raise EngineFailure(f"{self.words[0]} does not start ({error.strerror}).") from None
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.is_closed = False

    @property
    def name(self) -> str:
        return os.path.basename(self.words[0])

    @property
    def is_alive(self) -> bool:
        return not self.is_closed and self.process.poll() is None

    def send(self, text: str) -> None:
        """Write lines. A program that no longer reads is dead."""
        if self.is_closed:
            raise EngineFailure(f"{self.name} is not running.")
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(text.encode())
        except OSError:
            raise self.failure(ENDED) from None

    def read_line(self, deadline: float) -> str:
        """The next line without its end; waits until the deadline of time.monotonic()."""
        while b"\n" not in self.pending:
            self.read_more(deadline)
        line, _, self.pending = self.pending.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

    def read_more(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0 or not self.selector.select(left):
            raise self.failure("did not answer in time")
        assert self.process.stdout is not None
        piece = os.read(self.process.stdout.fileno(), READ_BYTES)
        self.pending += piece
        if not piece:
            raise self.failure(ENDED)
        if len(self.pending) > MOST_PENDING_BYTES:
            raise self.failure("wrote without end")

    def lines_waiting(self) -> list[str]:
        """What was written so far, without waiting."""
        assert self.process.stdout is not None
        while not self.is_closed and self.selector.select(0):
            piece = os.read(self.process.stdout.fileno(), READ_BYTES)
            if not piece:
                break
            self.pending = (self.pending + piece)[-MOST_PENDING_BYTES:]
        *lines, self.pending = self.pending.split(b"\n")
        return [line.decode(errors="replace").rstrip("\r") for line in lines]

    def failure(self, what: str) -> EngineFailure:
        """Ends the program and says what happened, with its last words."""
        with suppress(subprocess.TimeoutExpired):
            # Its output ends a moment before it does; an engine that is merely late is not waited for.
            self.process.wait(LAST_BREATH_SECONDS if what == ENDED else 0)
        status = self.process.poll()
        self.close(is_polite=False)
        how = f" (status {status})" if status is not None else ""
        words = f"; it said: {self.last_words}" if self.last_words else ""
        return EngineFailure(f"{self.name} {what}{how}{words}.")

    last_words = ""

    def close(self, is_polite: bool = True) -> None:
        """End the program and everything it started, and reap it. May be called twice."""
        if self.is_closed:
            return
        self.is_closed = True
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()  # end of input is the polite way to say goodbye
        if is_polite:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(GOODBYE_SECONDS)
        self.kill_group()
        self.process.wait()
        self.selector.close()
        self.process.stdout.close()
        self.errors.seek(0)
        self.last_words = " ".join(self.errors.read().decode(errors="replace").split())[-LAST_WORDS:]
        self.errors.close()

    def kill_group(self) -> None:
        """The group may outlive its leader, so it is ended even when the program itself is gone."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
