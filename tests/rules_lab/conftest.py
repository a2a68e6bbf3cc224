"""The lab's tests play in this process: starting others would take longer than their few games."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def one_worker(monkeypatch):
    monkeypatch.setenv("ZEROLINE_WORKERS", "1")
