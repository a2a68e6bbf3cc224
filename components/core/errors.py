"""Errors a user can cause. Each is one sentence: what was found, what was needed, what to do.

Command lines catch `ZerolineError`, print its sentence and leave with exit code 2; anything else is our bug and keeps its
traceback.
"""

LONGEST_LINE = 300  # characters: some libraries put a whole request into their first line


class ZerolineError(Exception):
    """Base of every error whose text is meant for the person at the terminal."""


def first_line(error: BaseException, lines: int = 1) -> str:
    """What a library's error says first, to be told inside a sentence of ours; some need two lines to come to the point."""
    told = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(told[:lines])[:LONGEST_LINE].rstrip(".") or type(error).__name__


class UnknownName(ZerolineError):
    """A game, variant, knob, player or file kind that does not exist."""


class BadParameter(ZerolineError):
    """A known parameter with a value outside its range or of the wrong type."""


class BadFile(ZerolineError):
    """A file that is missing, damaged or not of the expected kind."""


class IllegalAction(ZerolineError):
    """An action that the rules do not allow in the position at hand."""


class EngineFailure(ZerolineError):
    """A player outside this process that died, hung or broke the rules: its games are void, the match goes on."""

    def __init__(self, sentence: str, rows: tuple[int, ...] = ()) -> None:
        super().__init__(sentence)
        self.rows = rows  # of the batch it was asked about; empty: all of them


class Forfeit(ZerolineError):
    """A player that gave up a game or broke its rules: it loses that game, the match goes on."""

    def __init__(self, sentence: str, rows: tuple[int, ...] = ()) -> None:
        super().__init__(sentence)
        self.rows = rows  # of the batch it was asked about; empty: all of them
