"""A damaged shard does not come back out of DVC's cache for ever: deleting it, as the sentence says, is enough."""

import hashlib
import os

import pytest

pytestmark = pytest.mark.slow


def copy_in_cache(project, content: bytes):
    name = hashlib.md5(content).hexdigest()
    return project.root / ".dvc" / "cache" / "files" / "md5" / name[:2] / name[2:]


def test_a_shard_whose_copy_is_damaged_too_is_made_again(make_project):
    project = make_project(generations=1)
    project.dvc("repro", "generate@small-g01")
    shard = project.root / "runs/small/g01/data/shard-001.parquet"
    whole = shard.read_bytes()
    copy = copy_in_cache(project, whole)
    copy.chmod(0o644)
    copy.write_bytes(whole[: len(whole) // 2])
    copy.chmod(0o444)  # as DVC left it, and so trusts it
    os.remove(shard)
    output = project.dvc("repro", "train@small-g01", expect=None)
    assert "shard-001.parquet is damaged" in output
    assert "Delete it and run the same command again" in output
    os.remove(shard)
    assert "Running stage 'generate@small-g01'" in project.dvc("repro", "train@small-g01")
    assert shard.read_bytes() == whole
    assert copy.read_bytes() == whole
    assert "up to date" in project.dvc("status", "train@small-g01")
