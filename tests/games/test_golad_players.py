"""GOLAD's ladder: each player plays legal whole turns, finds its own turn again, and stands where it was measured to stand."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from components.core.seeds import streams_of
from components.games.contract import Game, Player
from components.games.golad.players import BASELINES, FOUR_GENERATIONS, OnePlyPlayer
from components.games.golad.text import position
from components.games.players import RandomPlayer
from components.games.record import one_row
from components.games.registry import make

ROOT = Path(__file__).parents[2]
BOARDS = 100


@pytest.fixture(scope="module")
def game() -> Game:
    return make("golad-6x6")


def score(game: Game, one: Player, other: Player, boards: int = BOARDS) -> float:
    """Points of `one` per game over paired start boards with sides swapped; half a point for a draw."""
    states = game.start_many(np.repeat(streams_of(boards, 5), 2))
    side_of_one = np.arange(2 * boards) % 2
    streams = streams_of(2 * boards, 6)
    results = np.zeros((2 * boards, 2), dtype=np.float32)
    running = np.arange(2 * boards)
    while len(running):
        is_ones = states.mover[running] == side_of_one[running]
        for player, rows in ((one, running[is_ones]), (other, running[~is_ones])):
            if len(rows):
                drawn = streams[rows]
                actions = player.choose(game, states[rows], drawn)
                streams[rows] = drawn
                game.kernels.advance_many(game.rules, states, rows, rows, actions)
        over = np.array([game.kernels.returns(game.rules, states[row], results[row]) for row in running])
        running = running[~over]
    return float((results[np.arange(2 * boards), side_of_one].mean() + 1) / 2)


@pytest.mark.parametrize(
    # In the comments: the specification's simulator and, first line, the official engine. About 0.05 is chance in 200 games.
    ("one", "other", "low", "high"),
    [
        ("random-bot", "pass", 0.25, 0.46),  # 0.355
        ("kill", "random-bot", 0.64, 0.84),  # 0.734
        ("greedy-random-sacrifice", "random-bot", 0.90, 1.0),  # 0.957
        ("greedy-random-sacrifice", "pass", 0.90, 1.0),  # 0.962
        ("greedy", "pass", 0.97, 1.0),  # 1.000 on 8x8
        ("greedy", "greedy-random-sacrifice", 0.52, 0.85),  # 0.643 with one evaluation for both
        ("greedy-2ply", "greedy", 0.5, 0.75),  # 0.620
    ],
)
def test_ladder_stands_as_measured(game, one, other, low, high):
    assert low <= score(game, BASELINES[one](), BASELINES[other]()) <= high


def test_looking_four_generations_ahead_is_the_large_boards_choice():
    assert tuple(OnePlyPlayer().weights_for(make("golad-18x16"))) == FOUR_GENERATIONS
    assert tuple(OnePlyPlayer().weights_for(make("golad-8x8"))) == (1.0, 1.0)


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("variant", ["golad-6x6", "golad-6x6/report"])
def test_every_player_answers_every_position_of_a_random_game(name, variant):
    """Pending births included that the player would not have begun."""
    game = make(variant)
    player = BASELINES[name]()
    for seed in range(4):
        state = game.start(seed)
        stream = streams_of(1, seed)
        while game.returns(state) is None:
            assert int(player.choose(game, one_row(game, state), stream)[0]) in game.legal(state)
            state = game.after(state, int(RandomPlayer().choose(game, one_row(game, state), stream)[0]))


def test_greedy_finishes_a_lone_enemy(game):
    state = position(game, "00....00" + "." * 24 + "1...")
    for name in ("greedy", "greedy-2ply", "greedy-random-sacrifice"):
        child = game.after(state, int(BASELINES[name]().choose(game, one_row(game, state), streams_of(1, 1))[0]))
        if child.target == -1:
            assert list(game.returns(child)) == [1, -1]


def test_kill_bot_kills_an_enemy_cell(game):
    state = game.start(1)
    action = int(BASELINES["kill"]().choose(game, one_row(game, state), streams_of(1, 1))[0])
    assert game.text.action_name(game, state, action).startswith("kill")
    assert action >= 18  # player 1 starts in the lower half


SYMBOLS = """
from components.games.registry import make
from components.core import jit
from numba import typeof
from numba.core.itanium_mangler import mangle_type
for name in {names}:
    state = make(name).new_states(1)[0]
    print(name, mangle_type(typeof(state)), mangle_type(typeof(state).fields["cells"].type))
"""


def test_machine_code_of_two_board_sizes_has_two_names_in_every_process():
    """Else code that two processes cached under one name is mixed up when a third one loads both."""

    def symbols(names: list[str]) -> set[str]:
        command = [sys.executable, "-c", SYMBOLS.format(names=names)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return set(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.splitlines())

    found = symbols(["golad-6x6", "golad-8x8"])
    assert found == symbols(["golad-8x8", "golad-6x6"])
    assert len({word for line in found for word in line.split()[1:]}) == 4
