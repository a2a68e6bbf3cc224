"""What a shard holds: one Parquet row a ply in game order, and the card in the file's metadata that says where it is from.

Called by shards.py. Promises that games -> rows -> games loses nothing and that equal games make equal rows. Pure: no files.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from components.core.errors import BadFile
from components.games.contract import Game
from components.selfplay.record import GameKey, GameRecord, PlyRecord

SCHEMA_VERSION = 1  # goes up when a column is added, removed or changes its meaning
GAME_ID = re.compile(r"(?P<seed>\d+)-g(?P<generation>\d+)-s(?P<shard>\d+)-(?P<game>\d+)")


class ShardCard(BaseModel):
    """Where a shard is from. With the card's parameters and the same champion, self-play writes the same bytes again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = SCHEMA_VERSION
    game: str = Field(description="canonical name")
    variant: str
    rules_version: int
    state_bytes: int
    state_digest: str = Field(description="of the state's fields: another layout reads as nonsense")
    net: str = Field(description="digest of the net that played; empty when none did")
    search: str = Field(description="the search parameters as JSON")
    generation: int
    shard: int
    games: int = 0
    rows: int = 0


def card_of(game: Game, net: str, search: str, generation: int, shard: int) -> ShardCard:
    """The card of a shard that is about to be written; the writer adds games and rows."""
    return ShardCard(
        game=game.name,
        variant=game.variant,
        rules_version=game.spec.rules_version,
        state_bytes=game.state_dtype.itemsize,
        state_digest=state_digest(game.state_dtype),
        net=net,
        search=search,
        generation=generation,
        shard=shard,
    )


def state_digest(dtype: np.dtype[Any]) -> str:
    """Tells two layouts of a state apart: names, types, shapes and offsets of the fields."""
    assert dtype.fields is not None
    layout = [(name, str(dtype.fields[name][0]), dtype.fields[name][1]) for name in dtype.names or ()]
    return hashlib.sha256(repr((layout, dtype.itemsize)).encode()).hexdigest()[:16]


def schema_of(state_bytes: int) -> pa.Schema:
    """The columns of every game's shards; only the size of a state differs."""
    return pa.schema(
        [
            pa.field("game_id", pa.string(), nullable=False),  # run seed, generation, shard, game
            pa.field("game", pa.int32(), nullable=False),  # index within the shard
            pa.field("ply", pa.int32(), nullable=False),
            pa.field("mover", pa.int8(), nullable=False),
            pa.field("state", pa.binary(state_bytes), nullable=False),
            pa.field("actions", list_of(pa.int32()), nullable=False),  # legal, ascending
            pa.field("visits", list_of(pa.int32()), nullable=False),  # counts, one per legal action
            pa.field("policy", list_of(pa.float32()), nullable=False),  # the search's target, one per legal action
            pa.field("root_value", pa.float32(), nullable=False),  # for the mover
            pa.field("prior_entropy", pa.float32(), nullable=False),
            pa.field("depth", pa.int32(), nullable=False),
            pa.field("breadth", pa.float32(), nullable=False),
            pa.field("action", pa.int32(), nullable=False),  # the one played
            pa.field("is_full", pa.bool_(), nullable=False),
            pa.field("returns_first", pa.float32(), nullable=False),
            pa.field("returns_second", pa.float32(), nullable=False),
            pa.field("ending", pa.string(), nullable=False),
            pa.field("plies", pa.int32(), nullable=False),  # length of the game
        ]
    )


def list_of(values: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("item", values, nullable=False))


def table_of(records: Iterable[GameRecord], state_bytes: int) -> pa.Table:
    """One row a ply, games in the order given."""
    games = list(records)
    pairs = [(record, ply) for record in games for ply in record.plies]
    columns = {
        "game_id": [str(record.key) for record, _ in pairs],
        "game": [record.key.game for record, _ in pairs],
        "actions": flat_lists([ply.actions for _, ply in pairs], np.int32),
        "visits": flat_lists([ply.visits for _, ply in pairs], np.int32),
        "policy": flat_lists([ply.policy for _, ply in pairs], np.float32),
        "root_value": [ply.value for _, ply in pairs],
        "returns_first": [record.returns[0] for record, _ in pairs],
        "returns_second": [record.returns[1] for record, _ in pairs],
        "ending": [record.ending for record, _ in pairs],
        "plies": [len(record.plies) for record, _ in pairs],
    }
    schema = schema_of(state_bytes)
    same_name = [name for name in schema.names if name not in columns]
    columns |= {name: [getattr(ply, name) for _, ply in pairs] for name in same_name}
    return pa.table([as_column(columns[field.name], field.type) for field in schema], schema=schema)


def as_column(values: Any, kind: pa.DataType) -> pa.Array:
    return values.cast(kind) if isinstance(values, pa.Array) else pa.array(values, type=kind)


def flat_lists(lists: list[Any], dtype: type) -> pa.Array:
    """A list column without a Python object per number."""
    offsets = np.zeros(len(lists) + 1, dtype=np.int32)
    np.cumsum([len(values) for values in lists], out=offsets[1:])
    flat: NDArray[Any] = np.concatenate([np.zeros(0, dtype=dtype), *lists]).astype(dtype, copy=False)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat))


def key_of(game_id: str) -> GameKey:
    match = GAME_ID.fullmatch(game_id)
    if match is None:
        raise BadFile(f"'{game_id}' is not a game id; need SEED-gNN-sNNN-NNNNN. The file is not one of our shards.")
    return GameKey(int(match["seed"]), int(match["generation"]), int(match["shard"]), int(match["game"]))


def records_of(table: pa.Table) -> Iterator[GameRecord]:
    """The games of a whole shard, as self-play told them."""
    row = 0
    while row < len(table):
        plies = table["plies"][row].as_py()
        yield record_of_rows(table.slice(row, plies).to_pylist())
        row += plies


def record_of_rows(rows: list[dict[str, Any]]) -> GameRecord:
    first = rows[0]
    returns = (first["returns_first"], first["returns_second"])
    return GameRecord(key_of(first["game_id"]), [ply_of_row(row) for row in rows], returns, first["ending"])


def ply_of_row(row: dict[str, Any]) -> PlyRecord:
    return PlyRecord(
        ply=row["ply"],
        mover=row["mover"],
        state=row["state"],
        actions=np.array(row["actions"], dtype=np.int32),
        visits=np.array(row["visits"], dtype=np.int32),
        policy=np.array(row["policy"], dtype=np.float32),
        value=row["root_value"],
        prior_entropy=row["prior_entropy"],
        depth=row["depth"],
        breadth=row["breadth"],
        action=row["action"],
        is_full=row["is_full"],
    )


def check_games(records: list[GameRecord]) -> None:
    """Refuse games that a shard could not give back: none at all, lists of unequal length, a key used twice."""
    if not records:
        raise BadFile("a shard needs at least one game with a choice in it, there is none. Ask for more games per shard.")
    for record in records:
        for ply in record.plies:
            if not len(ply.actions) == len(ply.visits) == len(ply.policy):
                raise BadFile(f"game {record.key} ply {ply.ply}: actions, visits and policy differ in length.")
    keys = [str(record.key) for record in records]
    if len(set(keys)) != len(keys):
        raise BadFile(f"a game is in the shard twice: {next(key for key in keys if keys.count(key) > 1)}.")
