"""The arrays of a forest: fixed buffers for many trees, allocated once, their size known beforehand.

A tree's nodes lie in the order in which they were made, so a child always stands behind its parent; the edges of a node are
one range over its legal actions. Node states are kept beside the nodes, so that walking a tree calls no rules.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from components.core.errors import BadParameter
from components.games.contract import Game

NOTHING = -1
TREE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("nodes", "i4"),  # nodes made
            ("edges", "i4"),  # edges made
            ("started", "i4"),  # simulations begun since the search of this ply began
            ("budget", "i4"),  # which of the forest's budgets the goal came from
            ("goal", "i4"),  # simulations to begin; 0 rests
            ("depth", "i4"),  # longest path in edges
            ("considered", "i4"),  # actions that a Gumbel root looks at
            ("is_noisy", "i4"),  # this search explores: noise at the root and forced playouts
            ("is_full", "i4"),  # a leaf found no room: the search ends early rather than overflow
        ],
    )
)
NODE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("value_sum", "f8"),  # of all edges, for this node's mover
            ("parent", "i4"),
            ("parent_edge", "i4"),
            ("first_edge", "i4"),
            ("edge_count", "i4"),  # edges made; PUCT makes one when it is first followed
            ("most_edges", "i4"),  # room behind first_edge: the legal actions, or the beam
            ("bud_count", "i4"),  # legal actions, when expanded and not over
            ("visits", "i4"),  # of all edges
            ("pending", "i4"),  # of all edges
            ("followed_prior", "f4"),  # sum of the priors of edges with visits
            ("next_prior", "f4"),  # of the bud that the next edge is made from
            ("value", "f4"),  # the evaluator's word, for this node's mover; exact when over
            ("is_expanded", "i1"),
            ("is_open", "i1"),  # the buds' logits are log priors
            ("is_over", "i1"),
            ("mover", "i1"),
            ("pad", "i1", (4,)),
        ],
    )
)
EDGE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("value_sum", "f8"),  # for the mover at this edge's node
            ("action", "i4"),
            ("child", "i4"),
            ("visits", "i4"),
            ("pending", "i4"),  # simulations under way that went through here: the virtual losses
            ("prior", "f4"),  # what selection uses: softmax of logits, with the root's noise
            ("logit", "f4"),  # log of the evaluator's own prior
            ("gumbel", "f4"),
            ("pad", "f4"),
        ],
    )
)
BUD_DTYPE = np.dtype((np.record, [("action", "i4"), ("logit", "f4")]))  # an edge that nobody has asked for yet


@dataclass(frozen=True)
class Arrays:
    """trees [trees], nodes [trees, nodes], edges [trees, edges], buds [trees, nodes, legal], states [trees * nodes]."""

    trees: Any
    nodes: Any
    edges: Any
    buds: Any
    states: Any


def allocate(game: Game, trees: int, nodes: int) -> Arrays:
    """Room for `nodes` nodes in each tree, each with as many edges as any state can have legal actions."""
    try:
        return Arrays(
            np.zeros(trees, dtype=TREE_DTYPE),
            np.zeros((trees, nodes), dtype=NODE_DTYPE),
            np.zeros((trees, nodes * game.spec.max_legal), dtype=EDGE_DTYPE),
            np.zeros((trees, nodes, game.spec.max_legal), dtype=BUD_DTYPE),
            game.new_states(trees * nodes),
        )
    except MemoryError:
        raise BadParameter(
            f"A search of {game.name} needs {size_in_words(game, trees, nodes)}, more than this machine has."
            " Lower its simulations or the games played side by side."
        ) from None


def bytes_per_tree(game: Game, nodes: int) -> int:
    """A tree's buffers, known before they are made. The edges are the most; those no search reaches take no memory."""
    per_node = NODE_DTYPE.itemsize + game.spec.max_legal * (EDGE_DTYPE.itemsize + BUD_DTYPE.itemsize) + game.state_dtype.itemsize
    return int(TREE_DTYPE.itemsize + nodes * per_node)


def size_in_words(game: Game, trees: int, nodes: int) -> str:
    each = bytes_per_tree(game, nodes)
    return f"{trees} trees of {nodes} nodes, {each / 1e6:,.2f} MB each, {trees * each / 1e6:,.0f} MB in all"
