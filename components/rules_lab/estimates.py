"""A measured number is never alone: value, 95 % interval, number of games. Pure arithmetic; resampling draws from a fixed seed.

Used by every measurement of the lab. Games are the independent unit: the plies of one game resemble each other, so intervals
of numbers per ply resample whole games.
"""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.evaluation.statistics import Z_95, wilson_interval

RESAMPLES = 300  # of whole games; the ends of a 95 % interval then wobble by about a twentieth of its length
RESAMPLE_SEED = 20  # fixed: the same games always give the same interval
ENDS = (0.025, 0.975)
TENTH_FROM_TOP = 0.9


@dataclass(frozen=True)
class Estimate:
    """A number, the 95 % interval around it and the games that it is from."""

    value: float
    low: float
    high: float
    games: int

    def to_dict(self) -> dict[str, Any]:
        return {"value": rounded(self.value), "low": rounded(self.low), "high": rounded(self.high), "games": self.games}


def rounded(number: float) -> float:
    return round(float(number), 6)


def share_of(hits: int, games: int) -> Estimate:
    """How many of the games; 0 in [0, 1] when there were none."""
    value = hits / games if games else 0.0
    return Estimate(value, *wilson_interval(value, games), games)


def score_of(points: Sequence[float]) -> Estimate:
    """Points per game, half a point for a draw; one half in [0, 1] when nothing was played."""
    value = sum(points) / len(points) if points else 0.5
    return Estimate(value, *wilson_interval(value, len(points)), len(points))


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of one number per game, with the normal interval around it."""
    if not values:
        return Estimate(0.0, 0.0, 0.0, 0)
    value = sum(values) / len(values)
    if len(values) == 1:
        return Estimate(value, value, value, 1)
    deviation = math.sqrt(sum((one - value) ** 2 for one in values) / (len(values) - 1))
    reach = Z_95 * deviation / math.sqrt(len(values))
    return Estimate(value, value - reach, value + reach, len(values))


def mean_share_of(shares: Sequence[float]) -> Estimate:
    """The mean of one share per game; no end of its interval leaves [0, 1]."""
    mean = mean_of(shares)
    return Estimate(mean.value, max(0.0, mean.low), min(1.0, mean.high), mean.games)


def spread_of(values_by_game: Sequence[Sequence[float]]) -> dict[str, Estimate]:
    """mean, median and p90 of all values, intervals by resampling games."""
    known = [np.asarray(values, dtype=np.float64) for values in values_by_game if len(values)]
    if not known:
        return {name: Estimate(0.0, 0.0, 0.0, 0) for name in ("mean", "median", "p90")}
    whole = summary_of(np.concatenate(known))
    rng = np.random.default_rng(RESAMPLE_SEED)
    drawn = np.array([summary_of(resampled(known, rng)) for _ in range(RESAMPLES)])
    lows, highs = np.quantile(drawn, ENDS, axis=0)
    ends = zip(whole, lows, highs, strict=True)
    found = [Estimate(value, min(value, float(low)), max(value, float(high)), len(known)) for value, low, high in ends]
    return dict(zip(("mean", "median", "p90"), found, strict=True))


def resampled(values_by_game: Sequence[NDArray[np.float64]], rng: np.random.Generator) -> NDArray[np.float64]:
    return np.concatenate([values_by_game[place] for place in rng.integers(len(values_by_game), size=len(values_by_game))])


def summary_of(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """(mean, median, p90)."""
    median, p90 = np.quantile(values, (0.5, TENTH_FROM_TOP))
    return float(values.mean()), float(median), float(p90)


def entropy_bits(counts: Sequence[int]) -> float:
    """Of the shares that the counts are of all: 0 when all are alike, 1 for a fair coin, log2(n) when all n differ."""
    total = sum(counts)
    return -sum(count / total * math.log2(count / total) for count in counts if count) if total else 0.0


def entropy_of(outcomes: Sequence[Hashable]) -> Estimate:
    """The entropy in bits that the games show, and the interval that the jackknife gives for all games there could be.

    A sample misses rare outcomes, so its entropy is too low; the jackknife corrects that, and the interval reaches up to it.
    """
    counts, games = list(Counter(outcomes).values()), len(outcomes)
    value = entropy_bits(counts)
    if games < 2:
        return Estimate(value, value, value, games)
    # Leaving out any game of an outcome gives the same rest, so one look per outcome is enough.
    left_out = [entropy_bits([*counts[:place], count - 1, *counts[place + 1 :]]) for place, count in enumerate(counts)]
    mean = sum(count * one for count, one in zip(counts, left_out, strict=True)) / games
    variance = (games - 1) / games * sum(count * (one - mean) ** 2 for count, one in zip(counts, left_out, strict=True))
    corrected, reach = games * value - (games - 1) * mean, Z_95 * math.sqrt(variance)
    return Estimate(value, max(0.0, min(value, corrected - reach)), max(value, corrected + reach), games)


def to_plain(values: Any) -> Any:
    """Nested dictionaries and lists with every Estimate as plain values, for JSON."""
    if isinstance(values, Estimate):
        return values.to_dict()
    if isinstance(values, dict):
        return {name: to_plain(value) for name, value in values.items()}
    return [to_plain(value) for value in values] if isinstance(values, list | tuple) else values
