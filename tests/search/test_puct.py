"""Which edge a search follows, by hand: PUCT, first-play urgency, virtual losses, UCB1, forced playouts, temperature, noise."""

import numpy as np
import pytest

from components.core.seeds import streams_of
from components.games.registry import make
from components.search import choice, puct
from components.search.arrays import allocate
from components.search.config import SearchConfig, settings_of
from components.search.evaluators import UniformEvaluator
from components.search.forest import Forest


def node_with(priors, visits, values, own_value=0.0, pending=None):
    """(node, edges): values are the means of what came back through each edge."""
    arrays = allocate(make("tictactoe"), trees=1, nodes=1)
    node, edges = arrays.nodes[0, 0], arrays.edges[0]
    sums = np.multiply(visits, values)
    for e, (prior, count, total) in enumerate(zip(priors, visits, sums, strict=True)):
        edges[e].prior, edges[e].visits, edges[e].value_sum = prior, count, total
        edges[e].pending = pending[e] if pending else 0
    node.edge_count, node.value, node.visits, node.value_sum = len(priors), own_value, sum(visits), sums.sum()
    node.pending = sum(pending or [])
    node.followed_prior = sum(prior for prior, count in zip(priors, visits, strict=True) if count)
    return node, edges


def followed(node, edges, is_forcing=False, **options) -> int:
    return int(puct.best_by_puct(node, edges, settings_of(SearchConfig(**options)), is_forcing))


PRIORS, VISITS, VALUES = [0.5, 0.3, 0.2], [3, 1, 0], [0.5, 0.5, 0.0]


def test_puct_weighs_value_prior_and_visits():
    # N = 4 visits + 1, root 2.236: 0.5 + 0.5*2.236/4 = 0.780, 0.5 + 0.3*2.236/2 = 0.835, 0 + 0.2*2.236/1 = 0.447
    assert followed(*node_with(PRIORS, VISITS, VALUES), c=1.0, fpu="zero") == 1
    # With c = 4 the priors win: 0.5 + 1.118, 0.5 + 1.342, 0 + 1.789
    assert followed(*node_with(PRIORS, VISITS, VALUES), c=4.0, fpu="zero") == 1
    # With c = 8: 0.5 + 2.236, 0.5 + 2.683, 0 + 3.578
    assert followed(*node_with(PRIORS, VISITS, VALUES), c=8.0, fpu="zero") == 2


def test_an_edge_nobody_followed_is_worth_the_parent_less_a_reduction():
    node, edges = node_with(PRIORS, VISITS, VALUES, own_value=0.1)
    # The parent's mean is (0.1 + 2.0) / 5 = 0.42; followed priors 0.8, root 0.894.
    for reduction, urgency in ((0.0, 0.42), (0.2, 0.42 - 0.2 * 0.8**0.5)):
        settings = settings_of(SearchConfig(fpu_reduction=reduction))
        assert puct.first_play_urgency(node, settings) == pytest.approx(urgency, abs=1e-6)
    # Third edge: 0.42 + 0.447 = 0.867 against 0.835; with the reduction 0.241 + 0.447 = 0.688.
    assert followed(node, edges, c=1.0, fpu_reduction=0.0) == 2
    assert followed(node, edges, c=1.0, fpu_reduction=0.2) == 1


def test_a_simulation_under_way_counts_as_a_loss():
    node, edges = node_with(PRIORS, VISITS, VALUES, pending=[0, 1, 0])
    # Second edge: (0.5 - 1) / 2 + 0.3*2.449/3 = -0.005; first: 0.5 + 0.5*2.449/4 = 0.806
    assert followed(node, edges, c=1.0, fpu="zero") == 0
    assert [puct.mean_value(edges[1], weight) for weight in (1.0, 0.0)] == [-0.25, 0.25]


def test_the_lowest_index_wins_ties():
    assert followed(*node_with([0.25] * 4, [1] * 4, [0.2] * 4)) == 0


def test_ucb1_as_printed():
    settings = settings_of(SearchConfig(rule="ucb1", c=1.0))
    # log 4 = 1.386: 0.9 + sqrt(1.386/3) = 1.580 against 0.2 + sqrt(1.386/1) = 1.377; c = 2 turns it: 2.260 against 2.555
    node, edges = node_with([0.5, 0.5], [3, 1], [0.9, 0.2])
    assert puct.best_by_ucb1(node, edges, settings) == 0
    assert puct.best_by_ucb1(node, edges, settings_of(SearchConfig(rule="ucb1", c=2.0))) == 1
    node, edges = node_with(PRIORS, VISITS, VALUES)
    assert puct.best_by_ucb1(node, edges, settings) == 2  # every edge once before any edge twice


def test_a_match_explores_nothing():
    """Forced playouts too: without the noise that they are for they only take visits from better actions."""
    training = SearchConfig(noise_fraction=0.25, forced_playouts=2.0, temperature_plies=30, reuse=True, c=2.0)
    assert training.for_match(64) == SearchConfig(simulations=64, gumbel_scale=0.0, c=2.0)
    node, edges = node_with([0.8, 0.2], [8, 1], [0.9, -0.9])
    assert puct.best_by_puct(node, edges, settings_of(training), True) == 1
    assert puct.best_by_puct(node, edges, settings_of(training.for_match(64)), True) == 0


def test_playouts_are_forced_where_that_is_wanted_only():
    # N = 9 + 1: an edge of prior 0.2 that was followed once must be followed sqrt(2 * 0.2 * 10) = 2 times.
    node, edges = node_with([0.8, 0.2], [8, 1], [0.9, -0.9])
    assert followed(node, edges, is_forcing=True, forced_playouts=2.0) == 1
    assert followed(node, edges, is_forcing=False, forced_playouts=2.0) == 0
    assert followed(node, edges, is_forcing=True) == 0
    assert followed(*node_with([0.8, 0.2], [6, 3], [0.9, -0.9]), is_forcing=True, forced_playouts=2.0) == 0  # enough
    assert followed(*node_with([0.8, 0.2], [9, 0], [0.9, 0.0]), is_forcing=True, forced_playouts=2.0, c=0.1, fpu="zero") == 0


@pytest.mark.parametrize(
    ("visits", "values", "kept"),
    [
        # sqrt(2 * 0.4 * 12) = 3.1: three of the four are taken back, a single one left is none.
        ([8, 4], [0.5, -0.5], [8, 0]),
        # sqrt(2 * 0.4 * 14) = 3.3 of six
        ([8, 6], [0.5, -0.5], [8, 3]),
        # Wanted by the search itself: with one less it scores 0.5 + 0.4*3.606/5 = 0.788, the best 0.5 + 0.6*3.606/9 = 0.740.
        ([8, 5], [0.5, 0.5], [8, 5]),
    ],
)
def test_targets_take_back_what_was_forced(visits, values, kept):
    node, edges = node_with([0.6, 0.4], visits, values)
    out = np.zeros(2)
    puct.pruned_visits(node, edges, settings_of(SearchConfig(c=1.0, forced_playouts=2.0)), out)
    assert out.tolist() == kept
    puct.pruned_visits(node, edges, settings_of(SearchConfig(c=1.0)), out)
    assert out.tolist() == visits


@pytest.mark.parametrize(("temperature", "share"), [(1.0, 8 / 10), (0.5, 64 / 68), (2.0, 8**0.5 / (8**0.5 + 2**0.5))])
def test_actions_are_drawn_by_visits_to_the_inverse_temperature(temperature, share):
    arrays = allocate(make("tictactoe"), trees=1, nodes=1)
    root, edges = node_with([0.5, 0.5, 0.0], [8, 2, 0], [0.0, 0.0, 0.0])
    arrays.nodes[0, 0], arrays.edges[0, :3] = root, edges[:3]
    streams, settings = streams_of(4000, 1), settings_of(SearchConfig())
    drawn = [int(choice.choose_edge(arrays.nodes, arrays.edges, 0, settings, temperature, streams, row)) for row in range(4000)]
    assert np.mean(np.array(drawn) == 0) == pytest.approx(share, abs=0.02)
    assert max(drawn) == 1  # an edge without visits is never drawn
    assert choice.choose_edge(arrays.nodes, arrays.edges, 0, settings, 0.0, streams, 0) == 0


@pytest.mark.parametrize("plies", [0, 4])
def test_noise_is_spread_over_the_legal_actions(plies):
    """The fewer actions, the more of the concentration each gets: variance p(1 - p) / (total + 1) with p = 1 / actions."""
    game, slots = make("tictactoe"), 500
    state = game.start()
    for action in range(plies):
        state = game.after(state, action)
    states = game.new_states(slots)
    states[:] = state
    forest = Forest(game, UniformEvaluator(game), SearchConfig(simulations=1, noise_fraction=1.0, noise_total=10.83), slots)
    forest.search(states, streams_of(slots, 2))
    share = 1 / (9 - plies)
    priors = np.stack([forest.arrays.edges[slot, : 9 - plies]["prior"] for slot in range(slots)])
    assert priors.var() == pytest.approx(share * (1 - share) / 11.83, rel=0.1)
