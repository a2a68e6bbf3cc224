"""int8 is taken only where a match shows that it is not weaker: a short or a lost match does not show it."""

from dataclasses import dataclass

import pytest

from components.evaluation.precision import PrecisionVerdict, judge_int8
from components.games.registry import make
from components.nets.checkpoint import make_card, read_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.evaluator import has_onednn
from components.nets.model import build_model
from components.search.config import SearchConfig


@dataclass(frozen=True)
class Played:
    """What a verdict reads of a match."""

    interval: tuple[float, float]
    score: float = 0.5
    games: int = 400


@pytest.mark.parametrize(
    ("interval", "word"),
    [((0.46, 0.55), "Accepted"), ((0.42, 0.51), "Refused"), ((0.455, 0.495), "Refused"), ((0.2, 0.8), "Refused")],
)
def test_the_whole_interval_decides(interval, word):
    verdict = PrecisionVerdict(Played(interval))
    assert verdict.is_accepted == (word == "Accepted")
    assert verdict.reason.startswith(f"{word}: int8 scored 0.500 against fp32 in 400 paired games")


@pytest.mark.skipif(not has_onednn(), reason="int8 needs oneDNN")
def test_four_games_show_nothing_but_the_ranges_are_kept(tmp_path):
    game, net = make("tictactoe"), tmp_path / "net.safetensors"
    config = NetConfig(blocks=1, channels=8)
    save_checkpoint(net, build_model(game.spec, config), make_card(game, config))
    verdict = judge_int8(net, game, SearchConfig(simulations=4), games=4)
    assert verdict.result.games == 4
    assert not verdict.is_accepted
    assert not read_card(net).int8_accepted
