"""Positions as one line of text, in the form of the test vectors: board/food/mover/tokens/pending.

Called by text.py and check.py. Food above 35 has no digit and is written in brackets, so that every state has a line.
"""

import re
from typing import Any

import numpy as np

from components.core.errors import BadFile
from components.games.contract import Game, State
from components.games.organism.codes import CODE, MEMBER

LETTERS = ".EMGemg"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
FOOD_TOKEN = re.compile(r"\((\d{1,4})\)|([0-9a-z])")
FORM = "board/food/1 or 2/tokens,tokens/pending cells"


def board_text(element: Any) -> str:
    """[cells] element codes as one letter a cell: E M G of player 1, e m g of player 2, a dot for an empty cell."""
    return "".join(LETTERS[code] for code in (np.asarray(element) & CODE).tolist())


def food_text(food: Any) -> str:
    """[cells] food as one digit a cell."""
    return "".join(DIGITS[count] if count < len(DIGITS) else f"({count})" for count in food.tolist())


def pending_cells(state: State) -> list[int]:
    """The cells of all organisms that still have to act, the acting one included."""
    pending, element = state.pending, state.element
    is_waiting = (pending > 0) & (pending != state.acting)
    return np.flatnonzero(((element & MEMBER) != 0) | ((element != 0) & is_waiting)).tolist()


def state_string(game: Game, state: State) -> str:
    """The canonical line of a position: equal lines, equal situations (ply counters aside)."""
    tokens = ",".join(map(str, state.tokens.tolist()))
    cells = ",".join(map(str, pending_cells(state)))
    return f"{board_text(state.element)}/{food_text(state.food)}/{int(state.mover) + 1}/{tokens}/{cells}"


def parse_board(text: str, cells: int, where: str) -> list[int]:
    if len(text) != cells or not set(text) <= set(LETTERS):
        raise BadFile(f"{where}: board {text!r}; need {cells} of the letters {LETTERS}.")
    return [LETTERS.index(letter) for letter in text]


def parse_food(text: str, cells: int, where: str) -> list[int]:
    found = [int(many) if many else DIGITS.index(digit) for many, digit in FOOD_TOKEN.findall(text)]
    if FOOD_TOKEN.sub("", text) or len(found) != cells:
        raise BadFile(f"{where}: food {text!r}; need {cells} base-36 digits.")
    return found


def parse_numbers(text: str, where: str) -> list[int]:
    pieces = text.split(",") if text else []
    if not all(re.fullmatch(r"\d{1,4}", piece) for piece in pieces):
        raise BadFile(f"{where}: {text!r}; need whole numbers with commas between them.")
    return [int(piece) for piece in pieces]


def parse_state(game: Game, text: str, where: str) -> State:
    """A state at the start of a ply, as the line says; counters are zero and no choice is opened yet."""
    parts = text.split("/")
    if len(parts) != 5 or parts[2] not in ("1", "2"):
        raise BadFile(f"{where}: state {text!r}; need {FORM}.")
    state = game.new_states(1)[0]
    cells = len(state.element)
    state.element[:] = parse_board(parts[0], cells, where)
    state.food[:] = parse_food(parts[1], cells, where)
    state.mover = int(parts[2]) - 1
    tokens, pending = parse_numbers(parts[3], where), parse_numbers(parts[4], where)
    owners = [(code - 1) // 3 if code else None for code in state.element.tolist()]
    if len(tokens) != 2 or any(cell >= cells or owners[cell] != state.mover for cell in pending):
        raise BadFile(f"{where}: state {text!r}; need two token counts and pending cells that hold the mover's elements.")
    state.tokens[:] = tokens
    state.home[:] = game.rules.home
    state.introduced[:] = 1
    label_cells(game, state, pending)
    return state


def label_cells(game: Game, state: State, cells: list[int]) -> None:
    """Make the groups of the given cells pending."""
    from components.games.organism.codes import CURRENT_ROW, PENDING  # with groups: brings numba
    from components.games.organism.groups import label_pending
    from components.games.organism.tables import new_boards
    from components.games.organism.workspace import load, store

    boards = new_boards(len(state.element), 0)
    load(game.rules, state, boards)
    boards[CURRENT_ROW, PENDING] = 0
    boards[CURRENT_ROW, PENDING, cells] = 1
    label_pending(game.rules.near, boards, CURRENT_ROW, int(state.mover))
    store(boards, state)
