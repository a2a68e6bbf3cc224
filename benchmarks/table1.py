"""Table 1 of the 9x9 report: `python -m benchmarks.table1`. UCT with random rollouts against the report's random player.

As the report's code ran it: komi 0.5, simple ko, the agent always Black, uniform-prior PUCT with c = 0.2, q = 0 for unvisited
actions, one uniform rollout (pass included) per simulation, tau = 20 own moves sampled by visits, then the most visited.
`python -m flows papers --only go-9x9` has the report's other tables, with files and resuming.
"""

import argparse
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.timing import write_json
from components.games.registry import make
from components.players.registry import make_player
from components.protocols.one_sided_report import play_table_line

GAME = "go-9x9/report-9x9:ko=simple"
TAU_PLIES = 2 * 20 - 1  # own moves 1 to 20 of Black are the plies 0 to 38
AGENT = f"uct:sims={{}},c=0.2,rollout=uniform-pass,temperature=1.0,temperature_plies={TAU_PLIES}"
OPPONENT = "random-uniform-pass"
REPORT = {100: (0.87, 10.0, 9.7), 1000: (1.0, 11.5, 94.7)}  # win rate, median margin, seconds per game


def play(simulations: int, games: int, seed: int) -> dict[str, Any]:
    """All games side by side, the agent Black in each."""
    game, texts = make(GAME), (AGENT.format(simulations), OPPONENT)
    players = (make_player(texts[0], game), make_player(texts[1], game))
    line = play_table_line(game, players, texts, games, seed=seed, slots=games, opening_plies=0)
    return {"simulations": simulations, **line}


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
            str(row["simulations"]), str(row["games"]), f"{row['score']:.2f} ({low:.2f}-{high:.2f})", f"{win:.2f}",
            f"{row['median_margin']:+.1f}", f"{margin:+.1f}", f"{row['median_plies']:.0f}", f"{row['median_depth']:.1f}",
            f"{row['median_least_breadth']:.3f}", f"{row['median_seconds_per_game']:.2f}", f"{seconds:.1f}",
        )  # fmt: skip
    Console(width=140).print(table)
    print(f"wrote {write_json('table1', rows)}")


if __name__ == "__main__":
    main()
