"""Choose which generations train the next net. Pure arithmetic: no files, no clock, no randomness.

Called by the training stage, which reads and writes the result as window.json through shards.py. Promises that a child's
window follows from its parent's window, its own shards and the parameters alone.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from components.core.errors import BadFile, ZerolineError
from components.data.config import WindowConfig

WINDOW_FORMAT = 1


class NotEnoughRows(ZerolineError):
    """The window holds fewer rows than training asks for."""


@dataclass(frozen=True)
class ShardEntry:
    """One shard in a window: where it lies, what it must be, how much of it is used."""

    generation: int
    path: str  # relative to the experiment's root, with forward slashes
    digest: str  # of the file's bytes
    rows: int  # in the file
    taken: int  # the first so many rows are in the window

    def __post_init__(self) -> None:
        if not 0 < self.taken <= self.rows:
            raise BadFile(f"{self.path}: a window takes {self.taken} rows of {self.rows}; it must take 1 to all of them.")


@dataclass(frozen=True)
class Window:
    """The rows that train one net: shards from the oldest generation to the newest."""

    shards: tuple[ShardEntry, ...]

    @property
    def rows(self) -> int:
        return sum(shard.taken for shard in self.shards)

    @property
    def generations(self) -> tuple[int, ...]:
        return tuple(sorted({shard.generation for shard in self.shards}))

    @property
    def new_rows(self) -> int:
        """Rows of the newest generation: those no net has seen yet."""
        newest = max(self.generations, default=None)
        return sum(shard.taken for shard in self.shards if shard.generation == newest)


def choose_window(parent: Window | None, own_shards: Sequence[ShardEntry], config: WindowConfig) -> Window:
    """The parent's window and this generation's shards, cut to what the parameters allow."""
    known = [*(parent.shards if parent else ()), *own_shards]
    paths = [shard.path for shard in known]
    if len(set(paths)) != len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise BadFile(
            f"{twice} is in the window twice: it came from the parent and from this generation. Check the parent's name."
        )
    shards = sorted(known, key=lambda shard: (shard.generation, shard.path))
    shards = keep_newest_generations(shards, config)
    return Window(tuple(cut_rows(shards, config)))


def keep_newest_generations(shards: list[ShardEntry], config: WindowConfig) -> list[ShardEntry]:
    """A generation that was skipped (branched past) does not count: the newest k that exist are kept."""
    existing = sorted({shard.generation for shard in shards}, reverse=True)
    kept = set(existing[: config.generations_at(existing[0])]) if existing else set()
    return [shard for shard in shards if shard.generation in kept]


def cut_rows(shards: list[ShardEntry], config: WindowConfig) -> list[ShardEntry]:
    """From the newest generation backwards, no generation beyond its quota and all together no more than max_rows."""
    room = config.max_rows
    left_by_generation: dict[int, int | None] = {shard.generation: config.rows_per_generation for shard in shards}
    cut = []
    for shard in newest_first(shards):
        quota = left_by_generation[shard.generation]
        taken = min(limit for limit in (shard.taken, room, quota) if limit is not None)
        room = None if room is None else room - taken
        left_by_generation[shard.generation] = None if quota is None else quota - taken
        if taken > 0:
            cut.append(replace(shard, taken=taken))
    return sorted(cut, key=lambda shard: (shard.generation, shard.path))


def newest_first(shards: list[ShardEntry]) -> list[ShardEntry]:
    """The newest generation first; within one, its shards from the first."""
    return sorted(shards, key=lambda shard: (-shard.generation, shard.path))


def require_rows(window: Window, config: WindowConfig, game: str, where: str, parameter: str) -> None:
    """Refuse to train on too little, with the numbers and two ways out."""
    if window.rows >= config.min_rows:
        return
    per_generation = max(1, window.rows // max(1, len(window.generations)))
    missing = -(-(config.min_rows - window.rows) // per_generation)
    raise NotEnoughRows(
        f"training {game} needs {spaced(config.min_rows)} rows, {where} holds {spaced(window.rows)}"
        f" ({generations_text(window)}). Play {missing} more generation{'s' if missing > 1 else ''} or lower {parameter}."
    )


def spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def generations_text(window: Window) -> str:
    numbers = window.generations
    if not numbers:
        return "no generation"
    return f"generation {numbers[0]}" if len(numbers) == 1 else f"generations {numbers[0]}–{numbers[-1]}"


def window_to_json(window: Window) -> dict[str, Any]:
    return {"format": WINDOW_FORMAT, "rows": window.rows, "shards": [asdict(shard) for shard in window.shards]}


def window_from_json(value: Any, source: str) -> Window:
    """The window that window_to_json wrote; anything else is a sentence."""
    advice = "Run the parent's training stage again."
    if not isinstance(value, dict) or value.get("format") != WINDOW_FORMAT:
        found = value.get("format") if isinstance(value, dict) else type(value).__name__
        raise BadFile(f"{source} is not a window of format {WINDOW_FORMAT} (found {found}). {advice}")
    try:
        window, told_rows = Window(tuple(ShardEntry(**shard) for shard in value["shards"])), value["rows"]
    except (KeyError, TypeError) as error:
        raise BadFile(f"{source} is not a window: {error}. {advice}") from None
    if window.rows != told_rows:
        raise BadFile(f"{source} says {told_rows} rows, its shards hold {window.rows}. {advice}")
    return window
