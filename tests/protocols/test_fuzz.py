"""Ten thousand lines of anything to the GTP engine and to the Riddles.io bot: no crash, and every answer well-formed."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_fakes import converse, take_apart

from components.protocols.gtp import failure, parse_command, streamed, success
from components.protocols.gtp_engine import GtpEngine
from components.protocols.lines import ScriptedLines
from components.protocols.riddles import RiddlesBot, serve

LINES = 10_000
WORDS = [
    "b", "w", "black", "WHITE", "green", "A1", "c3", "D4", "E5", "i1", "Z99", "pass", "PASS", "resign", "0", "1", "2", "5", "9",
    "-1", "3.5", "7.5", "1e9", "nan", "inf", "alive", "dead", "seki", "interval", "10", "/no/such/file.sgf", "/dev/zero", "tt",
    "byoyomi", "none", "genmove", "999999999999", "²", "\u2028", "é", "\x00", "#", "A0", "T19", "", "\t", "b#w",
]  # fmt: skip
NOISE = "abcXYZ019 \t#=?;()[]\x00\x07\x1b\x7f\x85\u2028é漢²"
SLOW = ("boardsize", "loadsgf")  # every new size is compiled: those come from a short list


def random_line(generator, names):
    kind = generator.random()
    number = generator.choice(["", "", "1 ", "007 ", "123456789012345678901234567890 ", "-1 ", "² "])
    if kind < 0.1:
        return "".join(generator.choice(NOISE) for _ in range(generator.randrange(30)))
    if kind < 0.12:
        return number + f"boardsize {generator.choice(['5', '5', '0', '20', '-5', 'x', '5 5', '1000000'])}"
    name = generator.choice([name for name in names if name not in (*SLOW, "quit")])
    if kind < 0.6:
        name = generator.choice(["play", "genmove", "undo", "play", name])
    words = [generator.choice(WORDS) for _ in range(generator.choice([0, 1, 1, 2, 2, 3, 4]))]
    if name == "play" and generator.random() < 0.8:
        words = [generator.choice("bw"), generator.choice("ABCDE") + generator.choice("12345")]
    return number + " ".join([name, *words]) + generator.choice(["", "\n", "\r\n", " # said"])


def test_ten_thousand_lines_to_the_gtp_engine():
    generator = random.Random(20)
    engine = GtpEngine("random-eyes", 5)
    lines = [random_line(generator, list(engine.commands)) for _ in range(LINES)]
    answers, engine = converse(lines, engine=engine)  # checks the framing and the ids
    assert engine.is_running
    assert len({text for status, text in answers if status == "?"}) > 5
    assert sum(status == "=" for status, _ in answers) > LINES / 5
    assert converse(["name"], engine=engine)[0] == [("=", "Zeroline")]


def test_a_searching_engine_survives_them_too():
    generator = random.Random(21)
    engine = GtpEngine("uct:sims=2", 5)
    converse([random_line(generator, list(engine.commands)) for _ in range(1500)], engine=engine)


@given(st.text(max_size=80))
@settings(max_examples=500, deadline=None)
def test_any_text_is_framed(text):
    command = parse_command(text)
    if command is not None:
        assert len(take_apart(success(command, "ok") + failure(command, "no"))) == 2
        assert len(take_apart("".join(streamed(command, iter(["one", "", "two"]))))) == 1


BOARD = ",".join("0.0.0.0.0.0.0.0.0.1.1.1.1.1.1.1.1.1.."[:36])


def riddles_line(generator):
    kind = generator.random()
    if kind < 0.1:
        return "".join(generator.choice(NOISE) for _ in range(generator.randrange(40)))
    if kind < 0.35:
        return f"action move {generator.choice(['10000', '500', '100', '0', '-5', 'x', '', '99999999999999'])}"
    if kind < 0.6:
        return f"update game field {generator.choice([BOARD, BOARD, mixed_board(generator), 'x', '0,1', ','.join('2' * 36)])}"
    if kind < 0.75:
        return f"update game round {generator.choice(['1', '7', '100', '0', '-1', 'x', '999999', '²'])}"
    if kind < 0.85:
        return generator.choice(["update player1 move null", "update player0 living_cells 10", "update", "settings", "action"])
    name = generator.choice(["timebank", "time_per_move", "your_botid", "field_width", "field_height", "max_rounds", "your_bot"])
    return f"settings {name} {generator.choice(['6', '6', '100', '0', '1', '-3', 'x', '999999', '²'])}"


def mixed_board(generator):
    return ",".join(generator.choice("..01") for _ in range(36))


def test_ten_thousand_lines_to_the_riddles_bot():
    generator = random.Random(22)
    bot, answers = RiddlesBot("random"), []
    # Settings of this board come again and again, so that most requests can be answered; other sizes stay impossible ones.
    lines = []
    for _ in range(LINES):
        line = riddles_line(generator)
        if line.startswith(("settings field_", "settings max_rounds")) and line.split()[-1] in ("0", "1", "100"):
            line = "settings field_width 6"
        lines.append(line)
    lines[:3] = ["settings field_width 6", "settings field_height 6", "settings max_rounds 6"]
    serve(bot, ScriptedLines(lines), answers.append)
    requests = [line for line in lines if line.split()[:2] == ["action", "move"]]
    assert len(answers) == len(requests)
    assert all(answer.endswith("\n") and answer.count("\n") == 1 for answer in answers)
    assert all(answer.split()[0] in ("pass", "kill", "birth") for answer in answers)
    assert sum(answer != "pass\n" for answer in answers) > len(answers) / 20
