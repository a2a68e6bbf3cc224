"""Every rule of Organism that a variant or a user may set, typed and range-checked, and its number inside the rules record.

Called by spec.py. The defaults are the variant `report`; RULEBOOK names what the rulebook changes.
"""

from typing import Annotated, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from components.games.contract import Knobs
from components.games.organism import places
from components.games.organism.codes import NO_LIMIT

OneToSix = Annotated[int, Field(ge=1, le=6)]
ThreeToTwenty = Annotated[int, Field(ge=3, le=20)]
UpToSix = Annotated[int, Field(ge=0, le=6)]
UpToFive = Annotated[int, Field(ge=0, le=5)]
UpToThree = Annotated[int, Field(ge=0, le=3)]
TokenLimit = Literal["off"] | Annotated[int, Field(ge=1, le=20)]
ResultLimit = Annotated[int, Field(ge=256, le=1_000_000)]


def knob(default: Any, description: str, **limits: Any) -> Any:
    return Field(default=default, description=description, **limits)


class OrganismKnobs(Knobs):
    """The rules of section 9 of the specification, one field each, and three of ours: turns, planes, max_results."""

    turns: Literal["micro", "whole"] = knob("micro", "micro: small choices with a policy; whole: one organism's sequence a ply")
    planes: Literal["auto", "report", "ours"] = knob("auto", "report: its 11 planes; ours: those and the pending choice; auto")
    max_results: Literal["auto"] | ResultLimit = knob("auto", "most results of a ply that whole turns offer; auto 4096 or 32768")

    corners_removed: bool = knob(False, "play without the six corners of the outer ring")
    start_offset: Literal["auto"] | UpToFive = knob(1, "first home step on the outer ring; auto: (rings - 4) / 2 rounded up")
    type_order: Literal["EMG", "EGM", "MEG", "MGE", "GEM", "GME", "chosen"] = knob(
        "EMG", "types on the home cells, in this order"
    )
    start_elements: int = knob(3, "elements per player; more than three repeat the order", ge=3, le=6)
    start_food: tuple[UpToThree, UpToThree] = knob((1, 1), "food on each start element, per player")
    free_food: Literal["auto", "none"] | tuple[UpToSix, ...] = knob("auto", "free food per cell by ring, centre first")
    first_mover: int = knob(1, "the player who starts", ge=1, le=2)
    introduce: bool = knob(False, "a player without elements places them on the home cells first, again after elimination")

    eat_source: Literal["neighbour", "supply", "neighbour+1"] = knob(
        "neighbour", "1 from a neighbour cell; 1 from the supply; both"
    )
    eat_cap: Literal["none"] | OneToSix = knob(3, "an element with this much food may not eat")
    circulate_cap: Literal["none"] | OneToSix = knob(3, "an element with this much food may not be given more")
    circulate_reach: Literal["adjacent", "organism"] = knob("adjacent", "to an adjacent own element, or anywhere in the organism")
    circulate_amount: Literal["one", "half"] = knob("one", "1 food, or half of the giver's rounded up")
    move_food: Literal["push", "take", "destroy"] = knob("push", "what a move does to free food on its target")
    move_same_type_block: bool = knob(False, "no move next to an enemy of the same type")
    move_needs_alive: bool = knob(False, "only elements whose connected group has all three types move")
    grow_food: Literal["destroy", "take"] = knob("destroy", "what growing does to free food on the cell")
    grow_enemy_block: Literal["any", "same_type", "off"] = knob("any", "enemies that forbid growing next to them")
    grow_cost: Literal["count", "count-1", "count+1", "constant"] = knob(
        "count", "price by elements of that type in the organism"
    )
    grow_constant: UpToSix = knob(1, "the price when grow_cost=constant")

    actions_per_turn: Literal["count", "capped", "constant"] = knob(
        "count", "sub-actions: elements of the type, at most, exactly"
    )
    actions_number: OneToSix = knob(3, "the number of actions_per_turn=capped or constant")
    must_use_all: bool = knob(True, "every sub-action must be used")
    first_turn_limit: Literal["none"] | OneToSix = knob("none", "most sub-actions per organism in the very first turn")

    resolve_timing: Literal["organism", "turn"] = knob("organism", "conflicts and integrity after each organism or each turn")
    captured_food: Literal["attacker", "drop", "drop+1", "vanish"] = knob("attacker", "where a captured element's food goes")
    conflict_token: Literal["pair", "victim"] = knob("pair", "a token per attacking pair or per captured element")
    integrity_token: Literal["element", "organism", "player"] = knob("element", "a token per element, organism or player removed")
    suicide_pays: Literal["yes", "no", "captors"] = knob("yes", "own incomplete organisms pay the opponent; captors: per captor")
    self_wipe_food: bool = knob(True, "own incomplete organisms leave food + 1 on their cells")
    centre_bonus: int = knob(0, "tokens at the start of a turn for an element in the centre", ge=0, le=2)

    tokens_to_win: tuple[TokenLimit, TokenLimit] = knob(("off", "off"), "tokens that win, per player")
    organisms_to_win: Literal["off"] | Annotated[int, Field(ge=2, le=6)] = knob("off", "organisms that win")
    organisms_when: Literal["any", "turn_end"] = knob("any", "counted for anybody after every ply, or for who ends a turn")
    elimination_wins: bool = knob(True, "the only player with elements wins")
    head_start_tokens: int = knob(0, "tokens player 2 starts with", ge=0, le=9)
    head_start_food: UpToThree = knob(0, "extra food on each start element of player 2")
    head_start_food_on: Literal["all", "E", "M", "G"] = knob("all", "the start elements of player 2 that head_start_food goes to")
    head_start_element: Literal["none", "E", "M", "G"] = knob("none", "an extra start element of player 2")
    tie_rule: Literal["to_move", "actor_loses", "play_on"] = knob("to_move", "who wins when both would")
    empty_board: Literal["to_move", "actor_loses", "draw"] = knob("to_move", "who wins when nobody has elements")
    stuck_player: Literal["pass", "loses"] = knob("pass", "what happens to a player without a legal ply")
    ply_cap: int = knob(60, "organism plies after which the game ends", ge=2, le=400)
    ply_cap_result: Literal["draw", "tokens"] = knob("draw", "result at the cap: a draw, or more tokens win")
    repetition: Literal["none", "draw"] = knob("none", "draw when a position comes for the third time")
    no_op_turns: Literal["forbidden", "allowed"] = knob("forbidden", "plies that leave elements and food as they were")
    piece_supply: Literal["none"] | ThreeToTwenty = knob("none", "most elements of one type that a player can have on the board")


RULEBOOK: dict[str, Any] = {
    "start_offset": "auto",
    "type_order": "chosen",
    "free_food": "none",
    "introduce": True,
    "eat_source": "supply",
    "eat_cap": "none",
    "circulate_reach": "organism",
    "move_food": "take",
    "move_same_type_block": True,
    "move_needs_alive": True,
    "grow_food": "take",
    "must_use_all": False,
    "resolve_timing": "turn",
    "captured_food": "drop+1",
    "conflict_token": "victim",
    "integrity_token": "organism",
    "suicide_pays": "captors",
    "centre_bonus": 1,
    "tokens_to_win": (5, 5),
    "organisms_to_win": 3,
    "organisms_when": "turn_end",
    "elimination_wins": False,
    "tie_rule": "actor_loses",
    "empty_board": "actor_loses",
    "no_op_turns": "allowed",
}

# Used while the game is built, never by a kernel.
BUILD_ONLY = (
    "corners_removed",
    "planes",
    "max_results",
    "start_offset",
    "type_order",
    "start_elements",
    "free_food",
    "head_start_element",
)


def literal_values(name: str) -> tuple[Any, ...]:
    """The words a knob may have, in their order; none for a pure number."""
    annotation = OrganismKnobs.model_fields[name].annotation
    words = [get_args(part) for part in (annotation, *get_args(annotation)) if isinstance(first_argument(part), str)]
    return words[0] if words else ()


def first_argument(annotation: Any) -> Any:
    return next(iter(get_args(annotation)), None)


def number_of(name: str, value: Any) -> Any:
    """A knob's value as kernels read it: words by their place, `none` as NO_LIMIT, `off` as -1."""
    if isinstance(value, tuple):
        return [number_of(name, item) for item in value]
    if isinstance(value, str):
        return {"none": NO_LIMIT, "off": -1}.get(value) if is_limit(name) else literal_values(name).index(value)
    return int(value)


def is_limit(name: str) -> bool:
    """Whether a knob is a number that can be switched off."""
    return literal_values(name) in ((), ("none",), ("off",))


def is_pair(name: str) -> bool:
    return isinstance(OrganismKnobs.model_fields[name].default, tuple)


def knob_numbers(knobs: OrganismKnobs) -> NDArray[np.int64]:
    """[places.COUNT] what kernels read; the same length for every size, so they compile once."""
    numbers = np.zeros(places.COUNT, dtype=np.int64)
    for name in OrganismKnobs.model_fields:
        if name not in BUILD_ONLY:
            place = getattr(places, name)
            numbers[place : place + (2 if is_pair(name) else 1)] = number_of(name, getattr(knobs, name))
    return numbers
