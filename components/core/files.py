"""Files are born whole: written under a temporary name in their own folder, flushed to disk, then renamed.

Called by everything that writes a shard, a checkpoint or a manifest. Promises that a reader finds the old file, the new file
or none, never half of one, whenever the writer is killed; and that a full disk is one sentence and leaves nothing behind.
"""

import errno
import glob
import hashlib
import json
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from components.core.errors import BadFile, ZerolineError

DIGEST_LENGTH = 16  # hex digits: 64 bits tell any two files of a run apart
READ_BYTES = 1 << 20
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
PART = re.compile(r"\..+\.(?P<host>[^.]+)-(?P<process>\d+)\.part")


class DiskFull(ZerolineError):
    """No space left for a file that had to be written."""


def host_name() -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname()) or "host"


def part_path(path: Path) -> Path:
    """The temporary name of a file while this process writes it. Hidden, so that `*.parquet` never matches it."""
    return path.with_name(f".{path.name}.{host_name()}-{os.getpid()}.part")


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; at the end of the block it becomes `path`, after an error it is gone."""
    path = Path(path)
    part = part_path(path)
    try:
        with told_when_full(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            remove_stale_parts(path.parent, path.name)
            yield part
            flush_to_disk(part)
            os.replace(part, path)
            flush_to_disk(path.parent)
    except BaseException:
        discard(part)
        raise


@contextmanager
def told_when_full(path: Path) -> Iterator[None]:
    """A full disk is the user's to mend: one sentence. Other errors stay what they are."""
    try:
        yield
    except OSError as error:
        if error.errno not in NO_SPACE:
            raise
        raise DiskFull(
            f"No space left to write {path}. Free some space and run the same command again; finished files are kept."
        ) from None


def flush_to_disk(path: Path) -> None:
    """Make sure that the content (of a folder: the names in it) survives a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def discard(part: Path) -> None:
    part.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    with new_file(path) as part:
        part.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def json_text(value: Any) -> str:
    """The one way we write JSON: sorted keys, a newline at the end, so that equal values are equal bytes."""
    return json.dumps(value, sort_keys=True, indent=2, allow_nan=False) + "\n"


def write_json(path: Path, value: Any) -> None:
    write_text(path, json_text(value))


def read_json(path: Path) -> Any:
    """The value in a JSON file; a missing or damaged one is a sentence."""
    try:
        return json.loads(Path(path).read_text())
    except FileNotFoundError:
        raise BadFile(f"There is no file {path}. Run the stage that makes it first.") from None
    except (ValueError, OSError) as error:
        raise BadFile(f"{path} is not readable JSON ({error}). Delete it and run the stage that makes it again.") from None


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]


def file_digest(path: Path) -> str:
    """The first 16 hex digits of the SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(READ_BYTES):
            digest.update(block)
    return digest.hexdigest()[:DIGEST_LENGTH]


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def remove_stale_parts(folder: Path, name: str | None = None) -> list[Path]:
    """Delete what killed writers of this machine left in a folder, of one file if it is named; others' parts stay."""
    stale = []
    for part in sorted(Path(folder).glob(f".{glob.escape(name) if name else '*'}.*.part")):
        match = PART.fullmatch(part.name)
        if match and match["host"] == host_name() and not is_running(int(match["process"])):
            discard(part)
            stale.append(part)
    return stale
