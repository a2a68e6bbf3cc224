"""The window: which generations train the next net, and how many rows of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from components.core.errors import BadFile
from components.data.config import WindowConfig
from components.data.shards import read_window, write_window
from components.data.window import (
    NotEnoughRows,
    ShardEntry,
    Window,
    choose_window,
    require_rows,
    window_from_json,
    window_to_json,
)


def shard(generation, rows=100, index=0):
    return ShardEntry(generation, f"g{generation:02d}/shard-{index:03d}.parquet", f"{generation:016d}", rows, rows)


def line(config, generations, rows=100):
    """The windows of a line of generations, each handed to the next."""
    window = None
    for generation in range(generations):
        window = choose_window(window, [shard(generation, rows)], config)
        yield window


def test_newest_generations_are_kept():
    windows = list(line(WindowConfig(generations=3), 5))
    assert [window.generations for window in windows] == [(0,), (0, 1), (0, 1, 2), (1, 2, 3), (2, 3, 4)]
    assert windows[-1].rows == 300
    assert windows[-1].new_rows == 100


def test_window_grows_with_generations():
    sizes = [len(window.generations) for window in line(WindowConfig(generations=2, growth=0.5), 9)]
    assert sizes == [1, 2, 3, 3, 4, 4, 5, 5, 6]  # 2 + floor(generation / 2), never more than were played


def test_oldest_rows_give_way_to_max_rows():
    window = list(line(WindowConfig(generations=9, max_rows=250), 4))[-1]
    assert [(entry.generation, entry.taken) for entry in window.shards] == [(1, 50), (2, 100), (3, 100)]
    assert window.rows == 250


def test_golad_buffer_replaces_a_quarter_each_generation():
    config = WindowConfig(generations=99, max_rows=2000, replace_share=0.25)
    windows = list(line(config, 6, rows=900))
    assert [window.rows for window in windows] == [500, 1000, 1500, 2000, 2000, 2000]  # 2000 samples, 500 new each time
    assert windows[-1].generations == (2, 3, 4, 5)
    assert all(window.new_rows == 500 for window in windows)


def test_quota_spans_shards_of_a_generation():
    config = WindowConfig(max_rows=1000, replace_share=0.15)
    window = choose_window(None, [shard(0, index=0), shard(0, index=1)], config)
    assert [entry.taken for entry in window.shards] == [100, 50]


def test_branch_skips_generations():
    parent = Window((shard(1), shard(2)))
    assert choose_window(parent, [shard(7)], WindowConfig(generations=2)).generations == (2, 7)


def test_shard_twice_is_refused():
    with pytest.raises(BadFile, match="in the window twice"):
        choose_window(Window((shard(1),)), [shard(1)], WindowConfig())


def test_not_enough_rows_says_what_to_do():
    window = Window(tuple(shard(generation, rows) for generation, rows in enumerate((10_000, 10_000, 10_000, 11_230))))
    with pytest.raises(NotEnoughRows) as raised:
        require_rows(window, WindowConfig(min_rows=100_000), "go-9x9", "runs/go", "games.go.window.min_rows")
    assert str(raised.value) == (
        "training go-9x9 needs 100 000 rows, runs/go holds 41 230 (generations 0–3)."
        " Play 6 more generations or lower games.go.window.min_rows."
    )
    with pytest.raises(NotEnoughRows, match="holds 0 \\(no generation\\)"):
        require_rows(Window(()), WindowConfig(), "go-9x9", "runs/go", "min_rows")
    require_rows(window, WindowConfig(min_rows=41_230), "go-9x9", "runs/go", "min_rows")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"max_rows": 10, "min_rows": 11}, "training could never start"),
        ({"replace_share": 0.25}, "set max_rows too"),
        ({"growth": 1.5}, "less than or equal to 1"),
        ({"generations": 0}, "greater than or equal to 1"),
        ({"generation": 3}, "Extra inputs"),
    ],
)
def test_config_refuses(values, sentence):
    with pytest.raises(ValidationError, match=sentence):
        WindowConfig(**values)


def test_window_file_round_trip(tmp_path):
    window = Window((shard(1), shard(2, 70, 3)))
    write_window(tmp_path / "window.json", window)
    assert read_window(tmp_path / "window.json") == window


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        {"format": 2},
        {"format": 1},
        {"format": 1, "rows": 1, "shards": [{"path": "a"}]},
        {"format": 1, "rows": 5, "shards": []},
    ],
)
def test_a_file_that_is_no_window_is_a_sentence(value):
    with pytest.raises(BadFile, match=r"window\.json .* Run the parent's training stage again"):
        window_from_json(value, "window.json")


@given(
    st.lists(st.lists(st.integers(1, 500), min_size=1, max_size=3), min_size=1, max_size=12),
    st.integers(1, 6),
    st.floats(0, 1),
    st.none() | st.integers(1, 2000),
    st.none() | st.floats(0.05, 1),
)
def test_any_line_of_windows_keeps_its_promises(rows_by_generation, generations, growth, max_rows, share):
    config = WindowConfig(
        generations=generations, growth=growth, max_rows=max_rows, replace_share=share if max_rows is not None else None
    )
    window = None
    for generation, rows in enumerate(rows_by_generation):
        own = [shard(generation, count, index) for index, count in enumerate(rows)]
        window = choose_window(window, own, config)
        assert 0 < len(window.generations) <= config.generations_at(generation)
        assert max_rows is None or window.rows <= max_rows
        assert window.generations[-1] == generation
        assert window.generations == tuple(range(window.generations[0], generation + 1))
        assert window_from_json(window_to_json(window), "window.json") == window
