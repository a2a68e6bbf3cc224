"""One number per variant, and why: a weighted mean of seven marks from 0 to 1, each with its interval. Pure arithmetic.

The marks are simple on purpose, so that a designer can argue with them; the weights are in the variants file. A mark that was
not measured (no match between two strengths, no wished length) is left out together with its weight.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from components.rules_lab.estimates import Estimate

MANY_COMEBACKS = 0.2  # one decided game in five: full marks; more is not better, it is chance
# What each mark means, in the words of the page.
MEANINGS = {
    "fairness": "1 when the first player scores 50 %, 0 when one side always wins",
    "decisiveness": "share of games that the rules decide before the length limit",
    "skill": "how far four times the thinking scores above 50 %: 0 at 50 %, 1 at 100 %",
    "variety": "entropy of the first two turns as a share of what all different openings would give",
    "openness": "1 unless one opening or one kind of action is proven to win more than half; 0 if it always wins",
    "comebacks": f"share of comebacks, full marks from {100 * MANY_COMEBACKS:.0f} %",
    "length": "1 inside the wished number of turns, falling to 0 at half or twice that",
}
Marker = Callable[[float], float]


def marks_of(measured: Mapping[str, Any], wished_turns: tuple[int, int] | None) -> dict[str, Estimate]:
    """Each mark of a variant that could be measured."""
    found = {
        "fairness": mark(measured["fairness"]["first_player_score"], lambda score: 1 - 2 * abs(score - 0.5), peak=0.5),
        "decisiveness": measured["decisiveness"]["decided_before_cap"],
        "variety": variety_mark(measured["variety"]["two_turns_entropy"]),
        "openness": openness_mark(measured["dominance"]),
        "comebacks": mark(measured["comeback"]["comebacks"], lambda share: min(1.0, share / MANY_COMEBACKS)),
    }
    if measured["search"] is not None:
        found["skill"] = mark(measured["search"]["score"], lambda score: max(0.0, 2 * score - 1))
    if wished_turns is not None:
        low, high = wished_turns
        found["length"] = mark(measured["pace"]["turns"]["mean"], lambda turns: length_mark(turns, low, high), (low + high) / 2)
    return found


def mark(estimate: Estimate, marker: Marker, peak: float | None = None) -> Estimate:
    """The mark of a number and of the ends of its interval; the best mark, at the peak, may lie inside the interval."""
    marks = [marker(end) for end in (estimate.low, estimate.value, estimate.high)]
    if peak is not None and estimate.low <= peak <= estimate.high:
        marks.append(marker(peak))
    return Estimate(marker(estimate.value), min(marks), max(marks), estimate.games)


def variety_mark(entropy: Estimate) -> Estimate:
    most = math.log2(entropy.games) if entropy.games > 1 else 1.0
    return mark(entropy, lambda bits: min(1.0, bits / most))


def openness_mark(dominance: Mapping[str, Any]) -> Estimate:
    """Only what is proven counts against a variant, so the mark uses the lower ends of the scores."""
    proven = [entry["score"] for entry in (dominance["strongest_opening"], dominance["strongest_kind"]) if entry is not None]
    worst = max(proven, key=lambda score: score.low, default=None)
    if worst is None:
        return Estimate(1.0, 0.0, 1.0, 0)
    return Estimate(closedness(worst.low), closedness(worst.value), 1.0, worst.games)


def closedness(score: float) -> float:
    return 1 - max(0.0, 2 * score - 1)


def length_mark(turns: float, low: float, high: float) -> float:
    if turns < low:
        return max(0.0, 2 * turns / low - 1)
    return max(0.0, 2 - turns / high) if turns > high else 1.0


def score_of_marks(marks: Mapping[str, Estimate], weights: Mapping[str, float]) -> Estimate:
    """The weighted mean from 0 to 100. Its interval adds the marks' own as independent errors do: by their squares."""
    used = {name: weights[name] for name in marks if weights[name] > 0}
    total = sum(used.values())
    if not total:
        return Estimate(0.0, 0.0, 0.0, 0)
    value = sum(weight * marks[name].value for name, weight in used.items()) / total
    below = math.hypot(*(weight * (marks[name].value - marks[name].low) for name, weight in used.items())) / total
    above = math.hypot(*(weight * (marks[name].high - marks[name].value) for name, weight in used.items())) / total
    games = min(marks[name].games for name in used)
    return Estimate(100 * value, 100 * max(0.0, value - below), 100 * min(1.0, value + above), games)


def rank(
    measured: Mapping[str, Mapping[str, Any]], weights: Mapping[str, float], wished_turns: tuple[int, int] | None = None
) -> list[dict[str, Any]]:
    """The variants, best first, each with its score, its marks, and whether the next one is clearly worse."""
    marks = {name: marks_of(values, wished_turns) for name, values in measured.items()}
    entries: list[dict[str, Any]] = [
        {"variant": name, "score": score_of_marks(own, weights), "marks": own} for name, own in marks.items()
    ]
    entries.sort(key=lambda entry: -entry["score"].value)
    for place, entry in enumerate(entries):
        below = entries[place + 1 : place + 2]
        entry["is_clear"] = all(entry["score"].low > next_one["score"].high for next_one in below)
    return entries
