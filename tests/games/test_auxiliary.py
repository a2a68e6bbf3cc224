"""What a net may learn beside policy and value: who owns which point, by how much, and the board's next generation."""

import numpy as np
import pytest

from components.data.batches import auxiliary_filler
from components.games.go.position import position_from_rows
from components.games.golad.text import position
from components.games.registry import make


def targets(name, game, states, finals, games):
    """[n, ...] the target of every state."""
    shape, fill = auxiliary_filler(game, name)
    out = np.zeros((len(states), *shape), dtype=np.float32)
    fill(game.rules, rows_of(game, states), np.arange(len(states)), rows_of(game, finals), np.array(games), out)
    return out


def rows_of(game, states):
    rows = game.new_states(len(states))
    for row, state in enumerate(states):
        rows[row] = state
    return rows


def test_go_tells_owners_and_margin_from_the_movers_side():
    game = make("go-5x5:komi=0.5")
    split = position_from_rows(game, ". X . O .\n" * 5)
    black = position_from_rows(game, "X X X X .\n" * 5)
    openings = [position_from_rows(game, ". . . . .\n" * 5, mover) for mover in (0, 1, 0)]
    owners = targets("ownership", game, openings, [split, black], [0, 0, 1])
    assert owners[0].tolist() == [[1, 1, 0, -1, -1]] * 5  # the middle touches both colours
    assert (owners[1] == -owners[0]).all()
    assert (owners[2] == 1).all()
    # 10 against 10 points and half a point of komi; 25 points and half a point less
    margins = targets("margin", game, openings, [split, black], [0, 0, 1])
    assert margins == pytest.approx([-0.5 / 25, 0.5 / 25, 24.5 / 25])


BEFORE = """
    . . . . . .
    . . 0 . . .
    . . 0 . 1 1
    . . 0 . 1 1
    . . . . . .
    . . . . . .
"""
AFTER = """
    . . . . . .
    . . . . . .
    . 0 0 . 1 1
    . 0 0 . 1 1
    . . . . . .
    . . . . . .
"""  # the row's right end has two neighbours of its own and two of the block: it is not born


def board_of(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("turn", [0, 1])
def test_golad_tells_the_next_generation_from_the_movers_side(turn):
    game = make("golad-6x6")
    state = position(game, board_of(BEFORE), turn)
    (found,) = targets("next_generation", game, [state], [state], [0])
    assert (found.sum(axis=0) == 1).all()
    drawn = np.array(list(".01" if turn == 0 else ".10"))[found.argmax(axis=0)]
    passed = game.after(state, game.text.action_of(game, state, "pass"))
    assert "".join(drawn.ravel()) == board_of(game.text.draw(game, passed).split("round")[0])
