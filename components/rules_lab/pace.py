"""How long games are and how much there is to choose: plies and turns per game, choices per ply and per turn."""

import math
from collections.abc import Sequence
from typing import Any

from components.rules_lab.estimates import mean_share_of, spread_of
from components.rules_lab.games import LabGame


def pace_of(games: Sequence[LabGame]) -> dict[str, Any]:
    """mean, median and p90 of each, and the share of plies at which there was nothing to choose."""
    return {
        "plies": spread_of([[game.plies] for game in games]),
        "turns": spread_of([[len(game.turns)] for game in games]),
        "choices_per_ply": spread_of([game.choices for game in games]),
        "choices_per_turn": spread_of([choices_of_turns(game) for game in games]),
        "forced_plies": mean_share_of([forced_share(game) for game in games]),
    }


def choices_of_turns(game: LabGame) -> list[float]:
    """The ways to play each turn: the product of the choices met on the way that was taken."""
    return [float(math.prod(game.choices[turn])) for turn in game.turns]


def forced_share(game: LabGame) -> float:
    return sum(count == 1 for count in game.choices) / game.plies
