"""How long to think: what a protocol says about time becomes seconds for one move. Pure arithmetic; the clock is an argument.

Used by the GTP engine and the Riddles.io bot. Promises never to hand out more than the rules leave, less a margin for the way
there and back, and to stop before a slice of search that might end too late.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

Clock = Callable[[], float]  # seconds from any start, always forward: time.monotonic

LAG_SECONDS = 0.10  # pipes, process switches and the answer's own way
MARGIN = 0.08  # of what is left: a busy machine stretches everything
LEAST_MOVES_LEFT = 12  # of a game with absolute time: even a long endgame gets something
MOVES_PER_CELL = 0.35  # own moves of a whole game; 9x9 about 28, 13x13 about 59
EARLY_SHARE = 1.5  # thinking pays most while everything is open
SLICE_STRETCH = 1.5  # the next slice may take so many times the longest one so far


@dataclass(frozen=True)
class TimeSettings:
    """Main time, then periods of `period_seconds` for `period_stones` stones; byo-yomi is a period for one stone."""

    main_seconds: float = 0.0
    period_seconds: float = 0.0
    period_stones: int = 0
    periods: int = 1  # byo-yomi periods; only the last one ends the game
    is_limited: bool = False

    @classmethod
    def of_gtp(cls, main: float, period: float, stones: int) -> "TimeSettings":
        """time_settings MAIN PERIOD STONES. A period without stones is GTP's way to say that there is no limit."""
        if period > 0 and stones == 0:
            return cls()
        return cls(main, period if stones else 0.0, stones, 1, True)


@dataclass(frozen=True)
class TimeLeft:
    """One side's time: seconds, and the stones they must last for; 0 stones: main time."""

    seconds: float
    stones: int = 0


def time_at_start(settings: TimeSettings) -> TimeLeft:
    if settings.main_seconds > 0 or settings.period_stones == 0:
        return TimeLeft(settings.main_seconds)
    return TimeLeft(settings.period_seconds, settings.period_stones)


def after_move(settings: TimeSettings, left: TimeLeft, used: float) -> TimeLeft:
    """A side's time after a move, for controllers that do not tell it with time_left."""
    if left.stones == 0:
        remaining = left.seconds - used
        if remaining > 0 or settings.period_stones == 0:
            return TimeLeft(max(0.0, remaining))
        return spend_period(settings, TimeLeft(settings.period_seconds, settings.period_stones), -remaining)
    return spend_period(settings, left, used)


def spend_period(settings: TimeSettings, left: TimeLeft, used: float) -> TimeLeft:
    """A full set of stones opens a new period."""
    if left.stones <= 1:
        return TimeLeft(settings.period_seconds, settings.period_stones)
    return replace(left, seconds=max(0.0, left.seconds - used), stones=left.stones - 1)


def moves_left(cells: int, own_moves: int) -> float:
    """How many more moves of its own a side should expect."""
    return max(LEAST_MOVES_LEFT, MOVES_PER_CELL * cells - own_moves)


def seconds_for_move(settings: TimeSettings, left: TimeLeft, cells: int, own_moves: int) -> float | None:
    """The most that this move may take, from the request to the answer; None where there is no limit."""
    if not settings.is_limited:
        return None
    if left.stones > 0:
        # In byo-yomi servers tell the periods left in place of stones: each of them is for one stone.
        stones = min(left.stones, settings.period_stones or left.stones)
        return safe(left.seconds, left.seconds / stones)
    wanted = EARLY_SHARE * left.seconds / moves_left(cells, own_moves)
    if settings.period_stones > 0:
        # A period waits behind the main time, so a move may take at least what a period gives for one stone.
        wanted = max(wanted, min(left.seconds, settings.period_seconds / settings.period_stones))
    return safe(left.seconds, wanted)


def safe(available: float, wanted: float) -> float:
    """As much of `wanted` as may be spent when `available` is all there is."""
    return max(0.0, min(wanted, available) * (1.0 - MARGIN) - LAG_SECONDS)


def seconds_for_timebank(bank: float, per_move: float, rounds_left: int) -> float:
    """A Riddles.io turn: the increment, and a share of what the bank holds beyond it. Always well inside the bank."""
    surplus = max(0.0, bank - per_move)
    wanted = per_move + surplus / max(4.0, min(20.0, rounds_left / 2))
    # Less than the increment even after a stall has drained the bank: it fills up again, and no turn is given away meanwhile.
    least = min(per_move, max(0.0, bank - LAG_SECONDS)) / 2
    return max(least, safe(bank, wanted))


@dataclass
class Stopwatch:
    """Watches one search: says when to stop, so that even a slow slice ends in time."""

    clock: Clock
    started: float
    seconds: float | None
    longest_slice: float = 0.0
    slice_began: float = 0.0

    def __post_init__(self) -> None:
        self.slice_began = self.clock()

    @property
    def used(self) -> float:
        return self.clock() - self.started

    def may_go_on(self) -> bool:
        """Asked after every slice of search."""
        now = self.clock()
        self.longest_slice = max(self.longest_slice, now - self.slice_began)
        self.slice_began = now
        return self.seconds is None or now - self.started + SLICE_STRETCH * self.longest_slice < self.seconds
