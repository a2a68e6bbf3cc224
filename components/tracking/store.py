"""Open MLflow's store: which one, without telemetry, without waiting long for what is broken or busy.

The default is a database in the project; MLFLOW_TRACKING_URI names another. Promises that a store that cannot be used is a
StoreProblem within seconds: MLflow itself would try again for minutes.
"""

import fcntl
import os
import sqlite3
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.core.errors import ZerolineError, first_line

DATABASE = "mlflow.db"
ARTIFACTS = "mlartifacts"
LOCK = "mlflow.lock"
LOCK_SECONDS = 60.0  # other experiments' stages publish within seconds
BUSY_SECONDS = 5.0
ANSWER_SECONDS = 10.0  # a server that is alive but busy answers within that
SQLITE = "sqlite:///"
TRACKING_VARIABLE, REGISTRY_VARIABLE = "MLFLOW_TRACKING_URI", "MLFLOW_REGISTRY_URI"
# Set before mlflow is imported, where the user has not set them: no telemetry, no chatter, no minutes of trying again.
ENVIRONMENT = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_LOGGING_LEVEL": "ERROR",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "15",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
}


class StoreProblem(ZerolineError):
    """The store cannot be used just now."""


@dataclass(frozen=True)
class Store:
    """An open store."""

    uri: str
    root: Path
    client: Any  # mlflow.MlflowClient

    @property
    def is_local(self) -> bool:
        return "://" not in self.uri or self.uri.startswith((SQLITE, "file:"))

    def artifact_location(self, folder: str) -> str | None:
        """A server decides where artifacts go; a local store would choose the working folder, which may be any."""
        return (self.root / ARTIFACTS / folder).as_uri() if self.is_local else None


def store_uri(root: Path) -> str:
    return os.environ.get(TRACKING_VARIABLE) or f"{SQLITE}{root / DATABASE}"


def tell_store(root: Path, tell: Callable[[Store], None]) -> str | None:
    """Open the store and tell it something. Returns the problem in one sentence, or None.

    Whatever a store, a server or a driver throws: MLflow is an observer, and what it should see is done and on disk.
    """
    try:
        with open_store(root) as store:
            tell(store)
    except ZerolineError as error:
        return str(error)
    except ImportError as error:
        return f"mlflow cannot be imported ({first_line(error)})"
    except Exception as error:
        return f"{type(error).__name__}: {first_line(error)}"
    return None


@contextmanager
def open_store(root: Path) -> Iterator[Store]:
    """The store, with nobody else of this project publishing at the same time."""
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    uri = store_uri(root)
    with only_one_publisher(root / ".zeroline" / LOCK):
        if uri.startswith(SQLITE):
            check_database(Path(uri.removeprefix(SQLITE)))
        elif uri.startswith(("http://", "https://")):
            check_server(uri)
        from mlflow import MlflowClient

        yield Store(uri, root, MlflowClient(tracking_uri=uri, registry_uri=os.environ.get(REGISTRY_VARIABLE) or uri))


@contextmanager
def only_one_publisher(path: Path) -> Iterator[None]:
    """Two that find no parent run would make two of them; and SQLite has one writer anyway."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as handle:
        deadline = time.monotonic() + LOCK_SECONDS
        while not try_lock(handle):
            if time.monotonic() > deadline:
                raise StoreProblem(f"another process has been publishing for {LOCK_SECONDS:.0f} s ({path} is locked)")
            time.sleep(0.1)
        yield


def try_lock(handle: Any) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def check_server(uri: str) -> None:
    """Refuse a server that is gone or hangs, before every request of MLflow waits for it. Any answer is one, a refusal too."""
    try:
        with urllib.request.urlopen(uri.rstrip("/") + "/health", timeout=ANSWER_SECONDS):
            return
    except urllib.error.HTTPError:
        return
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        if not isinstance(reason, ssl.SSLError):  # MLflow has settings of its own for certificates
            raise StoreProblem(f"the server {uri} does not answer ({reason}); start it or unset {TRACKING_VARIABLE}") from None


def check_database(path: Path) -> None:
    """Refuse a database that cannot be written to, before MLflow begins to try again and again."""
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise StoreProblem(
            f"the store {path} cannot be used ({error}); free it or move it away and run any stage again"
        ) from None
