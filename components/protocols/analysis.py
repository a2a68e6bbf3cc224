"""What a running search thinks, in the words of lz-analyze: moves with visits, win rate, prior and the expected continuation."""

from typing import Any

import numpy as np

from components.games.contract import Game
from components.search.arrays import NOTHING
from components.search.forest import Forest

MOST_MOVES_SHOWN = 20
LONGEST_LINE = 24
FULL_SCALE = 10_000  # Leela Zero writes shares as whole numbers up to this


def info_line(game: Game, forest: Forest, slot: int = 0) -> str:
    """One line with every move that was looked at, the most visited first."""
    root = forest.arrays.nodes[slot, 0]
    edges = forest.arrays.edges[slot, root.first_edge : root.first_edge + root.edge_count]
    order = [place for place in np.argsort(-edges["visits"], kind="stable") if edges[place].visits > 0]
    return " ".join(move_info(game, forest, slot, edges[place], rank) for rank, place in enumerate(order[:MOST_MOVES_SHOWN]))


def move_info(game: Game, forest: Forest, slot: int, edge: Any, rank: int) -> str:
    winrate = share((edge.value_sum / edge.visits + 1.0) / 2.0)
    line = expected_line(game, forest, slot, edge)
    return (
        f"info move {line[0]} visits {edge.visits} winrate {winrate} prior {share(float(np.exp(edge.logit)))} lcb {winrate} "
        f"order {rank} pv {' '.join(line)}"
    )


def share(value: float) -> int:
    return round(FULL_SCALE * min(1.0, max(0.0, value)))


def expected_line(game: Game, forest: Forest, slot: int, edge: Any) -> list[str]:
    """The names of an edge's action and of the most visited ones behind it."""
    names = [game.text.action_name(game, None, int(edge.action))]
    child = int(edge.child)
    while child != NOTHING and len(names) < LONGEST_LINE:
        node = forest.arrays.nodes[slot, child]
        edges = forest.arrays.edges[slot, node.first_edge : node.first_edge + node.edge_count]
        if len(edges) == 0 or edges["visits"].max() == 0:
            break
        best = edges[int(np.argmax(edges["visits"]))]
        names.append(game.text.action_name(game, None, int(best.action)))
        child = int(best.child)
    return names
