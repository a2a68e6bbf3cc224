"""Tic-tac-toe's static facts: knobs, planes, actions, what a state holds. No kernels: importing this is instant."""

from typing import Any

import numpy as np
from pydantic import Field

from components.games.contract import Family, Knobs, Spec, record_of, square_maps, state_dtype

SIDE = 3
CELLS = SIDE * SIDE


class TicTacToeKnobs(Knobs):
    """One knob, to show what one is: misère play, where three in a row loses."""

    misere: bool = Field(default=False, description="three in a row loses instead of winning")


def build(size: str, knobs: TicTacToeKnobs) -> tuple[Spec, Any, np.dtype[Any]]:
    """The spec, the rules record that every kernel gets, and the dtype of a state."""
    spec = Spec(
        rules_version=1,
        height=SIDE,
        width=SIDE,
        plane_names=("own", "opponent"),
        policy_planes=1,
        policy_extras=0,
        max_legal=CELLS,
        max_plies=CELLS,
        draws=0,
        cell_maps=square_maps(SIDE, SIDE),
    )
    rules = record_of({"misere": knobs.misere}, [("misere", "i1")])
    # board: 0 empty, 1 the first player's mark, 2 the second's. mover and ply are added by state_dtype.
    return spec, rules, state_dtype([("board", "i1", (CELLS,))])


FAMILY = Family(
    name="tictactoe",
    title="Tic-tac-toe",
    default_size="3x3",
    example_names=("tictactoe", "tictactoe/misere"),
    knobs=TicTacToeKnobs,
    variants={"standard": {}, "misere": {"misere": True}},
    sizes_help="",
    build=build,
)
