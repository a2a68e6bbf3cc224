"""The controller's end of GTP: start an engine, ask it things, take its answers apart.

Used by external.py and by tests. Promises that an answer belongs to its question (ids are checked), that a refusal is told
from a failure, and that every wait has a limit.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from components.core.errors import EngineFailure
from components.players.process import LineProcess

COMMAND_SECONDS = 30.0  # for anything but thinking; a cold engine may load files first
MOST_ANSWER_LINES = 10_000


@dataclass(frozen=True)
class GtpAnswer:
    is_success: bool
    text: str  # without the status, lines joined by newlines


class GtpClient:
    """One engine process. Commands may be sent ahead; answers come in the same order."""

    def __init__(self, words: Sequence[str], command_seconds: float = COMMAND_SECONDS) -> None:
        self.process = LineProcess(words)
        self.command_seconds = command_seconds
        self.sent, self.received = 0, 0

    def post(self, command: str) -> None:
        """Send a command without waiting for its answer."""
        self.sent += 1
        self.process.send(f"{self.sent} {command}\n")

    def receive(self, deadline: float) -> GtpAnswer:
        """The answer to the oldest command that has none yet."""
        self.received += 1
        first = self.first_line(deadline)
        status, number = first[:1], str(self.received)
        if status not in "=?" or not first[1:].startswith(number) or first[1 + len(number) : 2 + len(number)].strip():
            raise self.process.failure(f"broke the protocol: '{first[:80]}' is no answer to command {number}")
        lines = [first[1 + len(number) :].strip()]
        while line := self.process.read_line(deadline):
            lines.append(line)
            if len(lines) > MOST_ANSWER_LINES:
                raise self.process.failure("broke the protocol: an answer does not end")
        return GtpAnswer(status == "=", "\n".join(lines).strip())

    def first_line(self, deadline: float) -> str:
        """The first line that is not empty: engines may write more empty lines than they should."""
        while True:
            line = self.process.read_line(deadline)
            if line.strip():
                return line

    def receive_all(self, deadline: float) -> list[GtpAnswer]:
        """The answers to everything that was posted."""
        return [self.receive(deadline) for _ in range(self.sent - self.received)]

    def ask(self, command: str, seconds: float | None = None) -> GtpAnswer:
        """Send one command and wait for its answer, after those of commands posted before it."""
        self.post(command)
        return self.receive_all(time.monotonic() + (seconds or self.command_seconds))[-1]

    def require(self, command: str) -> str:
        """The answer's text; a refusal is a failure of the engine."""
        answer = self.ask(command)
        if not answer.is_success:
            raise EngineFailure(f"{self.process.name} refuses '{command}': {answer.text or 'no reason given'}.")
        return answer.text

    @property
    def is_alive(self) -> bool:
        return self.process.is_alive

    def close(self) -> None:
        if self.process.is_alive:
            try:
                self.post("quit")
            except EngineFailure:
                return
        self.process.close()
