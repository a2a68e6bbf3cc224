"""Random games beside a slow reference, the light board of the playouts beside the full one, and what rollouts promise."""

import copy

import numpy as np
import pytest
from go_reference import ReferenceGame, neighbours, region_of
from hypothesis import given, settings
from hypothesis import strategies as st

from components.core.seeds import stream_of, streams_of
from components.games.go.playout import NON_EYE, UNIFORM_WITH_PASS, WORK, load, try_stone, unload_board
from components.games.go.rules import LEGAL, SUPERKO, refusal
from components.games.go.score import is_report_eye
from components.games.players import make_baseline
from components.games.record import one_row
from components.games.registry import make

PLIES = 70


@pytest.mark.parametrize("name", ["go-2x2:move_cap=80", "go-3x3:move_cap=80", "go-4x4:ko=simple", "go-5x5"])
def test_random_games_agree_with_the_reference(name):
    game = make(name)

    # Passes are rare on purpose: long fights on a full board make the kos and repetitions.
    @settings(max_examples=25, deadline=None)
    @given(st.lists(st.integers(0, 10**6), min_size=PLIES, max_size=PLIES))
    def play(choices):
        reference = ReferenceGame(game.spec.width, game.knobs.ko == "positional")
        state = game.start()
        for choice in choices[: game.spec.max_plies - 1]:  # the reference knows no move cap
            legal = reference.legal()
            assert game.legal(state).tolist() == legal, game.text.draw(game, state)
            if not legal:
                break
            action = legal[choice % (len(legal) - 1)] if len(legal) > 1 and choice % 50 else legal[-1]
            reference.play(action)
            game.kernels.apply(game.rules, state, action)
            assert tuple(state.board.tolist()) == reference.board
            assert tuple(game.kernels.area(game.rules, state)) == reference.area()

    play()


def test_true_liberties_are_counted_once_each():
    game = make("go-5x5")
    stream = streams_of(1, 4)
    state = game.start()
    player = make_baseline("random-eyes", game)
    while game.returns(state) is None and state.ply < 40:
        state = game.after(state, int(player.choose(game, one_row(game, state), stream)[0]))
        planes = dict(zip(game.spec.plane_names, game.encode(state).reshape(game.spec.planes, -1), strict=True))
        for point in np.flatnonzero(state.board):
            liberties = liberties_of(state.board, 5, int(point))
            whose = "own" if state.board[point] == state.mover + 1 else "opponent"
            shown = [count for count in (1, 2, 3) if planes[f"{whose} chain, {count} liberties"][point]]
            assert shown == ([liberties] if liberties <= 3 else [])


def liberties_of(board, side, point):
    chain, _ = region_of(board, side, point)
    return len({empty for stone in chain for empty in neighbours(side, stone) if board[empty] == 0})


@pytest.mark.parametrize("name", ["go-4x4:ko=simple", "go-9x9"])
def test_light_board_plays_as_the_full_board_does(name):
    game = make(name)
    rng = np.random.default_rng(3)
    for _ in range(3):
        state = game.start()
        light = np.zeros(1, dtype=WORK)[0]
        load(game.rules, state, light)
        while game.returns(state) is None:
            assert_same(game, state, light)
            legal = game.legal(state)
            action = int(legal[rng.integers(max(1, len(legal) - 1))])
            if action == game.spec.cells:
                light.ko = -1
            else:
                assert try_stone(light, padded(game, action), int(state.mover) + 1)
            state = game.after(state, action)


def padded(game, point):
    side = game.spec.width
    return (point // side + 1) * (side + 1) + point % side


def assert_same(game, state, light):
    board = np.zeros(game.spec.cells, dtype=np.int8)
    unload_board(game.rules, light, board)
    assert (board == state.board).all()
    empties = sorted(light.empties[: light.empty_count].tolist())
    assert empties == sorted(padded(game, int(point)) for point in np.flatnonzero(board == 0))
    for point in np.flatnonzero(board == 0):
        trial = copy.deepcopy(np.array([light], dtype=WORK))[0]
        is_played = try_stone(trial, padded(game, int(point)), int(state.mover) + 1)
        # The light board knows no superko.
        assert is_played == (refusal(game.rules, state, int(point)) in (LEGAL, SUPERKO))


@pytest.mark.parametrize(("policy", "choices"), [(NON_EYE, 16), (UNIFORM_WITH_PASS, 17)])
def test_rollouts_draw_uniformly(policy, choices):
    game = make("go-4x4:ko=simple")
    count = 1700 * 17
    states = game.new_states(count)
    states[:] = game.start()
    states.ply = game.spec.max_plies - 1  # one ply is left
    roll(game, states, 5, policy)
    stones = np.flatnonzero(states.board.any(axis=1))
    frequencies = np.bincount(states.board[stones].argmax(axis=1), minlength=16) / count
    # Standard deviation of each frequency is below 0.0015.
    assert (abs(frequencies - 1 / choices) < 0.007).all()
    assert abs((count - len(stones)) / count - (choices - 16) / choices) < 0.007


def roll(game, states, seed, policy):
    results = np.zeros((len(states), 2), dtype=np.float32)
    streams = stream_of(seed) + np.arange(len(states), dtype=np.uint64) * np.uint64(0xD1342543DE82EF95)
    game.kernels.rollout_policy_many(game.rules, states, streams, np.zeros(1, dtype=np.int32), results, policy)
    return results


@pytest.mark.parametrize("policy", [NON_EYE, UNIFORM_WITH_PASS])
def test_rollouts_leave_finished_consistent_positions(policy):
    game = make("go-9x9")
    states = game.start_many(streams_of(40, 2))
    results = roll(game, states, 1, policy)
    margins = np.zeros(len(states))
    game.kernels.margins_many(game.rules, states, margins)
    assert (results[:, 0] == np.sign(margins)).all()
    for state in states:
        assert game.returns(state) is not None
        assert state.ply <= game.spec.max_plies
        # Every stone that was played lies on the board or was captured; the other plies were passes.
        passes = state.ply - np.count_nonzero(state.board) - state.captures.sum()
        assert passes >= (2 if state.ply < game.spec.max_plies else 0)
        assert (state.liberties[state.head[state.board > 0]] > 0).all()


def test_rollouts_fill_everything_but_eyes():
    game = make("go-9x9")
    states = game.start_many(streams_of(40, 3))
    roll(game, states, 2, NON_EYE)
    for state in states[states.ply < game.spec.max_plies]:
        for point in np.flatnonzero(state.board == 0):
            colours = [c for c in (1, 2) if is_report_eye(game.rules, state.board, int(point), c)]
            neighbours = game.rules.neighbours[point, : game.rules.degree[point]]
            # Left empty: an eye, or a point where both sides' stones would be shut in.
            assert colours or (state.board[neighbours] > 0).all()


def test_rollout_of_a_finished_game_changes_nothing():
    game = make("go-9x9")
    state = game.after(game.after(game.start(), 81), 81)
    states = one_row(game, state)
    results = roll(game, states, 1, NON_EYE)
    assert states[0].tobytes() == state.tobytes()
    assert results[0].tolist() == [-1, 1]


def test_random_eyes_fills_no_own_eye_and_passes_only_then():
    game = make("go-5x5")
    player = make_baseline("random-eyes", game)
    stream = streams_of(1, 8)
    state = game.start()
    while game.returns(state) is None:
        action = int(player.choose(game, one_row(game, state), stream)[0])
        eyes = [int(p) for p in game.legal(state)[:-1] if is_report_eye(game.rules, state.board, int(p), int(state.mover) + 1)]
        assert action not in eyes
        assert (action == 25) == (len(game.legal(state)) - 1 == len(eyes))
        state = game.after(state, action)
