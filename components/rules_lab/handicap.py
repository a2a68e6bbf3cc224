"""Find the handicap that brings the first player's score nearest one half, with few games. Pure: whoever calls it plays.

The candidates are in order, each better for the second player than the one before, so bisection looks at few of them; and each
is played only until the interval of its score lies inside the band around one half or wholly outside it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from components.evaluation.statistics import wilson_interval

BAND = 0.04  # fair means 50 % give or take this
RISK = 0.05  # of all looks at one candidate together
Verdict = Literal["fair", "first ahead", "second ahead", "open"]
Play = Callable[[int, int], Sequence[float]]  # (candidate, games) -> the first player's points in each of its first games


@dataclass(frozen=True)
class Trial:
    """What the games of one candidate say."""

    candidate: int
    games: int
    score: float  # of the first player
    low: float  # 95 %
    high: float
    verdict: Verdict

    @property
    def distance(self) -> float:
        return abs(self.score - 0.5)


@dataclass(frozen=True)
class Found:
    """The candidate nearest to one half, and everything that was played to find it."""

    chosen: Trial
    trials: tuple[Trial, ...]  # by candidate
    order: tuple[int, ...]  # candidates as they were first looked at
    is_ordered: bool  # no later candidate is provably better for the first player than an earlier one

    @property
    def is_fair(self) -> bool:
        """Whether the 95 % interval lies inside the band: fair, and proven so."""
        return inside_band(self.chosen.low, self.chosen.high)

    @property
    def games(self) -> int:
        return sum(trial.games for trial in self.trials)


def find_handicap(candidates: int, play: Play, first_look: int, most_games: int) -> Found:
    """Bisect the candidates, then play the chosen one to the end: what was picked for its luck gets the games to lose it."""
    looks = looks_of(first_look, most_games)
    trials: dict[int, Trial] = {}
    low, high = 0, candidates - 1
    while low <= high:
        middle = (low + high) // 2
        trials[middle] = try_candidate(middle, play, looks)
        if trials[middle].verdict == "fair":
            break
        if trials[middle].score > 0.5:
            low = middle + 1
        else:
            high = middle - 1
    chosen = confirm(trials, play, looks)
    ordered = tuple(trials[place] for place in sorted(trials))
    return Found(chosen, ordered, tuple(trials), is_ordered(ordered))


def looks_of(first_look: int, most_games: int) -> list[int]:
    """Numbers of games after which the interval is looked at, each twice the one before: few looks cost little certainty."""
    looks = [min(first_look, most_games)]
    while looks[-1] < most_games:
        looks.append(min(2 * looks[-1], most_games))
    return looks


def try_candidate(candidate: int, play: Play, looks: Sequence[int]) -> Trial:
    """Play until the verdict is certain, or open at the last look."""
    for games in looks:
        trial = judge(candidate, play(candidate, games), len(looks))
        if trial.verdict != "open":
            break
    return trial


def judge(candidate: int, points: Sequence[float], looks: int) -> Trial:
    """The verdict shares the risk among the looks; the interval that is reported is the plain 95 %."""
    score = sum(points) / len(points) if points else 0.5
    cautious = wilson_interval(score, len(points), NormalDist().inv_cdf(1 - RISK / looks / 2))
    return Trial(candidate, len(points), score, *wilson_interval(score, len(points)), verdict_of(*cautious))


def verdict_of(low: float, high: float) -> Verdict:
    if inside_band(low, high):
        return "fair"
    if low > 0.5 + BAND:
        return "first ahead"
    return "second ahead" if high < 0.5 - BAND else "open"


def inside_band(low: float, high: float) -> bool:
    return low >= 0.5 - BAND and high <= 0.5 + BAND


def confirm(trials: dict[int, Trial], play: Play, looks: Sequence[int]) -> Trial:
    """The nearest candidate once it has had all its games; one that was only lucky makes room for the next."""
    while True:
        nearest = min(trials.values(), key=lambda trial: (trial.distance, trial.candidate))
        if nearest.games >= looks[-1] or nearest.verdict == "fair":
            return nearest
        trials[nearest.candidate] = judge(nearest.candidate, play(nearest.candidate, looks[-1]), len(looks))
        if trials[nearest.candidate].games <= nearest.games:
            return trials[nearest.candidate]  # nobody can play more


def is_ordered(trials: Sequence[Trial]) -> bool:
    return not any(
        later.low > earlier.high for place, earlier in enumerate(trials) for later in trials[place + 1 :]
    )  # fmt: skip
