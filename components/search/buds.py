"""From what an evaluator said of a node to the node's edges.

Called by tree.py and choice.py. Most actions of most nodes are never followed. Until one is, it waits as a bud: an action and
a logit, a fifth of an edge's memory. PUCT turns buds into edges one by one, the most probable first, since actions that nobody
followed differ by their priors alone; a root and the other rules want all edges at once.
"""

import numpy as np

from components.core.jit import kernel
from components.search.arrays import NOTHING

SHELL_GAPS = (132, 57, 23, 10, 4, 1)  # Ciura's, for a sort in place of up to some hundred edges


@kernel
def set_buds(tree, node, buds, actions, count, logits, beam):
    """Note a node's legal actions and what the evaluator thinks of them, and keep room for its edges.

    beam: the node may have edges for so many of its most probable actions; 0 for all.
    """
    for i in range(count):
        buds[i].action, buds[i].logit = actions[i], logits[actions[i]]
    node.bud_count, node.is_expanded, node.is_open = count, 1, 0
    node.first_edge, node.edge_count, node.most_edges = tree.edges, 0, min(count, beam) if beam > 0 else count
    tree.edges += node.most_edges


@kernel
def open_buds(node, edges, buds, wants_all):
    """Turn a node's logits into log priors before it is first followed, and all its buds into edges if that is wanted."""
    top, total = -np.inf, 0.0
    for i in range(node.bud_count):
        top = max(top, buds[i].logit)
    for i in range(node.bud_count):
        total += np.exp(buds[i].logit - top)
    log_total = top + np.log(total)
    for i in range(node.bud_count):
        buds[i].logit -= log_total
    node.is_open = 1
    if not wants_all or node.most_edges < node.bud_count:
        bring_best_forward(node, buds)
    while wants_all and node.edge_count < node.most_edges:
        grow_edge(node, edges, buds, node.most_edges < node.bud_count)


@kernel
def grow_edge(node, edges, buds, by_prior):
    """Turn the next bud into an edge; by_prior puts the most probable of the others in its place."""
    edge, bud = edges[node.first_edge + node.edge_count], buds[node.edge_count]
    edge.action, edge.child, edge.visits, edge.pending, edge.value_sum = bud.action, NOTHING, 0, 0, 0.0
    edge.logit, edge.gumbel, edge.prior = bud.logit, 0.0, np.exp(np.float64(bud.logit))
    node.edge_count += 1
    if by_prior:
        bring_best_forward(node, buds)


@kernel
def bring_best_forward(node, buds):
    """Swap the most probable bud (of the lowest action, on ties) to where the next edge is made from."""
    first = node.edge_count
    if first >= node.most_edges:
        return
    best = first
    for i in range(first + 1, node.bud_count):
        if buds[i].logit > buds[best].logit or (buds[i].logit == buds[best].logit and buds[i].action < buds[best].action):
            best = i
    action, logit = buds[best].action, buds[best].logit
    buds[best].action, buds[best].logit = buds[first].action, buds[first].logit
    buds[first].action, buds[first].logit = action, logit
    node.next_prior = np.exp(np.float64(logit))


@kernel
def order_edges(nodes, edges, tree):
    """Put a root's edges in the order that PUCT looks through them: followed ones first, then by prior, then by action."""
    first, end = nodes[tree, 0].first_edge, nodes[tree, 0].first_edge + nodes[tree, 0].edge_count
    for gap in SHELL_GAPS:
        for e in range(first + gap, end):
            place = e
            while place - gap >= first and comes_before(edges[tree, place], edges[tree, place - gap]):
                swap_edges(edges[tree, place], edges[tree, place - gap])
                place -= gap
    for e in range(first, end):
        if edges[tree, e].child != NOTHING:
            nodes[tree, edges[tree, e].child].parent_edge = e


@kernel
def comes_before(edge, other):
    if (edge.visits > 0) != (other.visits > 0):
        return edge.visits > 0
    return edge.prior > other.prior or (edge.prior == other.prior and edge.action < other.action)


@kernel
def swap_edges(edge, other):
    """Nobody is on the way through a root whose search has not begun: no edge is pending."""
    edge.action, other.action = other.action, edge.action
    edge.child, other.child = other.child, edge.child
    edge.visits, other.visits = other.visits, edge.visits
    edge.value_sum, other.value_sum = other.value_sum, edge.value_sum
    edge.logit, other.logit = other.logit, edge.logit
    edge.prior, other.prior = other.prior, edge.prior
    edge.gumbel, other.gumbel = other.gumbel, edge.gumbel
