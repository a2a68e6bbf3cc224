"""What a stage says at the terminal: one progress line for every long job, once a second on a screen, rarer in a log."""

import sys
import time
from typing import Any

SECONDS_BETWEEN_LOG_LINES = 15.0
SECONDS_ON_A_SCREEN = 0.5


class ProgressLine:
    """Rewrites one line on a screen; in a log or a pipe it adds a line now and then instead."""

    def __init__(self, stream: Any = None) -> None:
        self.stream = stream or sys.stdout
        self.is_screen = self.stream.isatty()
        self.shown_at, self.width = 0.0, 0

    def show(self, text: str, is_last: bool = False) -> None:
        pause = SECONDS_ON_A_SCREEN if self.is_screen else SECONDS_BETWEEN_LOG_LINES
        if not is_last and time.monotonic() - self.shown_at < pause:
            return
        self.shown_at = time.monotonic()
        if self.is_screen:
            self.stream.write("\r" + text.ljust(self.width) + ("\n" if is_last else ""))
            self.width = len(text)
        else:
            self.stream.write(text + "\n")
        self.stream.flush()

    def end(self) -> None:
        """What is printed next begins on a line of its own."""
        if self.is_screen and self.width:
            self.stream.write("\n")
            self.width = 0


def duration(seconds: float) -> str:
    """For example 45 s, 3 min 20 s, 1 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
