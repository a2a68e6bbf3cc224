"""Do games differ: the entropy of openings, games played twice, positions that come again within a game."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from components.rules_lab.estimates import entropy_of, mean_share_of, share_of
from components.rules_lab.games import LabGame


def variety_of(games: Sequence[LabGame]) -> dict[str, Any]:
    """Entropies in bits: 0 when all games begin alike; each bit doubles the openings that are really in use."""
    twins = Counter(game.digest for game in games)
    repeats = [repeated_share(game) for game in games]
    return {
        "first_ply_entropy": entropy_of([game.opening[0][0] for game in games]),
        "first_turn_entropy": entropy_of([game.opening[0] for game in games]),
        "two_turns_entropy": entropy_of([game.opening for game in games]),
        "distinct_games": len(twins),
        "games_played_twice": share_of(sum(twins[game.digest] > 1 for game in games), len(games)),
        "repeated_positions": mean_share_of(repeats),
        "games_with_repetition": share_of(sum(share > 0 for share in repeats), len(games)),
    }


def repeated_share(game: LabGame) -> float:
    """The share of turns that begin in a position which this game has seen before."""
    return 1 - len(set(game.positions)) / len(game.positions)
