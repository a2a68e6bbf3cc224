"""The window's rows in memory: flat arrays, one entry a ply, lists as offsets into one long array.

Filled by `load_rows` from the window's shards, read by batches.py and the training methods. Promises that every row was
checked: no action, mover or value that a training target could not be made of.
"""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from components.core.errors import BadFile
from components.data.shards import PLAY_AGAIN, check_entry, read_shard
from components.data.window import Window
from components.games.contract import Game, States

COLUMNS = (
    "game_id", "ply", "plies", "mover", "state", "actions", "policy", "root_value", "action", "is_full",
    "returns_first", "returns_second",
)  # fmt: skip
POLICY_TOLERANCE = 1e-3  # policies are float32 and sum to 1


@dataclass(frozen=True)
class WindowRows:
    """[rows] arrays of a window, oldest generation first; `offsets[i]:offsets[i+1]` are row i's legal actions."""

    states: States  # [rows] records
    offsets: NDArray[np.int64]  # [rows + 1]
    actions: NDArray[np.int32]  # [entries] legal actions of all rows, one row after the other
    policy: NDArray[np.float32]  # [entries] the search's target for each of them
    action: NDArray[np.int32]  # [rows] the one played
    value_for_mover: NDArray[np.float32]  # [rows] what the search (or the net, in REINFORCE) said when it was played
    returns_for_mover: NDArray[np.float32]  # [rows] how the game ended for whoever moved
    is_full: NDArray[np.bool_]  # [rows] the policy is a training target
    generation: NDArray[np.int32]  # [rows]
    game: NDArray[np.int64]  # [rows] index into game_ids and finals
    game_ids: NDArray[np.str_]  # [games]
    finals: States  # [games] the position after the last recorded action, for targets that only the end can tell

    def __len__(self) -> int:
        return len(self.action)


def load_rows(window: Window, game: Game, root: Path) -> WindowRows:
    """Read every shard of a window, checked against the digest that the window names."""
    pieces = []
    for entry in window.shards:
        path = check_entry(entry, root)
        whole = rows_of_table(read_shard(path, game, COLUMNS), game, entry.generation, path)
        pieces.append(first_rows(whole, entry.taken))
    if not pieces:
        raise BadFile(f"The window of {game.name} names no shard: there is nothing to train on. Play a generation first.")
    return join_rows(pieces)


def rows_of_table(table: pa.Table, game: Game, generation: int, path: Path) -> WindowRows:
    offsets, actions = flat_list(table["actions"], np.int32)
    policy_offsets, policy = flat_list(table["policy"], np.float32)
    mover = table["mover"].to_numpy()
    starts = game_starts(table["plies"].to_numpy())
    rows = WindowRows(
        states=states_of(table["state"], game),
        offsets=offsets,
        actions=actions,
        policy=policy,
        action=table["action"].to_numpy().astype(np.int32),
        value_for_mover=table["root_value"].to_numpy().astype(np.float32),
        returns_for_mover=np.where(mover == 0, table["returns_first"].to_numpy(), table["returns_second"].to_numpy()),
        is_full=table["is_full"].to_numpy(zero_copy_only=False),
        generation=np.full(len(table), generation, dtype=np.int32),
        game=np.repeat(np.arange(len(starts)), np.diff([*starts, len(table)])),
        game_ids=np.array(table["game_id"].take(starts).to_pylist(), dtype=np.str_),
        finals=game.new_states(len(starts)),
    )
    # Checked before any rule sees them: kernels trust their arguments and would write past the board.
    check_rows(rows, game, mover, policy_offsets, path)
    fill_finals(rows, game, np.array([*starts[1:], len(table)]) - 1)
    return rows


def flat_list(column: Any, dtype: type) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """(offsets [rows + 1], values) of a list column. flatten() heeds slices, the raw values would not."""
    joined = column.combine_chunks()
    lengths = joined.value_lengths().to_numpy(zero_copy_only=False)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets, joined.flatten().to_numpy(zero_copy_only=False).astype(dtype)


def states_of(column: Any, game: Game) -> States:
    """[rows] state records out of a column of bytes."""
    joined = column.combine_chunks()
    size = game.state_dtype.itemsize
    content = joined.buffers()[1]
    raw = np.frombuffer(content, dtype=np.uint8)[joined.offset * size : (joined.offset + len(joined)) * size]
    states = game.new_states(len(joined))
    states.view(np.uint8).reshape(len(joined), size)[:] = raw.reshape(len(joined), size)
    return states


def game_starts(plies: NDArray[np.int32]) -> NDArray[np.int64]:
    """[games] the row at which each game begins."""
    starts, row = [], 0
    while row < len(plies):
        starts.append(row)
        row += int(plies[row])
    return np.array(starts, dtype=np.int64)


def fill_finals(rows: WindowRows, game: Game, last_rows: NDArray[np.int64]) -> None:
    """Make each game's final its last recorded position after its last action."""
    rows.finals[:] = rows.states[last_rows]
    own = np.arange(len(last_rows))
    game.kernels.advance_many(game.rules, rows.finals, own, own, rows.action[last_rows])


def check_rows(rows: WindowRows, game: Game, mover: NDArray[np.int8], policy_offsets: NDArray[np.int64], path: Path) -> None:
    """Refuse numbers that no self-play writes: they would train a net to nonsense without a word."""
    sums = sums_by_row(rows.policy, rows.offsets) if len(rows.policy) == rows.offsets[-1] else None
    problems = {
        "a mover other than 0 and 1": ((mover < 0) | (mover > 1)).any() or (rows.states["mover"] != mover).any(),
        "a policy of another length than its actions": (policy_offsets != rows.offsets).any(),
        f"an action outside 0 .. {game.spec.actions - 1}": is_outside(rows.actions, game) or is_outside(rows.action, game),
        "a played action that was not legal": not is_played_legal(rows),
        "a policy that does not sum to 1": sums is None or not (np.abs(sums[rows.is_full] - 1) <= POLICY_TOLERANCE).all(),
        "a value outside [-1, 1]": not (np.abs(rows.value_for_mover) <= 1 + POLICY_TOLERANCE).all(),
        "a result outside [-1, 1]": not (np.abs(rows.returns_for_mover) <= 1).all(),
    }
    found = [text for text, is_found in problems.items() if is_found]
    if found:
        raise BadFile(f"{path} has {' and '.join(found)}. {PLAY_AGAIN}")


def is_outside(actions: NDArray[np.int32], game: Game) -> bool:
    return bool(len(actions) and (actions.min() < 0 or actions.max() >= game.spec.actions))


def is_played_legal(rows: WindowRows) -> bool:
    """Whether every row's action is among its legal ones."""
    matches = rows.actions == np.repeat(rows.action, np.diff(rows.offsets))
    return bool((sums_by_row(matches, rows.offsets) == 1).all())


def sums_by_row(values: NDArray[Any], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """[rows] the sum of each row's values; 0 for a row without any."""
    totals = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    return totals[offsets[1:]] - totals[offsets[:-1]]


def first_rows(rows: WindowRows, count: int) -> WindowRows:
    """The first rows of a shard. Games keep their finals: a window may end in the middle of a game."""
    entries = rows.offsets[count]
    cuts = {"offsets": count + 1, "actions": entries, "policy": entries, "game_ids": None, "finals": None}
    return WindowRows(**{field.name: getattr(rows, field.name)[: cuts.get(field.name, count)] for field in fields(rows)})


def join_rows(pieces: list[WindowRows]) -> WindowRows:
    """One window of several shards' rows."""
    joined: dict[str, Any] = {
        field.name: np.concatenate([getattr(piece, field.name) for piece in pieces]) for field in fields(WindowRows)
    }
    lengths = np.concatenate([np.diff(piece.offsets) for piece in pieces])
    joined["offsets"] = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    games_before = np.cumsum([0, *(len(piece.game_ids) for piece in pieces[:-1])])
    joined["game"] = np.concatenate([piece.game + before for piece, before in zip(pieces, games_before, strict=True)])
    for name in ("states", "finals"):
        joined[name] = joined[name].view(np.recarray)
    return WindowRows(**joined)
