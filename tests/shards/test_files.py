"""Files are born whole: whoever reads finds all of the old file, all of the new one, or none."""

import errno
import os
import signal
import subprocess
import sys
import time

import pytest

from components.core import files
from components.core.errors import BadFile
from components.core.files import (
    DiskFull,
    file_digest,
    new_file,
    read_json,
    remove_stale_parts,
    write_bytes,
    write_json,
    write_text,
)


def test_write_makes_the_folder_and_leaves_no_part(tmp_path):
    write_text(tmp_path / "a" / "b.txt", "whole")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]
    assert (tmp_path / "a" / "b.txt").read_text() == "whole"


def test_json_has_sorted_keys_and_a_newline(tmp_path):
    write_json(tmp_path / "a.json", {"b": 1, "a": [1.5, None]})
    text = (tmp_path / "a.json").read_text()
    assert text.endswith("}\n")
    assert text.index('"a"') < text.index('"b"')
    assert read_json(tmp_path / "a.json") == {"a": [1.5, None], "b": 1}


def test_json_refuses_what_json_does_not_know(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "a.json", {"loss": float("nan")})
    assert list(tmp_path.iterdir()) == []


def test_read_json_says_what_is_wrong(tmp_path):
    with pytest.raises(BadFile, match="There is no file"):
        read_json(tmp_path / "none.json")
    (tmp_path / "half.json").write_text('{"a": ')
    with pytest.raises(BadFile, match="not readable JSON"):
        read_json(tmp_path / "half.json")


def test_an_error_while_writing_keeps_the_old_file(tmp_path):
    def fail_half_way():
        with new_file(tmp_path / "a.txt") as part:
            part.write_text("half")
            raise RuntimeError

    write_text(tmp_path / "a.txt", "old")
    with pytest.raises(RuntimeError):
        fail_half_way()
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


def test_full_disk_is_a_sentence_and_leaves_nothing(tmp_path, monkeypatch):
    def refuse(path):
        raise OSError(errno.ENOSPC, "No space left on device")

    write_bytes(tmp_path / "a", b"old")
    monkeypatch.setattr(files, "flush_to_disk", refuse)
    with pytest.raises(DiskFull, match=r"No space left to write .*a\. Free some space and run the same command again"):
        write_bytes(tmp_path / "a", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_device_that_is_full_says_so_too():
    with pytest.raises(OSError, match="No space left") as raised, open("/dev/full", "wb", buffering=0) as stream:
        stream.write(b"x")
    assert raised.value.errno in files.NO_SPACE


def test_other_errors_stay_what_they_are(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_text(tmp_path / "folder", "text")


def test_digest_of_known_bytes(tmp_path):
    write_bytes(tmp_path / "a", b"abc")
    assert file_digest(tmp_path / "a") == "ba7816bf8f01cfea"  # SHA-256 of "abc", FIPS 180-2
    assert files.digest_of(b"abc") == file_digest(tmp_path / "a")


def test_killed_writer_leaves_a_part_that_is_removed(tmp_path):
    target = tmp_path / "a.bin"
    code = (
        "import sys, time; from pathlib import Path; from components.core.files import new_file\n"
        f"with new_file(Path({str(target)!r})) as part:\n"
        "    part.write_bytes(b'half'); print('writing', flush=True); time.sleep(60)\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert writer.stdout.readline() == "writing\n"
    assert remove_stale_parts(tmp_path) == []  # it is still being written
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    time.sleep(0.05)
    assert not target.exists()
    assert len(remove_stale_parts(tmp_path)) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_next_writer_of_a_file_removes_what_a_killed_one_left_of_it(tmp_path, monkeypatch):
    mine, other = (tmp_path / f".{name}.{files.host_name()}-999999.part" for name in ("a.bin", "ab.bin"))
    for part in (mine, other):
        part.write_bytes(b"half")
    monkeypatch.setattr(files, "is_running", lambda process: process != 999999)
    write_bytes(tmp_path / "a.bin", b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([other.name, "a.bin"])


def test_parts_of_other_machines_stay(tmp_path):
    (tmp_path / ".a.parquet.elsewhere-99999999.part").write_bytes(b"")
    assert remove_stale_parts(tmp_path) == []
