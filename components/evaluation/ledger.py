"""Finished games as JSON lines, so that a killed match goes on where it was.

Used by match.py; gates and tournaments only hand it through. Promises that a line is on the disk before its game counts, that a
torn last line is dropped, and that records of other matches in the same file are left alone: a ledger is a memory, not a judge.
"""

import os
from pathlib import Path

from components.core.errors import BadFile
from components.core.files import told_when_full
from components.evaluation.result import GameRecord


class Ledger:
    """The game records in one file, read once and appended to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[GameRecord] = []
        if path.exists():
            self.read()

    def read(self) -> None:
        content = self.path.read_bytes()
        lines = content.splitlines(keepends=True)
        whole_bytes = 0
        for number, line in enumerate(lines, start=1):
            record = self.parse(line, number, is_last=number == len(lines))
            if record is None:
                break
            self.records.append(record)
            whole_bytes += len(line)
        if whole_bytes < len(content):
            # The next record must not be glued to the torn one.
            os.truncate(self.path, whole_bytes)

    def parse(self, line: bytes, number: int, is_last: bool) -> GameRecord | None:
        """The record of a line; None for a last line that a kill or a power cut left unfinished."""
        try:
            if is_last and not line.endswith(b"\n"):
                return None
            return GameRecord.from_line(line.decode(errors="replace"))
        except BadFile as error:
            if is_last:
                return None
            raise BadFile(f"{self.path}, line {number}: {error} Remove that line or the file to play its games again.") from None

    def finished(self, match: str) -> dict[tuple[int, int], GameRecord]:
        """The finished games of a match by (pair, side). Void ones are not: running again tries them again."""
        found: dict[tuple[int, int], GameRecord] = {}
        for record in self.records:
            if record.match == match and not record.void:
                found.setdefault((record.pair, record.side), record)
        return found

    def append(self, record: GameRecord) -> None:
        with told_when_full(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(record.to_line().encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        self.records.append(record)
