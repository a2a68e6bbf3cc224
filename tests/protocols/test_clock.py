"""Time: what the clocks allow, and that searches stay inside it. All with a clock that the tests move."""

import itertools
import sys

import pytest
from protocol_fakes import FakeClock, SlowEvaluator, converse

from components.protocols import clock as rules
from components.protocols.clock import TimeLeft, TimeSettings, seconds_for_move, seconds_for_timebank
from components.protocols.gtp_engine import GtpEngine
from components.protocols.lines import Line
from components.protocols.riddles import RiddlesBot

CELLS = 169


def test_no_limit_is_no_limit():
    assert seconds_for_move(TimeSettings(), TimeLeft(0), CELLS, 0) is None
    assert not TimeSettings.of_gtp(60, 30, 0).is_limited  # a period without stones: GTP's way to say so


def test_absolute_time_lasts_for_the_whole_game():
    settings = TimeSettings.of_gtp(60, 0, 0)
    left = rules.time_at_start(settings)
    for own_moves in range(200):
        allowed = seconds_for_move(settings, left, CELLS, own_moves)
        assert allowed is not None
        assert allowed <= left.seconds
        left = rules.after_move(settings, left, allowed)
    assert left.seconds > 0


def test_canadian_time_divides_the_period_by_its_stones():
    settings = TimeSettings.of_gtp(0, 100, 10)
    left = rules.time_at_start(settings)
    assert left == TimeLeft(100, 10)
    assert seconds_for_move(settings, left, CELLS, 0) == pytest.approx(10 * (1 - rules.MARGIN) - rules.LAG_SECONDS)
    for _ in range(9):
        left = rules.after_move(settings, left, 9.0)
    assert left == TimeLeft(19.0, 1)
    assert rules.after_move(settings, left, 9.0) == TimeLeft(100, 10)


def test_main_time_runs_over_into_the_first_period():
    settings = TimeSettings.of_gtp(10, 30, 3)
    assert rules.after_move(settings, TimeLeft(4.0), 6.0) == TimeLeft(28.0, 2)


def test_byo_yomi_periods_told_as_stones_are_not_divided():
    settings = TimeSettings(0, 30, 1, 5, True)
    assert seconds_for_move(settings, TimeLeft(30, 5), CELLS, 0) == pytest.approx(30 * (1 - rules.MARGIN) - rules.LAG_SECONDS)


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.1])
def test_hopeless_clocks_allow_nothing(seconds):
    assert seconds_for_move(TimeSettings.of_gtp(0, 5, 1), TimeLeft(seconds, 1), CELLS, 0) == pytest.approx(0.0, abs=0.02)


@pytest.mark.parametrize(("bank", "per_move"), list(itertools.product((0.05, 0.5, 2.0, 10.0), (0.1, 0.5, 2.0))))
def test_a_timebank_is_never_emptied(bank, per_move):
    for rounds_left in (100, 10, 1):
        assert seconds_for_timebank(bank, per_move, rounds_left) <= max(0.0, bank - rules.LAG_SECONDS)


def test_a_drained_timebank_still_buys_a_look_and_fills_up_again():
    bank = 0.25
    for rounds_left in range(100, 80, -1):
        allowed = seconds_for_timebank(bank, 0.1, rounds_left)
        assert 0.02 < allowed < 0.1
        bank += 0.1 - allowed
    assert bank > 1.0


def slow_engine(seconds, player="uct:sims=1000"):
    """An engine on 13x13 whose every round of search takes some fake seconds, and its clock."""
    clock = FakeClock()
    engine = GtpEngine(player, 13, clock=clock)
    engine.get_ready()
    slow = SlowEvaluator(engine.thinker.evaluator, clock, seconds)
    engine.thinker.forest(False).evaluator = slow
    engine.thinker.slice_seconds = 0.0
    return engine, clock, slow


@pytest.mark.parametrize("seconds", [0.05, 0.3, 1.4])
def test_five_seconds_per_move_on_13x13_are_never_exceeded(seconds):
    """time_settings 0 5 1, the 13x13 report's limit: by the engine's own clock every answer comes within 5 s."""
    engine, clock, slow = slow_engine(seconds)
    converse(["time_settings 0 5 1"], engine=engine)
    for ply in range(6):
        began, calls = clock.now, slow.calls
        answers, _ = converse([f"genmove {'bw'[ply % 2]}"], engine=engine)
        assert answers[0][0] == "="
        assert clock.now - began <= 5.0
        assert slow.calls > calls
    # And the time is used: a search that stops at once would be safe too.
    assert seconds > 1 or clock.now - began > 3.0


def test_a_sudden_slow_round_still_ends_in_time():
    pace = itertools.chain([0.2] * 6, [1.0], itertools.repeat(0.2))
    engine, clock, _ = slow_engine(lambda: next(pace))
    converse(["time_settings 0 5 1"], engine=engine)
    began = clock.now
    converse(["genmove b"], engine=engine)
    assert clock.now - began <= 5.0


def test_time_left_is_heard():
    engine, clock, _ = slow_engine(0.1)
    converse(["time_settings 600 0 0", "time_left b 3 0"], engine=engine)
    began = clock.now
    converse(["genmove b"], engine=engine)
    assert clock.now - began < 3.0


@pytest.mark.parametrize("line", ["time_settings 0 5", "time_settings a b c", "time_left b 5", "kgs-time_settings what 5"])
def test_bad_time_commands_are_syntax_errors(line):
    assert converse([line])[0] == [("?", "syntax error")]


def test_kgs_time_settings():
    _, engine = converse(["kgs-time_settings byoyomi 60 10 5"])
    assert engine.time_settings == TimeSettings(60, 10, 1, 5, True)
    _, engine = converse(["kgs-time_settings canadian 60 300 25"])
    assert engine.time_settings == TimeSettings.of_gtp(60, 300, 25)
    _, engine = converse(["kgs-time_settings absolute 60"])
    assert engine.time_settings == TimeSettings(60, is_limited=True)
    _, engine = converse(["kgs-time_settings none"])
    assert not engine.time_settings.is_limited


def slow_bot(seconds):
    clock = FakeClock()
    bot = RiddlesBot("uct:sims=1000", clock)
    for name, value in {"timebank": 2000, "time_per_move": 200, "your_botid": 0, "field_width": 6, "field_height": 6,
                        "max_rounds": 100}.items():  # fmt: skip
        bot.hear(Line(f"settings {name} {value}", clock()))
    bot.thinker.forest(False).evaluator = SlowEvaluator(bot.thinker.evaluator, clock, seconds)
    bot.thinker.slice_seconds = 0.0
    bot.hear(Line("update game field " + ",".join("..0.0.0.0.0.0.0.0.0.1.1.1.1.1.1.1.1.."[:36]), clock()))
    return bot, clock


@pytest.mark.parametrize("seconds", [0.002, 0.02, 0.15])
def test_the_timebank_bot_is_never_late(seconds):
    bot, clock = slow_bot(seconds)
    bank = 2000.0
    for number in range(1, 60):
        bot.hear(Line(f"update game round {number}", clock()))
        began = clock.now
        answer = bot.hear(Line(f"action move {int(bank)}", clock.now))
        used = 1000 * (clock.now - began)
        assert answer
        assert used < bank
        bank = min(bank - used + 200, 2000)


def test_a_request_that_waited_too_long_is_passed_at_once():
    bot, clock = slow_bot(0.01)
    bot.hear(Line("update game round 1", clock()))
    assert bot.hear(Line("action move 300", clock.now - 0.29)) == "pass"


def compiled_kernels():
    """How many variants of every kernel are compiled, by its name."""
    found = {}
    for module in [module for name, module in sys.modules.items() if name.startswith("components.")]:
        for name, value in vars(module).items():
            if hasattr(value, "signatures") and hasattr(value, "py_func"):
                found[f"{module.__name__}.{name}"] = len(value.signatures)
    return found


def test_nothing_is_compiled_while_a_move_is_timed():
    """The first move on a board of a size that nobody has seen pays for its search only."""
    engine = GtpEngine("uct:sims=4", 6)
    converse(["boardsize 6", "clear_board", "time_settings 0 5 1"], engine=engine)
    before = compiled_kernels()
    converse(["genmove b", "play w A1", "kgs-genmove_cleanup b", "undo", "genmove w"], engine=engine)
    assert compiled_kernels() == before


def test_nothing_is_compiled_while_a_request_is_timed():
    clock = FakeClock()
    bot = RiddlesBot("uct:sims=4", clock)
    for name, value in {"your_botid": 1, "field_width": 7, "field_height": 4, "max_rounds": 9}.items():
        bot.hear(Line(f"settings {name} {value}", clock()))
    before = compiled_kernels()
    bot.hear(Line("update game field " + ",".join("0.0.0.0.0.0.0.1.1.1.1.1.1.1."), clock()))
    bot.hear(Line("update game round 1", clock()))
    assert bot.hear(Line("action move 10000", clock())) != ""
    assert compiled_kernels() == before
