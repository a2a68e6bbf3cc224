"""Edited rules never run old machine code, old folders go, a warm process starts fast, plain Python gives the same games."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from components.core import jit

ROOT = Path(__file__).parents[2]
PLAY = "from components.games.registry import make; g = make('tictactoe'); print(g.legal(g.start()).tolist())"


def run(code: str, root: Path, cache: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(root), "ZEROLINE_CACHE_DIR": str(cache), **extra}
    return subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=True)


@pytest.fixture
def copied(tmp_path):
    """A copy of the sources that may be edited."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "components", copy / "components", ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_edited_rules_are_recompiled(copied, tmp_path):
    cache = tmp_path / "cache"
    assert "[0, 1, 2, 3, 4, 5, 6, 7, 8]" in run(PLAY, copied, cache).stdout
    rules = copied / "components/games/tictactoe/rules.py"
    # Same size and time stamp as before: only the content tells.
    stamp = rules.stat()
    rules.write_text(rules.read_text().replace("for cell in range(9):\n        if", "for cell in range(7):\n        if"))
    os.utime(rules, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert "[0, 1, 2, 3, 4, 5, 6]" in run(PLAY, copied, cache).stdout
    assert len(list((cache / "kernels").iterdir())) == 2


def test_first_compilation_is_told_once_and_only_then(copied, tmp_path):
    first, second = (run(PLAY, copied, tmp_path / "cache") for _ in range(2))
    assert first.stderr.count("compiling") == 1
    assert "compiling" not in second.stderr


def test_old_folders_are_pruned(tmp_path, monkeypatch):
    monkeypatch.setenv("ZEROLINE_CACHE_DIR", str(tmp_path))
    parent = tmp_path / "kernels"
    for age in range(9):
        (parent / f"old{age}").mkdir(parents=True)
        os.utime(parent / f"old{age}", (time.time() - 1000 * age - 1000,) * 2)
    kept = jit.open_cache_folder()
    names = sorted(folder.name for folder in parent.iterdir())
    assert names == sorted([kept.name, *(f"old{age}" for age in range(jit.FOLDERS_KEPT - 1))])


def test_an_unwritable_cache_does_not_stop_a_game(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("ZEROLINE_CACHE_DIR", str(blocked))
    folder = jit.open_cache_folder()
    assert folder.is_dir()
    folder.rmdir()


def test_plain_python_plays_the_same_games(copied, tmp_path):
    code = "from components.games import record, registry; print(record.playthrough(registry.make('tictactoe')))"
    compiled = run(code, copied, tmp_path / "cache")
    plain = run(code, copied, tmp_path / "cache", NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore")
    assert plain.stdout == compiled.stdout


def test_digest_covers_every_kernel_file():
    names = {path.name for path in jit.kernel_sources()}
    assert {"rules.py", "kernels.py", "tree.py", "seeds.py"} <= names


def test_copies_of_one_version_share_their_machine_code(copied, tmp_path):
    second = tmp_path / "second"
    shutil.copytree(copied, second, ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "cache"
    assert "compiling" in run(PLAY, copied, cache).stderr
    assert "compiling" not in run(PLAY, second, cache).stderr
