"""Shards that wait in the work folder: damaged ones are played again, crashed workers too, a user's error is told at once."""

import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tiny_line import NAME, run_stage, write_params

from components.core.errors import BadFile
from components.layout import Layout
from flows import shards
from flows.shards import RETRIES, ShardJob, play_locally


@pytest.fixture
def played(tmp_path):
    """A project whose first generation was played; its shards wait in the work folder still, as after a kill."""
    write_params(tmp_path, 1)
    run_stage(tmp_path, "start", NAME)
    run_stage(tmp_path, "generate", f"{NAME}-g01")
    return tmp_path


def outputs(root):
    return {path.name: path.read_bytes() for path in sorted(Layout(NAME, root).generation("g01").rglob("*.*")) if path.is_file()}


def cut(path):
    path.write_bytes(path.read_bytes()[:1000])


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 4
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [cut, flip_a_bit])
def test_a_damaged_waiting_shard_is_played_again(played, damage, capsys):
    before = outputs(played)
    waiting = sorted((played / ".zeroline" / "work").rglob("shard-001.parquet"))
    assert len(waiting) == 1
    damage(waiting[0])
    capsys.readouterr()
    run_stage(played, "generate", f"{NAME}-g01")
    told = capsys.readouterr().out
    assert "shard-001.parquet was damaged after it was played, and is played again" in told
    assert "1 shards were already played" in told
    assert outputs(played) == before


def job(tmp_path, number):
    return ShardJob("tictactoe", 1, "{}", "{}", "", "", 1, number, "", str(tmp_path / f"{number}.parquet"))


def pool_that(behaviour, tries):
    """Stands for the pool: every try fails as the behaviour says, until it finishes one shard and the rest."""

    def play(jobs, report):
        tries.append([one.shard for one in jobs])
        behaviour(len(tries), jobs)

    return play


def test_what_a_crash_left_over_is_played_again(tmp_path, monkeypatch):
    def finish_one_then_crash(number, jobs):
        for one in jobs if number > 1 else jobs[:1]:
            Path(one.out).touch()
        if number == 1:
            raise BrokenProcessPool("a worker died")

    tries = []
    monkeypatch.setattr(shards, "play_in_pool", pool_that(finish_one_then_crash, tries))
    play_locally([job(tmp_path, number) for number in range(3)], lambda shard, progress: None)
    assert tries == [[0, 1, 2], [1, 2]]


@pytest.mark.parametrize(("error", "count"), [(BrokenProcessPool("again"), RETRIES + 1), (BadFile("The net is damaged."), 1)])
def test_crashes_are_tried_again_a_few_times_and_sentences_never(tmp_path, monkeypatch, error, count):
    def fail(number, jobs):
        raise error

    tries = []
    monkeypatch.setattr(shards, "play_in_pool", pool_that(fail, tries))
    with pytest.raises(type(error)):
        play_locally([job(tmp_path, 0)], lambda shard, progress: None)
    assert len(tries) == count
