"""A root before its search begins: noise on its edges, and the edges in the order that the search looks through them.

Called by tree.py for a root that has just been expanded, by forest.py for one that was kept from the search before.
"""

from components.core.jit import kernel
from components.search.buds import order_edges
from components.search.gumbel import draw_gumbels
from components.search.puct import GUMBEL, PUCT, add_noise


@kernel
def prepare_root(trees, nodes, edges, tree, settings, root_actions, streams):
    """root_actions [budgets]: how many actions a Gumbel root looks at."""
    root, is_noisy = nodes[tree, 0], trees[tree].is_noisy == 1
    if root.edge_count == 1:
        # Nothing to choose: looking further would only cost time.
        trees[tree].goal = 0
        return
    if settings.rule == GUMBEL:
        trees[tree].considered = min(root_actions[trees[tree].budget], root.edge_count)
        draw_gumbels(root, edges[tree], settings.gumbel_scale if is_noisy else 0.0, streams, tree)
    elif settings.noise_fraction > 0 and is_noisy:
        alpha = settings.noise_alpha if settings.noise_alpha > 0 else settings.noise_total / root.edge_count
        add_noise(root, edges[tree], settings.noise_fraction, alpha, streams, tree)
    if settings.is_policy_alone:
        trees[tree].goal = 0
    elif settings.rule == PUCT:
        order_edges(nodes, edges, tree)
