"""Go's rules on drawn boards: captures, suicide, ko, superko, the end and the score, setups and sentences."""

import numpy as np
import pytest

from components.core.errors import BadFile, BadParameter, IllegalAction, UnknownName
from components.games.contract import Game
from components.games.go.position import from_stones, position_from_rows, rows_of
from components.games.go.text import point_of, vertex
from components.games.registry import make

BLACK, WHITE = 0, 1  # movers


@pytest.fixture(scope="module")
def game() -> Game:
    return make("go-5x5")


@pytest.fixture(scope="module")
def simple() -> Game:
    return make("go-4x4:ko=simple")


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


def test_reports_have_their_planes_and_actions():
    nine, thirteen = make("go-9x9/report-9x9"), make("go-13x13/report-13x13")
    assert (nine.spec.planes, nine.spec.actions, nine.knobs.komi) == (17, 82, 0.5)
    assert (thirteen.spec.planes, thirteen.spec.actions, thirteen.knobs.komi, thirteen.spec.max_plies) == (11, 171, 7.5, 400)


def test_planes_hold_consecutive_boards_from_the_movers_side():
    game = make("go-9x9/report-9x9")
    state = play(game, game.start(), "A9", "B9", "C9")
    planes = game.encode(state)  # White to move: own stones are White's
    own, opponent, colour = planes[:8, 0], planes[8:16, 0], planes[16]
    assert own[:4, :3].tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert opponent[:4, :3].tolist() == [[1, 0, 1], [1, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert planes[:16].sum() == 2 + 4
    assert (colour == 0).all()
    assert (game.encode(game.start())[16] == 1).all()


def test_planes_forget_boards_older_than_their_history():
    game = make("go-9x9/report-9x9")
    state = game.start()
    boards = [state.board.copy()]
    for move in range(12):
        state = game.after(state, 7 * move % 81)
        boards.append(state.board.copy())
    planes = game.encode(state).reshape(17, 81)  # Black to move
    for age in range(8):
        assert (planes[age] == (boards[-1 - age] == 1)).all()
        assert (planes[8 + age] == (boards[-1 - age] == 2)).all()


def test_extra_planes_count_liberties_and_show_bans(game):
    state = play(game, position_from_rows(game, KO, WHITE), "B4")
    planes = dict(zip(game.spec.plane_names, game.encode(state), strict=True))
    assert np.argwhere(planes["banned by ko or superko"]).tolist() == [[1, 2]]
    assert planes["opponent chain, 1 liberties"][1, 1] == 1  # the stone that took the ko
    assert planes["own chain, 2 liberties"][2, 1] == 1  # B3: A3 and B2
    assert (planes["komi for the mover / 7.5"] == -1).all()
    assert planes["opponent just passed"].sum() == 0


def test_eye_rules_differ_on_empty_diagonals(game):
    state = position_from_rows(game, """
        . X . . .
        X . X . .
        . X . . .
        . . . . .
        . . . X .
    """)  # fmt: skip
    eyes = {by_pachi: np.zeros(25, dtype=np.bool_) for by_pachi in (False, True)}
    for by_pachi, out in eyes.items():
        game.kernels.eyes(game.rules, state, 1, by_pachi, out)
    assert np.flatnonzero(eyes[False]).tolist() == [0]  # a corner always passes the report's diagonal test; B4 does not
    assert np.flatnonzero(eyes[True]).tolist() == [0, 6]  # empty diagonals are fine for Pachi


def test_vertices_skip_the_letter_i():
    game = make("go-9x9")
    assert vertex(game, 8) == "J9"
    assert [point_of(game, name) for name in ("a9", "J1", "I1", "K1", "A10", "A0")] == [0, 80, -1, -1, -1, -1]


def test_bans_survive_drawing_and_parsing(game):
    state = play(game, position_from_rows(game, KO, WHITE), "B4")
    drawing = game.text.draw(game, state)
    assert drawing.splitlines()[-1] == "banned: C4 (ko)"
    parsed = game.text.parse(game, drawing)
    assert names(game, parsed) == names(game, state)
    parsed.ko = -1  # the history bans the point too
    assert_refused(game, parsed, "C4", "superko")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("C4 (ko)", "C3 (ko)", "not open to the mover"),
        ("C4 (ko)", "C4 (love)", "cannot read"),
        ("banned", "bent", "cannot read the line"),
        ("ply 1", "ply 900", "beyond the move cap"),
        ("ply 1,", "ply 0,", "cannot read"),
        ("X to move", "Z to move", "Not a go-5x5 position"),
        (" 1 . .", " 1 . . .", "needs 5 rows"),
    ],
)
def test_broken_drawings_are_refused_with_a_sentence(game, old, new, sentence):
    drawing = game.text.draw(game, play(game, position_from_rows(game, KO, WHITE), "B4"))
    assert old in drawing
    with pytest.raises(BadFile, match=sentence):
        game.text.parse(game, drawing.replace(old, new))


def test_superko_ban_is_refused_where_there_is_no_superko(simple):
    drawing = simple.text.draw(simple, play(simple, position_from_rows(simple, SMALL_KO, WHITE), "B3"))
    with pytest.raises(BadFile, match="simple ko"):
        simple.text.parse(simple, drawing.replace("(ko)", "(superko)"))


def test_setups_are_checked(game):
    assert rows_of(game, from_stones(game, [0], [24])).startswith("X .")
    with pytest.raises(BadParameter, match="no point 25"):
        from_stones(game, [25], [])
    with pytest.raises(BadParameter, match="two stones"):
        from_stones(game, [3], [3])
    with pytest.raises(BadParameter, match="without liberties"):
        from_stones(game, [0], [1, 5])
    with pytest.raises(BadParameter, match="5 rows"):
        position_from_rows(game, ". X")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("go-1x1", BadParameter),
        ("go-20x20", BadParameter),
        ("go-9x7", BadParameter),
        ("go:komi=nan", BadParameter),
        ("go:komi=401", BadParameter),
        ("go:history=9", BadParameter),
        ("go:ko=situational", BadParameter),
        ("go:move_cap=-1", BadParameter),
        ("go:superko=yes", UnknownName),
        ("go/japanese", UnknownName),
    ],
)
def test_bad_names_are_refused(name, error):
    with pytest.raises(error):
        make(name)
