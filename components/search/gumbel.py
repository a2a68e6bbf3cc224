"""Gumbel root with sequential halving and completed-Q targets (Danihelka et al., ICLR 2022), for values in [-1, 1].

Scalar kernels over one node's edges, and the table that says how many visits the next considered action has.
"""

import numpy as np
from numpy.typing import NDArray

from components.core.jit import kernel
from components.core.seeds import draw_unit

NEVER = -1e30


def considered_visits(most_considered: int, budgets: tuple[int, ...]) -> NDArray[np.int32]:
    """[budgets, most_considered + 1, simulations]: visits that the action followed by a simulation already has.

    Row m is for a root with m considered actions: all m share the simulations of each round, then the better half stays.
    """
    table = np.zeros((len(budgets), most_considered + 1, max(budgets)), dtype=np.int32)
    for plan, simulations in enumerate(budgets):
        for considered in range(most_considered + 1):
            table[plan, considered, :simulations] = visit_sequence(considered, simulations)
    return table


def visit_sequence(considered: int, simulations: int) -> list[int]:
    if considered <= 1:
        return list(range(simulations))
    rounds = int(np.ceil(np.log2(considered)))
    visits = [0] * considered
    sequence: list[int] = []
    left = considered
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            sequence.extend(visits[:left])
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2)
    return sequence[:simulations]


@kernel
def draw_gumbels(node, edges, scale, streams, row):
    """Gumbel(0, scale) noise on every edge of a root, drawn from the game's own stream."""
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        uniform = draw_unit(streams, row) + 1e-12
        edges[e].gumbel = -scale * np.log(-np.log(uniform) + 1e-12)


@kernel
def mixed_value(node, edges):
    """What edges nobody followed are worth: the node's own value mixed with the prior-weighted mean of those followed."""
    visits, prior, weighted = 0, 0.0, 0.0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if edges[e].visits > 0:
            visits += edges[e].visits
            prior += edges[e].prior
            weighted += edges[e].prior * edges[e].value_sum / edges[e].visits
    if visits == 0 or prior <= 0.0:
        return np.float64(node.value)
    return (node.value + visits * weighted / prior) / (1.0 + visits)


@kernel
def value_scale(node, edges, settings):
    most = 0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        most = max(most, edges[e].visits)
    # Half, because the paper's values lie in [0, 1] and ours in [-1, 1].
    return (settings.c_visit + most) * settings.c_scale * 0.5


@kernel
def improved_logit(edge, scale, completion):
    """Logit of the improved policy: the prior's, raised by what the search found (or by the completion where it did not look)."""
    value = edge.value_sum / edge.visits if edge.visits > 0 else completion
    return edge.logit + scale * value


@kernel
def improved_policy(node, edges, settings, out):
    """Softmax of the improved logits: the training target. out [edge_count] float64."""
    scale, completion = value_scale(node, edges, settings), mixed_value(node, edges)
    top = -np.inf
    for i in range(node.edge_count):
        out[i] = improved_logit(edges[node.first_edge + i], scale, completion)
        top = max(top, out[i])
    total = 0.0
    for i in range(node.edge_count):
        out[i] = np.exp(out[i] - top)
        total += out[i]
    for i in range(node.edge_count):
        out[i] /= total


@kernel
def best_considered(node, edges, settings, wanted_visits):
    """The root edge with that many visits that Gumbel noise, prior and value rank highest."""
    scale, completion = value_scale(node, edges, settings), mixed_value(node, edges)
    best, best_score = node.first_edge, -np.inf
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        score = NEVER
        if edges[e].visits + edges[e].pending == wanted_visits:
            score = edges[e].gumbel + improved_logit(edges[e], scale, completion)
        if score > best_score:
            best, best_score = e, score
    return best


@kernel
def most_behind(node, edges, settings):
    """Below the root: the edge whose share of visits lags most behind the improved policy. Deterministic, no noise."""
    scale, completion = value_scale(node, edges, settings), mixed_value(node, edges)
    first, count = node.first_edge, node.edge_count
    top, visits = -np.inf, 0
    for e in range(first, first + count):
        top = max(top, improved_logit(edges[e], scale, completion))
        visits += edges[e].visits + edges[e].pending
    total = 0.0
    for e in range(first, first + count):
        total += np.exp(improved_logit(edges[e], scale, completion) - top)
    best, best_score = first, -np.inf
    for e in range(first, first + count):
        share = (edges[e].visits + edges[e].pending) / (1.0 + visits)
        score = np.exp(improved_logit(edges[e], scale, completion) - top) / total - share
        if score > best_score:
            best, best_score = e, score
    return best


@kernel
def most_visits(node, edges):
    most = 0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        most = max(most, edges[e].visits)
    return most
