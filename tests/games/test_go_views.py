"""What is shown and read of Go: planes for a net, eyes, drawings, setups and the sentences about bad ones."""

import numpy as np
import pytest
from go_positions import KO, SMALL_KO, WHITE, assert_refused, names, play

from components.core.errors import BadFile, BadParameter, UnknownName
from components.games.contract import Game
from components.games.go.position import from_stones, position_from_rows, rows_of
from components.games.go.text import point_of, vertex
from components.games.registry import make


@pytest.fixture(scope="module")
def game() -> Game:
    return make("go-5x5")


@pytest.fixture(scope="module")
def simple() -> Game:
    return make("go-4x4:ko=simple")


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
