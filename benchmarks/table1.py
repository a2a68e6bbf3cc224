"""Table 1 of the 9x9 report: `python -m benchmarks.table1`. UCT with random rollouts against the report's random player.

As the report's code ran it: komi 0.5, simple ko, the agent always Black, uniform-prior PUCT with c = 0.2, q = 0 for unvisited
actions, one uniform rollout (pass included) per simulation, tau = 20 own moves sampled by visits, then the most visited.
"""

import argparse
import time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.timing import write_json
from components.core.seeds import streams_of
from components.evaluation.statistics import wilson_interval
from components.games.players import make_baseline
from components.games.registry import make
from components.players.search import SearchPlayer
from components.search.config import SearchConfig
from components.search.uct import RolloutEvaluator

GAME = "go-9x9/report-9x9:ko=simple"
TAU_PLIES = 2 * 20 - 1  # own moves 1 to 20 of Black are the plies 0 to 38
REPORT = {100: (0.87, 10.0, 9.7), 1000: (1.0, 11.5, 94.7)}  # win rate, median margin, seconds per game


def play(simulations: int, games: int, seed: int) -> dict[str, Any]:
    """All games side by side, the agent Black in each."""
    game = make(GAME)
    config = SearchConfig(
        mode="uct",
        simulations=simulations,
        c=0.2,
        fpu="zero",
        rollout="uniform-pass",
        temperature=1.0,
        temperature_plies=TAU_PLIES,
    )
    agent, opponent = (
        SearchPlayer(config, lambda game: RolloutEvaluator(game, config.rollout)),
        make_baseline("random-uniform-pass", game),
    )
    streams = streams_of(games, seed)
    states = game.start_many(streams)
    depth, breadth = np.zeros(games), np.ones(games)
    began, live = time.perf_counter(), np.arange(games)
    while len(live):
        mover = int(states[live[0]].mover)
        own_streams = streams[live]
        actions = (agent if mover == 0 else opponent).choose(game, states[live], own_streams)
        streams[live] = own_streams
        if mover == 0:
            depth[live] = np.maximum(depth[live], [insight.depth for insight in agent.insights])
            breadth[live] = np.minimum(breadth[live], [insight.breadth for insight in agent.insights])
        game.kernels.advance_many(game.rules, states, live, live, actions)
        live = np.array([row for row in live if game.returns(states[row]) is None], dtype=np.int64)
    seconds = (time.perf_counter() - began) / games
    margins = np.array([game.kernels.score(game.rules, state) for state in states])
    low, high = wilson_interval(float((margins > 0).mean()), games)
    return {
        "simulations": simulations,
        "games": games,
        "win_rate": float((margins > 0).mean()),
        "interval": [low, high],
        "median_margin": float(np.median(margins)),
        "median_plies": float(np.median([int(state.ply) for state in states])),
        "median_max_depth": float(np.median(depth)),
        "median_min_breadth": float(np.median(breadth)),
        "seconds_per_game": seconds,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    rows = [play(simulations, chosen.games, chosen.seed) for simulations in REPORT]
    ours = ("simulations", "games", "win rate (95 %)", "report", "median margin", "report", "plies", "max depth", "min breadth")
    table = Table(*ours, "s/game", "report")
    for row in rows:
        win, margin, seconds = REPORT[row["simulations"]]
        low, high = row["interval"]
        table.add_row(
            str(row["simulations"]), str(row["games"]), f"{row['win_rate']:.2f} ({low:.2f}-{high:.2f})", f"{win:.2f}",
            f"{row['median_margin']:+.1f}", f"{margin:+.1f}", f"{row['median_plies']:.0f}", f"{row['median_max_depth']:.1f}",
            f"{row['median_min_breadth']:.3f}", f"{row['seconds_per_game']:.2f}", f"{seconds:.1f}",
        )  # fmt: skip
    Console(width=140).print(table)
    print(f"wrote {write_json('table1', rows)}")


if __name__ == "__main__":
    main()
