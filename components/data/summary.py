"""What a generation's games were like, in a few numbers: lengths, results, variety, how sure the search was."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from components.data.shards import read_shard
from components.games.contract import Game

COLUMNS = (
    "game_id",
    "ply",
    "mover",
    "action",
    "root_value",
    "prior_entropy",
    "depth",
    "breadth",
    "returns_first",
    "plies",
    "ending",
)


def summarise(shards: Sequence[Path], game: Game) -> dict[str, Any]:
    """Numbers of all games in the shards; the same for the same bytes."""
    table = pa.concat_tables([read_shard(path, game, COLUMNS) for path in shards])
    starts = np.flatnonzero(np.diff(np.concatenate([[-1], pc.rank(table["game_id"], tiebreaker="dense").to_numpy()])))
    first_returns = table["returns_first"].to_numpy()[starts]
    signs = np.where(table["mover"].to_numpy() == 0, 1.0, -1.0)
    errors = table["root_value"].to_numpy() - signs * table["returns_first"].to_numpy()
    actions = np.split(table["action"].to_numpy(), starts[1:])
    endings = table["ending"].to_numpy(zero_copy_only=False)[starts]
    return {
        "games": len(starts),
        "rows": table.num_rows,
        "mean_plies": number(table["plies"].to_numpy()[starts].mean()),
        "first_player_score": number((first_returns + 1).mean() / 2),
        "draw_rate": number((first_returns == 0).mean()),
        "capped_rate": number((endings == "cap").mean()),
        "distinct_games": len({part.tobytes() for part in actions}),
        "value_error": number(np.square(errors).mean()),
        **{f"mean_{name}": number(table[name].to_numpy().mean()) for name in ("prior_entropy", "depth", "breadth")},
    }


def number(value: Any) -> float:
    return round(float(value), 6)
