"""A real disk that is full: one sentence, exit code 2, nothing half-written, and the same command goes on with more room."""

import os
import shutil
import subprocess
from contextlib import contextmanager

import pytest
from small_project import Project

pytestmark = pytest.mark.slow
PAGE = 4096  # what a small file takes on a tmpfs


def mount(*arguments: str) -> bool:
    return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0


@contextmanager
def small_disk(place, pages):
    """A tmpfs of so many pages at a folder; skips where we may not mount one."""
    place.mkdir(parents=True, exist_ok=True)
    if os.geteuid() != 0 or not mount("-t", "tmpfs", "-o", f"size={pages * PAGE}", "tmpfs", str(place)):
        pytest.skip("needs the right to mount a tmpfs")
    try:
        yield lambda pages: mount("-o", f"remount,size={pages * PAGE}", str(place))
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def files_in(place):
    return {path.name: path.stat().st_size for path in place.rglob("*") if path.is_file()}


def stage(project, *arguments, expect):
    """The stage's error output in lines: progress and results are on the other stream."""
    output = project.python("-m", "flows.stages", *arguments, expect=expect, ZEROLINE_WORKERS="1")
    return [line for line in output.splitlines() if "DiskFull" in line or "Traceback" in line]


def twins(make_project, *stages, **changes):
    """Two projects that have come equally far: one will meet a full disk, the other shows what was meant."""
    project = make_project("full", generations=1, **changes)
    for name in ("start", *stages):
        stage(project, name, "small" if name == "start" else "small-g01", expect=0)
    calm = Project(project.root.with_name("calm"))
    shutil.copytree(project.root, calm.root)
    return project, calm


def test_selfplay_keeps_the_shards_that_found_room(make_project):
    project, calm = twins(make_project)
    stage(calm, "generate", "small-g01", expect=0)
    shard = max(path.stat().st_size for path in (calm.root / "runs/small/g01/data").iterdir())
    work = project.root / ".zeroline" / "work"
    with small_disk(work, 2 * (shard // PAGE + 2)) as resize:
        (told,) = stage(project, "generate", "small-g01", expect=2)
        assert "No space left to write" in told
        assert "Free some space and run the same command again" in told
        kept = files_in(work)
        assert "shard-000.parquet" in kept
        assert all(name.endswith(".parquet") for name in kept)
        assert not (project.root / "runs/small/g01/data").exists()
        resize(64)
        assert stage(project, "generate", "small-g01", expect=0) == []
        assert project.outputs() == calm.outputs()


def test_a_gate_forgets_no_game_that_found_room(make_project):
    many_games = {"kind": "fixed", "games": 60, "threshold": 0.5, "simulations": 4}
    project, calm = twins(make_project, "generate", "train", gate=many_games)
    stage(calm, "gate", "small-g01", expect=0)
    work = project.root / ".zeroline" / "work"
    shutil.rmtree(work)
    with small_disk(work, 1) as resize:
        (told,) = stage(project, "gate", "small-g01", expect=2)
        assert "games.jsonl" in told
        assert not (project.root / "runs/small/champions/g01.safetensors").exists()
        resize(64)
        assert stage(project, "gate", "small-g01", expect=0) == []
        assert project.outputs() == calm.outputs()


@pytest.mark.parametrize("pages", [1, 4])
def test_a_net_is_written_whole_or_not_at_all(make_project, pages):
    project = make_project(generations=1)
    champions = project.root / "runs" / "small" / "champions"
    with small_disk(champions, pages):
        (told,) = stage(project, "start", "small", expect=2)
        assert "g00.safetensors" in told
        assert files_in(champions) == {}
