"""However a command ends, the person at the terminal gets a sentence and a shell the right number."""

import errno

import pytest

from components.core.command import run_command
from components.core.errors import BadFile


def raising(error):
    def command():
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (BadFile("x is damaged."), 2, "BadFile: x is damaged."),
        (KeyboardInterrupt(), 130, "\nInterrupted. Run the same command again"),
        (OSError(errno.ENOSPC, "No space left on device", "a/b"), 2, "No space left on device (a/b). Mend that"),
        (PermissionError(errno.EACCES, "Permission denied", "a/b"), 2, "Permission denied (a/b). Mend that"),
    ],
)
def test_what_the_user_can_mend_is_one_sentence(error, code, words, capsys):
    assert run_command(raising(error)) == code
    told = capsys.readouterr().err
    assert told.startswith(words)
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize("error", [ValueError("ours"), OSError(errno.EIO, "Input/output error")])
def test_what_nobody_foresaw_keeps_its_traceback(error):
    with pytest.raises(type(error)):
        run_command(raising(error))
