"""Bradley-Terry ratings on the Elo scale: one number per player that explains all results at once, with its uncertainty.

Called by tournament.py and reports. Pure arithmetic. Promises ratings relative to an anchor that is 0 by definition, finite
for players who won or lost everything, and an honest interval for players whom no chain of games ties to the anchor.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.core.errors import UnknownName
from components.evaluation.statistics import ELO_SCALE, Z_95

ELO_PER_UNIT = ELO_SCALE / math.log(10)  # of the natural strength, the log of the odds
VIRTUAL_DRAWS = 0.5  # added to every pairing that was played: a clean sweep is strong, not infinitely strong
UNTIED_SPREAD = 1000.0 / ELO_PER_UNIT  # standard deviation of what is assumed of players not tied to the anchor
LARGEST_STEP = 2.0  # of Newton's method, in natural units: the quadratic model is wrong further out
NEWTON_STEPS = 200
PRECISION = 1e-12


@dataclass(frozen=True)
class Pairing:
    """What one player scored against another."""

    player: str
    opponent: str
    points: float  # the player's, half of one for a draw
    games: int


@dataclass(frozen=True)
class Rating:
    """A player's Elo above the anchor, with its 95 % interval and what it rests on."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    points: float
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        score = self.points / self.games if self.games else None
        return {
            "name": self.name, "elo": round(self.elo, 1), "low": round(self.low, 1), "high": round(self.high, 1),
            "games": self.games, "points": self.points, "score": score, "note": self.note,
        }  # fmt: skip


@dataclass(frozen=True)
class Strengths:
    """The fit itself, in natural units; row and column of the anchor are zero."""

    names: tuple[str, ...]
    values: NDArray[np.float64]  # [players]
    covariance: NDArray[np.float64]  # [players, players]
    is_tied: NDArray[np.bool_]  # [players] by a chain of games to the anchor


def rate_players(
    names: Sequence[str], pairings: Sequence[Pairing], anchor: str, virtual_draws: float = VIRTUAL_DRAWS
) -> list[Rating]:
    """Every player's rating, the strongest first."""
    fit = fit_strengths(names, pairings, anchor, virtual_draws)
    totals = totals_of(names, pairings)
    ratings = [rating_of(fit, index, *totals[name], anchor) for index, name in enumerate(names)]
    return sorted(ratings, key=lambda rating: (-rating.elo, rating.name))


def rating_of(fit: Strengths, index: int, games: int, points: float, anchor: str) -> Rating:
    elo = float(fit.values[index]) * ELO_PER_UNIT
    reach = Z_95 * math.sqrt(max(0.0, float(fit.covariance[index, index]))) * ELO_PER_UNIT
    name = fit.names[index]
    note = "" if fit.is_tied[index] else f"{name} has no games, direct or through others, against {anchor}: its place is a guess."
    return Rating(name, elo, elo - reach, elo + reach, games, points, note)


def totals_of(names: Sequence[str], pairings: Sequence[Pairing]) -> Mapping[str, tuple[int, float]]:
    """Games and points of each player."""
    games, points = dict.fromkeys(names, 0), dict.fromkeys(names, 0.0)
    for pairing in pairings:
        games[pairing.player] += pairing.games
        games[pairing.opponent] += pairing.games
        points[pairing.player] += pairing.points
        points[pairing.opponent] += pairing.games - pairing.points
    return {name: (games[name], points[name]) for name in names}


def fit_strengths(
    names: Sequence[str], pairings: Sequence[Pairing], anchor: str, virtual_draws: float = VIRTUAL_DRAWS
) -> Strengths:
    """Maximise the likelihood by Newton's method; the inverse of the Fisher information is the covariance."""
    if anchor not in names:
        raise UnknownName(f"The anchor '{anchor}' is none of the rated players; they are {', '.join(names)}.")
    points, games = matrices_of(names, pairings, virtual_draws)
    is_tied = tied_to(list(names).index(anchor), games)
    free = np.array([name != anchor for name in names])
    prior = np.where(is_tied, 0.0, UNTIED_SPREAD**-2)
    values = np.zeros(len(names))
    for _ in range(NEWTON_STEPS):
        slope, information = derivatives(values, points, games, prior)
        step = np.zeros(len(names))
        step[free] = np.linalg.solve(information[np.ix_(free, free)], slope[free])
        values += shortened(step, values, points, games, prior)
        if np.abs(step).max(initial=0.0) < PRECISION:
            break
    covariance = np.zeros((len(names), len(names)))
    covariance[np.ix_(free, free)] = np.linalg.inv(derivatives(values, points, games, prior)[1][np.ix_(free, free)])
    return Strengths(tuple(names), values, covariance, is_tied)


def matrices_of(
    names: Sequence[str], pairings: Sequence[Pairing], virtual_draws: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(points [i, j] of i against j, games [i, j]), virtual draws included."""
    index = {name: place for place, name in enumerate(names)}
    points, games = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for pairing in pairings:
        i, j = index[pairing.player], index[pairing.opponent]
        points[i, j] += pairing.points
        points[j, i] += pairing.games - pairing.points
        games[i, j] += pairing.games
        games[j, i] += pairing.games
    drawn = np.where(games > 0, virtual_draws, 0.0)
    return points + drawn / 2, games + drawn


def tied_to(anchor: int, games: NDArray[np.float64]) -> NDArray[np.bool_]:
    """[players] whether a chain of games leads to the anchor."""
    reached = np.arange(len(games)) == anchor
    for _ in range(len(games)):
        reached = reached | (games[reached] > 0).any(axis=0)
    return reached


def expected_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """[i, j] what i is expected to score against j."""
    return 1.0 / (1.0 + np.exp(values[None, :] - values[:, None]))


def derivatives(
    values: NDArray[np.float64], points: NDArray[np.float64], games: NDArray[np.float64], prior: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slope [players] of the log-likelihood and its negative curvature, the Fisher information [players, players]."""
    expected = expected_scores(values)
    weight = games * expected * (1.0 - expected)
    slope = (points - games * expected).sum(axis=1) - prior * values
    return slope, np.diag(weight.sum(axis=1) + prior) - weight


def log_likelihood(
    values: NDArray[np.float64], points: NDArray[np.float64], games: NDArray[np.float64], prior: NDArray[np.float64]
) -> float:
    # points[i, j] * log(expected[i, j]) over both orders of a pairing covers wins and losses.
    ratio = np.logaddexp(0.0, values[None, :] - values[:, None])
    return float(-(points * ratio).sum() - 0.5 * (prior * values * values).sum())


def shortened(
    step: NDArray[np.float64], values: NDArray[np.float64], points: NDArray[np.float64], games: NDArray[np.float64],
    prior: NDArray[np.float64],
) -> NDArray[np.float64]:  # fmt: skip
    """The step, halved until it does not lose likelihood: then the method cannot run away."""
    step = step * min(1.0, LARGEST_STEP / max(np.abs(step).max(initial=0.0), PRECISION))
    before = log_likelihood(values, points, games, prior)
    slack = 1e-12 * (1.0 + abs(before))  # rounding near the top
    while log_likelihood(values + step, points, games, prior) < before - slack and np.abs(step).max() > PRECISION:
        step = step / 2
    return step
