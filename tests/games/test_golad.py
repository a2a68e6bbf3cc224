"""GOLAD's rules on drawn boards: life in two colours, kills, births in three plies, the end, start boards, random pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.core.errors import BadFile, BadParameter, IllegalAction, UnknownName
from components.core.seeds import streams_of
from components.games.contract import Game
from components.games.golad.life import count_cells, life_step
from components.games.golad.spec import automatic_cells
from components.games.golad.text import board_of, cells_of, position
from components.games.registry import make

NEIGHBOURS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
SWAP_COLOURS = str.maketrans("01", "10")


@pytest.fixture(scope="module")
def game() -> Game:
    return make("golad-6x6")


@pytest.fixture(scope="module")
def report() -> Game:
    return make("golad-6x6/report")


def flat(text: str) -> str:
    return "".join(text.split())


def after(game: Game, state, *names: str):
    for name in names:
        state = game.after(state, game.text.action_of(game, state, name))
    return state


def names(game: Game, state) -> set[str]:
    return {game.text.action_name(game, state, int(action)) for action in game.legal(state)}


def plain_step(board: str, width: int) -> str:
    """One generation, cell by cell, as the rules say it."""
    height = len(board) // width

    def next_mark(x: int, y: int) -> str:
        around = [(x + dx, y + dy) for dx, dy in NEIGHBOURS if 0 <= x + dx < width and 0 <= y + dy < height]
        marks = "".join(board[v * width + u] for u, v in around).replace(".", "")
        if board[y * width + x] != ".":
            return board[y * width + x] if len(marks) in (2, 3) else "."
        return ("0" if marks.count("0") >= 2 else "1") if len(marks) == 3 else "."

    return "".join(next_mark(x, y) for y in range(height) for x in range(width))


@st.composite
def boards(draw) -> tuple[str, int]:
    width, height = draw(st.integers(1, 64)), draw(st.integers(1, 20))
    marks = draw(st.sampled_from(["..01", ".01", "01", "...0", ".....1110"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return "".join(rng.choice(list(marks), size=width * height)), width


@given(boards())
@settings(max_examples=60, deadline=None)
def test_life_step_is_the_plain_rule_on_any_board(drawn):
    board, width = drawn
    cells = cells_of(board, width)
    assert board_of(cells, width) == board
    for _ in range(2):
        life_step(cells, width)
        board = plain_step(board, width)
        assert board_of(cells, width) == board
    assert [count_cells(cells, player) for player in (0, 1)] == [board.count("0"), board.count("1")]


@given(boards())
@settings(max_examples=30, deadline=None)
def test_life_knows_no_colour(drawn):
    board, width = drawn
    cells, swapped = cells_of(board, width), cells_of(board.translate(SWAP_COLOURS), width)
    life_step(cells, width)
    life_step(swapped, width)
    assert board_of(cells, width).translate(SWAP_COLOURS) == board_of(swapped, width)


def test_edges_are_hard_and_a_full_row_of_64_does_not_wrap():
    cells = np.zeros((2, 3), dtype=np.uint64)
    cells[0, 1] = np.uint64(1) << np.uint64(63) | np.uint64(1) | np.uint64(2)
    life_step(cells, 64)
    assert not cells.any()  # a blinker across the seam would live


STILL = """
    0 0 . . . .
    0 0 . . . .
    . . . . . .
    . . . . . .
    . . . . 1 1
    . . . . 1 1
"""


def test_a_pass_changes_nothing_but_life_and_the_mover(game):
    state = after(game, position(game, flat(STILL)), "pass")
    assert board_of(state.cells, 6) == flat(STILL)
    assert (int(state.mover), int(state.turn), int(state.ply)) == (1, 1, 1)


def test_killing_one_cell_of_a_block_heals_itself(game):
    state = after(game, position(game, flat(STILL)), "kill 5,5")
    assert board_of(state.cells, 6) == flat(STILL)


def test_own_cells_may_be_killed_and_dead_ones_may_not(game):
    state = position(game, flat(STILL))
    assert {"kill 0,0", "kill 4,4", "birth 2,0", "pass"} <= names(game, state)
    with pytest.raises(IllegalAction, match="not legal"):
        after(game, state, "kill 2,0")


def test_birth_takes_three_plies_of_one_mover_and_changes_the_board_at_the_third(game):
    state = position(game, flat(STILL))
    for plies, name in enumerate(["birth 2,2", "sacrifice 0,0", "sacrifice 1,0"], start=1):
        assert board_of(state.cells, 6) == flat(STILL)
        assert int(state.mover) == 0
        state = after(game, state, name)
        assert int(state.ply) == plies
    # left of player 0's: 0,1 and 1,1 and the newborn 2,2; only 1,1 has two neighbours, and 1,2 has three
    assert board_of(state.cells, 6) == flat("""
        . . . . . .
        . 0 . . . .
        . 0 . . . .
        . . . . . .
        . . . . 1 1
        . . . . 1 1
    """)
    assert (int(state.mover), int(state.target), int(state.first)) == (1, -1, -1)


def test_pending_birth_allows_own_cells_only_and_none_twice(game):
    state = after(game, position(game, flat(STILL)), "birth 2,2")
    assert names(game, state) == {"sacrifice 0,0", "sacrifice 1,0", "sacrifice 0,1", "sacrifice 1,1"}
    state = after(game, state, "sacrifice 1,1")
    assert names(game, state) == {"sacrifice 0,0", "sacrifice 1,0", "sacrifice 0,1"}


def test_both_orders_of_sacrifices_reach_the_same_state(game):
    start = position(game, flat(STILL))
    one = after(game, start, "birth 3,3", "sacrifice 0,0", "sacrifice 1,1")
    other = after(game, start, "birth 3,3", "sacrifice 1,1", "sacrifice 0,0")
    assert one.tobytes() == other.tobytes()


def test_a_player_with_one_cell_cannot_birth(game):
    state = position(game, "0" + "." * 33 + "11")
    assert names(game, state) == {"kill 0,0", "kill 4,5", "kill 5,5", "pass"}


def test_legal_turns_are_counted_as_the_specification_counts_them(game):
    state = game.start(3)
    targets = [int(action) for action in game.legal(state) if game.text.action_name(game, state, int(action)).startswith("birth")]
    # 1 + alive + dead * own * (own - 1) / 2 = 1 + 20 + 16 * 45
    assert len(game.legal(state)) - len(targets) + sum(pairs(game, state, target) for target in targets) == 741


def pairs(game: Game, state, target: int) -> int:
    chosen = game.after(state, target)
    return sum(len(game.legal(game.after(chosen, int(first)))) for first in game.legal(chosen)) // 2


def test_killing_the_last_enemy_while_the_own_side_dies_is_a_draw(game):
    state = position(game, "0" + "." * 34 + "1")
    state = after(game, state, "kill 5,5")
    assert list(game.returns(state)) == [0, 0]
    assert len(game.legal(state)) == 0


def test_lone_survivor_wins(game):
    state = after(game, position(game, "00....00" + "." * 27 + "1"), "kill 5,5")
    assert list(game.returns(state)) == [1, -1]


def test_a_board_decided_before_the_first_move_is_over(game):
    assert list(game.returns(position(game, "." * 35 + "1"))) == [-1, 1]
    assert list(game.returns(position(game, "." * 36))) == [0, 0]


def test_round_limit_is_a_draw_and_a_copy_sees_it():
    game = make("golad-6x6:max_rounds=2")
    state = position(game, flat(STILL))
    for _ in range(3):
        state = after(game, state, "pass")
    twin = game.copy(state)
    assert game.returns(twin) is None
    assert list(game.returns(after(game, twin, "pass"))) == [0, 0]
    assert "all 2 rounds are played" in game.text.draw(game, after(game, twin, "pass"))


def test_start_boards_are_rotated_with_colours_swapped():
    for name in ("golad-6x6", "golad-5x7", "golad-8x8:separate=false", "golad-18x16"):
        game = make(name)
        for state in game.start_many(streams_of(5, 2)):
            board = board_of(state.cells, game.spec.width)
            assert board[::-1].translate(SWAP_COLOURS) == board
            assert board.count("0") == game.rules.cells
            if game.knobs.separate:
                assert "1" not in board[: len(board) // 2]


@pytest.mark.parametrize(("size", "cells"), [((18, 16), 40), ((6, 6), 10), ((8, 8), 10), ((5, 7), 10), ((4, 4), 4), ((1, 1), 0)])
def test_automatic_start_cells(size, cells):
    assert automatic_cells(*size) == cells


def test_planes_show_the_board_the_future_and_the_pending_birth(game):
    state = after(game, position(game, flat(STILL)), "birth 2,2", "sacrifice 0,0")
    planes = dict(zip(game.spec.plane_names, game.encode(state), strict=True))
    assert planes["own"].sum() == planes["opponent"].sum() == 4
    assert (planes["own after 2"] == planes["own"]).all()
    assert planes["birth target"][2, 2] == planes["birth target"].sum() == 1
    assert planes["first sacrifice"][0, 0] == planes["first sacrifice"].sum() == 1
    assert (planes["target is chosen"].max(), planes["first sacrifice is chosen"].min()) == (0, 1)
    assert planes["rounds left"][0, 0] == planes["is player 0"][0, 0] == planes["board"][0, 0] == 1


def test_report_planes_are_not_turned_to_the_mover():
    game = make("golad-6x6/report:planes=report")
    state = position(game, flat(STILL), turn=1)
    planes = game.encode(state)
    assert planes.shape == (3, 6, 6)
    assert planes[0, 0, 0] == planes[1, 5, 5] == planes[2, 3, 3] == 1


def test_random_pair_is_one_for_the_turn_named_and_shown(report):
    state = report.start(4)
    births = [name for name in names(report, state) if name.startswith("birth")]
    assert len({tuple(name.split()[2:]) for name in births}) == 1
    first, second = (tuple(map(int, point.split(","))) for point in births[0].split()[2:])
    shown = dict(zip(report.spec.plane_names, report.encode(state), strict=True))["turn's sacrifices"]
    assert {(int(x), int(y)) for y, x in np.argwhere(shown)} == {first, second}
    child = after(report, state, births[0])
    assert (int(child.mover), int(child.ply)) == (1, 1)
    assert after(report, report.copy(state), births[0]).tobytes() == child.tobytes()


def test_text_restores_salt_and_facing(report):
    state = report.start(4)
    report.kernels.turn_start(report.rules, state, report.spec.cell_maps[5])
    assert report.text.parse(report, report.text.draw(report, state)).tobytes() == state.tobytes()


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "0 1\n1 0\nround 1 of 100, player 0 to move", STILL, STILL + "round 1 of 7, player 0 to move"],
)
def test_bad_positions_are_refused_with_a_sentence(game, text):
    with pytest.raises(BadFile):
        game.text.parse(game, "\n".join(line.strip() for line in text.strip().splitlines()))


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("golad-6x6:cells=11", BadParameter, "at most 10"),
        ("golad-65x6", BadParameter, "sides from 1 to 64"),
        ("golad-6x6:max_rounds=1001", BadParameter, "max_rounds"),
        ("golad-6x6:planes=report", BadParameter, "sacrifices=random"),
        ("golad-6x6:komi=7", UnknownName, "no knob 'komi'"),
        ("golad-6x6/odd", UnknownName, "no variant 'odd'"),
    ],
)
def test_bad_names_are_refused_with_a_sentence(name, error, words):
    with pytest.raises(error, match=words):
        make(name)
