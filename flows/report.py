"""Write an experiment's report: report.json for DVC, the plots, and the page for people. Called by the report stage."""

from pathlib import Path
from typing import Any

import yaml

from components.config import PARAMS_FILE, START, Params
from components.core.files import read_json, write_json, write_text
from components.games.registry import make
from components.layout import Layout, stage_names
from components.reports.page import PageContent, render_page
from components.reports.plots import draw_plots
from components.reports.replays import draw_games
from components.reports.summary import collect, numbers_of


def write_report(params: Params, name: str, root: Path = Path()) -> Path:
    """Write numbers, plots and page, and return the page's path. All but the page are the same on every machine."""
    layout = Layout(name, root)
    generations = [generation.generation for generation in params.generations_of(name)]
    summary = collect(params, name, layout)
    histories = {
        generation: read_json(layout.training(generation))["history"] for generation in summary["line"] if generation != START
    }
    plots = draw_plots(summary, histories)
    write_plots(layout.plots, plots)
    newest = generations[-1] if generations else START
    content = PageContent(
        summary=summary,
        plots=plots,
        seconds=stage_seconds(layout, stage_names(name, generations)),
        replays=draw_games(layout.data(newest), make(params.experiment(name).game)),
        replayed=newest,
        parameters=parameter_text(params, name),
        commands=reproduction(name),
    )
    write_text(layout.page, render_page(content))
    write_json(layout.report, numbers_of(summary))
    return layout.page


def write_plots(folder: Path, plots: dict[str, str]) -> None:
    """The folder holds these plots and nothing else: it is an output of the stage."""
    for path in folder.glob("*.svg"):
        if path.stem not in plots:
            path.unlink()
    for name, svg in plots.items():
        write_text(folder / f"{name}.svg", svg)


def stage_seconds(layout: Layout, stages: list[str]) -> dict[str, float]:
    """How long each stage took when it last ran here. One that was restored from a cache has no time."""
    timed = [stage for stage in stages if layout.timing(stage).exists()]
    return {stage: read_json(layout.timing(stage))["seconds"][-1] for stage in timed}


def parameter_text(params: Params, name: str) -> str:
    """The experiment's block with every default, as params.yaml would say it."""
    block: dict[str, Any] = {"experiments": {name: params.experiment(name).model_dump(mode="json")}}
    return yaml.safe_dump(block, sort_keys=False, default_flow_style=None, width=100)


def reproduction(name: str) -> str:
    return (
        f"# With {PARAMS_FILE} and dvc.lock of this commit: the same bytes again, or from the cache.\n"
        f"dvc repro report@{name}\n\n"
        f"# The same graph as a flow, with progress and artifacts.\n"
        f"python -m flows run {name}\n\n"
        f"# Runs side by side.\n"
        f"mlflow ui --backend-store-uri sqlite:///mlflow.db\n"
    )
