"""Riddles.io text: recorded official matches, our bot, our referee, bots that are late or invalid."""

import json
import re
import sys
import textwrap
from pathlib import Path

import pytest

from components.core.errors import BadParameter
from components.evaluation.match import play_match
from components.games.golad.moves import read_answer
from components.games.golad.text import board_of
from components.games.registry import make
from components.players.registry import make_player
from components.players.riddles import ProcessSeat, Timebank, echo_of
from components.protocols.lines import Line, ScriptedLines
from components.protocols.referee import play_official_game
from components.protocols.riddles import RiddlesBot, serve
from flows.cli import run

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "vectors" / "golad.jsonl"
SAMPLE = ROOT / "tests" / "data" / "golad_transcripts.jsonl"


def transcripts():
    path = SHARED if SHARED.exists() else SAMPLE
    records = [json.loads(line) for line in path.read_text().splitlines()]
    return [record for record in records if record["kind"] == "transcript"]


def sent(log):
    """The lines that a bot was sent, without the clock's number."""
    return [re.sub(r"^(action move) \d+$", r"\1 N", text) for tag, text in log if tag == "in"]


def setting(log, name):
    return int(next(text for _, text in log if text.startswith(f"settings {name} ")).split()[-1])


class ScriptedSeat:
    """Answers what a recorded bot answered; keeps what it was sent."""

    def __init__(self, log):
        self.bank = Timebank(setting(log, "timebank"), setting(log, "time_per_move"))
        self.answers = [text for tag, text in log if tag == "out"]
        self.log = []

    def tell(self, lines):
        self.log += [("in", line) for line in lines]

    def ask(self, lines):
        self.tell(lines)
        return self.answers.pop(0) if self.answers else ""


@pytest.mark.parametrize("record", transcripts(), ids=lambda record: record["id"])
def test_the_referee_sends_what_the_official_engine_sent(record):
    game = make(f"golad-{record['w']}x{record['h']}:max_rounds={record['max_rounds']}")
    seats = [ScriptedSeat(log) for log in record["bots"]]
    played = play_official_game(game, record["board"], seats)
    for seat, log in zip(seats, record["bots"], strict=True):
        assert sent(seat.log) == sent(log)
    assert (played.winner, played.rounds) == (record["winner"], record["rounds"])
    warnings = sorted(text for log in record["bots"] for tag, text in log if tag == "warn")
    ours = sorted(f'Engine warning: "{turn.warning}"' for turn in played.turns if turn.warning and turn.answer)
    # Whether the warning about a missing answer was logged is the wrapper's affair.
    assert ours == [text for text in warnings if text in ours]


@pytest.mark.parametrize("record", transcripts(), ids=lambda record: record["id"])
def test_the_bot_understands_what_the_official_engine_sent(record):
    """Every request is answered with one legal line, and the position behind it is the one of the field."""
    for player, log in enumerate(record["bots"]):
        bot = RiddlesBot("kill")
        answers = 0
        for line in (text for tag, text in log if tag == "in"):
            answer = bot.hear(Line(line, bot.clock()))
            assert (answer is not None) == line.startswith("action move")
            if answer is not None:
                answers += 1
                state = bot.read_position()
                board = board_of(state.cells, record["w"])
                assert board == bot.updates["field"].replace(",", "")
                assert int(state.mover) == player
                assert int(state.turn) // 2 + 1 == int(bot.updates["round"])
                assert read_answer(answer, board, record["w"], player).error is None
        assert answers == sum(text.startswith("action move") for tag, text in log if tag == "in")


def request(board, number=1, bank=10_000):
    return [f"update game round {number}", f"update game field {','.join(board)}", f"action move {bank}"]


SETTINGS = ["settings your_botid 0", "settings time_per_move 500", "settings field_width 6", "settings field_height 6",
            "settings max_rounds 100"]  # fmt: skip
BOARD = "0.0.0.0.0.0.0.0.0.1.1.1.1.1.1.1.1.1.."[:36]


def answers_to(lines, player="uct:sims=30"):
    pieces = []
    serve(RiddlesBot(player), ScriptedLines(lines), pieces.append)
    return pieces


def test_births_are_told_as_whole_turns():
    pieces = answers_to([*SETTINGS, *(line for number in range(1, 13) for line in request(BOARD, number))], "random")
    assert len(pieces) == 12
    assert all(read_answer(piece.rstrip("\n"), BOARD, 6, 0).error is None for piece in pieces)
    assert any(piece.startswith("birth ") for piece in pieces)


@pytest.mark.parametrize(
    "lines",
    [
        ["action move 1000"],
        [*SETTINGS, "action move"],
        [*SETTINGS, "update game field 0,0", "action move 500"],
        [*SETTINGS, "update game field " + ",".join("x" * 36), "action move 500"],
        ["settings field_width 99999", "settings field_height 6", "settings max_rounds 5", *request(BOARD)],
        ["settings field_width -6", "settings field_height 6", "settings max_rounds 5", *request(BOARD)],
        [*SETTINGS, *request("." * 36)],
        [*SETTINGS, *request("0" + "." * 35)],
        [*SETTINGS, *request(BOARD, bank=0)],
    ],
)
def test_what_cannot_be_played_is_passed(lines):
    assert answers_to(lines) == ["pass\n"]


def test_rounds_from_0_and_the_opponents_null_are_fine():
    lines = [*SETTINGS, "update player1 move null", "update player0 living_cells 9", *request(BOARD, 0)]
    (answer,) = answers_to(lines, "kill")
    assert answer.startswith("kill ")


def test_echoes_of_turns():
    game = make("golad-6x6")
    assert echo_of(game, []) == "null"
    assert echo_of(game, [36]) == "pass"
    assert echo_of(game, [8]) == "kill_2,1"
    assert echo_of(game, [8, 0, 1]) == "birth_2,1_0,0_1,0"


def test_the_timebank_follows_the_wrappers_rule():
    bank = Timebank(1000, 200)
    bank.spend(700)
    assert bank.left == 500
    bank.spend(5000)
    assert bank.left == 200
    bank.spend(0)
    bank.left = 900.0
    bank.spend(0)
    assert bank.left == 1000


BOT = """
    import sys, time
    mode, turn = sys.argv[1], 0
    print("hello before anything", flush=True)
    for line in sys.stdin:
        if line.startswith("action"):
            turn += 1
            if mode == "late" and turn == 2: time.sleep(30)
            if mode == "die" and turn == 2: sys.exit(1)
            if mode == "chatty": sys.stdout.write("debug\\n")
            print({"invalid": "kill 99,99", "no_moves": "no_moves"}.get(mode, "pass"), flush=True)
"""


def bot_command(folder, mode):
    script = folder / "bot.py"
    script.write_text(textwrap.dedent(BOT))
    return f"{sys.executable} {script} {mode}"


@pytest.mark.parametrize("mode", ["pass", "late", "die", "chatty", "invalid", "no_moves"])
def test_official_games_with_any_bot_come_to_their_end(tmp_path, mode):
    game = make("golad-6x6:max_rounds=5")
    words = bot_command(tmp_path, mode).split()
    seats = [ProcessSeat(words, Timebank(700, 200), survives_death=True) for _ in range(2)]
    try:
        block = ["."] * 36
        for cell in (0, 1, 6, 7):
            block[cell] = "0"
        for cell in (28, 29, 34, 35):
            block[cell] = "1"
        played = play_official_game(game, "".join(block), seats)
    finally:
        for seat in seats:
            seat.close()
    assert (played.winner, played.rounds, len(played.turns)) == (None, 5, 10)
    expected = {"late": "", "die": "", "invalid": "kill 99,99", "no_moves": "no_moves"}.get(mode, "pass")
    assert played.turns[-1].answer == expected


def test_a_bot_that_is_gone_is_told_once(tmp_path, capsys):
    bots = [bot_command(tmp_path, mode) for mode in ("die", "invalid")]
    clock = ["--timebank", "5000", "--per-move", "200"]  # seed 2: a board that lives through all rounds
    assert run(["riddles-match", *bots, "--game", "golad-6x6:max_rounds=5", "--games", "2", "--seed", "2", *clock]) == 0
    shown = capsys.readouterr().out
    assert shown.count("it makes no more moves") == 2  # once a game
    assert "'kill 99,99' refused: " in shown
    assert "in 2 games" in shown


def test_a_riddles_bot_plays_in_our_matches(tmp_path):
    game = make("golad-6x6:max_rounds=10")
    for mode, voids in (("pass", 0), ("late", 0), ("die", 2)):
        player = make_player(f"riddles:timebank=700 per_move=100 {bot_command(tmp_path, mode)}", game)
        result = play_match(game, make_player("pass", game), player, 1, 1, 2, names=("we", mode), replays=0)
        assert len(result.voids) <= voids
    with pytest.raises(BadParameter, match="chosen sacrifices"):
        make_player("riddles:cat", make("golad-6x6:sacrifices=random"))


def test_our_bot_against_our_player_over_the_protocol():
    """The whole way: our bot in a process, asked by our match, plays what it would play at home."""
    game = make("golad-6x6:max_rounds=10")
    command = f"riddles:timebank=60000 {sys.executable} -m flows riddles --player kill --size 6x6"
    result = play_match(game, make_player("pass", game), make_player(command, game), 1, 1, 2, names=("pass", "kill"), replays=0)
    assert result.games == 2
    for record in result.records:
        own = record.actions[1 - record.side :: 2]
        assert own
        assert all(action < 36 for action in own)  # kills, no passes
