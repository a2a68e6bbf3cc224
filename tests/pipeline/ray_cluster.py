"""A real Ray head on free loopback ports, with a token of its own, ended with the test and nobody else's with it."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import psutil

START_SECONDS = 180
OBJECT_STORE_BYTES = 80_000_000  # the least that Ray takes


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def ray_head(cpus: int = 2):
    """Yields the environment in which a command finds this cluster."""
    port = free_port()
    # A short path of its own: Ray keeps sockets there, and their names may not be long.
    home = Path(tempfile.mkdtemp(prefix="ray-"))
    settings = {
        "RAY_ADDRESS": f"127.0.0.1:{port}",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_TMPDIR": str(home),
        # Ray starts workers at nice 15: beside other busy processes they would not get anywhere.
        "RAY_worker_niceness": "0",
    }
    started = {name: value for name, value in settings.items() if name != "RAY_ADDRESS"}
    command = [
        sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--node-ip-address", "127.0.0.1",
        "--port", str(port), "--num-cpus", str(cpus), "--include-dashboard", "false",
        "--ray-client-server-port", str(free_port()), "--object-store-memory", str(OBJECT_STORE_BYTES),
        "--temp-dir", str(home), "--disable-usage-stats",
    ]  # fmt: skip
    log = home / "head.log"
    with open(log, "w") as stream:
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "RAY_ADDRESS")}
        head = subprocess.Popen(
            command, cwd=home, env={**environment, **started}, stdout=stream, stderr=stream, start_new_session=True
        )
        try:
            wait_until_started(head, log)
            yield settings
        finally:
            end_family(head)
            shutil.rmtree(home, ignore_errors=True)


def wait_until_started(head: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while "Ray runtime started" not in log.read_text():
        assert head.poll() is None, f"ray ended:\n{log.read_text()[-3000:]}"
        assert time.monotonic() < deadline, f"ray did not start:\n{log.read_text()[-3000:]}"
        time.sleep(0.3)


def family_of(head: subprocess.Popen) -> list[psutil.Process]:
    try:
        return psutil.Process(head.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def end_family(head: subprocess.Popen) -> None:
    family = family_of(head)
    head.kill()
    for process in family:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    head.wait()
