"""Do games come to a result: decided or drawn, by the rules or by the length limit, and by how much."""

from collections.abc import Sequence
from typing import Any

from components.rules_lab.estimates import share_of, spread_of
from components.rules_lab.games import LabGame


def decisiveness_of(games: Sequence[LabGame]) -> dict[str, Any]:
    """margin is None where the game has nothing to count; otherwise the winner's lead in decided games."""
    decided = [game for game in games if game.winner is not None]
    margins = [[winner_margin(game)] for game in decided if game.margin is not None]
    return {
        "decided": share_of(len(decided), len(games)),
        "decided_before_cap": share_of(sum(not game.is_capped for game in decided), len(games)),
        "capped": share_of(sum(game.is_capped for game in games), len(games)),
        "margin": spread_of(margins) if margins else None,
    }


def winner_margin(game: LabGame) -> float:
    """Negative where the winner won although it was behind in the count."""
    assert game.margin is not None
    return game.margin if game.winner == 0 else -game.margin
