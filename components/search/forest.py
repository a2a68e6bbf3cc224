"""Many searches at once: one round finds a leaf in every tree, advances them in one batch and evaluates them in one batch.

Self-play, players and benchmarks drive it. Every tree has its own random stream, so its result does not depend on the others.
"""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.core.seeds import draw_unit
from components.games.contract import PLAYERS, Game, State, States
from components.search import choice
from components.search import tree as walk
from components.search.arrays import NOTHING, allocate, bytes_per_tree, size_in_words
from components.search.config import SearchConfig, settings_of
from components.search.evaluators import Evaluator
from components.search.gumbel import considered_visits, improved_policy
from components.search.puct import pruned_visits
from components.search.roots import prepare_root


@dataclass
class Clock:
    """Where the time went, in seconds: the evaluator (net), the walk through the trees, the game's rules."""

    net: float = 0.0
    tree: float = 0.0
    rules: float = 0.0
    evaluated: int = 0
    rounds: int = 0


@dataclass(frozen=True)
class Insight:
    """What one search found out about one position."""

    actions: NDArray[np.int32]  # the legal actions
    visits: NDArray[np.int32]
    policy: NDArray[np.float32]  # the training target: sums to 1
    value: float  # for the mover: mean over all simulations
    prior_entropy: float
    depth: int  # longest path in plies
    breadth: float  # visited share of the legal root actions
    values: NDArray[np.float32] = field(repr=False)  # for the mover, by action; 0 where nobody looked


def budgets_of(config: SearchConfig, budgets: tuple[int, ...] | None) -> tuple[int, ...]:
    """The numbers of simulations that searches may be given; the net's own policy needs no tree behind its root."""
    return (1,) if config.mode == "policy" else budgets or (config.simulations,)


def nodes_for(config: SearchConfig, budgets: tuple[int, ...]) -> int:
    """Nodes in a tree's buffer: a kept subtree may bring as many as a search makes; the root is one more."""
    return max(budgets) * (2 if config.reuse else 1) + 2


def planned_size(game: Game, config: SearchConfig, slots: int, budgets: tuple[int, ...] | None = None) -> str:
    """What a forest's buffers will take, in words, before any is made."""
    return size_in_words(game, slots, nodes_for(config, budgets_of(config, budgets)))


class Forest:
    """Searches for a fixed number of slots. A slot is planted with a state, given a goal, and read when it is done."""

    def __init__(
        self, game: Game, evaluator: Evaluator, config: SearchConfig, slots: int, budgets: tuple[int, ...] | None = None
    ) -> None:
        """budgets: the numbers of simulations that a search may be given, the config's alone by default."""
        self.game, self.evaluator, self.config, self.slots = game, evaluator, config, slots
        self.budgets = budgets_of(config, budgets)
        self.settings = settings_of(config)
        self.capacity = nodes_for(config, self.budgets)
        self.arrays = allocate(game, slots, self.capacity)
        # A fast search halves fewer actions: with a full search's sixteen it would look at each once and learn nothing.
        root_actions = [config.root_actions(budget) if config.mode == "gumbel" else 0 for budget in self.budgets]
        self.root_actions = np.array(root_actions, dtype=np.int32)
        self.schedule = considered_visits(max(root_actions), self.budgets)
        self.streams = np.zeros(slots, dtype=np.uint64)
        self.clock = Clock()
        self._make_room(slots * config.leaves)

    def _make_room(self, leaves: int) -> None:
        self.leaf_trees, self.leaf_nodes = np.zeros(leaves, dtype=np.int64), np.zeros(leaves, dtype=np.int64)
        self.rows, self.done = np.zeros(leaves, dtype=np.int64), np.zeros(self.slots, dtype=np.int64)
        self.parents, self.children = np.zeros(leaves, dtype=np.int64), np.zeros(leaves, dtype=np.int64)
        self.open_leaves, self.open_rows = np.zeros(leaves, dtype=np.int64), np.zeros(leaves, dtype=np.int64)
        self.open_streams = np.zeros(leaves, dtype=np.uint64)
        self.step_actions = np.zeros(leaves, dtype=np.int32)
        self.legal = np.zeros((leaves, self.game.spec.max_legal), dtype=np.int32)
        self.counts = np.zeros(leaves, dtype=np.int32)
        self.results = np.zeros((leaves, PLAYERS), dtype=np.float32)
        self.over = np.zeros(leaves, dtype=np.bool_)
        self.renamed = np.zeros(self.capacity, dtype=np.int32)

    @property
    def bytes_per_tree(self) -> int:
        return bytes_per_tree(self.game, self.capacity)

    def plant(self, slot: int, state: State) -> None:
        """Start a slot's tree anew from a position."""
        walk.plant(self.arrays.trees, self.arrays.nodes, slot)
        self.arrays.states[slot * self.capacity] = state

    def aim(self, slot: int, stream: int, budget: int = 0, is_noisy: bool = True) -> None:
        """Ask a planted slot for a search with budgets[budget] simulations; it begins with the next round."""
        budget = min(budget, len(self.budgets) - 1)
        walk.set_goal(self.arrays.trees, slot, self.budgets[budget], budget, is_noisy)
        self.streams[slot] = stream
        if self.arrays.nodes[slot, 0].is_expanded:
            arrays = self.arrays
            prepare_root(arrays.trees, arrays.nodes, arrays.edges, slot, self.settings, self.root_actions, self.streams)

    def done_slots(self) -> NDArray[np.int64]:
        """The slots whose searches have nothing left to do."""
        return self.done[: walk.list_done(self.arrays.trees, self.arrays.nodes, self.done)]

    def run_round(self) -> int:
        """One new leaf in every tree with simulations left; returns how many leaves were looked at (0: nothing left to do)."""
        arrays, clock, began = self.arrays, self.clock, time.perf_counter()
        count = walk.select_many(
            arrays.trees, arrays.nodes, arrays.edges, arrays.buds, self.settings, self.schedule,
            self.leaf_trees, self.leaf_nodes,
        )  # fmt: skip
        if count == 0:
            return 0
        steps = walk.list_steps(
            arrays.nodes, arrays.edges, self.leaf_trees, self.leaf_nodes, count,
            self.rows, self.parents, self.children, self.step_actions,
        )  # fmt: skip
        ruled = time.perf_counter()
        self._ask_rules(count, steps)
        judged = time.perf_counter()
        unfinished = walk.note_endings(
            arrays.nodes, arrays.states, self.streams, self.leaf_trees, self.leaf_nodes, self.rows, self.results, self.over,
            count, self.open_leaves, self.open_rows, self.open_streams,
        )  # fmt: skip
        net_seconds = self._evaluate(unfinished) if unfinished else 0.0
        walk.backup_many(arrays.nodes, arrays.edges, self.leaf_trees, self.leaf_nodes, count)
        clock.rules += judged - ruled
        clock.net += net_seconds
        clock.tree += time.perf_counter() - judged + ruled - began - net_seconds
        clock.rounds += 1
        clock.evaluated += unfinished
        return int(count)

    def _ask_rules(self, count: int, steps: int) -> None:
        kernels, rules, states = self.game.kernels, self.game.rules, self.arrays.states
        kernels.advance_many(rules, states, self.parents[:steps], self.children[:steps], self.step_actions[:steps])
        kernels.describe_many(rules, states, self.rows[:count], self.legal, self.counts, self.results, self.over)

    def _evaluate(self, unfinished: int) -> float:
        """Ask the evaluator about the leaves that are not over and expand them; returns its seconds."""
        began, arrays = time.perf_counter(), self.arrays
        logits, values = self.evaluator.evaluate(arrays.states, self.open_rows[:unfinished], self.open_streams[:unfinished])
        seconds = time.perf_counter() - began
        walk.attach_many(
            arrays.trees, arrays.nodes, arrays.edges, arrays.buds, self.settings, self.root_actions, self.streams,
            self.leaf_trees, self.leaf_nodes, self.open_leaves, self.open_streams, unfinished,
            self.legal, self.counts, logits, values,
        )  # fmt: skip
        return seconds

    def choose(self, slot: int, temperature: float) -> int:
        """The edge to play of a finished search."""
        arrays = self.arrays
        if self.config.mode == "policy":
            return self._sample_policy(slot, temperature)
        return int(choice.choose_edge(arrays.nodes, arrays.edges, slot, self.settings, temperature, self.streams, slot))

    def _sample_policy(self, slot: int, temperature: float) -> int:
        """An edge drawn from the net's policy^(1/temperature), with the root's noise if it has any; 0: the most probable."""
        edges, fraction = self._root_edges(slot), self.config.noise_fraction
        is_meant = self._playable(edges["action"])
        logits = np.where(is_meant, edges["logit"].astype(np.float64), -np.inf)
        if temperature <= 0:
            return int(self.arrays.nodes[slot, 0].first_edge + np.argmax(logits))
        weights = np.exp((logits - logits.max()) / temperature)
        shares = weights / weights.sum()
        if fraction > 0 and self.arrays.trees[slot].is_noisy and len(edges) > 1:
            noise = np.where(is_meant, edges["gumbel"].astype(np.float64), 0.0)  # where add_noise left its draws
            shares = (1 - fraction) * shares + fraction * noise / max(noise.sum(), 1e-300)
        reached = np.searchsorted(np.cumsum(shares), draw_unit(self.streams, slot) * shares.sum(), side="right")
        return int(self.arrays.nodes[slot, 0].first_edge + min(reached, np.flatnonzero(shares)[-1]))

    def _playable(self, actions: NDArray[np.int32]) -> NDArray[np.bool_]:
        """[actions] all of them, or those on cells while there are two and passes come last."""
        on_cells = actions < self.game.spec.policy_planes * self.game.spec.cells
        return on_cells if self.config.pass_last and on_cells.sum() > 1 else np.ones(len(actions), dtype=np.bool_)

    def _root_edges(self, slot: int) -> Any:
        root = self.arrays.nodes[slot, 0]
        return self.arrays.edges[slot, root.first_edge : root.first_edge + root.edge_count]

    def action_of(self, slot: int, edge: int) -> int:
        return int(self.arrays.edges[slot, edge].action)

    def keep(self, slot: int, edge: int) -> bool:
        """Go on from the position behind an edge with the subtree that is there; False if there is none worth keeping."""
        arrays = self.arrays
        child = arrays.edges[slot, edge].child
        if not self.config.reuse or child == NOTHING:
            return False
        if not arrays.nodes[slot, child].is_expanded or arrays.nodes[slot, child].is_over:
            return False
        choice.keep_subtree(arrays.trees, arrays.nodes, arrays.edges, arrays.buds, arrays.states, slot, edge, self.renamed)
        return bool(arrays.trees[slot].nodes + max(self.budgets) + 1 <= self.capacity)

    def insight(self, slot: int) -> Insight:
        """Everything a finished search has to say."""
        root, tree = self.arrays.nodes[slot, 0], self.arrays.trees[slot]
        edges = self._root_edges(slot)
        order = np.argsort(edges["action"])  # a root's edges lie in the order in which PUCT looks through them
        edges, policy = edges[order], self._policy(root, slot)[order]
        visits = edges["visits"]
        return Insight(
            actions=edges["action"],
            visits=visits,
            policy=policy,
            value=float((root.value + root.value_sum) / (1 + root.visits)),
            prior_entropy=entropy(np.exp(edges["logit"].astype(np.float64))),
            depth=int(tree.depth),
            breadth=float((visits > 0).mean()),
            values=(edges["value_sum"] / np.maximum(visits, 1)).astype(np.float32),
        )

    def _policy(self, root: Any, slot: int) -> NDArray[np.float32]:
        shares = np.zeros(root.edge_count, dtype=np.float64)
        if self.config.mode == "gumbel":
            improved_policy(root, self.arrays.edges[slot], self.settings, shares)
        elif self.config.mode == "policy":
            shares = np.exp(self._root_edges(slot)["logit"].astype(np.float64))
        elif root.visits == 0:
            shares[self.choose(slot, 0.0) - root.first_edge] = 1.0
        elif not self.arrays.trees[slot].is_noisy:
            shares[:] = self._root_edges(slot)["visits"]
        else:
            pruned_visits(root, self.arrays.edges[slot], self.settings, shares)
        return (shares / shares.sum()).astype(np.float32)

    def search(self, states: States, streams: NDArray[np.uint64], is_noisy: bool = True) -> None:
        """Search all states to the end in lock-step; the slots then hold their insights. Streams move on."""
        for slot, state in enumerate(states):
            self.plant(slot, state)
            self.aim(slot, int(streams[slot]), is_noisy=is_noisy)
        while self.run_round():
            pass
        streams[:] = self.streams[: len(states)]


def entropy(shares: NDArray[np.float64]) -> float:
    return float(-(shares * np.log(np.maximum(shares, 1e-300))).sum())
