"""Lines from outside, each with the moment it arrived: a thread reads, so that a search can be interrupted by the next line.

Used by the GTP engine and the Riddles.io bot. Promises that no line is lost and that the end of input is told.
"""

import queue
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from components.protocols.clock import Clock


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
    """Lines of a binary stream such as sys.stdin.buffer, read ahead by a thread that ends with the program."""

    def __init__(self, stream: BinaryIO, clock: Clock = time.monotonic) -> None:
        self.stream, self.clock = stream, clock
        self.queue: queue.Queue[Line | None] = queue.Queue()
        threading.Thread(target=self.read_ahead, daemon=True).start()

    def read_ahead(self) -> None:
        try:
            for raw in self.stream:
                self.queue.put(Line(raw.decode("utf-8", errors="replace"), self.clock()))
        except (OSError, ValueError):
            pass  # the stream was closed under us: that is its end
        self.queue.put(None)

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
