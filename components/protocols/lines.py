"""Lines from outside, each with the moment it arrived: a thread reads, so that a search can be interrupted by the next line.

Used by the GTP engine and the Riddles.io bot. Promises that no line is lost and that the end of input is told.
"""

import os
import queue
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, Any, Protocol

from components.protocols.clock import Clock

READ_BYTES = 65_536


@dataclass(frozen=True)
class Line:
    text: str
    arrived: float  # by the clock of whoever reads


class LineSource(Protocol):
    def next_line(self) -> Line | None:
        """Wait for the next line; None at the end of input."""

    def is_waiting(self) -> bool:
        """Whether next_line would answer at once, the end of input included."""


class StreamLines:
    """Lines of an open file such as sys.stdin, read ahead by a thread that ends with the program."""

    def __init__(self, stream: IO[Any], clock: Clock = time.monotonic) -> None:
        self.descriptor, self.clock = stream.fileno(), clock
        self.queue: queue.Queue[Line | None] = queue.Queue()
        threading.Thread(target=self.read_ahead, daemon=True).start()

    def read_ahead(self) -> None:
        """Past Python's buffer: a thread that waits inside it holds its lock, and the interpreter aborts when it ends."""
        pending = b""
        while piece := self.read_piece():
            *lines, pending = (pending + piece).split(b"\n")
            for line in lines:
                self.note(line + b"\n")
        if pending:
            self.note(pending)
        self.queue.put(None)

    def read_piece(self) -> bytes:
        """What has been written, at least a byte; empty at the end."""
        try:
            return os.read(self.descriptor, READ_BYTES)
        except OSError:
            return b""  # the stream was closed under us: that is its end

    def note(self, line: bytes) -> None:
        self.queue.put(Line(line.decode("utf-8", errors="replace"), self.clock()))

    def next_line(self) -> Line | None:
        return self.queue.get()

    def is_waiting(self) -> bool:
        return not self.queue.empty()


class ScriptedLines:
    """Lines known beforehand, each arriving when it is asked for. The next is always there: what runs until then ends at once."""

    def __init__(self, lines: Iterable[str], clock: Clock = time.monotonic) -> None:
        self.lines, self.clock = iter(lines), clock

    def next_line(self) -> Line | None:
        text = next(self.lines, None)
        return None if text is None else Line(text, self.clock())

    def is_waiting(self) -> bool:
        return True
