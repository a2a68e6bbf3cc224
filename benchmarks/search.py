"""How close the search comes to the net's own speed, and to its peers: `python -m benchmarks.search [--part efficiency|...]`.

One run, one thread, CPU seconds, candidates in turns: the ratios count, not the absolute figures. Writes a table, JSON and a bar
chart to benchmarks/out/. Peers need `pip install -e '.[bench]'`.
"""

import argparse
import multiprocessing
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.timing import OUT, process_rates, write_json
from components.core.seeds import streams_of
from components.games.registry import make
from components.nets.config import NetConfig
from components.nets.evaluator import NetEvaluator
from components.nets.model import build_model
from components.search.config import SearchConfig
from components.search.evaluators import UniformEvaluator
from components.search.forest import Forest
from components.search.uct import RolloutEvaluator

GAMES, SIMULATIONS = 128, 100
SETUPS = {
    "go-9x9 5x32": ("go-9x9/report-9x9", NetConfig(blocks=5, channels=32)),
    "go-9x9 6x64": ("go-9x9/report-9x9", NetConfig(blocks=6, channels=64)),
    "golad-8x8 4x48": ("golad-8x8", NetConfig(blocks=4, channels=48)),
    "organism-3 4x48": ("organism-3", NetConfig(blocks=4, channels=48, hexagonal=True, hexagon_board=True)),
}
NEEDED = {"go-9x9 5x32": 0.88, "go-9x9 6x64": 0.94}


def setup(name: str, precision: str = "auto") -> tuple[Any, NetEvaluator]:
    """The game and a net of that shape; int8 is calibrated on positions of random games."""
    game = make(SETUPS[name][0])
    evaluator = NetEvaluator(build_model(game.spec, SETUPS[name][1], seed=1), game, precision=precision, max_batch=GAMES)
    if precision == "int8":
        evaluator.calibrate(planes_of(game))
    return game, evaluator


def planes_of(game: Any) -> Any:
    planes = np.zeros((GAMES, game.spec.planes, game.spec.height, game.spec.width), dtype=np.float32)
    game.kernels.encode_many(game.rules, middle_positions(game), np.arange(GAMES), planes)
    return planes


def search_work(game: Any, forest: Forest) -> Callable[[], int]:
    """Searches of 128 games from positions a few plies in; counts simulations, those that meet an end of the game included."""
    states, streams = middle_positions(game), streams_of(GAMES, 3)

    def work() -> int:
        forest.search(states, streams.copy())
        return int(forest.arrays.trees["started"].sum())

    return work


def forest_of(game: Any, evaluator: Any) -> Forest:
    return Forest(game, evaluator, SearchConfig(simulations=SIMULATIONS), GAMES)


def asked_share(forest: Forest, search: Callable[[], int]) -> float:
    """How many positions the net is asked about for each simulation: ends of games need none, roots need one more."""
    before = forest.clock.evaluated
    simulations = search()
    return (forest.clock.evaluated - before) / simulations


def middle_positions(game: Any, plies: int = 6) -> Any:
    from components.games.players import RandomPlayer

    states, streams = game.start_many(streams_of(GAMES, 1)), streams_of(GAMES, 2)
    for _ in range(plies):
        actions = RandomPlayer().choose(game, states, streams)
        for row in range(GAMES):
            child = game.after(states[row], int(actions[row]))
            if game.returns(child) is None:
                states[row] = child
    return states


def net_work(game: Any, evaluator: NetEvaluator) -> Callable[[], int]:
    planes = planes_of(game)

    def work() -> int:
        evaluator.evaluate_planes(planes)
        return GAMES

    return work


def efficiency() -> list[dict[str, Any]]:
    """(a) simulations per second divided by the net's own positions per second, at the same batch and threads."""
    rows = []
    for name in SETUPS:
        game, evaluator = setup(name)
        forest = forest_of(game, evaluator)
        search = search_work(game, forest)
        found = process_rates({"net": net_work(game, evaluator), "search": search})
        rows.append(
            {
                "what": f"efficiency {name} ({evaluator.precision})",
                "ours": found["search"],
                "other": found["net"],
                "ratio": found["search"] / found["net"],
                "needed": NEEDED.get(name),
                "asked": asked_share(forest, search),
                "bytes_per_tree": forest.bytes_per_tree,
            }
        )
    return rows


def play_for(seconds: float, name: str, barrier: Any, out: Any) -> None:
    """One worker: searches per wall second after all have warmed up."""
    game, evaluator = setup(name)
    work = search_work(game, forest_of(game, evaluator))
    work()
    barrier.wait()
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        done += work()
    out.put(done / (time.perf_counter() - began))


def workers(name: str = "go-9x9 5x32", seconds: float = 10.0) -> list[dict[str, Any]]:
    """Two processes on two cores against one, wall time: the only figure that a busy machine distorts."""
    context = multiprocessing.get_context("spawn")
    rates = {}
    for count in (1, 2):
        barrier, out = context.Barrier(count), context.Queue()
        team = [context.Process(target=play_for, args=(seconds, name, barrier, out)) for _ in range(count)]
        for process in team:
            process.start()
        rates[count] = sum(out.get() for _ in team)
        for process in team:
            process.join()
    return [{"what": "two workers / one", "ours": rates[2], "other": rates[1], "ratio": rates[2] / rates[1], "needed": 1.8}]


def peers() -> list[dict[str, Any]]:
    """(b) the same net shape and simulations in OpenSpiel's Python search and in pgx + mctx."""
    from benchmarks.peers import openspiel_with_net, pgx_with_mctx

    rows = []
    for name in ("go-9x9 5x32", "go-9x9 6x64"):
        game, evaluator = setup(name)
        config = SETUPS[name][1]
        found = process_rates(
            {
                evaluator.precision: search_work(game, forest_of(game, evaluator)),
                "int8": search_work(game, forest_of(game, setup(name, "int8")[1])),
                "OpenSpiel Python": openspiel_with_net(evaluator.model, game.spec.planes),
                "pgx + mctx": pgx_with_mctx(config.blocks, config.channels, GAMES),
            },
            rounds=3,
        )
        for peer, needed in (("OpenSpiel Python", 10.0), ("pgx + mctx", 3.0)):
            for ours in (evaluator.precision, "int8"):
                rows.append(
                    {"what": f"{name} {ours} against {peer}", "ours": found[ours], "other": found[peer],
                     "ratio": found[ours] / found[peer], "needed": needed}
                )  # fmt: skip
    return rows


def uct() -> list[dict[str, Any]]:
    """(c) simulations with one rollout each, against pyspiel's C++ search."""
    from benchmarks.peers import pyspiel_uct

    game = make("go-9x9:ko=simple")
    config = SearchConfig(mode="uct", rule="ucb1", c=1.4, simulations=SIMULATIONS)
    forest = Forest(game, RolloutEvaluator(game), config, GAMES)
    states = game.start_many(streams_of(GAMES, 1))

    def ours() -> int:
        forest.search(states, streams_of(GAMES, 3))
        return GAMES * SIMULATIONS

    found = process_rates({"ours": ours, "pyspiel": pyspiel_uct()}, rounds=3)
    return [
        {"what": "UCT go-9x9 against pyspiel C++", "ours": found["ours"], "other": found["pyspiel"],
         "ratio": found["ours"] / found["pyspiel"], "needed": 3.0}
    ]  # fmt: skip


def tree_alone() -> list[dict[str, Any]]:
    """What tree and rules cost without any net, in simulations per second."""
    game = make("go-9x9/report-9x9")
    found = process_rates({"tree": search_work(game, forest_of(game, UniformEvaluator(game)))})
    return [{"what": "go-9x9 tree and rules alone", "ours": found["tree"], "other": None, "ratio": None, "needed": None}]


PARTS = {"efficiency": efficiency, "workers": workers, "peers": peers, "uct": uct, "tree": tree_alone}


def show(rows: list[dict[str, Any]]) -> None:
    table = Table("what", "ours /s", "other /s", "ratio", "needed", "asks of the net per simulation", "bytes per tree")
    for row in rows:
        numbers = [f"{row[key]:,.0f}" if row[key] else "" for key in ("ours", "other")]
        ratio, needed = (f"{row[key]:.2f}" if row[key] else "" for key in ("ratio", "needed"))
        asked, size = (f"{row['asked']:.2f}", f"{row['bytes_per_tree']:,}") if "asked" in row else ("", "")
        table.add_row(row["what"], *numbers, ratio, needed, asked, size)
    Console(width=120).print(table)


def draw(rows: list[dict[str, Any]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    shown = [row for row in rows if row["ratio"]]
    figure, axes = pyplot.subplots(figsize=(9, 0.5 * len(shown) + 1.2))
    bars = axes.barh([row["what"] for row in shown], [row["ratio"] for row in shown], color="#0072b2")
    axes.bar_label(bars, fmt="%.2f", padding=3)
    axes.scatter([row["needed"] for row in shown], range(len(shown)), marker="|", s=300, color="#d55e00", label="needed")
    axes.set_xscale("log")
    axes.invert_yaxis()
    axes.set_xlabel("ratio within this run")
    axes.legend()
    figure.tight_layout()
    figure.savefig(OUT / "search.svg")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--part", choices=PARTS, action="append", help="only this part; may be given again")
    rows = [row for part in options.parse_args().part or PARTS for row in PARTS[part]()]
    show(rows)
    print(f"wrote {write_json('search', rows)}")
    draw(rows)


if __name__ == "__main__":
    main()
