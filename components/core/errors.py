"""Errors a user can cause. Each is one sentence: what was found, what was needed, what to do.

Command lines catch `ZerolineError`, print its sentence and leave with exit code 2; anything else is our bug and keeps its
traceback.
"""

import sys
from collections.abc import Callable

USER_ERROR_EXIT_CODE = 2


class ZerolineError(Exception):
    """Base of every error whose text is meant for the person at the terminal."""


class UnknownName(ZerolineError):
    """A game, variant, knob, player or file kind that does not exist."""


class BadParameter(ZerolineError):
    """A known parameter with a value outside its range or of the wrong type."""


class BadFile(ZerolineError):
    """A file that is missing, damaged or not of the expected kind."""


class IllegalAction(ZerolineError):
    """An action that the rules do not allow in the position at hand."""


def run_command(command: Callable[[], int]) -> int:
    """Run a command line; a user's error becomes its sentence on stderr and exit code 2."""
    try:
        return command()
    except ZerolineError as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return USER_ERROR_EXIT_CODE
    except BrokenPipeError:
        # `... | head` closed our output: nothing is wrong, and Python must not complain again at shutdown.
        sys.stderr.close()
        return 0
