"""Strength and losses over training, from an experiment's champions and files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from components.core.files import read_json
from components.games.registry import make
from components.layout import Layout
from components.players.registry import make_player
from flows.papers.desk import Desk
from flows.papers.nets import DIGEST_DIGITS, GENERATION, Champion, Entrant, champions_of, training_of
from flows.papers.plan import CHAMPION, CurveRow, LossesRow
from flows.papers.play import names_of, play_paired

Numbers = dict[str, Any]
LOSSES = ("total", "policy", "value")
MOST_LINES = 40  # of a loss curve: its shape, in a file that is small enough to keep


def measure_curve(row: CurveRow, desk: Desk) -> Numbers:
    project = desk.run_project(row)
    champions = spread_out(champions_of(project, row.experiment), row.points)
    points = [point_of(row, desk, project, champion) for champion in champions]
    return {"experiment": row.experiment, "game": make(row.game).name, "games": desk.wanted_games(row), "points": points}


def spread_out(champions: Sequence[Champion], most: int) -> list[Champion]:
    """At most so many, the first and the last among them."""
    if len(champions) <= most:
        return list(champions)
    return [champions[round(place * (len(champions) - 1) / (most - 1))] for place in range(most)]


def point_of(row: CurveRow, desk: Desk, project: Path, champion: Champion) -> Numbers:
    """One champion against every opponent."""
    game = make(row.game)
    shown = champion.path.relative_to(project).as_posix()
    player = Entrant(
        row.player.replace(CHAMPION, str(champion.path)), f"{row.player.replace(CHAMPION, shown)} [{champion.digest[:8]}]"
    )
    scores = {}
    for text in row.opponents:
        players = (make_player(player.text, game), make_player(text, game))
        summary = play_paired(
            game, players, names_of(player, Entrant(text, text)), desk.wanted_games(row), desk.folder(row),
            seed=row.seed, slots=row.slots, opening=None,
        )  # fmt: skip
        low, high = summary["interval"]
        scores[text] = {"score": summary["score"], "low": low, "high": high, "games": summary["games"]}
    trained = training_of(project, row.experiment, champion.generation)
    return {"generation": champion.generation, "digest": champion.digest[:DIGEST_DIGITS], "trained": trained, "scores": scores}


def measure_losses(row: LossesRow, desk: Desk) -> Numbers:
    """Losses by step, the steps of all generations one after the other."""
    layout = Layout(row.experiment, desk.run_project(row))
    names = [path.parent.name for path in layout.folder.glob("g*/training.json") if GENERATION.fullmatch(path.parent.name)]
    lines, steps = [], 0
    for name in sorted(names, key=lambda name: int(name[1:])):
        training = read_json(layout.training(name))
        for entry in training["history"]:
            held_out = (entry["validation"] or {}).get("value")
            lines.append(
                {"generation": name, "step": steps + entry["step"], "value_held_out": held_out}
                | {loss: round(entry[loss], 6) for loss in LOSSES}
            )
        steps += training["steps_done"]
    return {"experiment": row.experiment, "games": 0, "steps": steps, "lines": thinned(lines)}


def thinned(lines: list[Numbers]) -> list[Numbers]:
    """Evenly spread lines, the first and the last kept."""
    if len(lines) <= MOST_LINES:
        return lines
    return [lines[round(place * (len(lines) - 1) / (MOST_LINES - 1))] for place in range(MOST_LINES)]
