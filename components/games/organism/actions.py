"""Whole written actions, played through the rules' own sub-actions: how check.py follows a record step by step.

An action is "PASS" or {"organism": cells, "type": "MOVE", "subs": [["MOVE", from, to, push], ...]}, as the test vectors write it.
"""

from typing import Any

import numpy as np

from components.core.errors import BadFile
from components.games.contract import PLAYERS, Game, State
from components.games.organism.codes import (
    ACTING,
    CURRENT_ROW,
    ELEMENT,
    FIRST_ROW,
    FOOD,
    MOVER,
    PASS_EXTRA,
    PENDING,
    SCALAR_ROW,
    TOKENS,
    TRIAL_ROW,
    TURNS,
)
from components.games.organism.expand import ANY, expand
from components.games.organism.groups import count_organisms
from components.games.organism.listing import list_results
from components.games.organism.micro import end_sequence, follow
from components.games.organism.notation import board_text, food_text, state_string
from components.games.organism.offers import EXTRA
from components.games.organism.resolve import ANYBODY, resolve_conflicts, resolve_integrity
from components.games.organism.results import select_organism
from components.games.organism.subactions import allowance
from components.games.organism.tables import BOARD, FIRST, NEXT, POSITION, clear, copy_row, new_boards, new_table
from components.games.organism.workspace import load, store

SUB_NAMES = {"EAT": 1, "MOVE": 2, "GROW": 3, "CIRCULATE": 4}
SUB_LENGTHS = {"EAT": 3, "MOVE": 4, "GROW": 4, "CIRCULATE": 3}
FORM = 'need "PASS" or {"organism": cells, "type": EAT|MOVE|GROW, "subs": [...]}'
ROWS = 512  # more children than one sub-action with its cells chosen can have


class Replay:
    """One position and what an action makes of it. `problem` names the first sub-action that our rules do not allow."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = game.copy(state)
        self.knobs = np.ascontiguousarray(game.rules.knobs)
        self.near = np.ascontiguousarray(game.rules.near)
        self.boards = new_boards(len(state.element), ROWS)
        self.table = new_table(int(FIRST_ROW), ROWS)
        self.problem = ""
        self.steps: list[str] = []
        self.resolved: dict[str, str] = {}
        load(game.rules, self.state, self.boards)

    def count_organisms(self) -> list[int]:
        return [int(count_organisms(self.near, self.boards, int(CURRENT_ROW), player)) for player in range(PLAYERS)]

    def count_sequences(self) -> int:
        return int(list_results(self.game.rules, self.state, self.game.spec.max_legal + 1)[2])

    def play(self, action: Any, where: str) -> None:
        """Play a whole action, or stop at the first sub-action that is not legal."""
        if action == "PASS":
            listed = list_results(self.game.rules, self.state, 1)[1]
            self.problem = "PASS although a ply is legal" if listed[NEXT] > listed[FIRST] else ""
            follow(self.knobs, self.near, self.boards, int(EXTRA), int(PASS_EXTRA), int(self.game.rules.is_order_chosen))
        else:
            self.play_sequence(checked_action(action, len(self.state.element), where))
        store(self.boards, self.state)

    def play_sequence(self, action: dict[str, Any]) -> None:
        label = int(self.boards[CURRENT_ROW, PENDING, action["organism"][0]])
        cells = np.flatnonzero(self.boards[CURRENT_ROW, PENDING] == label).tolist()
        if label == 0 or cells != sorted(action["organism"]):
            self.problem = f"organism {action['organism']} is not pending"
            return
        select_organism(self.boards, int(CURRENT_ROW), label)
        kind = SUB_NAMES[action["type"]]
        is_first_turn = bool(self.boards[SCALAR_ROW, 0, TURNS] == 0)
        if len(action["subs"]) != allowance(self.knobs, self.boards, int(CURRENT_ROW), kind, is_first_turn):
            self.problem = f"{len(action['subs'])} sub-actions"
        for sub in action["subs"]:
            if sub[0] not in (action["type"], "CIRCULATE") or not self.play_sub(sub):
                self.problem = self.problem or f"sub-action {sub}"
                return
            self.steps.append(self.board_and_food(CURRENT_ROW))
        self.resolve_on_trial()
        self.boards[SCALAR_ROW, 0, ACTING] = label
        end_sequence(self.knobs, self.near, self.boards, False, int(self.game.rules.is_order_chosen))

    def play_sub(self, sub: list[Any]) -> bool:
        """Replace the current board by what one sub-action makes of it; False if the rules do not know that board."""
        cell, target, push, kind = int(ANY), sub[2], int(ANY), 0
        if sub[0] == "GROW":
            kind, target = SUB_NAMES[sub[1]], sub[3]
        else:
            cell = sub[1]
        if sub[0] == "MOVE" and sub[3] is not None:
            push = sub[3]
        clear(self.table, int(FIRST_ROW))
        mover, chosen = int(self.boards[SCALAR_ROW, 0, MOVER]), 1 << SUB_NAMES[sub[0]]
        row = int(CURRENT_ROW)
        expand(self.knobs, self.near, self.boards, self.table, row, mover, chosen, cell, target, push, kind, int(ANY), 1)
        children = [row for row in range(self.table[FIRST], self.table[NEXT]) if sub[0] != "GROW" or self.is_paid(row, sub)]
        if len(children) != 1:
            return False
        copy_row(self.boards, int(CURRENT_ROW), children[0], int(BOARD))
        return True

    def is_paid(self, row: int, sub: list[Any]) -> bool:
        """Whether a birth took exactly the recorded payment."""
        paid = self.boards[CURRENT_ROW, FOOD] - self.boards[row, FOOD]
        paid[sub[3]] = 0
        return {(cell, int(paid[cell])) for cell in np.flatnonzero(paid).tolist()} == {
            (payer, amount) for payer, amount in sub[2]
        }

    def resolve_on_trial(self) -> None:
        """Conflicts and integrity on a copy, to be seen one after the other."""
        trial = int(TRIAL_ROW)
        copy_row(self.boards, trial, int(CURRENT_ROW), int(POSITION))
        resolve_conflicts(self.knobs, self.near, self.boards, trial)
        self.resolved["after_conflict"] = self.with_tokens(trial)
        resolve_integrity(self.knobs, self.near, self.boards, trial, int(self.boards[SCALAR_ROW, 0, MOVER]), int(ANYBODY))
        self.resolved["after_integrity"] = self.with_tokens(trial)

    def board_and_food(self, row: Any) -> str:
        return f"{board_text(self.boards[row, ELEMENT])}/{food_text(self.boards[row, FOOD])}"

    def with_tokens(self, row: int) -> str:
        return f"{self.board_and_food(row)}/{','.join(map(str, self.boards[row, TOKENS, :PLAYERS].tolist()))}"

    def trace(self) -> dict[str, Any]:
        """What the action went through; nothing for a pass."""
        return {"subs": self.steps, **self.resolved} if self.resolved else {}

    def after(self) -> str:
        return state_string(self.game, self.state)

    def winner(self) -> int:
        return int(self.state.winner)


def checked_action(action: Any, cells: int, where: str) -> dict[str, Any]:
    """The action if it is one in form; refuses anything else with its place."""
    is_fine = isinstance(action, dict) and action.get("type") in ("EAT", "MOVE", "GROW")
    is_fine = is_fine and are_cells(action.get("organism"), cells) and len(action["organism"]) > 0
    if not is_fine or not isinstance(action.get("subs"), list) or not all(is_sub(sub, cells) for sub in action["subs"]):
        raise BadFile(f"{where}: action {action!r}; {FORM}.")
    return action


def are_cells(found: Any, cells: int) -> bool:
    return isinstance(found, list) and all(type(cell) is int and 0 <= cell < cells for cell in found)


def is_sub(sub: Any, cells: int) -> bool:
    if not isinstance(sub, list) or not sub or sub[0] not in SUB_NAMES or len(sub) != SUB_LENGTHS[sub[0]]:
        return False
    if sub[0] == "GROW":
        return sub[1] in ("EAT", "MOVE", "GROW") and are_cells([sub[3]], cells) and are_payments(sub[2], cells)
    push = [] if sub[0] != "MOVE" or sub[3] is None else [sub[3]]
    return are_cells([sub[1], sub[2], *push], cells)


def are_payments(found: Any, cells: int) -> bool:
    pairs = isinstance(found, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in found)
    return pairs and all(are_cells([payer], cells) and type(amount) is int and amount > 0 for payer, amount in found)
