"""Tic-tac-toe for people: a drawn board, cells named a1 to c3 (column, then row from the bottom)."""

import re

from components.core.errors import BadFile, IllegalAction
from components.games.contract import Game, State

MARKS = ".XO"


class TicTacToeText:
    def draw(self, game: Game, state: State) -> str:
        rows = [" ".join(MARKS[state.board[3 * y + x]] for x in range(3)) for y in range(3)]
        return "\n".join([*rows, f"{MARKS[state.mover + 1]} to move"])

    def parse(self, game: Game, text: str) -> State:
        found = re.fullmatch(r"((?:[.XO] [.XO] [.XO]\n){3})([XO]) to move", text.strip())
        if found is None:
            raise BadFile(f"Not a tic-tac-toe position: need three rows of '. X O' and 'X to move', found {text!r}.")
        state = game.start()
        state.board[:] = [MARKS.index(mark) for mark in found[1].split()]
        state.mover = MARKS.index(found[2]) - 1
        state.ply = sum(1 for mark in state.board if mark)
        return state

    def action_name(self, game: Game, state: State, action: int) -> str:
        return f"{'abc'[action % 3]}{3 - action // 3}"

    def action_of(self, game: Game, state: State, name: str) -> int:
        for action in game.legal(state):
            if self.action_name(game, state, int(action)) == name.strip().lower():
                return int(action)
        raise IllegalAction(f"'{name}' is not an empty cell here; write a1 to c3.\n{self.draw(game, state)}")


TEXT = TicTacToeText()
