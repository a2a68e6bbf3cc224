"""What game results prove: intervals, Elo differences and the sequential test. Pure arithmetic: no games, no randomness.

Called by result.py, gate.py and rating.py. The two games of a pair share their start, so they are not independent: the pair,
with 0 to 4 half points, is the unit of evidence (the pentanomial model of fishtest).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Z_95 = 1.959963984540054  # two-sided 95 % of the normal distribution
ELO_SCALE = 400.0  # a difference of 400 is odds of ten to one
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # the score of a pair with 0, 1, 2, 3, 4 half points
UNSEEN_COUNT = 1e-3  # fishtest's stand-in for a pair outcome never seen: keeps every mean within reach of the likelihood
VARIANCE_PRIOR = 0.2  # of a pair for each outcome: a handful of equal pairs does not prove that all pairs are equal
BISECTIONS = 60  # halves the bracket below the precision of a float

Interval = tuple[float, float]


def score_of_elo(elo: float) -> float:
    """The expected score of a player who is this many Elo stronger."""
    return 1.0 / (1.0 + 10.0 ** (-elo / ELO_SCALE))


def elo_of_score(score: float) -> float:
    """The Elo difference that predicts a score; infinite where every game was won or lost."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return ELO_SCALE * math.log10(score / (1.0 - score))


def wilson_interval(score: float, games: float, z: float = Z_95) -> Interval:
    """Wilson's interval around the score of independent games; [0, 1] when there were none.

    With draws it is a little too wide, never too narrow: a draw varies less than a coin.
    """
    if games <= 0:
        return 0.0, 1.0
    weight = z * z / games
    centre = (score + weight / 2) / (1 + weight)
    reach = math.sqrt(score * (1 - score) * weight + weight * weight / 4) / (1 + weight)
    # Rounding must not push an end past the score itself or out of [0, 1].
    return max(0.0, min(score, centre - reach)), min(1.0, max(score, centre + reach))


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of one pair's score, from the counts [5] of pairs with 0 to 4 half points."""
    total = sum(counts)
    mean = sum(score * count for score, count in zip(PAIR_SCORES, counts, strict=True)) / total
    return mean, sum((score - mean) ** 2 * count for score, count in zip(PAIR_SCORES, counts, strict=True)) / total


def pentanomial_interval(counts: Sequence[float], z: float = Z_95) -> Interval:
    """The interval around the mean score of pairs: Wilson's, for as many independent games as the pairs are worth.

    Two draws are worth more than two decided games, and two games that an opening decided are worth less.
    """
    pairs = sum(counts)
    if pairs <= 0:
        return 0.0, 1.0
    mean, variance = mean_and_variance([count + VARIANCE_PRIOR for count in counts])
    worth = mean * (1 - mean) / variance  # of one pair, in independent games; 2 if the pairing did nothing
    return wilson_interval(mean_and_variance(counts)[0], pairs * worth, z)


def tilt_to_mean(counts: Sequence[float], mean: float) -> float:
    """The x for which counts / (1 + x*(score - mean)) has that mean: the likeliest distribution that does."""
    low, high = -1.0 / (PAIR_SCORES[-1] - mean), 1.0 / (mean - PAIR_SCORES[0])
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        slope = sum(c * (s - mean) / (1.0 + middle * (s - mean)) for s, c in zip(PAIR_SCORES, counts, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def log_likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """How much better elo1 explains the pairs than elo0, each with the likeliest distribution that has its mean.

    The exact generalised ratio, as fishtest computes it. Its normal approximation, N*(s1-s0)*(2*mean-s0-s1)/(2*variance), would
    end the test after a single pair won twice, because the variance seen is then zero.
    """
    if sum(counts) <= 0:
        return 0.0
    seen = [count or UNSEEN_COUNT for count in counts]
    mean0, mean1 = score_of_elo(elo0), score_of_elo(elo1)
    tilt0, tilt1 = tilt_to_mean(seen, mean0), tilt_to_mean(seen, mean1)
    return sum(
        count * math.log((1.0 + tilt0 * (score - mean0)) / (1.0 + tilt1 * (score - mean1)))
        for score, count in zip(PAIR_SCORES, seen, strict=True)
    )


@dataclass(frozen=True)
class SequentialTest:
    """Wald's test of elo1 against elo0: play on until the log-likelihood ratio leaves (lower, upper)."""

    elo0: float
    elo1: float
    alpha: float  # risk of accepting elo1 when elo0 is true
    beta: float  # risk of accepting elo0 when elo1 is true

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float]) -> float:
        return log_likelihood_ratio(counts, self.elo0, self.elo1)

    def verdict(self, counts: Sequence[float]) -> Literal["elo0", "elo1"] | None:
        """The hypothesis that the pairs have proven, or None while they have not."""
        ratio = self.ratio(counts)
        if ratio >= self.upper:
            return "elo1"
        return "elo0" if ratio <= self.lower else None


@dataclass(frozen=True)
class FixedTest:
    """A threshold on the score of a fixed number of games. Compared as fractions: 24 of 40 is exactly 60 %."""

    games: int
    threshold: float
    is_strict: bool  # above the threshold, not at it
    draws_count: bool  # half a point each; otherwise the score is wins/(wins+losses), and none decided is no success

    def score(self, wins: int, draws: int, losses: int) -> Fraction | None:
        """The score that is compared, None when no game counts."""
        if not self.draws_count:
            return Fraction(wins, wins + losses) if wins + losses else None
        games = wins + draws + losses
        return Fraction(2 * wins + draws, 2 * games) if games else None

    def passes(self, wins: int, draws: int, losses: int) -> bool:
        score, needed = self.score(wins, draws, losses), Fraction(str(self.threshold))
        return score is not None and (score > needed or (score == needed and not self.is_strict))

    def verdict(self, wins: int, draws: int, losses: int) -> bool | None:
        """Whether the candidate passes, as soon as the games still to come cannot change it; None before that."""
        left = self.games - (wins + draws + losses)
        at_best, at_worst = self.passes(wins + left, draws, losses), self.passes(wins, draws, losses + left)
        return at_best if at_best == at_worst else None
