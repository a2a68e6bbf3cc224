"""Whole searches: what every mode must get right, on games small enough to be certain."""

import hashlib
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import ValidationError

from components.core.errors import BadParameter
from components.core.seeds import streams_of
from components.games.registry import make
from components.search.config import SearchConfig
from components.search.evaluators import UniformEvaluator
from components.search.forest import Forest, planned_size
from components.search.modes import evaluator_of

MODES = {
    "puct": SearchConfig(simulations=300, c=1.5),
    "puct-leaves": SearchConfig(simulations=300, c=1.5, leaves=4),
    "puct-forced-noise": SearchConfig(simulations=300, forced_playouts=2.0, noise_fraction=0.25),
    "gumbel": SearchConfig(mode="gumbel", simulations=128, considered=9, gumbel_scale=0.0),
    "gumbel-leaves": SearchConfig(mode="gumbel", simulations=128, considered=9, gumbel_scale=0.0, leaves=4),
    "uct": SearchConfig(mode="uct", simulations=600, c=1.4, rule="ucb1"),
    "uct-puct": SearchConfig(mode="uct", simulations=600, c=2.0, fpu="zero"),
    "uct-leaves": SearchConfig(mode="uct", simulations=600, c=2.0, fpu="zero", leaves=4),
    "value-only": SearchConfig(mode="value-only", simulations=120),
}


def forest_of(game, config, slots):
    return Forest(game, evaluator_of(game, config, UniformEvaluator(game)), config, slots)


def best_actions(game, config, states, seed=5) -> list[int]:
    forest = forest_of(game, config, len(states))
    forest.search(states, streams_of(len(states), seed))
    return [forest.action_of(slot, forest.choose(slot, 0.0)) for slot in range(len(states))]


def rows(game, *positions):
    states = game.new_states(len(positions))
    for row, position in enumerate(positions):
        states[row] = position
    return states


def position(text: str):
    game = make("tictactoe")
    return game.text.parse(game, "\n".join(line.strip() for line in text.strip().splitlines()))


WIN_IN_ONE = """
    X X .
    O O .
    . . .
    X to move
"""
MUST_BLOCK = """
    X X .
    . O .
    . . .
    O to move
"""
FORK = """
    X . .
    . O .
    . . X
    O to move
"""


@pytest.mark.parametrize("mode", MODES)
def test_wins_in_one_and_blocks(mode):
    game = make("tictactoe")
    assert best_actions(game, MODES[mode], rows(game, position(WIN_IN_ONE), position(MUST_BLOCK))) == [2, 2]


@pytest.mark.parametrize("mode", ["puct", "uct-puct", "value-only"])
def test_sees_a_fork_two_plies_deep(mode):
    game = make("tictactoe")
    # A corner loses to X's double threat; an edge holds the draw.
    assert best_actions(game, MODES[mode].model_copy(update={"simulations": 2000}), rows(game, position(FORK)))[0] in (1, 3, 5, 7)


def test_misere_values_are_turned_round():
    game = make("tictactoe/misere")
    state = game.text.parse(game, "X X .\nO O .\n. . .\nX to move")
    assert best_actions(game, MODES["puct"], rows(game, state))[0] != 2


def test_perfect_play_never_loses():
    """Search against every reply of the opponent: no line may be lost."""
    game = make("tictactoe")
    config = SearchConfig(simulations=3000, c=2.0, mode="uct", fpu="zero")
    forest = forest_of(game, config, 1)
    for first in (0, 1):
        lines = [game.start()]
        while lines:
            state = lines.pop()
            returns = game.returns(state)
            if returns is not None:
                assert returns[first] >= 0, game.text.draw(game, state)
            elif int(state.mover) == first:
                forest.search(rows(game, state), streams_of(1, int(state.ply)))
                lines.append(game.after(state, forest.action_of(0, forest.choose(0, 0.0))))
            else:
                lines += [game.after(state, int(action)) for action in game.legal(state)[:3]]


@pytest.mark.parametrize("mode", MODES)
def test_same_seed_same_result_and_rows_do_not_influence_each_other(mode):
    game = make("tictactoe")
    states = rows(game, position(FORK), game.start(), position(MUST_BLOCK))
    together = forest_of(game, MODES[mode], 3)
    together.search(states, streams_of(3, 1))
    alone = forest_of(game, MODES[mode], 1)
    alone.search(states[1:2], streams_of(3, 1)[1:2])
    assert (together.insight(1).visits == alone.insight(0).visits).all()
    again = forest_of(game, MODES[mode], 3)
    again.search(states, streams_of(3, 1))
    assert tree_digest(together) == tree_digest(again)


def tree_digest(forest) -> str:
    """Of every edge that a node has: what lies in the room behind them was never asked for."""
    arrays, digest = forest.arrays, hashlib.sha256()
    for slot in range(forest.slots):
        for node in arrays.nodes[slot, : arrays.trees[slot].nodes]:
            digest.update(arrays.edges[slot, node.first_edge : node.first_edge + node.edge_count].tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("mode", MODES)
def test_no_state_leaks_from_the_game_before(mode):
    game = make("tictactoe")
    fresh, used = forest_of(game, MODES[mode], 2), forest_of(game, MODES[mode], 2)
    used.search(rows(game, position(FORK), position(MUST_BLOCK)), streams_of(2, 9))
    states = rows(game, game.start(), position(WIN_IN_ONE))
    for forest in (fresh, used):
        forest.search(states, streams_of(2, 1))
    assert tree_digest(fresh) == tree_digest(used)


@pytest.mark.parametrize("mode", MODES)
def test_visits_add_up_and_no_virtual_loss_is_left(mode):
    game = make("tictactoe")
    forest = forest_of(game, MODES[mode], 2)
    forest.search(rows(game, game.start(), position(FORK)), streams_of(2, 1))
    for slot in range(2):
        insight = forest.insight(slot)
        assert insight.visits.sum() == MODES[mode].simulations
        assert insight.policy.sum() == pytest.approx(1.0, abs=1e-5)
        assert list(insight.actions) == list(game.legal(forest.arrays.states[slot * forest.capacity]))
    assert forest.arrays.edges["pending"].sum() == 0
    assert forest.arrays.nodes["pending"].sum() == 0


def test_kept_subtree_equals_the_part_it_was():
    game = make("tictactoe")
    config = SearchConfig(simulations=400, reuse=True)
    forest = forest_of(game, config, 1)
    forest.search(rows(game, game.start()), streams_of(1, 1))
    edge = forest.choose(0, 0.0)
    child = int(forest.arrays.edges[0, edge].child)
    before = forest.arrays.nodes[0, child]
    old = forest.arrays.edges[0, before.first_edge : before.first_edge + before.edge_count]
    old, visits_of_child = {int(each["action"]): each.copy() for each in old}, int(before.visits)
    assert forest.keep(0, edge)
    insight = forest.insight(0)
    assert list(insight.actions) == list(game.legal(forest.arrays.states[0]))
    assert int(forest.arrays.nodes[0, 0].visits) == visits_of_child == insight.visits.sum()
    for action, visits, value in zip(insight.actions, insight.visits, insight.values, strict=True):
        assert visits == (old[action]["visits"] if action in old else 0)
        assert visits == 0 or value == pytest.approx(old[action]["value_sum"] / visits, abs=1e-5)
    for at in range(1, int(forest.arrays.trees[0].nodes)):
        node = forest.arrays.nodes[0, at]
        assert int(forest.arrays.edges[0, node.parent_edge].child) == at
        assert int(node.parent) < at
    forest.aim(0, 3)
    while forest.run_round():
        pass
    assert forest.insight(0).visits.sum() == visits_of_child + config.simulations


def test_several_leaves_a_round_are_different_leaves():
    """Virtual losses keep them apart and each has a stream of its own: a quarter of the calls, four rollouts in each."""
    game = make("tictactoe")

    class Counting(UniformEvaluator):
        calls = 0

        def evaluate(self, states, rows, streams):
            self.calls += 1
            assert len(set(rows)) == len(set(streams)) == len(rows)
            return super().evaluate(states, rows, streams)

    calls = []
    for leaves in (1, 4):
        evaluator = Counting(game)
        forest = Forest(game, evaluator, SearchConfig(simulations=100, leaves=leaves), 1)
        forest.search(rows(game, game.start()), streams_of(1, 1))
        assert forest.insight(0).visits.sum() == 100
        calls.append(evaluator.calls)
    assert calls[0] == 101  # the root, then one leaf at a time
    assert calls[1] < 101 / 3


def test_terminal_positions_are_never_asked_of_the_evaluator():
    game = make("tictactoe")

    class Watching(UniformEvaluator):
        def evaluate(self, states, rows, streams):
            assert all(game.returns(states[row]) is None for row in rows)
            return super().evaluate(states, rows, streams)

    forest = Forest(game, Watching(game), SearchConfig(simulations=500), 1)
    forest.search(rows(game, position(WIN_IN_ONE)), streams_of(1, 1))
    assert forest.insight(0).value > 0.5


def test_full_buffers_end_the_search_early_instead_of_overflowing():
    game = make("tictactoe")
    forest = forest_of(game, SearchConfig(simulations=50), 1)
    forest.plant(0, game.start())
    forest.aim(0, 1)
    forest.arrays.trees[0].goal = 5000
    while forest.run_round():
        pass
    assert list(forest.done_slots()) == [0]
    assert int(forest.arrays.trees[0].nodes) == forest.capacity
    assert forest.arrays.edges["pending"].sum() == 0


@pytest.mark.parametrize("config", [SearchConfig(simulations=50), SearchConfig(simulations=50, reuse=True)])
def test_memory_is_known_before_it_is_taken(config):
    game = make("go-5x5")
    arrays = forest_of(game, config, 3).arrays
    taken = sum(array.nbytes for array in (arrays.trees, arrays.nodes, arrays.edges, arrays.buds, arrays.states))
    assert forest_of(game, config, 3).bytes_per_tree * 3 == taken
    nodes = 102 if config.reuse else 52  # a kept subtree and a search, the root, one to spare
    assert planned_size(game, config, 3) == f"3 trees of {nodes} nodes, {taken / 3e6:,.2f} MB each, {taken / 1e6:,.0f} MB in all"


def test_more_memory_than_there_is_is_a_sentence(monkeypatch):
    def refuse(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr("components.search.arrays.np", SimpleNamespace(zeros=refuse))
    with pytest.raises(BadParameter, match=r"of tictactoe needs 64 trees of 1000002 nodes.* Lower its simulations"):
        forest_of(make("tictactoe"), SearchConfig(simulations=1_000_000), 64)


def test_beam_keeps_the_most_probable_actions_below_the_root_only():
    game = make("tictactoe")

    class Graded(UniformEvaluator):
        def evaluate(self, states, rows, streams):
            logits, values = super().evaluate(states, rows, streams)
            return logits + np.arange(9, dtype=np.float32), values

    forest = Forest(game, Graded(game), SearchConfig(simulations=60, beam=3), 1)
    forest.search(rows(game, game.start()), streams_of(1, 1))
    nodes = forest.arrays.nodes[0, : forest.arrays.trees[0].nodes]
    assert nodes[0].edge_count == 9
    inner = [node for node in nodes[1:] if node.is_expanded and not node.is_over]
    assert max(node.edge_count for node in inner) == 3
    first = inner[0]
    actions = forest.arrays.edges[0, first.first_edge : first.first_edge + 3]["action"]
    assert sorted(actions) == list(game.legal(forest.arrays.states[1])[-3:])


def test_a_search_that_does_not_explore_forces_no_playouts():
    """A match, or a fast search of self-play: the same tree as with nothing forced."""
    game, digests = make("go-5x5"), []
    for forced, is_noisy in ((10.0, False), (0.0, True), (10.0, True)):
        forest = forest_of(game, SearchConfig(simulations=200, forced_playouts=forced), 1)
        forest.search(rows(game, game.start()), streams_of(1, 1), is_noisy=is_noisy)
        digests.append((tree_digest(forest), forest.insight(0).policy.tobytes()))
    assert digests[0] == digests[1] != digests[2]


def test_dirichlet_noise_has_the_right_mean_and_leaves_a_distribution():
    game = make("tictactoe")
    forest = Forest(game, UniformEvaluator(game), SearchConfig(simulations=1, noise_fraction=0.5, noise_alpha=0.3), 400)
    states = game.start_many(streams_of(400, 1))
    forest.search(states, streams_of(400, 2))
    roots = [forest.arrays.edges[slot, :9] for slot in range(400)]
    priors = np.stack([root["prior"][np.argsort(root["action"])] for root in roots])
    assert np.allclose(priors.sum(axis=1), 1, atol=1e-4)
    assert np.allclose(priors.mean(axis=0), 1 / 9, atol=0.02)
    assert priors.std() > 0.05


def test_contradictory_settings_are_refused():
    with pytest.raises(ValidationError, match="reuse"):
        SearchConfig(mode="gumbel", reuse=True)
    with pytest.raises(ValidationError, match="simulations"):
        SearchConfig(simulations=0)
