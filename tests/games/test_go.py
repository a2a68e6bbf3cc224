"""Go's rules on drawn boards: captures, suicide, ko, superko, the end and the score."""

import numpy as np
import pytest
from go_positions import BLACK, KO, SMALL_KO, WHITE, assert_board, assert_refused, names, play

from components.core.errors import IllegalAction
from components.games.contract import Game
from components.games.go.position import position_from_rows
from components.games.go.text import vertex
from components.games.registry import make


@pytest.fixture(scope="module")
def game() -> Game:
    return make("go-5x5")


@pytest.fixture(scope="module")
def simple() -> Game:
    return make("go-4x4:ko=simple")


def test_chain_without_liberties_comes_off(game):
    state = position_from_rows(game, """
        X X O . .
        . O . . .
        O . . . .
        . . . . .
        . . . . .
    """, WHITE)  # fmt: skip
    state = play(game, state, "A4")
    assert_board(game, state, """
        . . O . .
        O O . . .
        O . . . .
        . . . . .
        . . . . .
    """)  # fmt: skip
    assert list(state.captures) == [0, 2]
    assert state.ko == -1


def test_one_move_takes_three_chains(game):
    state = position_from_rows(game, """
        . X . X .
        X O . O X
        . X O X .
        . X O X .
        . . X . .
    """)  # fmt: skip
    assert_board(game, play(game, state, "C4"), """
        . X . X .
        X . X . X
        . X . X .
        . X . X .
        . . X . .
    """)  # fmt: skip


def test_single_stone_suicide_is_illegal(game):
    rows = """
        . X . . .
        X . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert_refused(game, position_from_rows(game, rows, WHITE), "A5", "suicide")
    assert "A5" in names(game, position_from_rows(game, rows, BLACK))


def test_multi_stone_suicide_is_illegal_and_the_same_point_captures_for_the_other(game):
    rows = """
        . X O . .
        X X O . .
        O O O . .
        . . . . .
        . . . . .
    """
    assert_refused(game, position_from_rows(game, rows, BLACK), "A5", "suicide")
    state = play(game, position_from_rows(game, rows, WHITE), "A5")
    assert list(state.captures) == [0, 3]


def test_move_without_liberties_that_captures_is_legal(game):
    state = position_from_rows(game, """
        . X O . .
        X O . . .
        X O . . .
        . . . . .
        . . . . .
    """, WHITE)  # fmt: skip
    # A5 has no empty neighbour, but takes B5.
    assert_board(game, play(game, state, "A5"), """
        O . O . .
        X O . . .
        X O . . .
        . . . . .
        . . . . .
    """)  # fmt: skip


def test_ko_may_not_be_taken_back_at_once(game, simple):
    state = play(game, position_from_rows(game, KO, WHITE), "B4")
    assert vertex(game, int(state.ko)) == "C4"
    assert_refused(game, state, "C4", "ko")
    assert_refused(simple, play(simple, position_from_rows(simple, SMALL_KO, WHITE), "B3"), "C3", "ko")


def test_any_other_move_lifts_the_ko(game, simple):
    # The threats changed the board, so superko does not mind either.
    assert "C4" in names(game, play(game, position_from_rows(game, KO, WHITE), "B4", "E1", "A1"))
    assert "C3" in names(simple, play(simple, position_from_rows(simple, SMALL_KO, WHITE), "B3", "D1", "A1"))


def test_pass_lifts_a_simple_ko(simple):
    state = play(simple, position_from_rows(simple, SMALL_KO, WHITE), "B3", "pass")
    assert state.ko == -1
    assert "C3" in names(simple, play(simple, state, "D1"))


def test_snapback_is_no_ko(game):
    state = position_from_rows(game, """
        O . X O .
        X O O . .
        . . . . .
        . . . . .
        . . . . .
    """)  # fmt: skip
    state = play(game, state, "B5")  # takes A5
    assert state.ko == -1
    assert_board(game, play(game, state, "A5"), """
        O . . O .
        X O O . .
        . . . . .
        . . . . .
        . . . . .
    """)  # fmt: skip


# Three kos on one board: each side takes one after the other until the first would come again.
TRIPLE_KO = [1, 2, 9, 12, 19, 20, 6, 7, 14, 17, 24, 25, 55, 56, 63, 66, 73, 74, 11, 15, 65, 10, 16, 64, 11, 15]


def test_triple_ko_cycle_is_cut_by_superko_only():
    game = make("go-9x9")
    state = game.start()
    for move in TRIPLE_KO:
        state = game.after(state, move)
    assert vertex(game, int(state.ko)) == "H8"  # simple ko bans another point
    assert_refused(game, state, "C2", "superko")


def test_region_between_both_colours_is_nobodys(game):
    state = position_from_rows(game, """
        . X . O .
        . X . O .
        . X . O .
        . X . O .
        . X . O .
    """)  # fmt: skip
    assert tuple(game.kernels.area(game.rules, state)) == (10, 10)
    assert game.kernels.score(game.rules, state) == -7.5  # 10 - 10 - 7.5
    owner = np.zeros(25, dtype=np.int8)
    game.kernels.ownership(game.rules, state, owner)
    assert owner.reshape(5, 5).tolist() == [[1, 1, 0, -1, -1]] * 5


def test_dead_stones_count_as_they_lie(game):
    state = position_from_rows(game, """
        . X . . .
        X X . . .
        . . . O .
        . . . . .
        . . . . .
    """)  # fmt: skip
    assert tuple(game.kernels.area(game.rules, state)) == (4, 1)  # A5 is Black's; the rest touches both


def test_two_passes_end_the_game_at_once(game):
    state = play(game, game.start(), "pass", "pass")
    assert list(game.legal(state)) == []
    assert list(game.returns(state)) == [-1, 1]  # empty board: 0 - 0 - 7.5
    assert not game.kernels.is_truncated(game.rules, state)
    with pytest.raises(IllegalAction, match="over"):
        game.text.action_of(game, state, "A1")


def test_black_pass_white_move_black_pass_does_not_end(game):
    assert game.returns(play(game, game.start(), "pass", "C3", "pass")) is None


def test_integer_komi_draws():
    game = make("go-5x5:komi=0.0")
    assert list(game.returns(play(game, game.start(), "pass", "pass"))) == [0, 0]
    game = make("go-5x5:komi=25")
    assert list(game.returns(play(game, game.start(), "C3", "pass", "pass"))) == [0, 0]  # one stone owns all: 25 - 0 - 25


def test_move_cap_scores_the_board_as_it_lies():
    game = make("go-5x5:komi=0.5")
    assert game.spec.max_plies == 2 * 25 + 2 * 5
    state = game.start()
    state.ply = game.spec.max_plies - 3
    state = play(game, state, "C3", "A1", "pass")
    assert list(game.legal(state)) == []
    assert game.kernels.is_truncated(game.rules, state)
    assert list(game.returns(state)) == [-1, 1]  # 1 - 1 - 0.5


def test_copy_keeps_ply_and_history(game):
    state = play(game, position_from_rows(game, KO, WHITE), "B4")
    twin = game.copy(state)
    assert twin.ply == state.ply == 1
    assert names(game, twin) == names(game, state)


def test_resigner_loses_whatever_the_board_says():
    game = make("go-13x13/report-13x13")
    state = play(game, game.start(), "C3")
    resign = game.text.action_of(game, state, "resign")
    assert resign == 170
    assert resign not in game.legal(state)
    game.kernels.apply(game.rules, state, resign)
    assert list(game.returns(state)) == [1, -1]
    assert list(game.legal(state)) == []
    drawing = game.text.draw(game, state)
    assert drawing.endswith("O resigned")
    assert game.text.draw(game, game.text.parse(game, drawing)) == drawing


def test_game_without_resign_knows_no_such_action(game):
    with pytest.raises(IllegalAction, match="no point"):
        game.text.action_of(game, game.start(), "resign")
