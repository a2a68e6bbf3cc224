"""Three games of the newest generation, drawn turn by turn: what the play looks like, for the page and for tracking.

Promises the same choice for the same shards: an ordinary win of each side, and a draw or else the longest game.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from components.data.shards import read_shard
from components.games.contract import Game, State

COLUMNS = ("game_id", "ply", "mover", "state", "action", "root_value", "returns_first", "returns_second", "plies")
SIDES = ("First player", "Second player")
Row = dict[str, Any]


@dataclass(frozen=True)
class DrawnTurn:
    """Consecutive plies of one player and the position after them."""

    mover: int
    actions: str
    value: float  # for the mover before the turn, as the search saw it
    drawing: str


@dataclass(frozen=True)
class DrawnGame:
    title: str
    start: str
    turns: tuple[DrawnTurn, ...]

    def to_text(self) -> str:
        lines = [self.title, "", self.start]
        for number, turn in enumerate(self.turns, 1):
            lines += ["", f"{number}. {SIDES[turn.mover]} ({turn.value:+.2f}): {turn.actions}", turn.drawing]
        return "\n".join(lines) + "\n"


def draw_games(folder: Path, game: Game) -> list[DrawnGame]:
    """Up to three games from the first shard of a generation's data."""
    shards = sorted(folder.glob("*.parquet"))
    if not shards:
        return []
    table = read_shard(shards[0], game, COLUMNS)
    plies, first_returns = table["plies"].to_numpy(), table["returns_first"].to_numpy()
    starts, row = [], 0
    while row < len(plies):
        starts.append(row)
        row += int(plies[row])
    chosen = pick_games([(int(plies[start]), float(first_returns[start])) for start in starts])
    return [draw_game(table.slice(starts[index], int(plies[starts[index]])).to_pylist(), game) for index in chosen]


def pick_games(games: list[tuple[int, float]]) -> list[int]:
    """Indices into (plies, first player's return): a win of middling length for each side, then a draw or the longest."""
    by_length = sorted(range(len(games)), key=lambda index: (games[index][0], index))
    first, second, drawn = (
        [index for index in by_length if np.sign(games[index][1]) == sign] for sign in (1, -1, 0)
    )  # fmt: skip
    wanted = [middle(first), middle(second), middle(drawn), *reversed(by_length)]
    found: list[int] = []
    for index in wanted:
        if index is not None and index not in found:
            found.append(index)
    return found[:3]


def middle(indices: list[int]) -> int | None:
    return indices[len(indices) // 2] if indices else None


def draw_game(rows: list[Row], game: Game) -> DrawnGame:
    states = [state_of(row["state"], game) for row in rows]
    states.append(game.after(states[-1], rows[-1]["action"]))
    turns, begin = [], 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or rows[end]["mover"] != rows[begin]["mover"]:
            turns.append(draw_turn(rows[begin:end], states[begin : end + 1], game))
            begin = end
    return DrawnGame(title_of(rows), game.text.draw(game, states[0]), tuple(turns))


def state_of(content: bytes, game: Game) -> State:
    states = game.new_states(1)
    states[:] = np.frombuffer(content, dtype=game.state_dtype)
    return states[0]


def draw_turn(rows: list[Row], states: list[State], game: Game) -> DrawnTurn:
    """states has one more: the position after the turn."""
    names = [game.text.action_name(game, state, row["action"]) for row, state in zip(rows, states, strict=False)]
    return DrawnTurn(rows[0]["mover"], ", ".join(names), rows[0]["root_value"], game.text.draw(game, states[-1]))


def title_of(rows: list[Row]) -> str:
    returns = (rows[0]["returns_first"], rows[0]["returns_second"])
    result = "A draw" if returns[0] == returns[1] else f"{SIDES[int(np.argmax(returns))]} wins"
    return f"{result} after {len(rows)} plies (game {rows[0]['game_id']})"
