"""Does one thing always win: one opening, one kind of action; and does thinking more win more, as it should."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from components.evaluation.result import MatchResult
from components.rules_lab.classes import FOLLOWS_UP
from components.rules_lab.estimates import Estimate, mean_share_of, score_of, share_of
from components.rules_lab.games import LabGame

LEAST_GAMES = 8  # fewer say nothing about an opening or a kind of action
MOST_OPENINGS = 12  # shown; the rest are too rare to matter
DOMINANT = 0.75  # a lower end above this wins three games in four whatever else happens


def dominance_of(games: Sequence[LabGame]) -> dict[str, Any]:
    openings, kinds = openings_of(games), kinds_of(games)
    return {
        "openings": openings,
        "strongest_opening": strongest(openings),
        "kinds": kinds,
        "strongest_kind": strongest(kinds),
    }


def openings_of(games: Sequence[LabGame]) -> list[dict[str, Any]]:
    """The first player's score by its first action, the most played first."""
    by_action: defaultdict[str, list[LabGame]] = defaultdict(list)
    for game in games:
        by_action[game.opening_name].append(game)
    often = sorted(by_action.items(), key=lambda entry: (-len(entry[1]), entry[0]))[:MOST_OPENINGS]
    return [
        {"name": name, "share": share_of(len(own), len(games)), "score": score_of([game.first_points for game in own])}
        for name, own in often
    ]


def kinds_of(games: Sequence[LabGame]) -> list[dict[str, Any]]:
    """For every kind of action: its share of all choices, the score of the side that used it more than its opponent did,
    and the share of wins in which it was what the winner chose most."""
    used = [[kind_counts(game, player) for player in (0, 1)] for game in games]
    totals: Counter[str] = sum((counts for pair in used for counts in pair), Counter())
    favourites = [favourite(pair[game.winner]) for game, pair in zip(games, used, strict=True) if game.winner is not None]
    found = []
    for kind, _ in sorted(totals.items(), key=lambda entry: (-entry[1], entry[0])):
        points = [point for game, pair in zip(games, used, strict=True) for point in more_points(game, pair, kind)]
        found.append(
            {
                "name": kind,
                "share_of_choices": mean_share_of([share_of_kind(pair, kind) for pair in used]),
                "score_of_more": score_of(points),
                "wins_led_by": share_of(favourites.count(kind), len(favourites)),
            }
        )
    return found


def kind_counts(game: LabGame, player: int) -> Counter[str]:
    chosen = zip(game.kinds, game.movers, strict=True)
    return Counter(kind for kind, mover in chosen if mover == player and kind != FOLLOWS_UP)


def share_of_kind(used: Sequence[Counter[str]], kind: str) -> float:
    """Of both sides' choices in one game."""
    return sum(counts[kind] for counts in used) / max(1, sum(counts.total() for counts in used))


def favourite(counts: Counter[str]) -> str:
    """What was chosen most; the alphabet decides ties."""
    return min(counts, key=lambda kind: (-counts[kind], kind), default=FOLLOWS_UP)


def more_points(game: LabGame, used: Sequence[Counter[str]], kind: str) -> list[float]:
    """[points of the side that chose this kind for a larger share of its choices], or nothing if neither did."""
    shares = [counts[kind] / max(1, counts.total()) for counts in used]
    if shares[0] == shares[1]:
        return []
    more = int(shares[1] > shares[0])
    return [0.5 if game.winner is None else float(game.winner == more)]


def strongest(entries: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The entry whose score is proven highest, with the verdict; None when nothing was seen often enough."""
    often = [entry for entry in entries if score_in(entry).games >= LEAST_GAMES]
    if not often:
        return None
    best = max(often, key=lambda entry: score_in(entry).low)
    return {"name": best["name"], "score": score_in(best), "is_dominant": score_in(best).low > DOMINANT}


def score_in(entry: dict[str, Any]) -> Estimate:
    return entry["score"] if "score" in entry else entry["score_of_more"]


def search_effect(match: MatchResult, few: int, many: int) -> dict[str, Any]:
    """Whether thinking more wins more: the score of many simulations against few, sides swapped."""
    low, high = match.interval
    return {
        "few_simulations": few,
        "many_simulations": many,
        "score": Estimate(match.score, low, high, match.games),
        "wins": match.wins,
        "draws": match.draws,
        "losses": match.losses,
    }
