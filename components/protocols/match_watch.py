"""Looks over a player's shoulder during a match: what its search trees were like in every game.

Wraps a player for evaluation.match. The 9x9 report's numbers: the longest path over all moves of a game, and the least and
greatest share of root actions that a search looked at.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadFile
from components.core.files import write_text
from components.evaluation.result import GameRecord, version_of
from components.games.contract import Game, Player, States


@dataclass(frozen=True)
class TreeFacts:
    """Of one player in one game."""

    depth: int
    least_breadth: float
    most_breadth: float


@dataclass
class TableFacts:
    history: tuple[int, ...] = ()
    depths: list[int] = field(default_factory=list)
    breadths: list[float] = field(default_factory=list)


class WatchedPlayer:
    """Plays exactly as its player does; keeps what its searches said, by table."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.tables: dict[int, TableFacts] = {}

    def begin_games(self, game: Game, count: int) -> None:
        self.tables = {}
        self.pass_on("begin_games", game, count)

    def begin_game(self, table: int) -> None:
        self.tables[table] = TableFacts()
        self.pass_on("begin_game", table)

    def close(self) -> None:
        self.pass_on("close")

    def pass_on(self, name: str, *arguments: Any) -> None:
        hook = getattr(self.player, name, None)
        if hook is not None:
            hook(*arguments)

    @property
    def version(self) -> str:
        return version_of(self.player)

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        return self.player.choose(game, states, streams)

    def choose_seated(
        self, game: Game, states: States, streams: NDArray[np.uint64], tables: NDArray[np.int64],
        histories: list[tuple[int, ...]],
    ) -> NDArray[np.int32]:  # fmt: skip
        seated = getattr(self.player, "choose_seated", None)
        here = (game, states, streams)
        chosen = self.player.choose(*here) if seated is None else seated(*here, tables, histories)
        self.note(tables, histories)
        return chosen

    def note(self, tables: NDArray[np.int64], histories: Sequence[tuple[int, ...]]) -> None:
        insights = getattr(self.player, "insights", [])
        for row, table in enumerate(tables):
            facts = self.tables.setdefault(int(table), TableFacts())
            facts.history = histories[row]
            if row < len(insights) and len(insights[row].actions) > 1:
                facts.depths.append(insights[row].depth)
                facts.breadths.append(insights[row].breadth)

    def facts_of(self, record: GameRecord) -> TreeFacts | None:
        """What was seen in a game that has just ended; None if the player does not search."""
        # The match tells a game, not its table: the table is the one whose moves the game goes on from.
        own = [facts for facts in self.tables.values() if record.actions[: len(facts.history)] == facts.history]
        facts = max(own, key=lambda found: len(found.history), default=None)
        if facts is None or not facts.depths:
            return None
        return TreeFacts(max(facts.depths), min(facts.breadths), max(facts.breadths))


class TreeLedger:
    """Tree facts of finished games as JSON lines beside the games themselves, so that a resumed match keeps them."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.facts: dict[tuple[str, int, int], list[TreeFacts | None]] = {}
        if path is not None and path.exists():
            self.read(path)

    def read(self, path: Path) -> None:
        lines = path.read_text().splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            # A kill tore the last line; the next one must not be glued to it.
            write_text(path, "".join(lines[:-1]))
            lines.pop()
        for number, line in enumerate(lines, start=1):
            try:
                entry = json.loads(line)
                pairs = [None if one is None else TreeFacts(**one) for one in entry["facts"]]
                self.facts[entry["match"], entry["pair"], entry["side"]] = pairs
            except (ValueError, TypeError, KeyError):
                raise BadFile(f"{path}, line {number} is damaged. Remove that line or the file.") from None

    def append(self, record: GameRecord, facts: list[TreeFacts | None]) -> None:
        self.facts[record.match, record.pair, record.side] = facts
        if self.path is not None and any(facts):
            entry = {"match": record.match, "pair": record.pair, "side": record.side}
            said = [None if one is None else asdict(one) for one in facts]
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write(json.dumps({**entry, "facts": said}) + "\n")

    def of(self, record: GameRecord) -> list[TreeFacts | None]:
        return self.facts.get((record.match, record.pair, record.side), [None, None])
