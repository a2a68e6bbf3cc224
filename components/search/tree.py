"""Walk, grow and update many trees at once: select, attach, backup. These kernels call no rules and no net.

Called by forest.py in every round. Iterative, without allocation; a node's state lies at row tree * capacity + node of the
forest's states. The value of an edge belongs to its mover; signs change in perspective.py only.
"""

import numpy as np

from components.core.jit import kernel
from components.search.arrays import NOTHING
from components.search.buds import grow_edge, open_buds, set_buds
from components.search.gumbel import best_considered, most_behind
from components.search.perspective import for_first, for_mover
from components.search.puct import GUMBEL, PUCT, UCB1, best_by_puct, best_by_ucb1
from components.search.roots import prepare_root

LEAF_STRIDE = np.uint64(0xD1342543DE82EF95)  # odd and no small multiple of the streams' own step, so that they do not meet


@kernel
def follow(trees, nodes, edges, buds, tree, at, settings, schedule):
    """The edge of node `at` that the next simulation takes."""
    node = nodes[tree, at]
    if not node.is_open:
        open_buds(node, edges[tree], buds[tree, at], settings.rule != PUCT)
    if settings.rule == UCB1:
        return best_by_ucb1(node, edges[tree], settings)
    if settings.rule == GUMBEL:
        if at != 0:
            return most_behind(node, edges[tree], settings)
        step = min(trees[tree].started, schedule.shape[2] - 1)
        return best_considered(node, edges[tree], settings, schedule[trees[tree].budget, trees[tree].considered, step])
    best = best_by_puct(node, edges[tree], settings, at == 0 and trees[tree].is_noisy == 1)
    if best == node.first_edge + node.edge_count:
        grow_edge(node, edges[tree], buds[tree, at], True)
    return best


@kernel
def clear_node(node):
    node.first_edge, node.edge_count, node.most_edges, node.bud_count = 0, 0, 0, 0
    node.visits, node.pending = 0, 0
    node.value_sum, node.value, node.followed_prior = 0.0, 0.0, 0.0
    node.is_expanded, node.is_open, node.is_over, node.mover = 0, 0, 0, 0


@kernel
def plant(trees, nodes, tree):
    """An empty tree: a root that nobody has looked at, and nothing to do."""
    trees[tree].nodes, trees[tree].edges = 1, 0
    set_goal(trees, tree, 0, 0, False)
    clear_node(nodes[tree, 0])
    nodes[tree, 0].parent, nodes[tree, 0].parent_edge = NOTHING, NOTHING


@kernel
def set_goal(trees, tree, goal, budget, is_noisy):
    trees[tree].started, trees[tree].goal, trees[tree].is_full, trees[tree].depth = 0, goal, 0, 0
    trees[tree].budget, trees[tree].is_noisy = budget, is_noisy


@kernel
def make_node(trees, nodes, edges, tree, parent, edge):
    """A new node behind an edge, not yet expanded; NOTHING when the buffers are full."""
    made = trees[tree].nodes
    if made >= nodes.shape[1]:
        return NOTHING
    trees[tree].nodes = made + 1
    node = nodes[tree, made]
    node.parent, node.parent_edge = parent, edge
    clear_node(node)
    edges[tree, edge].child = made
    return made


@kernel
def unwind(nodes, edges, tree, at):
    """Take back the virtual losses from node `at` up to the root."""
    while nodes[tree, at].parent != NOTHING:
        edges[tree, nodes[tree, at].parent_edge].pending -= 1
        at = nodes[tree, at].parent
        nodes[tree, at].pending -= 1


@kernel
def backup(nodes, edges, tree, at):
    """Carry the value of node `at` up to the root; each edge adds it as its own mover's."""
    value_for_first = for_first(nodes[tree, at].value, nodes[tree, at].mover)
    while nodes[tree, at].parent != NOTHING:
        edge = edges[tree, nodes[tree, at].parent_edge]
        at = nodes[tree, at].parent
        node = nodes[tree, at]
        value = for_mover(value_for_first, node.mover)
        if edge.visits == 0:
            node.followed_prior += edge.prior
        edge.visits += 1
        edge.pending -= 1
        edge.value_sum += value
        node.visits += 1
        node.pending -= 1
        node.value_sum += value


@kernel
def descend(trees, nodes, edges, buds, tree, settings, schedule):
    """Walk from the root to a new node, or to a finished game; marks the way with virtual losses. Returns the node reached,
    or NOTHING when the way ends at a leaf that is being evaluated already or no room is left."""
    at, depth = 0, 0
    while True:
        edge = follow(trees, nodes, edges, buds, tree, at, settings, schedule)
        depth += 1
        child = edges[tree, edge].child
        edges[tree, edge].pending += 1
        nodes[tree, at].pending += 1
        if child == NOTHING:
            child = make_node(trees, nodes, edges, tree, at, edge)
            if child == NOTHING:
                edges[tree, edge].pending -= 1
                nodes[tree, at].pending -= 1
                unwind(nodes, edges, tree, at)
                trees[tree].is_full = 1
                return NOTHING
            trees[tree].depth = max(trees[tree].depth, depth)
            return child
        if nodes[tree, child].is_over:
            return child
        if not nodes[tree, child].is_expanded:
            unwind(nodes, edges, tree, child)
            return NOTHING
        at = child


@kernel
def select_many(trees, nodes, edges, buds, settings, schedule, leaf_trees, leaf_nodes):
    """Find up to settings.leaves new nodes in every tree with simulations left; returns how many were found in all.

    A way that ends in a finished game is backed up at once and the next simulation begun, so that a round's batch stays full.
    """
    found = 0
    for tree in range(trees.shape[0]):
        if trees[tree].goal > 0 and not nodes[tree, 0].is_expanded:
            leaf_trees[found], leaf_nodes[found] = tree, 0
            found += 1
            continue
        wanted = settings.leaves
        while wanted > 0 and trees[tree].started < trees[tree].goal:
            reached = descend(trees, nodes, edges, buds, tree, settings, schedule)
            if reached == NOTHING:
                if trees[tree].is_full:
                    trees[tree].goal = trees[tree].started
                break
            trees[tree].started += 1
            if nodes[tree, reached].is_over:
                backup(nodes, edges, tree, reached)
            else:
                leaf_trees[found], leaf_nodes[found] = tree, reached
                found += 1
                wanted -= 1
    return found


@kernel
def list_steps(nodes, edges, leaf_trees, leaf_nodes, count, rows, parents, children, actions):
    """Where the leaves' states lie; and of all but roots, which have theirs, what the game's own batch kernel makes them from.

    Returns how many it is to make.
    """
    steps = 0
    capacity = nodes.shape[1]
    for i in range(count):
        node = nodes[leaf_trees[i], leaf_nodes[i]]
        rows[i] = leaf_trees[i] * capacity + leaf_nodes[i]
        if node.parent != NOTHING:
            parents[steps], children[steps] = leaf_trees[i] * capacity + node.parent, rows[i]
            actions[steps] = edges[leaf_trees[i], node.parent_edge].action
            steps += 1
    return steps


@kernel
def note_endings(
    nodes, states, streams, leaf_trees, leaf_nodes, rows, results, over, count, open_leaves, open_rows, open_streams
):
    """Write what the rules say of each leaf: its mover, and its exact value if the game is over. Lists the others, with a
    stream for each: the tree's own for its first, far off ones for more, or all would draw alike."""
    unfinished, rank = 0, np.uint64(0)
    for i in range(count):
        tree = leaf_trees[i]
        node = nodes[tree, leaf_nodes[i]]
        node.mover, node.is_over = states[rows[i]].mover, over[i]
        if over[i]:
            # Never ask a net about a finished game: the result is known.
            node.value, node.is_expanded = for_mover(results[i, 0], node.mover), 1
            continue
        is_another = unfinished > 0 and leaf_trees[open_leaves[unfinished - 1]] == tree
        rank = rank + np.uint64(1) if is_another else np.uint64(0)
        open_leaves[unfinished], open_rows[unfinished] = i, rows[i]
        open_streams[unfinished] = streams[tree] + rank * LEAF_STRIDE
        unfinished += 1
    return unfinished


@kernel
def attach_many(
    trees, nodes, edges, buds, settings, root_actions, streams, leaf_trees, leaf_nodes, open_leaves, open_streams, unfinished,
    actions, counts, logits, values,
):  # fmt: skip
    """Expand the leaves that the evaluator looked at; logits [unfinished, actions], values [unfinished] for each mover.

    A root gets all its edges at once: noise is drawn on them before any is followed. The beam leaves it alone. Of the streams
    of a tree's several leaves the last one's goes on: nobody has drawn beyond it.
    """
    for j in range(unfinished):
        i = open_leaves[j]
        tree, at = leaf_trees[i], leaf_nodes[i]
        node = nodes[tree, at]
        node.value, streams[tree] = values[j], open_streams[j]
        set_buds(trees[tree], node, buds[tree, at], actions[i], counts[i], logits[j], settings.beam if at != 0 else 0)
        if at == 0:
            open_buds(node, edges[tree], buds[tree, at], True)
            prepare_root(trees, nodes, edges, tree, settings, root_actions, streams)


@kernel
def backup_many(nodes, edges, leaf_trees, leaf_nodes, count):
    for i in range(count):
        backup(nodes, edges, leaf_trees[i], leaf_nodes[i])


@kernel
def list_done(trees, nodes, out):
    """The trees whose searches have nothing left to do; returns how many."""
    done = 0
    for tree in range(trees.shape[0]):
        if trees[tree].started >= trees[tree].goal and nodes[tree, 0].is_expanded:
            out[done] = tree
            done += 1
    return done
