"""dvc.lock survives kill -9: DVC writes it in place, so a kill in that moment leaves half of it and DVC refuses to go on.

Every stage keeps a copy of the whole file before it works (DVC writes only between stages); `repair` puts it back when the file
is cut short. A stage whose record is lost that way runs again or is restored from DVC's cache, with the same bytes.
"""

import shutil
from pathlib import Path

import yaml

from components.core.files import new_file

LOCK = Path("dvc.lock")
COPY = Path(".zeroline") / "dvc.lock"


def is_whole(path: Path) -> bool:
    """Whether DVC itself would accept the file."""
    from dvc.schema import COMPILED_LOCKFILE_SCHEMA
    from voluptuous import Invalid

    try:
        COMPILED_LOCKFILE_SCHEMA(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, yaml.YAMLError, Invalid):
        return False
    return True


def remember(root: Path = Path()) -> None:
    """Keep a copy of the record as it is now."""
    if (root / LOCK).exists():
        with new_file(root / COPY) as part:
            shutil.copyfile(root / LOCK, part)


def repair(root: Path = Path()) -> str | None:
    """Put the last whole record back if the present one is cut short; says so in a sentence."""
    lock, copy = root / LOCK, root / COPY
    if not lock.exists() or is_whole(lock):
        return None
    if copy.exists() and is_whole(copy):
        with new_file(lock) as part:
            shutil.copyfile(copy, part)
        return "dvc.lock was cut short by a kill; its last whole state is back and the line goes on from there."
    lock.unlink()
    return "dvc.lock was cut short by a kill and had no whole copy; DVC's cache restores what was done."
