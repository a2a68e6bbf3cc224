"""Shards: games in, the same games out, the same bytes for the same games, and a sentence for every file that is none."""

import contextlib
import subprocess
import sys
from dataclasses import asdict

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from shard_samples import SEARCH, play_games, write_games

from components.core.errors import BadFile
from components.data import shards
from components.data.schema import SCHEMA_VERSION, card_of, key_of, records_of, schema_of, table_of
from components.data.shards import CARD_KEY, check_entry, entry_of, read_card, read_games, read_shard, write_shard
from components.games.registry import make
from components.selfplay.record import GameKey, GameRecord, PlyRecord

TICTACTOE = make("tictactoe")


def card(game=TICTACTOE):
    return card_of(game, "net", SEARCH.model_dump_json(), generation=0, shard=0)


def plain(record):
    """A record as values that compare with ==; float32 is what a shard keeps."""
    plies = []
    for ply in record.plies:
        values = asdict(ply)
        for name in ("value", "prior_entropy", "breadth"):
            values[name] = float(np.float32(values[name]))
        plies.append({name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()})
    return record.key, plies, tuple(float(np.float32(result)) for result in record.returns), record.ending


@pytest.fixture(scope="module")
def games():
    return play_games(30, full_share=0.5)


@pytest.fixture
def shard(tmp_path, games):
    path = tmp_path / "shard-000.parquet"
    write_shard(path, TICTACTOE, games, card())
    return path


def test_games_come_back_as_they_were(shard, games):
    assert [plain(game) for game in read_games(shard, TICTACTOE)] == [plain(game) for game in games]


def test_card_says_where_a_shard_is_from(shard, games):
    found = read_card(shard)
    assert (found.game, found.variant, found.rules_version, found.schema_version) == ("tictactoe", "standard", 1, SCHEMA_VERSION)
    assert (found.games, found.rows) == (30, sum(len(game.plies) for game in games))
    assert SEARCH.model_validate_json(found.search) == SEARCH


def test_same_games_same_bytes(tmp_path, games):
    for name in ("a", "b"):
        write_shard(tmp_path / name, TICTACTOE, games, card())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_same_bytes_in_another_process(tmp_path, shard):
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); from pathlib import Path; from test_shards import TICTACTOE, card;"
        "from shard_samples import play_games; from components.data.shards import write_shard;"
        "write_shard(Path(sys.argv[1]), TICTACTOE, play_games(30, full_share=0.5), card())"
    )
    folder = str(shards.Path(__file__).parent)
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "again"), folder], check=True)
    assert (tmp_path / "again").read_bytes() == shard.read_bytes()


def test_card_is_part_of_the_bytes(tmp_path, shard, games):
    write_shard(tmp_path / "other", TICTACTOE, games, card().model_copy(update={"net": "another"}))
    assert (tmp_path / "other").read_bytes() != shard.read_bytes()


def test_games_without_a_choice_have_no_row(tmp_path, games):
    over = GameRecord(GameKey(1, 0, 0, 99), [], (0.0, 0.0), "rules")
    assert write_shard(tmp_path / "a", TICTACTOE, [*games, over], card()).games == 30
    with pytest.raises(BadFile, match="at least one game"):
        write_shard(tmp_path / "b", TICTACTOE, [over], card())
    assert not (tmp_path / "b").exists()


def test_a_game_twice_is_refused(tmp_path, games):
    with pytest.raises(BadFile, match="in the shard twice: 1-g00-s000-00003"):
        write_shard(tmp_path / "a", TICTACTOE, [*games, games[3]], card())


def test_reading_some_columns_reads_no_others(shard):
    assert read_shard(shard, TICTACTOE, ["ply", "root_value"]).column_names == ["ply", "root_value"]


def test_row_groups_are_fixed(tmp_path, games, monkeypatch):
    monkeypatch.setattr(shards, "ROWS_PER_GROUP", 50)
    write_shard(tmp_path / "a", TICTACTOE, games, card())
    metadata = pq.ParquetFile(tmp_path / "a").metadata
    sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    assert set(sizes[:-1]) == {50}
    assert [plain(game) for game in read_games(tmp_path / "a", TICTACTOE)] == [plain(game) for game in games]


def test_any_parquet_reader_understands_it(shard, games):
    table = pq.read_table(shard)
    assert table.num_rows == sum(len(game.plies) for game in games)
    assert table["game_id"][0].as_py() == "1-g00-s000-00000"
    assert all(abs(sum(policy) - 1) < 1e-5 for policy in table["policy"].to_pylist())


# --- files that are no shards --------------------------------------------------------------------------------------------


def test_missing_shard(tmp_path):
    with pytest.raises(BadFile, match=r"There is no shard .* only this shard is played again"):
        read_card(tmp_path / "none.parquet")


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_truncated_shard(shard, share):
    content = shard.read_bytes()
    shard.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(BadFile, match=r"damaged or not a shard .* Delete it and run the same command again"):
        read_shard(shard, TICTACTOE)


def test_any_flipped_byte_is_noticed(shard):
    """By the pages' checksums or the reader where it can, and always by the digest that a window carries."""
    content, entry = bytearray(shard.read_bytes()), entry_of(shard, shard.parent)
    for place in np.random.default_rng(1).integers(len(content), size=60):
        damaged = content.copy()
        damaged[place] ^= 0x10
        shard.write_bytes(damaged)
        with pytest.raises(BadFile, match=r"shard-000.parquet"):
            check_entry(entry, shard.parent)
        with contextlib.suppress(BadFile):  # any other error would be a traceback at the user's terminal
            read_games(shard, TICTACTOE)


def test_flipped_byte_in_the_pages_is_noticed_without_the_digest(shard):
    content = bytearray(shard.read_bytes())
    content[len(content) // 4] ^= 0xFF
    shard.write_bytes(content)
    with pytest.raises(BadFile, match="damaged"):
        read_shard(shard, TICTACTOE)


def test_foreign_parquet_file(tmp_path):
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "foreign.parquet")
    with pytest.raises(BadFile, match="somebody else"):
        read_card(tmp_path / "foreign.parquet")


def rewrite(shard, card_update=None, rows=None):
    """The same file with something changed, as another version might have written it."""
    table = pq.read_table(shard)
    found = read_card(shard).model_copy(update=card_update or {})
    table = table.slice(0, rows) if rows is not None else table
    pq.write_table(table.replace_schema_metadata({CARD_KEY: found.model_dump_json().encode()}), shard)


@pytest.mark.parametrize(
    ("update", "sentence"),
    [
        ({"schema_version": 99}, "schema version 99, this is version 1"),
        ({"game": "tictactoe/misere"}, "played with game tictactoe/misere, this is tictactoe"),
        ({"rules_version": 7}, "played with rules version 7, this is 1"),
        ({"state_digest": "0"}, "state layout 0, this is"),
        ({"rows": 5}, "its card says 5"),
        ({"state_bytes": 3}, "other columns"),
    ],
)
def test_shard_of_another_time_or_game(shard, update, sentence):
    rewrite(shard, update)
    with pytest.raises(BadFile, match=f"{sentence}.*Delete it and run the same command again"):
        read_shard(shard, TICTACTOE)


def test_last_game_not_whole(shard):
    total = read_card(shard).rows
    rewrite(shard, {"rows": total - 1}, rows=total - 1)
    with pytest.raises(BadFile, match="is not whole"):
        read_shard(shard, TICTACTOE)


def test_window_entry_checks_digest_and_place(tmp_path):
    entry = write_games(tmp_path, 5)
    assert entry.path == "g00/shard-000.parquet"
    assert check_entry(entry, tmp_path) == tmp_path / entry.path
    (tmp_path / entry.path).unlink()
    with pytest.raises(BadFile, match="which the window names"):
        check_entry(entry, tmp_path)


def test_game_ids_round_trip():
    key = GameKey(4294967295, 123, 4567, 1234567)
    assert key_of(str(key)) == key
    with pytest.raises(BadFile, match="not a game id"):
        key_of("1-2-3-4")


FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def any_ply(draw, ply):
    legal = draw(st.integers(0, 6))
    return PlyRecord(
        ply=ply,
        mover=draw(st.integers(0, 1)),
        state=draw(st.binary(min_size=8, max_size=8)),
        actions=draw(arrays.arrays(np.int32, legal)),
        visits=draw(arrays.arrays(np.int32, legal)),
        policy=draw(arrays.arrays(np.float32, legal, elements=FLOATS)),
        value=draw(FLOATS),
        prior_entropy=draw(FLOATS),
        depth=draw(st.integers(0, 2**31 - 1)),
        breadth=draw(FLOATS),
        action=draw(st.integers(0, 2**31 - 1)),
        is_full=draw(st.booleans()),
    )


@st.composite
def any_games(draw):
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    return [
        GameRecord(
            GameKey(draw(st.integers(0, 2**32)), draw(st.integers(0, 200)), draw(st.integers(0, 2000)), index),
            [draw(any_ply(ply)) for ply in range(length)],
            (draw(FLOATS), draw(FLOATS)),
            draw(st.text(max_size=8)),
        )
        for index, length in enumerate(lengths)
    ]


@settings(max_examples=60, deadline=None)
@given(any_games())
def test_rows_keep_every_value(games):
    table = table_of(games, 8)
    assert table.schema.equals(schema_of(8))
    assert [plain(game) for game in records_of(table)] == [plain(game) for game in games]
