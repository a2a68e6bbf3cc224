"""A row's result as a small JSON file under results/, and whether it still answers what the row asks.

Promises that nothing is played again that was measured with the same settings and nets, that a quick look never replaces the
full measurement, and that a result stays valid where its nets are not at hand: they may be too big to commit.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from components.core.files import read_json, write_json
from flows.papers.desk import Desk
from flows.papers.machine import load, machine_facts
from flows.papers.nets import NoNet
from flows.papers.plan import BaseRow

RESULTS = "results"
Word = Literal["measured", "to run", "not run"]


@dataclass(frozen=True)
class Status:
    word: Word
    reason: str = ""


def result_path(root: Path, row: BaseRow) -> Path:
    return root / RESULTS / f"{row.id}.json"


def read_result(root: Path, row: BaseRow) -> dict[str, Any] | None:
    path = result_path(root, row)
    return read_json(path) if path.exists() else None


def status_of(row: BaseRow, desk: Desk) -> Status:
    """What a run would do about a row, and why."""
    result = read_result(desk.root, row)
    try:
        sources = desk.sources(row)
    except NoNet as missing:
        if result is None:
            return Status("not run", f"not run: {missing}")
        outdated = "" if is_as_asked(row, result) else "with other settings; "
        return Status("measured", f"{outdated}its nets are not here")
    if result is None:
        return Status("to run")
    if not is_as_asked(row, result):
        return Status("to run", "measured with other settings")
    if sources != result["sources"]:
        return Status("to run", "measured with other nets")
    wanted = desk.wanted_games(row)
    if result["games"] < wanted:
        return Status("to run", f"a quick look: {result['games']} of {wanted} games")
    return Status("measured")


def is_as_asked(row: BaseRow, result: dict[str, Any]) -> bool:
    return bool(result["asked"] == row.asked())


def write_result(row: BaseRow, desk: Desk, numbers: dict[str, Any], minutes: float) -> Path:
    nets = {name: net.facts for name, net in desk.nets(row).items()}
    path = result_path(desk.root, row)
    write_json(path, {
        "row": row.id, "asked": row.asked(), "games": desk.wanted_games(row), "sources": desk.sources(row), "nets": nets,
        "numbers": numbers, "minutes": round(minutes, 2), "machine": machine_facts(), "load": load(),
        "command": command_of(row, desk),
    })  # fmt: skip
    return path


def command_of(row: BaseRow, desk: Desk) -> str:
    """The command that makes the number again."""
    return row.command + (f" --games {desk.games}" if desk.wanted_games(row) != row.wanted_games(None) else "")
