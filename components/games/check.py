"""Conformance: a file of recorded truth against our rules. Each game's check.py knows its records; this reads and counts.

Called by `python -m components.games check`. Promises that every line is either checked or refused with its number.
"""

import importlib
import importlib.util
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from components.core.errors import BadFile, UnknownName
from components.games.registry import FAMILIES

SHOWN_MISMATCHES = 5


@dataclass
class Tally:
    """What was checked, per kind, and the first mismatches with their boards."""

    checks: Counter[str] = field(default_factory=Counter)
    mismatches: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)

    def expect(self, kind: str, found: Any, needed: Any, where: str, draw: Callable[[], str] = str) -> None:
        """Count one check; keep the first mismatches in words. draw is only called for those."""
        self.checks[kind] += 1
        if found == needed:
            return
        self.mismatches[kind] += 1
        if len(self.shown) < SHOWN_MISMATCHES:
            self.shown.append(f"{where}: {kind}: found {shorten(found)}, recorded {shorten(needed)}\n{draw()}".rstrip())


def shorten(value: Any, most: int = 300) -> str:
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]} ... ({len(text)} characters)"


def check_file(path: Path, family: str | None, deep: bool) -> Tally:
    """Check every record of a vector file against our rules."""
    records = read_records(path)
    checker = importlib.import_module(f"components.games.{family or guess_family(path, records)}.check")
    tally = Tally()
    checker.check_records(located(path, records, checker.REQUIRED_FIELDS), tally, deep)
    return tally


def read_records(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """(line number, record) of every line that is not blank."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"Cannot read {path}: {error}. Name a vector file with one JSON object per line.") from None
    records = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            records.append((number, parse_record(path, number, line)))
    if not records:
        raise BadFile(f"{path} holds no records; name a vector file with one JSON object per line.")
    return records


def parse_record(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise BadFile(f"{path}, line {number} is not JSON ({error}); need one JSON object per line.") from None
    if not isinstance(record, dict):
        raise BadFile(f"{path}, line {number} holds a {type(record).__name__}; need one JSON object per line.")
    return record


def guess_family(path: Path, records: list[tuple[int, dict[str, Any]]]) -> str:
    """The game whose first record looks like the file's first record."""
    for family in FAMILIES:
        if importlib.util.find_spec(f"components.games.{family}.check"):
            checker = importlib.import_module(f"components.games.{family}.check")
            if checker.is_record(records[0][1]):
                return family
    raise UnknownName(f"{path}: its first record is of no known game; say which with --game.")


def located(
    path: Path, records: list[tuple[int, dict[str, Any]]], required: dict[str, dict[str, type | tuple[type, ...]]]
) -> list[dict[str, Any]]:
    """The records, each with its place under '_where', after a check of kinds, fields and their types."""
    return [{**record, "_where": check_fields(path, number, record, required)} for number, record in records]


def check_fields(path: Path, number: int, record: dict[str, Any], required: dict[str, dict[str, type | tuple[type, ...]]]) -> str:
    kind = record.get("kind", record.get("type"))
    if not isinstance(kind, str) or kind not in required:
        raise BadFile(f"{path}, line {number} is of kind {kind!r}; this game's kinds are {', '.join(required)}.")
    for name, types in required[kind].items():
        if name not in record or not isinstance(record[name], types):
            found = f"{type(record[name]).__name__} {shorten(record[name], 40)}" if name in record else "nothing"
            raise BadFile(f"{path}, line {number}: field '{name}' of a {kind} record is {found}; see the format's README.")
    return f"{path.name}:{number}"
