"""Command lines: a user's error is one sentence on stderr and exit code 2, Ctrl-C one and 130, whatever command it was."""

import argparse
import errno
import sys
from collections.abc import Callable
from typing import NoReturn

from components.core.errors import BadParameter, ZerolineError
from components.core.files import NO_SPACE

USER_ERROR_EXIT_CODE = 2
# Of the system's errors those that no program can help: no space left, or a file that may not be read or written.
USERS_OWN = (*NO_SPACE, errno.EACCES, errno.EPERM, errno.EROFS)
INTERRUPTED_EXIT_CODE = 130  # 128 and the number of SIGINT, as shells tell it


class OneSentenceParser(argparse.ArgumentParser):
    """A wrong command line is a user's error like any other."""

    def error(self, message: str) -> NoReturn:
        raise BadParameter(f"{message}; '{self.prog} --help' shows the usage.")


def run_command(command: Callable[[], int]) -> int:
    """Run a command line; a user's error becomes its sentence on stderr and exit code 2, Ctrl-C its own."""
    try:
        return command()
    except ZerolineError as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return USER_ERROR_EXIT_CODE
    except KeyboardInterrupt:
        # Everything that takes long keeps what is finished; a person who stops it wants no traceback.
        sys.stderr.write("\nInterrupted. Run the same command again to go on; what was finished is kept.\n")
        return INTERRUPTED_EXIT_CODE
    except BrokenPipeError:
        # `... | head` closed our output: nothing is wrong, and Python must not complain again at shutdown.
        sys.stderr.close()
        return 0
    except OSError as error:
        if error.errno not in USERS_OWN:
            raise
        sys.stderr.write(f"{error.strerror} ({error.filename or 'no name'}). Mend that and run the same command again.\n")
        return USER_ERROR_EXIT_CODE
