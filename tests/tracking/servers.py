"""Real MLflow servers on a free loopback port, ended with the test."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 180


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def mlflow_command(arguments: list[str], root: Path, health: str):
    """Run `mlflow ARGUMENTS --port PORT` until it answers at the health path; yields its address."""
    port = free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MLFLOW_TRACKING_URI")},
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "DO_NOT_TRACK": "true",
        "MLFLOW_TRACKING_URI": f"sqlite:///{root}/mlflow.db",
    }
    command = [sys.executable, "-m", "mlflow", *arguments, "--host", "127.0.0.1", "--port", str(port)]
    log = root / "server.log"
    with open(log, "w") as stream:
        # A session of its own: the server has worker processes, which end with their group.
        server = subprocess.Popen(command, cwd=root, env=environment, stdout=stream, stderr=stream, start_new_session=True)
        try:
            wait_for(f"http://127.0.0.1:{port}{health}", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            end_group(server)


def end_group(server: subprocess.Popen) -> None:
    """End the server and the workers it started, and nobody else."""
    if server.poll() is None:
        os.killpg(server.pid, 15)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, 9)
            server.wait(10)


def wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert server.poll() is None, f"the server ended:\n{log.read_text()[-2000:]}"
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise AssertionError(f"the server did not answer within {START_SECONDS} s:\n{log.read_text()[-2000:]}")
