"""Command lines: a user's error is one sentence on stderr and exit code 2, whatever command it was."""

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from components.core.errors import BadParameter, ZerolineError

USER_ERROR_EXIT_CODE = 2
INTERRUPTED_EXIT_CODE = 130  # what shells report of a program that Ctrl-C ended


class OneSentenceParser(argparse.ArgumentParser):
    """A wrong command line is a user's error like any other."""

    def error(self, message: str) -> NoReturn:
        raise BadParameter(f"{message}; '{self.prog} --help' shows the usage.")


def run_command(command: Callable[[], int]) -> int:
    """Run a command line; a user's error becomes its sentence on stderr and exit code 2."""
    try:
        return command()
    except ZerolineError as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return USER_ERROR_EXIT_CODE
    except KeyboardInterrupt:
        # Everything that takes long keeps what is finished; a person who stops it wants no traceback.
        sys.stderr.write("\nStopped.\n")
        return INTERRUPTED_EXIT_CODE
    except BrokenPipeError:
        # `... | head` closed our output: nothing is wrong, and Python must not complain again at shutdown.
        sys.stderr.close()
        return 0
