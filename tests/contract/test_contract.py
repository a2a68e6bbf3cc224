"""The contract on every registered game: what a newcomer's game must promise before anything is built on it."""

from pathlib import Path

import numpy as np
import pytest

from components.core.errors import IllegalAction
from components.core.seeds import streams_of
from components.games.contract import Game
from components.games.players import RandomPlayer, baselines
from components.games.record import one_row, play_game, playthrough
from components.games.registry import example_games, make, name_of

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
GAMES = 6  # random games per test; every ply of each is looked at


@pytest.fixture(scope="module", params=example_games())
def game(request) -> Game:
    return make(request.param)


def random_states(game: Game, seed: int, most: int = 40) -> list:
    """Every state of one random game, thinned evenly to at most `most`, the last one included."""
    states = [game.start(seed)]
    stream = streams_of(1, seed, 7)
    while game.returns(states[-1]) is None:
        action = int(RandomPlayer().choose(game, one_row(game, states[-1]), stream)[0])
        states.append(game.after(states[-1], action))
    step = max(1, len(states) // most)
    return states[::-step][::-1]


def plies_of_all_games(game: Game) -> list:
    return [state for seed in range(GAMES) for state in random_states(game, seed)]


def test_name_is_canonical(game):
    assert name_of(make(game.name)) == game.name


def test_copies_are_equal_and_independent(game):
    for state in plies_of_all_games(game):
        twin = game.copy(state)
        assert twin.tobytes() == state.tobytes()
        if game.returns(state) is None:
            before = state.tobytes()
            game.after(twin, int(game.legal(twin)[0]))
            assert state.tobytes() == before
            assert twin.tobytes() == before


def test_legal_actions_are_ascending_in_range_and_none_at_the_end(game):
    for state in plies_of_all_games(game):
        legal = game.legal(state)
        if game.returns(state) is not None:
            assert len(legal) == 0
            continue
        assert 1 <= len(legal) <= game.spec.max_legal
        assert (np.diff(legal) > 0).all()
        assert legal[0] >= 0
        assert legal[-1] < game.spec.actions


def test_returns_sum_to_zero_and_only_at_the_end(game):
    out = np.zeros(2, dtype=np.float32)
    for state in plies_of_all_games(game):
        over = game.kernels.returns(game.rules, state, out)
        assert out.sum() == 0
        assert (abs(out) <= 1).all()
        if not over:
            assert (out == 0).all()


def test_ply_cap_holds_and_ply_counts_up(game):
    for seed in range(GAMES):
        states = random_states(game, seed, most=10**9)
        assert [int(state.ply) for state in states] == list(range(len(states)))
        assert len(states) - 1 <= game.spec.max_plies


def test_mover_is_never_lost(game):
    for state in plies_of_all_games(game):
        assert int(state.mover) in (0, 1)
        assert int(game.copy(state).mover) == int(state.mover)


def test_planes_are_finite_and_from_scratch(game):
    for state in plies_of_all_games(game):
        planes = game.encode(state)
        assert np.isfinite(planes).all()
        dirty = np.full((1, *planes.shape), 7.0, dtype=np.float32)
        game.kernels.encode_many(game.rules, one_row(game, state), np.array([0]), dirty)
        assert (dirty[0] == planes).all()


def test_cell_maps_are_permutations_with_identity_first(game):
    maps = game.spec.cell_maps
    assert (maps[0] == np.arange(game.spec.cells)).all()
    assert (np.sort(maps, axis=1) == np.arange(game.spec.cells)).all()
    assert len({row.tobytes() for row in maps}) == game.spec.symmetries


def test_symmetries_permute_legal_actions_and_commute_with_apply(game):
    if not game.spec.has_policy:
        pytest.skip("a value-only game's actions are list indices; its results are compared by test_turned_results")
    for seed in range(2):
        for symmetry in range(game.spec.symmetries):
            play_turned(game, seed, symmetry)


def play_turned(game: Game, seed: int, symmetry: int) -> None:
    """Play a random game and its mirror image side by side; every ply must stay the image of the other."""
    cell_map, action_map = game.spec.cell_maps[symmetry], game.spec.action_maps[symmetry]
    state, turned = game.start(seed), game.start(seed)
    game.kernels.turn_start(game.rules, turned, cell_map)
    stream = streams_of(1, seed, symmetry)
    while True:
        assert_turned(game, state, turned, cell_map)
        if game.returns(state) is not None:
            return
        assert sorted(action_map[game.legal(state)]) == list(game.legal(turned))
        action = int(RandomPlayer().choose(game, one_row(game, state), stream)[0])
        state, turned = game.after(state, action), game.after(turned, int(action_map[action]))


def assert_turned(game: Game, state, turned, cell_map) -> None:
    planes, images = (game.encode(one).reshape(game.spec.planes, -1) for one in (state, turned))
    assert (images[:, cell_map] == planes).all()
    assert int(state.mover) == int(turned.mover)
    assert str(game.returns(state)) == str(game.returns(turned))


def test_turned_results_of_a_start_are_the_same_positions(game):
    planes = np.zeros((2, game.spec.planes, game.spec.cells), dtype=np.float32)
    working = np.zeros(game.spec.max_legal, dtype=np.int32)
    for symmetry in range(game.spec.symmetries):
        state, turned = game.start(3), game.start(3)
        game.kernels.turn_start(game.rules, turned, game.spec.cell_maps[symmetry])
        results = []
        for one, cell_map in ((state, game.spec.cell_maps[symmetry]), (turned, np.arange(game.spec.cells))):
            out = game.new_states(game.spec.max_legal)
            count = game.kernels.successors(game.rules, one, working, out)
            images = []
            for row in range(count):
                planes[0] = game.encode(out[row]).reshape(game.spec.planes, -1)
                planes[1][:, cell_map] = planes[0]
                images.append(planes[1].tobytes())
            results.append(sorted(images))
        assert results[0] == results[1]


def test_successors_name_the_action_that_leads_to_each(game):
    actions, out = np.full(game.spec.max_legal, -1, dtype=np.int32), game.new_states(game.spec.max_legal)
    for state in random_states(game, 1, most=5):
        count = game.kernels.successors(game.rules, state, actions, out)
        assert set(actions[:count]) <= set(game.legal(state))
        for i in range(0, count, max(1, count // 8)):
            assert out[i].tobytes() == game.after(state, int(actions[i])).tobytes()


def test_text_round_trip(game):
    for state in plies_of_all_games(game):
        drawn = game.text.draw(game, state)
        parsed = game.text.parse(game, drawn)
        assert game.text.draw(game, parsed) == drawn
        assert list(game.legal(parsed)) == list(game.legal(state))
        assert int(parsed.mover) == int(state.mover)


def test_action_names_round_trip(game):
    for state in random_states(game, 2, most=12):
        legal = [int(action) for action in game.legal(state)]
        names = [game.text.action_name(game, state, action) for action in legal]
        assert len(set(names)) == len(names)
        for action, name in list(zip(legal, names, strict=True))[:50]:
            assert game.text.action_of(game, state, name) == action


def test_batch_kernels_agree_with_scalar_kernels(game):
    states, met = game.new_states(12), plies_of_all_games(game)
    picked = [state for state in met if game.returns(state) is None][:6]
    latest = max(met, key=lambda state: int(state.ply))
    for row, state in enumerate(picked):
        states[row], states[row + 6] = state, latest  # a search's rows are used again: nothing may shine through
    rows = np.arange(len(picked))
    actions = np.array([int(game.legal(state)[-1]) for state in picked], dtype=np.int32)
    game.kernels.advance_many(game.rules, states, rows, rows + 6, actions)
    for row, state in enumerate(picked):
        assert states[row].tobytes() == state.tobytes()
        assert states[row + 6].tobytes() == game.after(state, int(actions[row])).tobytes()


def test_rollouts_end_and_do_not_depend_on_their_neighbours(game):
    working = np.zeros(game.spec.max_legal, dtype=np.int32)

    def roll(streams):
        states = game.start_many(streams)
        results = np.zeros((len(streams), 2), dtype=np.float32)
        game.kernels.rollout_many(game.rules, states, streams, working, results)
        assert all(game.returns(state) is not None for state in states)
        return results

    together, alone = roll(streams_of(5, 9)), roll(streams_of(5, 9)[3:4])
    assert (together[3] == alone[0]).all()


def test_illegal_action_is_refused_with_the_board(game):
    state = game.start(1)
    illegal = sorted(set(range(-1, game.spec.actions + 1)) - set(map(int, game.legal(state))))
    for action in (illegal[0], illegal[-1]):
        with pytest.raises(IllegalAction, match="not legal"):
            game.after(state, action)


def test_every_baseline_player_plays_legal_games(game):
    names = list(baselines(game.family))
    for index, name in enumerate(names):
        pair = [baselines(game.family)[name](), RandomPlayer()]
        *_, last = play_game(game, pair, [name, "random"], seed=index, is_drawn=False)
        assert "after" in last


def test_golden_playthrough(game):
    path = PLAYTHROUGHS / f"{game.name.replace('/', '_').replace(':', '_')}.txt"
    assert path.exists(), f"{path.name} is missing: python -m components.games playthrough {game.name} > {path}"
    assert playthrough(game) == path.read_text(), (
        f"The game plays differently than before. If that is meant, raise rules_version and run: "
        f"python -m components.games playthrough {game.name} > {path}"
    )
