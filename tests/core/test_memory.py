"""Freed memory stays in the process, so that a net's buffers are not mapped anew for every batch."""

import platform
import resource

import numpy as np
import pytest

from components.core.memory import keep_freed_memory

WORDS = 1 << 20  # of 8 bytes: 2048 pages a buffer


def use_and_free_buffers() -> int:
    """Page faults of a round in which four large buffers live side by side."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    buffers = [np.ones(WORDS) for _ in range(4)]
    del buffers
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has these switches")
def test_large_buffers_are_mapped_once():
    assert keep_freed_memory()
    use_and_free_buffers()
    assert sum(use_and_free_buffers() for _ in range(10)) < 2048  # 10 rounds of 4 buffers are 80 times as many pages


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert not keep_freed_memory()
