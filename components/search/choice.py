"""After a search: which root edge to play, and how to go on from there with the subtree that is already grown."""

import numpy as np

from components.core.jit import kernel
from components.core.seeds import draw_unit
from components.search.arrays import NOTHING
from components.search.buds import grow_edge, open_buds
from components.search.gumbel import improved_logit, mixed_value, most_visits, value_scale
from components.search.puct import GUMBEL


@kernel
def most_visited(node, edges):
    """The edge with most visits; a higher value, then a lower index, decides ties."""
    best = node.first_edge
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        more = edges[e].visits - edges[best].visits
        if more > 0 or (more == 0 and edges[e].value_sum > edges[best].value_sum):
            best = e
    return best


@kernel
def sample_visits(node, edges, temperature, streams, row):
    """An edge drawn with weight visits^(1/temperature)."""
    most = np.float64(edges[most_visited(node, edges)].visits)
    total = 0.0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        total += (edges[e].visits / most) ** (1.0 / temperature)
    left = draw_unit(streams, row) * total
    last = node.first_edge
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if edges[e].visits > 0:
            last = e
            left -= (edges[e].visits / most) ** (1.0 / temperature)
            if left < 0.0:
                return e
    return last


@kernel
def choose_edge(nodes, edges, tree, settings, temperature, streams, row):
    """The root edge to play. A Gumbel root plays its best action among the most visited; temperature does not enter."""
    root = nodes[tree, 0]
    if root.visits == 0:
        # A single simulation or a full buffer: the prior is all we have.
        best = root.first_edge
        for e in range(root.first_edge, root.first_edge + root.edge_count):
            if edges[tree, e].prior > edges[tree, best].prior:
                best = e
        return best
    if settings.rule == GUMBEL:
        scale, completion = value_scale(root, edges[tree], settings), mixed_value(root, edges[tree])
        most, best, best_score = most_visits(root, edges[tree]), root.first_edge, -np.inf
        for e in range(root.first_edge, root.first_edge + root.edge_count):
            score = edges[tree, e].gumbel + improved_logit(edges[tree, e], scale, completion)
            if edges[tree, e].visits == most and score > best_score:
                best, best_score = e, score
        return best
    if temperature <= 0.0:
        return most_visited(root, edges[tree])
    return sample_visits(root, edges[tree], temperature, streams, row)


@kernel
def keep_subtree(trees, nodes, edges, buds, states, tree, kept_edge, renamed):
    """Make the node behind a root edge the new root, in place. renamed [capacity] is working space.

    A child stands behind its parent, so walking forward only ever copies a node to its own place or an earlier one.
    """
    capacity = nodes.shape[1]
    kept_root = edges[tree, kept_edge].child
    made, edges_made = 0, 0
    for old in range(trees[tree].nodes):
        parent = nodes[tree, old].parent
        is_kept = old == kept_root or (old > kept_root and parent != NOTHING and renamed[parent] >= 0)
        renamed[old] = made if is_kept else NOTHING
        if not is_kept:
            continue
        old_first, count = nodes[tree, old].first_edge, nodes[tree, old].edge_count
        if made != old:
            nodes[tree, made] = nodes[tree, old]
            states[tree * capacity + made] = states[tree * capacity + old]
            for i in range(nodes[tree, made].bud_count):
                buds[tree, made, i] = buds[tree, old, i]
        node = nodes[tree, made]
        if old == kept_root:
            node.parent, node.parent_edge = NOTHING, NOTHING
        else:
            node.parent = renamed[node.parent]
        for i in range(count):
            edges[tree, edges_made + i] = edges[tree, old_first + i]
        node.first_edge = edges_made
        edges_made += node.most_edges
        made += 1
    trees[tree].nodes, trees[tree].edges = made, edges_made
    relink(nodes, edges, tree, made, renamed)
    complete(nodes[tree, 0], edges[tree], buds[tree, 0])


@kernel
def relink(nodes, edges, tree, made, renamed):
    """After nodes moved: edges name their children's new places, children their new edges."""
    for at in range(made):
        node = nodes[tree, at]
        for e in range(node.first_edge, node.first_edge + node.edge_count):
            if edges[tree, e].child != NOTHING:
                edges[tree, e].child = renamed[edges[tree, e].child]
                nodes[tree, edges[tree, e].child].parent_edge = e


@kernel
def complete(root, edges, buds):
    """Turn what buds a new root has left into edges."""
    if not root.is_open:
        open_buds(root, edges, buds, True)
    while root.edge_count < root.most_edges:
        grow_edge(root, edges, buds, True)
