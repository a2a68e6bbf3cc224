"""Shards on disk: Parquet in, Parquet out, and the window files that name them.

Self-play writes here, training and reports read. Promises that a shard's bytes are a pure function of its games and card,
and that a damaged, foreign or outdated file is one sentence that says what to do, never wrong rows.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from components.core.errors import BadFile, first_line
from components.core.files import file_digest, read_json, write_bytes, write_json
from components.data.schema import SCHEMA_VERSION, ShardCard, check_games, records_of, schema_of, state_digest, table_of
from components.data.window import ShardEntry, Window, window_from_json, window_to_json
from components.games.contract import Game
from components.selfplay.record import GameRecord

CARD_KEY = b"zeroline"
ROWS_PER_GROUP = 16_384  # a reader of a few columns holds this much at a time
ZSTD_LEVEL = 3  # higher levels cost seconds and save a few per cent
DICTIONARY_COLUMNS = ["game_id", "game", "mover", "ending", "plies", "returns_first", "returns_second"]
PLAY_AGAIN = "Delete it and run the same command again: only this shard is played again."


def write_shard(path: Path, game: Game, records: Iterable[GameRecord], card: ShardCard) -> ShardCard:
    """Write games as one shard, born whole; returns the card with games and rows filled in.

    A game that was over before its first choice has no row, and is not counted.
    """
    games = [record for record in records if record.plies]
    check_games(games)
    table = table_of(games, game.state_dtype.itemsize)
    filled = card.model_copy(update={"games": len(games), "rows": len(table)})
    write_bytes(Path(path), shard_bytes(table, filled))
    return filled


def shard_bytes(table: pa.Table, card: ShardCard) -> bytes:
    """The file's content. Every choice that the library could change with a default is made here."""
    with_card = table.combine_chunks().replace_schema_metadata({CARD_KEY: card.model_dump_json().encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(
        with_card,
        sink,
        row_group_size=ROWS_PER_GROUP,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=ZSTD_LEVEL,
        use_dictionary=DICTIONARY_COLUMNS,
        write_statistics=True,
        write_page_checksum=True,
        store_schema=True,
    )
    return sink.getvalue().to_pybytes()


def open_shard(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except FileNotFoundError:
        raise BadFile(f"There is no shard {path}. Run the same command again: only this shard is played again.") from None
    except (pa.ArrowException, OSError) as error:
        raise BadFile(f"{path} is damaged or not a shard ({first_line(error)}). {PLAY_AGAIN}") from None


def read_card(path: Path) -> ShardCard:
    """The card of a shard, without reading rows."""
    with open_shard(path) as shard:
        return card_in(shard, path)


def card_in(shard: pq.ParquetFile, path: Path) -> ShardCard:
    metadata = shard.metadata.metadata or {}
    if CARD_KEY not in metadata:
        raise BadFile(f"{path} is a Parquet file of somebody else: it has no card of ours. Move it out of the folder.")
    try:
        card = ShardCard.model_validate_json(metadata[CARD_KEY])
    except ValidationError:
        raise BadFile(f"{path} has a card that this version cannot read (need schema {SCHEMA_VERSION}). {PLAY_AGAIN}") from None
    check_counts(shard, card, path)
    return card


def check_counts(shard: pq.ParquetFile, card: ShardCard, path: Path) -> None:
    if card.schema_version != SCHEMA_VERSION:
        raise BadFile(f"{path} has schema version {card.schema_version}, this is version {SCHEMA_VERSION}. {PLAY_AGAIN}")
    if shard.metadata.num_rows != card.rows:
        raise BadFile(f"{path} holds {shard.metadata.num_rows} rows, its card says {card.rows}. {PLAY_AGAIN}")
    if not shard.schema_arrow.equals(schema_of(card.state_bytes), check_metadata=False):
        raise BadFile(f"{path} has other columns than schema version {SCHEMA_VERSION}. {PLAY_AGAIN}")


def check_game(card: ShardCard, game: Game, path: Path) -> None:
    """Refuse rows that this game would read as nonsense."""
    needs = [
        ("game", card.game, game.name),
        ("rules version", card.rules_version, game.spec.rules_version),
        ("state size in bytes", card.state_bytes, game.state_dtype.itemsize),
        ("state layout", card.state_digest, state_digest(game.state_dtype)),
    ]
    for what, found, needed in needs:
        if found != needed:
            raise BadFile(f"{path} was played with {what} {found}, this is {needed}. {PLAY_AGAIN}")


def read_shard(path: Path, game: Game, columns: Sequence[str] | None = None) -> pa.Table:
    """The rows of a shard of this game; only the named columns are read and held."""
    with open_shard(path) as shard:
        check_game(card_in(shard, path), game, path)
        try:
            table = shard.read(columns=list(columns) if columns is not None else None)
        except (pa.ArrowException, OSError) as error:
            raise BadFile(f"{path} is damaged inside ({first_line(error)}). {PLAY_AGAIN}") from None
    check_plies(table, path)
    return table


def check_plies(table: pa.Table, path: Path) -> None:
    """Games are whole and in order where the columns that tell it were read. A game may begin late: a given start has a ply."""
    if not {"ply", "plies"} <= set(table.column_names):
        return
    ply, plies = (table[name].to_numpy() for name in ("ply", "plies"))
    row = 0
    while row < len(ply):
        length = int(plies[row])
        if length < 1 or row + length > len(ply) or (np.diff(ply[row : row + length]) <= 0).any():
            raise BadFile(f"{path}: the game at row {row} is not whole. {PLAY_AGAIN}")
        row += length


def read_games(path: Path, game: Game) -> list[GameRecord]:
    """Every game of a shard as self-play told it."""
    return list(records_of(read_shard(path, game)))


def entry_of(path: Path, root: Path) -> ShardEntry:
    """A finished shard as a window names it."""
    card = read_card(path)
    relative = Path(path).resolve().relative_to(Path(root).resolve()).as_posix()
    return ShardEntry(card.generation, relative, file_digest(path), card.rows, card.rows)


def check_entry(entry: ShardEntry, root: Path) -> Path:
    """The path of a window's shard, once its bytes are known to be the ones the window means."""
    path = Path(root) / entry.path
    if not path.is_file():
        raise BadFile(f"There is no shard {path}, which the window names. {PLAY_AGAIN.replace('Delete it and run', 'Run')}")
    found = file_digest(path)
    if found != entry.digest:
        raise BadFile(f"{path} has digest {found}, the window means {entry.digest}: it was damaged or changed. {PLAY_AGAIN}")
    return path


def write_window(path: Path, window: Window) -> None:
    write_json(path, window_to_json(window))


def read_window(path: Path) -> Window:
    return window_from_json(read_json(path), str(path))
