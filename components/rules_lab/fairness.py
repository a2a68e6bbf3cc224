"""Who wins: the first player's score and the draws."""

from collections.abc import Sequence

from components.rules_lab.estimates import Estimate, score_of, share_of
from components.rules_lab.games import LabGame


def fairness_of(games: Sequence[LabGame]) -> dict[str, Estimate]:
    """The score counts half a point for a draw; the shares are of all games."""
    wins = sum(game.winner == game.first for game in games)
    draws = sum(game.winner is None for game in games)
    return {
        "first_player_score": score_of([game.first_points for game in games]),
        "first_player_wins": share_of(wins, len(games)),
        "second_player_wins": share_of(len(games) - wins - draws, len(games)),
        "draw_rate": share_of(draws, len(games)),
    }
