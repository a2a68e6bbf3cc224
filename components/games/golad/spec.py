"""GOLAD's static facts: sizes, knobs, planes, actions, what a state holds. No kernels: importing this is instant."""

from typing import Any, Literal

import numpy as np
from pydantic import Field

from components.core.errors import BadParameter
from components.games.contract import Family, Knobs, Spec, record_of, square_maps, state_dtype
from components.games.registry import parse_size

MOST_SIDE = 64  # a row of cells is one 64-bit word
MOST_START_SHARE = 0.6  # of the board that the official engine lets start cells take
LEAST_AUTOMATIC_CELLS = 10  # per player; the report's number on 6x6 and 8x8
OFFICIAL_CELLS, OFFICIAL_AREA = 40, 18 * 16


class GoladKnobs(Knobs):
    """Rules and planes of GOLAD that an experiment may set."""

    cells: int = Field(default=0, ge=0, le=1228, description="start cells per player; 0 = by size: 40 on 18x16, 10 on 6x6, 8x8")
    separate: bool = Field(default=True, description="player 0 starts in the first half alone; false mixes the colours")
    max_rounds: int = Field(default=100, ge=0, le=1000, description="a draw after so many turns of each player")
    sacrifices: Literal["chosen", "random"] = Field(
        default="chosen", description="chosen: a birth is three plies; random: one ply, paid by the turn's random pair"
    )
    next_generations: int = Field(default=2, ge=0, le=2, description="coming generations shown as planes")
    planes: Literal["ours", "report"] = Field(default="ours", description="report: its three planes, not turned to the mover")


def fits(cells: int, width: int, height: int) -> bool:
    """The official engine's check, word by word: this order of the product decides how it is rounded."""
    return not 2 * cells > MOST_START_SHARE * width * height


def most_start_cells(width: int, height: int) -> int:
    cells = int(MOST_START_SHARE * width * height / 2) + 1
    while not fits(cells, width, height):
        cells -= 1
    return cells


def automatic_cells(width: int, height: int) -> int:
    """As dense as the official 18x16 start, but at least 10 cells, and never more than fit."""
    as_official = round(OFFICIAL_CELLS * width * height / OFFICIAL_AREA)
    return min(max(LEAST_AUTOMATIC_CELLS, as_official), most_start_cells(width, height))


def start_cells(knobs: GoladKnobs, width: int, height: int) -> int:
    if not fits(knobs.cells, width, height):
        raise BadParameter(
            f"golad-{width}x{height}: {knobs.cells} start cells per player do not fit, both players' may take 60 % of the "
            f"{width * height} cells; set cells to at most {most_start_cells(width, height)}, or to 0 for a fitting number."
        )
    return knobs.cells or automatic_cells(width, height)


def plane_names(knobs: GoladKnobs) -> tuple[str, ...]:
    if knobs.planes == "report":
        return ("player 0", "player 1", "side to move")
    futures = [f"{side} after {step}" for step in range(1, knobs.next_generations + 1) for side in ("own", "opponent")]
    if knobs.sacrifices == "random":
        birth = ["turn's sacrifices"]
    else:
        birth = ["birth target", "first sacrifice", "target is chosen", "first sacrifice is chosen"]
    return ("own", "opponent", *futures, *birth, "rounds left", "is player 0", "board")


def build(size: str, knobs: GoladKnobs) -> tuple[Spec, Any, np.dtype[Any]]:
    """The spec, the rules record that every kernel gets, and the dtype of a state."""
    width, height = parse_size("golad", size, 1, MOST_SIDE)
    is_random = knobs.sacrifices == "random"
    if knobs.planes == "report" and not is_random:
        raise BadParameter(
            "golad: planes=report do not show a half-chosen birth; use them with sacrifices=random, or planes=ours."
        )
    cells = start_cells(knobs, width, height)
    spec = Spec(
        rules_version=1,
        height=height,
        width=width,
        plane_names=plane_names(knobs),
        policy_planes=1,
        policy_extras=1,  # the pass
        max_legal=width * height + 1,
        max_plies=2 * knobs.max_rounds * (1 if is_random else 3),
        draws=cells + 1,
        cell_maps=square_maps(height, width),
    )
    return spec, rules_of(knobs, width, cells), state_of(height)


def rules_of(knobs: GoladKnobs, width: int, cells: int) -> Any:
    values = {
        "width": width,
        "cells": cells,
        "max_rounds": knobs.max_rounds,
        "next_generations": knobs.next_generations,
        "is_separate": knobs.separate,
        "is_random": knobs.sacrifices == "random",
        "has_report_planes": knobs.planes == "report",
    }
    return record_of(values, [(name, "?" if name.startswith(("is_", "has_")) else "i8") for name in values])


def state_of(height: int) -> np.dtype[Any]:
    """What a position is: complete, so that a copy plays on the same way."""
    return state_dtype(
        [
            ("cells", "u8", (2, height)),  # bit x of cells[player, y]: that player's living cell at x, y
            ("salt", "u8"),  # decides the random pairs of all turns; 0 where sacrifices are chosen
            ("turn", "i4"),  # turns played by both; the round limit counts them
            ("target", "i2"),  # of a birth that waits for its sacrifices, or -1
            ("first", "i2"),  # the first sacrifice, or -1
            ("facing", "i1"),  # how the board was turned since it was set up; see rules.home_cell
        ]
    )


FAMILY = Family(
    name="golad",
    title="Game of Life and Death",
    default_size="18x16",
    example_names=("golad-6x6", "golad-8x8", "golad-18x16", "golad-5x7", "golad-6x6/report"),
    knobs=GoladKnobs,
    variants={"full": {}, "report": {"sacrifices": "random"}},
    sizes_help="WIDTHxHEIGHT, sides 1 to 64",
    build=build,
)
