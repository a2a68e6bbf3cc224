"""Organism for people: the drawn hexagon, the position as one line, and below it whatever else decides what is legal.

Cells are named by their ring-major numbers: 0 is the centre, each ring starts to the right of it and runs anticlockwise.
"""

import re
from typing import Any

import numpy as np

from components.core.errors import BadFile, IllegalAction
from components.games.contract import Game, State, summary
from components.games.organism import board
from components.games.organism.codes import (
    ACTOR_PLANE,
    CHOOSE_SUB,
    CIRCULATE,
    CODE,
    EAT,
    GIVER_PLANE,
    GROW,
    INTRODUCE,
    MEMBER,
    MOVE,
    ORGANISM_PLANE,
    PAYER_PLANE,
    PUSH_PLANE,
    STOP_EXTRA,
    TARGET_PLANE,
)
from components.games.organism.notation import (
    DIGITS,
    LETTERS,
    board_text,
    food_text,
    parse_board,
    parse_food,
    parse_numbers,
    parse_state,
    pending_cells,
    state_string,
)

__all__ = ["TEXT", "parse_state", "state_string"]

KIND_NAMES = ("-", "EAT", "MOVE", "GROW", "CIRCULATE")
PHASE_NAMES = ("organism", "type", "sub-action", "target", "push", "payer", "introduction", "pass")
RESULT_NAMES = ("", "player 1 has won", "player 2 has won", "drawn")
CHOICE_FIELDS = ("acting", "kind", "left", "done", "sub", "cell", "target", "grows", "due", "has_chosen")
NOT_DRAWN = "Not a drawn organism position"
CLOCK = re.compile(r"act (\d+) of \d+, turn (\d+), ply (\d+), introduced ([01]) ([01]), symmetry (\d+)")


class OrganismText:
    def draw(self, game: Game, state: State) -> str:
        lines = [*hexagon(game, state), f"state: {state_string(game, state)}", f"organisms: {organism_text(state)}"]
        introduced = " ".join(map(str, state.introduced.tolist()))
        lines.append(
            f"clock: act {int(state.acts)} of {game.knobs.ply_cap}, turn {int(state.turns)}, "  # type: ignore[attr-defined]
            f"ply {int(state.ply)}, introduced {introduced}, symmetry {int(state.frame)}"
        )
        lines.append(f"choice: {choice_text(state)}")
        if np.any(state.base_element):
            lines.append(f"before: {board_text(state.base_element)}/{food_text(state.base_food)}")
        if len(state.history) > 1:
            lines.append("history: " + " ".join(f"{int(digest):016x}" for digest in state.history[: int(state.acts)]))
        if state.winner:
            lines.append(f"result: {RESULT_NAMES[state.winner]}")
        elif is_cut(game, state):
            lines.append(f"results: only the first {game.spec.max_legal} are offered; raise max_results to have them all")
        return "\n".join(lines)

    def parse(self, game: Game, text: str) -> State:
        parts = dict(re.findall(r"^(\w+): (.*)$", text, flags=re.MULTILINE))
        missing = [name for name in ("state", "organisms", "clock", "choice") if name not in parts]
        clock = CLOCK.fullmatch(parts.get("clock", ""))
        if missing or clock is None:
            raise BadFile(f"{NOT_DRAWN}: need the lines state, organisms, clock and choice, found {text!r}.")
        state = parse_state(game, parts["state"], NOT_DRAWN)
        acts, turns, ply, first, second, frame = (int(number) for number in clock.groups())
        state.acts, state.turns, state.ply, state.frame = acts, turns, ply, frame
        state.introduced[:] = (first, second)
        turn_homes(game, state, frame)
        read_organisms(state, parts["organisms"])
        read_choice(state, parts["choice"])
        read_rest(state, parts)
        reopen(game, state)
        return state

    def action_name(self, game: Game, state: State, action: int) -> str:
        if not game.spec.has_policy:
            return f"result {action}"
        plane, square = divmod(action, game.spec.cells)
        if action >= game.spec.policy_planes * game.spec.cells:
            return extra_name(state, action - game.spec.policy_planes * game.spec.cells)
        return cell_name(state, plane, int(game.rules.cell_of[square]))

    def action_of(self, game: Game, state: State, name: str) -> int:
        legal = [int(action) for action in game.legal(state)]
        names = [self.action_name(game, state, action) for action in legal]
        if name.strip() in names:
            return legal[names.index(name.strip())]
        raise IllegalAction(f"'{name}' is not legal here; legal are {summary(names)}.\n{self.draw(game, state)}")


def hexagon(game: Game, state: State) -> list[str]:
    """One line per row: owner's letter, food, and * on the acting organism or ' on one that waits."""
    rings = int(game.size)
    rows = [[" "] * (8 * rings - 4) for _ in range(2 * rings - 1)]
    waiting = set(pending_cells(state))
    for cell, (down, right) in enumerate(board.offsets(rings)):
        if not game.rules.is_on_board[cell]:
            continue
        mark = "*" if state.element[cell] & MEMBER else "'" if cell in waiting else " "
        food = int(state.food[cell])
        start = 2 * (2 * right + down) + 4 * (rings - 1)
        piece = LETTERS[state.element[cell] & CODE] + (DIGITS[food] if food < len(DIGITS) else "+") + mark
        rows[down + rings - 1][start : start + 3] = piece
    return ["".join(row).rstrip() for row in rows]


def organism_text(state: State) -> str:
    """The cells of each organism that still has to act, or acts now, as they were when it became pending."""
    labels = sorted(set(state.pending.tolist()) - {0})
    groups = [",".join(map(str, np.flatnonzero(state.pending == label).tolist())) for label in labels]
    return " | ".join(groups) or "-"


def choice_text(state: State) -> str:
    values = [f"{name}={field_text(name, int(getattr(state, name)))}" for name in CHOICE_FIELDS]
    members = ",".join(map(str, np.flatnonzero(state.element & MEMBER).tolist())) or "-"
    return f"{PHASE_NAMES[state.phase]} " + " ".join([*values, f"members={members}"])


def field_text(name: str, value: int) -> str:
    return KIND_NAMES[value] if name in ("kind", "sub", "grows") else str(value)


def is_cut(game: Game, state: State) -> bool:
    """Whether a whole-sequence position has more results than it offers."""
    if game.spec.has_policy:
        return False
    from components.games.organism.listing import list_results
    from components.games.organism.tables import IS_CUT

    return bool(list_results(game.rules, state, game.spec.max_legal + 1)[1][IS_CUT])


def turn_homes(game: Game, state: State, frame: int) -> None:
    if frame >= board.SYMMETRIES:
        raise BadFile(f"{NOT_DRAWN}: symmetry {frame}; need 0 to {board.SYMMETRIES - 1}.")
    state.home[board.cell_symmetries(int(game.size))[frame]] = game.rules.home


def read_organisms(state: State, text: str) -> None:
    state.pending[:] = 0
    for group in text.split(" | ") if text != "-" else []:
        cells = parse_numbers(group, NOT_DRAWN)
        if not cells or max(cells) >= len(state.pending):
            raise BadFile(f"{NOT_DRAWN}: organism {group!r}; need its cells with commas between them.")
        state.pending[cells] = 1 + min(cells)


def read_choice(state: State, text: str) -> None:
    phase, *values = text.split(" ")
    found = dict(value.split("=", 1) for value in values if "=" in value)
    if phase not in PHASE_NAMES or set(found) != {*CHOICE_FIELDS, "members"}:
        raise BadFile(f"{NOT_DRAWN}: choice {text!r}; need a phase and {', '.join(CHOICE_FIELDS)}, members.")
    state.phase = PHASE_NAMES.index(phase)
    for name in CHOICE_FIELDS:
        value = found[name]
        if value not in KIND_NAMES and not re.fullmatch(r"-1|\d{1,3}", value):
            raise BadFile(f"{NOT_DRAWN}: choice {name}={value}; need a small whole number or a type.")
        setattr(state, name, KIND_NAMES.index(value) if value in KIND_NAMES else int(value))
    if found["members"] != "-":
        state.element[parse_numbers(found["members"], NOT_DRAWN)] |= MEMBER


def read_rest(state: State, parts: dict[str, Any]) -> None:
    """The board before the sequence, the history and the result, where they are drawn."""
    cells = len(state.element)
    if "before" in parts:
        letters, _, food = parts["before"].partition("/")
        state.base_element[:] = parse_board(letters, cells, NOT_DRAWN)
        state.base_food[:] = parse_food(food, cells, NOT_DRAWN)
    digests = parts.get("history", "").split()
    if not all(re.fullmatch(r"[0-9a-f]{16}", digest) for digest in digests) or len(digests) > len(state.history):
        raise BadFile(f"{NOT_DRAWN}: history {parts['history']!r}; need one 16-digit number per act.")
    state.history[: len(digests)] = [int(digest, 16) for digest in digests]
    if parts.get("result", "") not in RESULT_NAMES:
        raise BadFile(f"{NOT_DRAWN}: result {parts['result']!r}; need one of {', '.join(RESULT_NAMES[1:])}.")
    state.winner = RESULT_NAMES.index(parts.get("result", ""))


def reopen(game: Game, state: State) -> None:
    """Note again what may be chosen: a drawing does not list it."""
    if game.spec.has_policy and not state.winner:
        from components.games.organism.rules import REOPEN, play_choice

        play_choice(game.rules, state, REOPEN)


def extra_name(state: State, extra: int) -> str:
    if extra >= STOP_EXTRA:
        return "stop" if extra == STOP_EXTRA else "pass"
    return f"{'grow ' if state.phase == CHOOSE_SUB else ''}{KIND_NAMES[extra + EAT]}"


def cell_name(state: State, plane: int, cell: int) -> str:
    """What choosing a cell means, by plane and, for targets, by sub-action."""
    if plane == ACTOR_PLANE:
        return f"{'from' if state.kind == MOVE else 'eat on'} {cell}"
    if plane == TARGET_PLANE:
        names = {EAT: "food of", MOVE: "to", GROW: "born on", CIRCULATE: "give to"}
        return f"{introduced_name(state)} on {cell}" if state.phase == INTRODUCE else f"{names[state.sub]} {cell}"
    names = {ORGANISM_PLANE: "organism at", GIVER_PLANE: "circulate from", PUSH_PLANE: "push to", PAYER_PLANE: "pay"}
    return f"{names[plane]} {cell}"


def introduced_name(state: State) -> str:
    """The kind that the mover places next: the first of which the homes hold more than the board."""
    codes = [3 * int(state.mover) + kind for kind in (EAT, MOVE, GROW)]
    missing = [code for code in codes if np.sum(state.home == code) > np.sum(state.element & CODE == code)]
    return KIND_NAMES[missing[0] - 3 * int(state.mover)]


TEXT = OrganismText()
