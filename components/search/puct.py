"""Which edge to follow, by PUCT or UCB1; root noise; forced playouts and the pruning that undoes them in targets.

Scalar kernels over one node's range of edges. All values here are the mover's at that node.
"""

import numpy as np

from components.core.jit import kernel
from components.core.seeds import draw_gamma

PUCT, UCB1, GUMBEL = 0, 1, 2
FPU_PARENT = 1
FOLLOW_FIRST = 1e9  # larger than any score: an edge that must be followed before all others


@kernel
def mean_value(edge, virtual_loss):
    """Mean of what came back through an edge; simulations under way count as losses of that weight."""
    return (edge.value_sum - virtual_loss * edge.pending) / (edge.visits + edge.pending)


@kernel
def first_play_urgency(node, settings):
    """The value that an edge nobody has followed is given."""
    if settings.fpu != FPU_PARENT:
        return 0.0
    mean = (node.value + node.value_sum) / (1 + node.visits)
    return mean - settings.fpu_reduction * np.sqrt(np.float64(node.followed_prior))


@kernel
def curiosity_of(c, total_visits):
    """What the priors of a node weigh at so many visits."""
    return c * np.sqrt(np.float64(total_visits))


@kernel
def exploration(curiosity, prior, visits):
    return curiosity * prior / (1.0 + visits)


@kernel
def forced_visits(k, prior, total_visits):
    """How often a root edge that was followed once must be followed at least (KataGo: sqrt(k P N))."""
    return np.sqrt(k * prior * total_visits)


@kernel
def best_by_puct(node, edges, settings, is_forcing):
    """The edge with the highest score, the lowest index on ties; the index behind the last edge stands for the next bud.

    Edges that nobody followed lie behind the others, the most probable first: no later one can score more than the first.
    is_forcing: at the root of a search that explores.
    """
    # One more than the visits: before the first visit the priors must already decide.
    total = node.visits + node.pending + 1
    urgency, curiosity = first_play_urgency(node, settings), curiosity_of(settings.c, total)
    forced = settings.forced if is_forcing else 0.0
    end = node.first_edge + node.edge_count
    best, best_score = node.first_edge, -np.inf
    for e in range(node.first_edge, end):
        edge = edges[e]
        visits = edge.visits + edge.pending
        value = mean_value(edge, settings.virtual_loss) if visits > 0 else urgency
        score = value + exploration(curiosity, edge.prior, visits)
        if forced > 0 and 0 < visits < forced_visits(forced, edge.prior, total):
            score += FOLLOW_FIRST
        if score > best_score:
            best, best_score = e, score
        if visits == 0:
            return best
    if node.edge_count < node.most_edges and urgency + exploration(curiosity, node.next_prior, 0) > best_score:
        return end
    return best


@kernel
def best_by_ucb1(node, edges, settings):
    """UCB1 as the 9x9 report prints it: every edge once, then mean + c sqrt(log N / n)."""
    total = node.visits + node.pending
    best, best_score = node.first_edge, -np.inf
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        visits = edges[e].visits + edges[e].pending
        if visits == 0:
            return e
        score = mean_value(edges[e], settings.virtual_loss) + settings.c * np.sqrt(np.log(np.float64(total)) / visits)
        if score > best_score:
            best, best_score = e, score
    return best


@kernel
def add_noise(node, edges, fraction, alpha, streams, row):
    """Mix Dirichlet(alpha) into the priors of a root, drawn from the game's own stream."""
    if node.edge_count < 2:
        return
    total = 0.0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        edges[e].gumbel = draw_gamma(streams, row, alpha)
        total += edges[e].gumbel
    if total <= 0.0:
        return
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        edges[e].prior = (1.0 - fraction) * edges[e].prior + fraction * edges[e].gumbel / total
    node.followed_prior = 0.0
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        if edges[e].visits > 0:
            node.followed_prior += edges[e].prior


@kernel
def pruned_visits(node, edges, settings, out):
    """Visits of each root edge for a training target: forced playouts that the search itself did not want are taken back.

    As KataGo: from every edge but the most visited, playouts are removed while its score stays below the best edge's; an edge
    left with a single one is removed. out [edge_count].
    """
    first, count = node.first_edge, node.edge_count
    best = first
    for e in range(first, first + count):
        out[e - first] = edges[e].visits
        if edges[e].visits > edges[best].visits:
            best = e
    if settings.forced <= 0 or edges[best].visits == 0:
        return
    total = node.visits
    curiosity = curiosity_of(settings.c, total)
    bar = mean_value(edges[best], 0.0) + exploration(curiosity, edges[best].prior, edges[best].visits)
    for e in range(first, first + count):
        if e == best or edges[e].visits == 0:
            continue
        kept = np.float64(edges[e].visits)
        removable = forced_visits(settings.forced, edges[e].prior, total)
        while removable >= 1.0 and kept >= 1.0:
            if mean_value(edges[e], 0.0) + exploration(curiosity, edges[e].prior, kept - 1.0) >= bar:
                break
            kept -= 1.0
            removable -= 1.0
        out[e - first] = kept if kept > 1.0 else 0.0
