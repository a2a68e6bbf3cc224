"""Is a lead safe: how often a side that the search thought clearly lost still wins, and when games are settled for good."""

from collections.abc import Sequence

from components.rules_lab.estimates import Estimate, mean_share_of, share_of
from components.rules_lab.games import LabGame

CLEARLY_BEHIND = -0.5  # expected result, from -1 (lost) to 1 (won): a quarter of the points


def comeback_of(games: Sequence[LabGame]) -> dict[str, Estimate]:
    """comebacks: of the decided games, those whose winner was clearly behind at some point."""
    decided = [game for game in games if game.winner is not None]
    return {
        "comebacks": share_of(sum(is_comeback(game) for game in decided), len(decided)),
        "settled_at": mean_share_of([settled_share(game) for game in decided]),
    }


def is_comeback(game: LabGame) -> bool:
    assert game.winner is not None
    return min(game.value_for(game.winner)) < CLEARLY_BEHIND


def settled_share(game: LabGame) -> float:
    """How far into the game, from 0 to 1, the search saw the winner clearly ahead for good; 1 if it never did."""
    assert game.winner is not None
    behind = [place for place, value in enumerate(game.value_for(game.winner)) if value < -CLEARLY_BEHIND]
    return (behind[-1] + 1) / game.plies if behind else 0.0
