"""Organism's static facts: variants, sizes, what rules and states hold. No kernels: importing this is instant."""

from typing import Any

import numpy as np

from components.core.errors import BadParameter
from components.games.contract import PLAYERS, Family, Spec, state_dtype
from components.games.organism import board, places
from components.games.organism.codes import POLICY_EXTRAS, POLICY_PLANES
from components.games.organism.knobs import RULEBOOK, OrganismKnobs, knob_numbers

FEWEST_RINGS, MOST_RINGS = 3, 6
KIND_LETTERS = ".EMG"
# Free food by ring where the sources give it (3, 4 and 5 rings); six rings continue the last one.
FREE_FOOD = {3: (3, 2, 1), 4: (5, 3, 1, 0), 5: (5, 3, 2, 1, 1), 6: (5, 3, 2, 1, 1, 1)}
MAX_RESULTS = {3: 4096, 4: 32768, 5: 32768, 6: 32768}
LOOK_AHEAD_ROWS = 65536  # room for the look-ahead of small choices when little room was not enough

REPORT_PLANES = (
    *("own EAT", "own MOVE", "own GROW", "opponent EAT", "opponent MOVE", "opponent GROW"),
    *("food", "own tokens missing", "opponent tokens missing", "pending", "to move"),
)
CHOICE_PLANES = (
    *("on board", "own home", "opponent home", "member", "actor", "target"),
    *("choosing organism", "choosing type", "choosing sub-action", "choosing target", "choosing push", "choosing payer"),
    *("introducing", "must pass", "acts EAT", "acts MOVE", "acts GROW", "does EAT", "does MOVE", "does GROW", "does CIRCULATE"),
    *("grows EAT", "grows MOVE", "grows GROW", "sub-actions left", "food due", "plies left"),
)


def build(size: str, knobs: OrganismKnobs) -> tuple[Spec, Any, np.dtype[Any]]:
    """The spec, the rules record that every kernel gets, and the dtype of a state."""
    rings = parse_rings(size)
    is_micro = knobs.turns == "micro"
    max_results = MAX_RESULTS[rings] if knobs.max_results == "auto" else knobs.max_results
    side = 2 * rings - 1
    has_choice_planes = knobs.planes == "ours" or (knobs.planes == "auto" and is_micro)
    spec = Spec(
        rules_version=1,
        height=side,
        width=side,
        plane_names=REPORT_PLANES + (CHOICE_PLANES if has_choice_planes else ()),
        policy_planes=POLICY_PLANES if is_micro else 0,
        policy_extras=POLICY_EXTRAS if is_micro else 0,
        max_legal=POLICY_PLANES * side * side + POLICY_EXTRAS if is_micro else max_results,
        max_plies=max_plies(rings, knobs),
        draws=0,
        cell_maps=board.square_symmetries(rings),
    )
    return spec, rules_record(rings, knobs, max_results, has_choice_planes), dtype_of(rings, knobs)


def parse_rings(size: str) -> int:
    if not size.isdigit() or not FEWEST_RINGS <= int(size) <= MOST_RINGS:
        raise BadParameter(
            f"organism has no size '{size}'; write the number of rings, {FEWEST_RINGS} to {MOST_RINGS}, for example organism-3."
        )
    return int(size)


def max_plies(rings: int, knobs: OrganismKnobs) -> int:
    """A bound that no game can pass: organism plies, each with the most small choices its elements could ever give it.

    k sub-actions take at most 3 choices each, plus a choice per food paid. The payments of a sequence are largest when growers
    grow growers: g of them pay g + ... + 2g - 1 with 2g <= cells, below 3/8 cells squared.
    """
    cells = board.cell_count(rings)
    introduction = knobs.start_elements + 1 if knobs.introduce else 0
    if knobs.turns == "whole":
        return knobs.ply_cap * (2 if knobs.introduce else 1)
    most_actions = max(cells, knobs.actions_number)
    dearest = 3 * cells * cells // 8 + (1 + knobs.grow_constant) * most_actions
    return knobs.ply_cap * (3 + 3 * most_actions + dearest + introduction)


def homes(rings: int, knobs: OrganismKnobs) -> list[int]:
    """[cells] the element code that belongs on each home cell, 0 elsewhere."""
    order = knobs.type_order if knobs.type_order != "chosen" else "EMG"
    letters = [order[place % 3] for place in range(knobs.start_elements)]
    extra = [] if knobs.head_start_element == "none" else [knobs.head_start_element]
    removed = board.removed_corners(rings, knobs.corners_removed)
    codes = [0] * board.cell_count(rings)
    for player, kinds in ((0, letters), (1, letters + extra)):
        for place, letter in enumerate(kinds):
            cell = board.cell_id(rings - 1, home_offset(rings, knobs) + place + 3 * (rings - 1) * player)
            if codes[cell] or cell in removed:
                problem = "is taken twice" if codes[cell] else "is a removed corner"
                raise BadParameter(
                    f"organism: home cell {cell} {problem}; change start_offset, start_elements or corners_removed."
                )
            codes[cell] = 3 * player + KIND_LETTERS.index(letter)
    return codes


def home_offset(rings: int, knobs: OrganismKnobs) -> int:
    """The first home step; `auto` is the rulebook's (rings - 4) / 2 rounded up."""
    if knobs.start_offset == "auto":
        return max(0, -((4 - rings) // 2))
    if knobs.start_offset >= rings:
        raise BadParameter(f"organism-{rings}: start_offset is {knobs.start_offset}; need 0 to {rings - 1}.")
    return knobs.start_offset


def free_food(rings: int, knobs: OrganismKnobs) -> list[int]:
    """[cells] the free food of each cell at the start, before elements are placed."""
    by_ring = (
        {"auto": FREE_FOOD[rings], "none": (0,) * rings}[knobs.free_food] if isinstance(knobs.free_food, str) else knobs.free_food
    )
    if len(by_ring) != rings:
        raise BadParameter(f"organism-{rings}: free_food has {len(by_ring)} numbers; need {rings}, one per ring, centre first.")
    removed = board.removed_corners(rings, knobs.corners_removed)
    return [0 if cell in removed else by_ring[ring] for cell, ring in enumerate(board.ring_of_cells(rings))]


def rules_record(rings: int, knobs: OrganismKnobs, max_results: int, has_choice_planes: bool) -> Any:
    if knobs.type_order == "chosen" and not knobs.introduce:
        raise BadParameter("organism: type_order=chosen needs introduce=true; otherwise name one of the six orders.")
    cells, squares = board.cell_count(rings), (2 * rings - 1) ** 2
    columns = [
        ("knobs", "i8", (places.COUNT,)),
        ("near", "i8", (cells, 6)),
        ("rank", "i8", (board.SYMMETRIES, cells)),
        ("square_of", "i8", (cells,)),
        ("cell_of", "i8", (squares,)),
        ("home", "i1", (cells,)),
        ("free_food", "i2", (cells,)),
        ("is_on_board", "i1", (cells,)),
        ("max_results", "i8"),
        ("level_rows", "i8"),
        ("is_order_chosen", "i8"),
        ("has_choice_planes", "i8"),
    ]
    records = np.zeros(1, dtype=np.dtype((np.record, columns)))
    removed = board.removed_corners(rings, knobs.corners_removed)
    values = {
        "knobs": knob_numbers(knobs),
        "near": board.neighbours(rings, knobs.corners_removed),
        "rank": board.attacker_ranks(rings),
        "square_of": board.square_of_cells(rings),
        "cell_of": board.cell_of_squares(rings),
        "home": homes(rings, knobs),
        "free_food": free_food(rings, knobs),
        "is_on_board": [cell not in removed for cell in range(cells)],
        "max_results": max_results,
        "level_rows": LOOK_AHEAD_ROWS,
        "is_order_chosen": knobs.type_order == "chosen",
        "has_choice_planes": has_choice_planes,
    }
    for name, value in values.items():
        records[name][0] = value
    return records[0]


def dtype_of(rings: int, knobs: OrganismKnobs) -> np.dtype[Any]:
    """What a state holds. Label 1 + smallest cell marks each pending organism; element bytes are explained in codes.py."""
    cells = board.cell_count(rings)
    history = knobs.ply_cap if knobs.repetition == "draw" else 1
    arrays = [("element", "i1"), ("food", "i2"), ("pending", "i1"), ("home", "i1"), ("options", "u1")]
    base = [("base_element", "i1"), ("base_food", "i2")]  # the board before the sequence that is being chosen
    choice = ("phase", "acting", "kind", "left", "done", "sub", "cell", "target", "grows", "due", "has_chosen")
    return state_dtype(
        [
            *((name, code, (cells,)) for name, code in (*arrays, *base)),
            ("tokens", "i2", (PLAYERS,)),
            ("introduced", "i1", (PLAYERS,)),
            ("history", "u8", (history,)),
            ("acts", "i2"),  # organism plies so far, which the ply cap counts
            ("turns", "i2"),
            ("extras", "u1"),  # legal extras of the micro-ply game, a bit each
            ("winner", "i1"),
            ("frame", "i1"),  # the symmetry that the board was turned by at the start
            *((name, "i1") for name in choice),
        ]
    )


FAMILY = Family(
    name="organism",
    title="Organism",
    default_size="3",
    example_names=(
        "organism-3",
        "organism-3:turns=whole",
        "organism-4/rulebook",
        "organism-4/rulebook:turns=whole",
        "organism-5",
    ),
    knobs=OrganismKnobs,
    variants={"report": {}, "rulebook": RULEBOOK},
    sizes_help=f"rings, {FEWEST_RINGS} to {MOST_RINGS}",
    build=build,
)
