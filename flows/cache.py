"""DVC trusts what lies write-protected in its cache; after a damaged file was met it has to look at its copies again.

Called when a stage refuses a file. Promises that what its sentence says helps: whoever deletes the file and runs the same command
again gets it back from a sound copy, or made anew where the copy is damaged too.
"""

import subprocess
from pathlib import Path

from flows.dvc_stage import dvc_command, environment

OBJECTS = Path("files") / "md5"
UNPROTECTED = 0o644  # DVC compares such a copy with its name before it uses it, throws it away if they differ, else protects it


def doubt_copies(root: Path = Path()) -> None:
    """Take the write protection off every copy: DVC checks those that it needs next, and no others."""
    asked = subprocess.run(
        [*dvc_command(), "cache", "dir"], cwd=root, env=environment(), capture_output=True, text=True, check=False
    )
    if asked.returncode != 0:
        return  # no DVC project: a stage that somebody runs by itself
    for copy in (Path(asked.stdout.strip()) / OBJECTS).rglob("*"):
        if copy.is_file():
            copy.chmod(UNPROTECTED)
