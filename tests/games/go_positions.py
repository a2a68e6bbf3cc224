"""Drawn Go positions and what the tests of Go ask of them."""

import pytest

from components.core.errors import IllegalAction
from components.games.go.position import rows_of

BLACK, WHITE = 0, 1  # movers

# White takes the ko: at B4 on the larger board, at B3 on the smaller.
KO = """
    . X O . .
    X . X O .
    . X O . .
    . . . . .
    . . . . .
"""
SMALL_KO = """
    . X O .
    X . X O
    . X O .
    . . . .
"""


def drawn(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def names(game, state) -> set[str]:
    return {game.text.action_name(game, state, int(action)) for action in game.legal(state)}


def play(game, state, *moves: str):
    for name in moves:
        state = game.after(state, game.text.action_of(game, state, name))
    return state


def assert_board(game, state, text: str) -> None:
    assert rows_of(game, state) == drawn(text)


def assert_refused(game, state, name: str, reason: str) -> None:
    assert name not in names(game, state)
    with pytest.raises(IllegalAction, match=rf"may not play {name} \({reason}"):
        game.text.action_of(game, state, name)
