"""GTP 2 framing: a line becomes a command, an answer becomes text. Called by gtp_engine.serve; pure, no state.

Promises of every answer: it begins with `=` or `?` and the command's id, ends with exactly one empty line, and has none inside.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

COMMAND = re.compile(r"(?:(?P<number>[0-9]+)(?:\s+|$))?(?P<words>.*)", re.DOTALL)


@dataclass(frozen=True)
class Command:
    number: str  # as written, empty if there was none: it is echoed, not counted with
    name: str
    arguments: tuple[str, ...] = ()
    arrived: float = field(default=0.0, compare=False)


def parse_command(line: str, arrived: float = 0.0) -> Command | None:
    """The command of a line; None for blank lines and comments."""
    kept = "".join(" " if letter == "\t" else letter for letter in line if letter == "\t" or is_printed(letter))
    text = kept.split("#")[0].strip(" ")
    if not text:
        return None
    found = COMMAND.fullmatch(text)
    assert found is not None  # the pattern takes any text
    words = found["words"].split()
    return Command(found["number"] or "", words[0] if words else "", tuple(words[1:]), arrived)


def is_printed(letter: str) -> bool:
    return ord(letter) >= 32 and ord(letter) != 127


def success(command: Command, text: str = "") -> str:
    return frame("=", command, text)


def failure(command: Command, text: str) -> str:
    return frame("?", command, text)


def frame(status: str, command: Command, text: str) -> str:
    """A text that begins with a line break is a picture: it starts on its own line."""
    said = "\n".join(line.rstrip() for line in text.splitlines() if line.strip())
    gap = "" if not said else "\n" if text.startswith("\n") else " "
    return f"{status}{command.number}{gap}{said}\n\n"


def streamed(command: Command, lines: Iterator[str]) -> Iterator[str]:
    """An answer that is written while it is found, piece by piece."""
    yield f"={command.number}\n"
    for line in lines:
        if line.strip():
            yield line.rstrip() + "\n"
    yield "\n"
