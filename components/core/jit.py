"""The only import of numba: `kernel` compiles a function once and keeps the machine code on disk.

Called by every module that defines kernels. Promises that edited rules never run old machine code: numba does not notice an
edit in a module that a kernel calls, so the cache folder is named by a digest of every file that defines kernels.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

SOURCE_ROOT = Path(__file__).resolve().parents[1]
KERNEL_MARK = b"@kernel"
FOLDERS_KEPT = 4  # a few checkouts or branches may take turns; older machine code is never asked for again

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel_sources(root: Path = SOURCE_ROOT) -> list[Path]:
    """Every file below root that defines kernels, in a stable order."""
    return [path for path in sorted(root.rglob("*.py")) if KERNEL_MARK in path.read_bytes()]


def digest_of_sources(root: Path = SOURCE_ROOT) -> str:
    digest = hashlib.sha256()
    for path in kernel_sources(root):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where machine code of all versions lies; ZEROLINE_CACHE_DIR moves it."""
    chosen = os.environ.get("ZEROLINE_CACHE_DIR")
    return Path(chosen) if chosen else Path.home() / ".cache" / "zeroline"


def open_cache_folder() -> Path:
    """This version's folder, marked as just used; older ones beyond FOLDERS_KEPT are removed."""
    folder = cache_root() / "kernels" / digest_of_sources()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        prune_folders(folder.parent)
    except OSError:
        # A read-only home must not stop a game; the next process compiles again.
        return Path(tempfile.mkdtemp(prefix="zeroline-kernels-"))
    return folder


def prune_folders(parent: Path) -> None:
    newest_first = sorted(parent.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in newest_first[FOLDERS_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


# numba reads the folder when it is imported, so the name must be known before the import below.
os.environ["NUMBA_CACHE_DIR"] = str(open_cache_folder())

import numba  # noqa: E402
from numba.core import caching, event, types  # noqa: E402


def mangle_by_name(numba_type: Any) -> tuple[str, tuple[str]]:
    """(class, digest of the full name): what a record or nested array adds to the symbol of a function that takes it."""
    return type(numba_type).__name__, (hashlib.sha256(numba_type.name.encode()).hexdigest()[:16],)


# numba numbers record types per process and leaves the shape of a nested array out of a function's symbol. Machine code that
# two processes put on disk can then carry one symbol for two board sizes; loaded together, one size silently runs the other's
# code, or crashes. The full name of the type tells them apart.
types.Record.mangling_args = property(mangle_by_name)  # type: ignore[method-assign, assignment]
types.NestedArray.mangling_args = property(mangle_by_name)  # type: ignore[method-assign, assignment]


def subpath_by_name(py_file: str) -> str:
    """Where a file's machine code lies inside the cache folder: by its place in the package, wherever the package lies."""
    path = Path(py_file).resolve()
    return ".".join(path.relative_to(SOURCE_ROOT).parent.parts) if path.is_relative_to(SOURCE_ROOT) else path.parent.name


# The folder is named by the content of all sources already, so copies of one version (a second clone, a worker's checkout, a
# temporary project) may share it; numba would tell them apart by their paths and compile each anew.
caching.UserProvidedCacheLocator.get_suitable_cache_subpath = staticmethod(subpath_by_name)  # type: ignore[method-assign]


class FirstCompilation(event.Listener):
    """Says once per process why the first call takes seconds."""

    def __init__(self) -> None:
        self.is_told = False

    def on_start(self, event: Any) -> None:
        if not self.is_told:
            self.is_told = True
            sys.stderr.write("zeroline: compiling rules and search to machine code, once for this version ...\n")
            sys.stderr.flush()

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", FirstCompilation())


def kernel(function: Function) -> Function:
    """Compile to machine code on first call, without the GIL. NUMBA_DISABLE_JIT=1 leaves plain Python."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
