"""A served net answers for positions in every form they may be sent in, and refuses what is none."""

import base64
import json

import pytest
from tiny_line import NAME

from components.core.errors import ZerolineError
from components.layout import Layout
from components.tracking.answers import NetAnswers


@pytest.fixture(scope="module")
def answers(line):
    return NetAnswers(Layout(NAME, line).champion("g02"), prior_temperature=1.0)


@pytest.fixture
def position(answers):
    return answers.game.after(answers.game.start(), 4)


def test_hex_base64_and_drawing_give_the_same_answer(answers, position):
    content = position.tobytes()
    texts = [content.hex(), base64.b64encode(content).decode(), answers.game.text.draw(answers.game, position)]
    first, *others = answers.answer(texts)
    assert all(other == first for other in others)


def test_policy_is_a_distribution_over_the_legal_actions(answers, position):
    ((text, value),) = answers.answer([position.tobytes().hex()])
    policy = json.loads(text)
    game = answers.game
    assert set(policy) == {game.text.action_name(game, position, int(action)) for action in game.legal(position)}
    assert sum(policy.values()) == pytest.approx(1)
    assert list(policy.values()) == sorted(policy.values(), reverse=True)
    assert -1 <= value <= 1


def test_a_finished_game_has_its_result_and_no_policy(answers):
    drawing = "X X X\nO O .\n. . .\nO to move"
    open_position = "X X .\nO O .\n. . .\nX to move"
    finished, going_on = answers.answer([drawing, open_position])
    assert finished == ("{}", -1.0)
    assert json.loads(going_on[0])


@pytest.mark.parametrize("text", ["", "nonsense", "ff" * 16, base64.b64encode(b"\x7f" * 16).decode(), "00" * 15])
def test_what_is_no_position_is_refused_with_a_sentence(answers, text):
    with pytest.raises(ZerolineError):
        answers.answer([text])


def test_bytes_with_a_foreign_mover_are_refused(answers, position):
    position.mover = 7
    with pytest.raises(ZerolineError, match="no position of tictactoe"):
        answers.answer([position.tobytes().hex()])
