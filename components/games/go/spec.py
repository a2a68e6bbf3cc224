"""Go's static facts: knobs, planes, actions, what a state and the rules record hold. No kernels: importing this is instant."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from components.core.errors import BadParameter
from components.games.contract import Family, Knobs, Spec, record_of, square_maps, state_dtype
from components.games.registry import parse_size

RULES_VERSION = 1
SMALLEST_SIDE, LARGEST_SIDE = 2, 19
MOST_PLIES = 5000  # a captured-stones counter is 16 bits wide, and a state keeps one hash per ply
ZOBRIST_KEY = 0x60  # any fixed number: hashes are stored in states, so the table must never change
FILTER_BITS_PER_PLY = 8  # two bits set per board: fewer than 1 probe in 20 goes on to the exact list at the cap
ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
EXTRA_PLANES = (
    "on board",
    *(f"own chain, {count} liberties" for count in (1, 2, 3)),
    *(f"opponent chain, {count} liberties" for count in (1, 2, 3)),
    "banned by ko or superko",
    "opponent just passed",
    "komi for the mover / 7.5",
    "plies gone / move cap",
)


class GoKnobs(Knobs):
    """What differs between rule sets and between the reports' nets."""

    komi: float = Field(
        default=7.5, ge=-400, le=400, allow_inf_nan=False, description="points that White gets; whole numbers allow draws"
    )
    ko: Literal["positional", "simple"] = Field(
        default="positional", description="positional: no board may come again; simple: only the immediate recapture is banned"
    )
    move_cap: int = Field(
        default=0,
        ge=0,
        le=MOST_PLIES,
        description="plies, passes included, after which the board is scored as it lies; 0: 2*n*n + 2*n",
    )
    resign: bool = Field(default=False, description="an action index for resigning, after pass; never listed as legal")
    history: int = Field(default=8, ge=1, le=8, description="boards that a net sees: this one and the plies before it")
    extras: bool = Field(default=False, description="planes for liberties, banned points, passes, komi and plies gone")


def build(size: str, knobs: GoKnobs) -> tuple[Spec, Any, np.dtype[Any]]:
    """The spec, the rules record that every kernel gets, and the dtype of a state."""
    side = parse_side(size)
    cells = side * side
    cap = knobs.move_cap or 2 * cells + 2 * side
    spec = Spec(
        rules_version=RULES_VERSION,
        height=side,
        width=side,
        plane_names=plane_names(knobs),
        policy_planes=1,
        policy_extras=2 if knobs.resign else 1,
        max_legal=cells + 1,
        max_plies=cap,
        draws=0,
        cell_maps=square_maps(side, side),
    )
    return spec, rules_of(side, cap, knobs), dtype_of(cells, cap, knobs)


def parse_side(size: str) -> int:
    width, height = parse_size("go", size, SMALLEST_SIDE, LARGEST_SIDE)
    if width != height:
        raise BadParameter(f"go has no size '{size}': boards are square; write {width}x{width} or {height}x{height}.")
    return width


def plane_names(knobs: GoKnobs) -> tuple[str, ...]:
    """The reports' layout (own boards, opponent's boards, colour), then the extras."""
    boards = [f"{whose} stones, {age} plies ago" for whose in ("own", "opponent") for age in range(knobs.history)]
    return (*boards, "Black to move", *(EXTRA_PLANES if knobs.extras else ()))


def neighbour_table(side: int, steps: tuple[tuple[int, int], ...]) -> NDArray[np.int16]:
    """[cells, 4] the points one step away; those on the board first, then -1."""
    table = np.full((side * side, len(steps)), -1, dtype=np.int16)
    for point in range(side * side):
        places = [(point // side + down, point % side + right) for down, right in steps]
        points = [row * side + column for row, column in places if 0 <= row < side and 0 <= column < side]
        table[point, : len(points)] = points
    return table


def zobrist_table(cells: int) -> NDArray[np.uint64]:
    """[cells, 2] one random number per point and colour."""
    most = LARGEST_SIDE * LARGEST_SIDE
    numbers = np.random.SeedSequence(ZOBRIST_KEY).generate_state(2 * most, np.uint64)
    return np.asarray(numbers, dtype=np.uint64).reshape(most, 2)[:cells]


def rules_of(side: int, cap: int, knobs: GoKnobs) -> Any:
    cells = side * side
    neighbours = neighbour_table(side, ORTHOGONAL)
    values = {
        "komi": knobs.komi,
        "zobrist": zobrist_table(cells),
        "side": side,
        "cells": cells,
        "cap": cap,
        "history": knobs.history,
        "neighbours": neighbours,
        "diagonals": neighbour_table(side, DIAGONAL),
        "degree": (neighbours >= 0).sum(axis=1),
        "is_positional": knobs.ko == "positional",
        "has_extras": knobs.extras,
    }
    numbers = [(name, "i4") for name in ("side", "cells", "cap", "history")]
    tables = [("neighbours", "i2", (cells, 4)), ("diagonals", "i2", (cells, 4)), ("degree", "i1", (cells,))]
    flags = [("is_positional", "i1"), ("has_extras", "i1")]
    return record_of(values, [("komi", "f8"), ("zobrist", "u8", (cells, 2)), *numbers, *tables, *flags])


def dtype_of(cells: int, cap: int, knobs: GoKnobs) -> np.dtype[Any]:
    """What one position is. States are copied once per search node, so integers are as narrow as they may be."""
    is_positional = knobs.ko == "positional"
    filter_words = 1 << max(0, (cap * FILTER_BITS_PER_PLY - 1).bit_length() - 6)
    return state_dtype(
        [
            ("board", "i1", (cells,)),  # 0 empty, 1 black, 2 white
            ("head", "i2", (cells,)),  # the chain's name: one of its points; -1 on empty points
            ("link", "i2", (cells,)),  # the next stone of the same chain, in a ring
            ("liberties", "i2", (cells,)),  # pseudo-liberties of the chain, at its head
            ("past", "i1", (max(1, knobs.history - 1), cells)),  # earlier boards; the board before ply p is in slot p % rows
            ("captures", "i2", (2,)),  # stones taken by each player
            ("ko", "i2"),  # the point banned by simple ko, or -1
            ("last", "i2"),  # the last action, or -1
            ("passes", "i1"),  # passes in a row
            ("resigned", "i1"),  # 1 Black resigned, 2 White did
            ("board_hash", "u8"),
            ("seen", "u8", (cap + 1 if is_positional else 1,)),  # hash of every board so far, the start included
            ("seen_count", "i4"),
            ("can_repeat", "i1"),  # under positional superko: until a stone comes off, every board has more than the one before
            ("bloom", "u8", (filter_words if is_positional else 1,)),  # a filter over `seen`
        ]
    )


FAMILY = Family(
    name="go",
    title="Go",
    default_size="9x9",
    example_names=("go-5x5", "go-9x9", "go-9x9/report-9x9", "go-13x13/report-13x13", "go-4x4:ko=simple", "go-7x7:komi=4.0"),
    knobs=GoKnobs,
    variants={
        "area": {"history": 2, "extras": True},
        "report-9x9": {"komi": 0.5},
        "report-13x13": {"history": 5, "resign": True, "move_cap": 400},
    },
    sizes_help="2x2 to 19x19, square",
    build=build,
)
