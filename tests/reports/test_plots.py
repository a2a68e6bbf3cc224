"""Plots are the same bytes on every run, hold no time, and survive every shape a run can have."""

import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from tiny_line import NAME

from components.core.files import read_json
from components.layout import Layout
from components.reports.plots import draw_plots

GATE = {"promoted": 1, "verdict": "promoted", "reason": "", "score": 0.6, "low": 0.5, "high": 0.7, "games": 40}
GAMES = {"games": 10, "rows": 100, "mean_plies": 10.0, "first_player_score": 0.5, "draw_rate": 0.1, "distinct_games": 10}
STRENGTH = {
    "elo": 10.0,
    "elo_low": 0.0,
    "elo_high": 20.0,
    "scores": {"random": {"score": 1.0, "low": 0.9, "high": 1.0, "games": 10}},
}


def generation(number, parent, **changes):
    return {
        "number": number,
        "parent": parent,
        "champion": f"g{number:02d}",
        "selfplay": GAMES,
        "gate": GATE,
        **STRENGTH,
        **changes,
    }


def summary_of(generations, line):
    start = {"g00": {"number": 0, "parent": "", "champion": "g00", **STRENGTH}}
    ladder = {"random": {"elo": 0.0}, "uct:sims=100": {}}
    return {
        "experiment": "x",
        "game": "y",
        "anchor": "random",
        "ladder": ladder,
        "generations": start | generations,
        "line": line,
    }


HISTORY = [{"step": 5, "policy": 2.0, "value": 1.0, "total": 3.0, "validation": None}]
SHAPES = {
    "only the start": (summary_of({}, ["g00"]), {}),
    "one line of losses": (summary_of({"g01": generation(1, "g00")}, ["g00", "g01"]), {"g01": HISTORY}),
    "an open gate": (
        summary_of({"g01": generation(1, "g00", gate={"promoted": 1, "verdict": "promoted", "reason": ""})}, ["g00", "g01"]),
        {"g01": HISTORY},
    ),
    "a branch": (
        summary_of({"g01": generation(1, "g00"), "g01b": generation(1, "g00")}, ["g00", "g01b"]),
        {"g01b": HISTORY},
    ),
    "no rating": (summary_of({"g01": generation(1, "g00", scores={})}, ["g00", "g01"]), {"g01": HISTORY}),
    "many generations": (
        summary_of({f"g{n:02d}": generation(n, f"g{n - 1:02d}") for n in range(1, 60)}, [f"g{n:02d}" for n in range(60)]),
        {f"g{n:02d}": HISTORY for n in range(1, 60)},
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_a_run_is_drawn_and_drawn_alike(shape):
    first, second = draw_plots(*SHAPES[shape]), draw_plots(*SHAPES[shape])
    assert first == second
    assert set(first) == {"strength", "losses", "games", "gates"}
    for svg in first.values():
        ElementTree.fromstring(svg)


def test_plots_are_the_same_bytes_in_another_process(line, tmp_path):
    code = "import sys; from pathlib import Path; from components.config import load_params\n"
    code += "from flows.report import write_report; r = Path(sys.argv[1]); write_report(load_params(r), sys.argv[2], r)"
    before = {path.name: path.read_bytes() for path in Layout(NAME, line).plots.iterdir()}
    numbers = Layout(NAME, line).report.read_bytes()
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code, str(line), NAME], check=True, cwd=tmp_path, env=environment)
    assert {path.name: path.read_bytes() for path in Layout(NAME, line).plots.iterdir()} == before
    assert Layout(NAME, line).report.read_bytes() == numbers


def test_text_stays_text_and_no_date_is_written(line):
    svg = (Layout(NAME, line).plots / "strength.svg").read_text()
    assert ">random<" in svg
    assert "Score against fixed opponents" in svg
    assert "<dc:date>" not in svg


def test_report_json_is_the_summary_in_numbers(line):
    told = read_json(Layout(NAME, line).report)
    assert told["generations"]["g02"]["number"] == 2
    assert "champion" in told
