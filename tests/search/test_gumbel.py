"""The Gumbel root against a plain calculation of the paper's formulas."""

import numpy as np
import pytest

from components.core.seeds import streams_of
from components.games.registry import make
from components.search.config import SearchConfig
from components.search.evaluators import UniformEvaluator
from components.search.forest import Forest
from components.search.gumbel import visit_sequence


class Fixed(UniformEvaluator):
    """Made-up logits and values that depend on the position only."""

    def evaluate(self, states, rows, streams):
        logits, values = super().evaluate(states, rows, streams)
        for i, row in enumerate(rows):
            rng = np.random.default_rng(list(states[row].board.astype(np.uint8)))
            logits[i], values[i] = rng.normal(size=9), rng.uniform(-0.5, 0.5)
        return logits, values


def searched(simulations=32, considered=4, scale=1.0, seed=3):
    game = make("tictactoe")
    config = SearchConfig(mode="gumbel", simulations=simulations, considered=considered, gumbel_scale=scale)
    forest = Forest(game, Fixed(game), config, 1)
    forest.search(game.start_many(streams_of(1, 1)), streams_of(1, seed))
    return forest


def test_sequence_of_sixteen_simulations_over_four_actions():
    # Two rounds of 8: four actions get 2 visits each, then the better two get 4 more each.
    assert visit_sequence(4, 16) == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.parametrize(("considered", "simulations"), [(1, 5), (2, 7), (3, 16), (9, 32), (16, 16), (16, 10), (7, 200)])
def test_sequences_are_reachable(considered, simulations):
    """Each entry must be the visit count of some action at that moment: replay the sequence greedily."""
    sequence, visits = visit_sequence(considered, simulations), [0] * max(1, considered)
    assert len(sequence) == simulations
    for wanted in sequence:
        visits[visits.index(wanted)] += 1


def test_only_the_top_actions_by_gumbel_plus_logit_are_considered():
    forest = searched(considered=4)
    edges = forest.arrays.edges[0, :9]
    first_ranking = np.argsort(-(edges["gumbel"] + edges["logit"]))
    assert set(np.flatnonzero(edges["visits"])) == set(first_ranking[:4])


@pytest.mark.parametrize(("simulations", "actions"), [(4, 2), (16, 4), (32, 8), (400, 9)])
def test_by_default_a_root_looks_at_a_quarter_of_its_simulations(simulations, actions):
    edges = searched(simulations=simulations, considered=None).arrays.edges[0, :9]
    assert np.count_nonzero(edges["visits"]) == actions


def test_a_fast_search_looks_at_a_quarter_of_its_own_simulations():
    """Playout-cap randomisation: with the full search's sixteen actions a fast one would visit each of its actions once."""
    game = make("tictactoe")
    forest = Forest(game, Fixed(game), SearchConfig(mode="gumbel", simulations=64), 2, budgets=(64, 8))
    for slot, budget in enumerate((0, 1)):
        forest.plant(slot, game.start())
        forest.aim(slot, stream=slot, budget=budget)
    while forest.run_round():
        pass
    looked_at = [np.count_nonzero(forest.insight(slot).visits) for slot in (0, 1)]
    assert looked_at == [9, 2]  # min(16, 64 / 4) of nine legal actions; 8 / 4


def test_improved_policy_equals_the_formula():
    forest = searched()
    root, edges = forest.arrays.nodes[0, 0], forest.arrays.edges[0, :9]
    visits, prior = edges["visits"].astype(float), np.exp(edges["logit"].astype(float))
    q = np.where(visits > 0, edges["value_sum"] / np.maximum(visits, 1), 0.0)
    seen = visits > 0
    mixed = (root.value + visits.sum() * (prior[seen] * q[seen]).sum() / prior[seen].sum()) / (1 + visits.sum())
    completed = np.where(seen, q, mixed)
    logits = np.log(prior) + (50 + visits.max()) * 1.0 * (completed + 1) / 2  # values rescaled to [0, 1] as in the paper
    expected = np.exp(logits - logits.max())
    assert np.allclose(forest.insight(0).policy, expected / expected.sum(), atol=1e-5)


def test_plays_the_best_of_the_most_visited():
    forest = searched()
    edges = forest.arrays.edges[0, :9]
    played = forest.choose(0, 1.0)
    finalists = np.flatnonzero(edges["visits"] == edges["visits"].max())
    assert played in finalists
    if len(finalists) > 1:
        root = forest.arrays.nodes[0, 0]
        q = edges["value_sum"] / np.maximum(edges["visits"], 1)
        score = edges["gumbel"] + edges["logit"] + (50 + edges["visits"].max()) * q / 2
        assert played == finalists[np.argmax(score[finalists])]
        assert root.visits == 32


def test_gumbels_have_the_gumbel_mean():
    game = make("tictactoe")
    forest = Forest(game, UniformEvaluator(game), SearchConfig(mode="gumbel", simulations=1), 600)
    forest.search(game.start_many(streams_of(600, 1)), streams_of(600, 2))
    gumbels = np.concatenate([forest.arrays.edges[slot, :9]["gumbel"] for slot in range(600)])
    assert gumbels.mean() == pytest.approx(0.5772, abs=0.06)  # Euler-Mascheroni
    assert gumbels.std() == pytest.approx(1.2825, abs=0.08)  # pi / sqrt 6
