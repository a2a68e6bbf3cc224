"""May a net be played in int8? Its ranges are measured on positions of its own games, then a match against fp32 decides.

Called by `zeroline quantize`. Promises that a net is marked as accepted only by a match at equal simulations in which the
interval of int8's score reached an equal's and stayed above LEAST_SCORE: a few games, whose interval is wide, cannot show that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from components.core.seeds import streams_of
from components.evaluation.match import play_match
from components.evaluation.result import GameRecord, MatchResult
from components.games.contract import Game, States
from components.nets.checkpoint import record_int8
from components.nets.evaluator import NetEvaluator
from components.players.search import NetPlayer, SearchPlayer
from components.search.config import SearchConfig

CALIBRATION_GAMES = 32
CALIBRATION_PLIES = 128
CALIBRATION_TEMPERATURE = 0.25
EQUAL = 0.5
LEAST_SCORE = 0.45  # 35 Elo below an equal, about the half width of 400 games' interval


@dataclass(frozen=True)
class PrecisionVerdict:
    result: MatchResult

    @property
    def is_accepted(self) -> bool:
        low, high = self.result.interval
        return low >= LEAST_SCORE and high >= EQUAL

    @property
    def reason(self) -> str:
        low, high = self.result.interval
        word = "Accepted" if self.is_accepted else "Refused"
        return (
            f"{word}: int8 scored {self.result.score:.3f} against fp32 in {self.result.games} paired games"
            f" (95 % interval {low:.3f} to {high:.3f}); it must reach {EQUAL} and lie above {LEAST_SCORE}."
        )


def judge_int8(
    net: Path, game: Game, search: SearchConfig, games: int, seed: int = 1, on_game: Callable[[GameRecord], None] | None = None
) -> PrecisionVerdict:
    """Calibrate, play int8 against fp32, and write the ranges and the verdict into the net's file."""
    exact = NetEvaluator(net, game, precision="fp32")
    rough = NetEvaluator(exact.model, game, precision="int8")
    ranges = rough.calibrate(own_positions(game, exact, seed))
    players = [SearchPlayer(search, lambda game, judge=judge: judge) for judge in (rough, exact)]  # type: ignore[misc]
    result = play_match(game, players[0], players[1], games // 2, seed, names=("int8", "fp32"), on_game=on_game)
    verdict = PrecisionVerdict(result)
    record_int8(net, net, ranges.tensors(), verdict.is_accepted)
    return verdict


def own_positions(game: Game, evaluator: NetEvaluator, seed: int) -> NDArray[np.float32]:
    """[rows, planes, height, width] of positions from games, to their ends, that the net plays with itself.

    It plays sharply: fights light up a net as dull games never do, and what exceeds the measured ranges is cut off.
    """
    streams = streams_of(CALIBRATION_GAMES, seed)
    states, player = game.start_many(streams), NetPlayer(lambda game: evaluator, temperature=CALIBRATION_TEMPERATURE)
    rows = np.arange(len(states))
    found = np.zeros((CALIBRATION_PLIES, len(rows), game.spec.planes, game.spec.height, game.spec.width), dtype=np.float32)
    for planes in found:
        states = restart_finished(game, states, streams)
        game.kernels.encode_many(game.rules, states, rows, planes)
        game.kernels.advance_many(game.rules, states, rows, rows, player.choose(game, states, streams))
    return found.reshape(-1, *found.shape[2:])


def restart_finished(game: Game, states: States, streams: NDArray[np.uint64]) -> States:
    for row in range(len(states)):
        while game.returns(states[row]) is not None:
            states[row] = game.start_many(streams[row : row + 1])[0]
    return states
