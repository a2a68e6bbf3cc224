"""From an experiment's files to MLflow's parameters and metrics. Pure: values in, values out.

A parent run's metrics go by generation, a generation's own run has its losses by training step. The same number has the same
name in both, and the part before the slash is the section that the UI shows it in.
"""

import re
from typing import Any

from components.config import START
from components.core.files import read_json
from components.layout import Layout
from components.reports.summary import collect
from components.tracking.evidence import Evidence, GenerationEvidence

Points = dict[str, list[tuple[int, float]]]  # (step, value) by metric
Values = dict[str, Any]
STAGE_OF_PART = {"selfplay": "generate", "training": "train", "gate": "gate"}


def flatten(values: Values, prefix: str = "") -> dict[str, str]:
    """Nested parameters by dotted name."""
    flat: dict[str, str] = {}
    for name, value in values.items():
        flat |= flatten(value, f"{prefix}{name}.") if isinstance(value, dict) and value else {f"{prefix}{name}": str(value)}
    return flat


def metric_name(text: str) -> str:
    """MLflow allows letters, digits and a few signs: uct:sims=100 becomes uct_sims_100."""
    return re.sub(r"[^\w\-. /]", "_", text)


def numbers_in(values: Values) -> dict[str, float]:
    """The entries that are numbers, whatever else a file tells."""
    return {
        name: float(value) for name, value in values.items() if isinstance(value, int | float) and not isinstance(value, bool)
    }


def selfplay_numbers(selfplay: Values) -> dict[str, float]:
    return {metric_name(f"selfplay/{name}"): value for name, value in numbers_in(selfplay).items()}


def line_numbers(line: Values) -> dict[str, float]:
    """One line of training.json: means since the line before, and the losses on held-out games."""
    told = {f"train/{name}": value for name, value in numbers_in(line).items() if name != "step"}
    told |= {f"validation/{name}": value for name, value in numbers_in(line["validation"] or {}).items()}
    return {metric_name(name): value for name, value in told.items()}


def gate_numbers(gate: Values) -> dict[str, float]:
    """An open gate has no match: only that the candidate went through."""
    told = {"gate/promoted": float(gate["verdict"] == "promoted")}
    return told | ({"gate/score": gate["match"]["score"], "gate/games": float(gate["match"]["games"])} if gate["match"] else {})


def add_points(points: Points, step: int, numbers: dict[str, float]) -> None:
    for name, value in numbers.items():
        points.setdefault(name, []).append((step, value))


def parent_points(evidence: Evidence) -> Points:
    """What is known of the main line, by generation."""
    points: Points = {}
    for one in evidence.main_line:
        number = one.generation.number
        add_points(points, number, selfplay_numbers(one.selfplay) if one.selfplay else {})
        add_points(points, number, line_numbers(one.training["history"][-1]) if one.training else {})
        add_points(points, number, gate_numbers(one.gate) if one.gate else {})
    if evidence.tournament is not None:
        add_strength(points, evidence)
    return points


def add_strength(points: Points, evidence: Evidence) -> None:
    """Rating and scores of the champion after each generation; the untrained net is step 0."""
    told = collect(evidence.params, evidence.name, evidence.layout)["generations"]
    for name in [START, *(one.name for one in evidence.main_line)]:
        values = told[name]
        rating = {f"strength/{key}": values[key] for key in ("elo", "elo_low", "elo_high") if key in values}
        scores = {metric_name(f"strength/score_vs_{rival}"): score["score"] for rival, score in values["scores"].items()}
        add_points(points, values["number"], {**rating, **scores})


def part_points(part: str, one: GenerationEvidence, layout: Layout) -> Points:
    """What one stage of a generation adds to the generation's own run."""
    points: Points = {}
    content, number = one.parts[part], one.generation.number
    if part == "training":
        for line in content["history"]:
            add_points(points, line["step"], line_numbers(line))
    else:
        add_points(points, number, selfplay_numbers(content) if part == "selfplay" else gate_numbers(content))
    add_points(points, number, speeds(part, one, layout))
    return points


def speeds(part: str, one: GenerationEvidence, layout: Layout) -> dict[str, float]:
    """How long the stage took when it last ran here, and what it did per second; nothing if it was restored from a cache."""
    stage = STAGE_OF_PART[part]
    path = layout.timing(f"{stage}@{layout.experiment}-{one.name}")
    if not path.exists():
        return {}
    seconds = read_json(path)["seconds"][-1]
    done = {
        "selfplay": {"games": "games", "positions": "rows"},
        "training": {"steps": "steps_done"},
        "gate": {},
    }[part]
    rates = {f"speed/{unit}_per_second": one.parts[part][key] / seconds for unit, key in done.items()} if seconds > 0 else {}
    return {f"seconds/{stage}": seconds, **rates}
