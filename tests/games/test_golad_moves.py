"""The official engine's parser: its verdicts, its messages, its odd habits; turns as plies and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.core.errors import IllegalAction
from components.games.golad.moves import PASS, Move, Point, actions_of, move_of, read_answer
from components.games.golad.text import position
from components.games.registry import make

#         0123
BOARD = (
    "00.."
    "0..."
    "..11"
)  # fmt: skip


def error_of(text: str, player: int = 0) -> str | None:
    return read_answer(text, BOARD, 4, player).error


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("pass", "pass"),
        ("PASS whatever follows", "pass"),
        ("kill 3,2", "kill_3,2"),
        ("Kill +3,02  ", "kill_3,2"),
        ("kill 3,2,9", "kill_3,2"),
        ("kill 3,2,", "kill_3,2"),
        ("kill -0,0", "kill_0,0"),
        ("kill \uff13,2", "kill_3,2"),  # Java reads digits of every script
        ("birth 2,0 0,0 0,1", "birth_2,0_0,0_0,1"),
    ],
)
def test_accepted(text, echo):
    answer = read_answer(text, BOARD, 4, 0)
    assert answer.error is None
    assert answer.echo == echo


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "Invalid input: Failed to parse move"),
        (" ", "Invalid input: Failed to parse move"),
        (" kill 0,0", "Invalid input: Failed to parse move"),
        ("kill\t0,0", "Invalid input: Failed to parse move"),
        ("null", "Invalid input: Failed to parse move"),
        ("no_moves", "Invalid input: Failed to parse move"),
        ("kill", "Invalid input: Kill move doesn't split into 2 parts"),
        ("kill  0,0", "Invalid input: Kill move doesn't split into 2 parts"),
        ("birth 2,0 0,0", "Invalid input: Birth move doesn't split into 4 parts"),
        ("kill 1", "Invalid input: Failed to parse coordinate 1"),
        ("kill ,", "Invalid input: Failed to parse coordinate ,"),
        ("kill 1,,2", "Invalid input: Failed to parse coordinate 1,,2"),
        ("kill 1_0,2", "Invalid input: Failed to parse coordinate 1_0,2"),
        ("kill +-1,2", "Invalid input: Failed to parse coordinate +-1,2"),
        ("kill 0,\t0", "Invalid input: Failed to parse coordinate 0,\t0"),
        ("kill 2147483648,0", "Invalid input: Failed to parse coordinate 2147483648,0"),
        ("kill 2147483647,0", "Invalid move: 2147483647,0 is not a point on the field"),
        ("kill -2147483648,0", "Invalid move: -2147483648,0 is not a point on the field"),
        ("birth  0,0 1,0", "Invalid input: Failed to parse coordinate "),
        ("birth a b c", "Invalid input: Failed to parse coordinate b"),  # sacrifices are read first
        ("kill 2,0", "Invalid move: Can't kill a dead cell"),
        ("kill 4,0", "Invalid move: 4,0 is not a point on the field"),
        ("birth 0,0 9,9 9,9", "Invalid move: You can only birth a dead cell"),
        ("birth 2,0 2,2 9,9", "Invalid move: You can only sacrifice your own living cells"),
        ("birth 2,0 0,0 0,3", "Invalid move: 0,3 is not a point on the field"),
        ("birth 2,0 0,0 0,0", "Invalid move: You can sacrifice a cell only once"),
    ],
)
def test_refused_with_the_engines_words(text, error):
    answer = read_answer(text, BOARD, 4, 0)
    assert answer.error == error
    assert answer.echo == "null"
    assert answer.effect == PASS


def test_own_cells_are_the_players_own():
    assert error_of("birth 2,0 2,2 3,2", player=1) is None
    assert error_of("birth 2,0 2,2 3,2", player=0) == "Invalid move: You can only sacrifice your own living cells"


@given(st.one_of(st.text(), st.from_regex(r"(kill|birth|pass)( ?[-+0-9,_x]{0,6}){0,4}", fullmatch=True)))
def test_no_text_breaks_the_parser(text):
    answer = read_answer(text, BOARD, 4, 0)
    assert (answer.move is None) != (answer.error is None)
    if answer.move is not None:
        assert read_answer(str(answer.move), BOARD, 4, 0) == answer


def test_turns_become_plies_and_back():
    game = make("golad-6x6")
    state = position(game, "00....00" + "." * 24 + "1..1")
    for text, actions in (("pass", [36]), ("kill 5,5", [35]), ("birth 3,1 1,0 0,0", [9, 1, 0])):
        move = read_answer(text, "00....00" + "." * 24 + "1..1", 6, 0).move
        assert move is not None
        assert actions_of(game, state, move) == actions
        assert move_of(game, state, actions) == move


def test_random_sacrifices_accept_only_the_turns_pair():
    game = make("golad-6x6/report")
    state = game.start(1)
    target = next(int(a) for a in game.legal(state) if game.text.action_name(game, state, int(a)).startswith("birth"))
    move = move_of(game, state, [target])
    assert actions_of(game, state, move) == [target]
    assert actions_of(game, state, Move("birth", move.target, move.sacrifices[::-1])) == [target]
    with pytest.raises(IllegalAction, match="other cells"):
        actions_of(game, state, Move("birth", move.target, (move.sacrifices[0], Point(-1, -1))))
