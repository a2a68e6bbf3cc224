"""How fast the rules are: `python -m benchmarks.games`. One core, one run, CPU seconds; ratios are what counts.

Needs `pip install -e '.[bench]'` for pyspiel; without it the rest is measured and the gap is said.
"""

import random
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.organism_reference import results_of_ply, state_from_text
from benchmarks.timing import rates, write_json
from components.core.seeds import streams_of
from components.games.golad.life import step_many
from components.games.organism.notation import state_string
from components.games.players import RandomPlayer
from components.games.registry import example_games, make

PLAYOUTS = 64
GENERATIONS = 20


def playouts_of(name: str) -> Callable[[], int]:
    """Random playouts through the game's own batch kernel."""
    game = make(name)
    starts, streams = game.start_many(streams_of(PLAYOUTS, 1)), streams_of(PLAYOUTS, 2)
    actions = np.zeros(game.spec.max_legal, dtype=np.int32)
    results = np.zeros((PLAYOUTS, 2), dtype=np.float32)

    def work() -> int:
        game.kernels.rollout_many(game.rules, starts.copy(), streams, actions, results)
        return PLAYOUTS

    return work


def pyspiel_playouts(size: int) -> Callable[[], int]:
    """Uniform random playouts driven from Python, as pyspiel's users write them."""
    import pyspiel

    game = pyspiel.load_game("go", {"board_size": size})

    def work() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        state.returns()
        return 1

    return work


def life_steps(name: str) -> Callable[[], int]:
    """Life steps on start boards, begun anew before they die out."""
    game = make(name)
    fresh = np.stack([game.start(seed).cells for seed in range(PLAYOUTS)])

    def work() -> int:
        step_many(fresh.copy(), game.spec.width, GENERATIONS)
        return PLAYOUTS * GENERATIONS

    return work


def organism_results() -> tuple[Callable[[], int], Callable[[], int]]:
    """All results of a ply on the same positions: our kernel, and a plain-Python enumeration of the same rules."""
    game = make("organism-3:turns=whole")
    positions = random_positions(game)
    texts = [state_string(game, position) for position in positions]
    actions, out = np.zeros(game.spec.max_legal, dtype=np.int32), game.new_states(game.spec.max_legal)

    def ours() -> int:
        for position in positions:
            game.kernels.successors(game.rules, position, actions, out)
        return len(positions)

    def plain() -> int:
        for text in texts:
            results_of_ply(state_from_text(text))
        return len(texts)

    return ours, plain


def random_positions(game: Any, count: int = 24) -> list[Any]:
    """Positions of random games that are not over."""
    found: list[Any] = []
    for seed in range(1000):
        state, stream = game.start(seed), streams_of(1, seed)
        while game.returns(state) is None and len(found) < count:
            found.append(state)
            rows = game.new_states(1)
            rows[0] = state
            state = game.after(state, int(RandomPlayer().choose(game, rows, stream)[0]))
        if len(found) >= count:
            break
    return found


def measure() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    go = {"ours": playouts_of("go-9x9")}
    if find_spec("pyspiel"):
        go["pyspiel"] = pyspiel_playouts(9)
    found = rates(go)
    rows.append(row("go-9x9 playouts (non-eye moves, scored) against pyspiel", found["ours"], found.get("pyspiel"), 4.0))
    ours, plain = organism_results()
    found = rates({"ours": ours, "plain": plain})
    rows.append(row("organism-3 results of a ply against plain Python", found["ours"], found["plain"], 20.0))
    rows.append(row("golad-18x16 life steps", rates({"ours": life_steps("golad-18x16")})["ours"]))
    for name in example_games():
        rows.append(row(f"{name} playouts", rates({"ours": playouts_of(name)}, rounds=3, seconds=0.2)["ours"]))
    return rows


def row(what: str, ours: float, other: float | None = None, needed: float | None = None) -> dict[str, Any]:
    return {"what": what, "ours": ours, "other": other, "ratio": ours / other if other else None, "needed": needed}


def main() -> None:
    rows = measure()
    table = Table("what", "per CPU second", "other", "ratio", "needed")
    for entry in rows:
        other = f"{entry['other']:,.0f}" if entry["other"] else "not installed" if entry["needed"] else ""
        ratio, needed = (f"{entry[key]:.1f}" if entry[key] else "" for key in ("ratio", "needed"))
        table.add_row(entry["what"], f"{entry['ours']:,.0f}", other, ratio, needed)
    Console(width=130).print(table)
    print(f"wrote {write_json('games', rows)}")


if __name__ == "__main__":
    main()
