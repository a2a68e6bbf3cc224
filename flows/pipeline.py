"""The main flow: one experiment's DVC stages as Prefect tasks, in graph order.

Prefect decides when and where, DVC decides whether. Stages run in the main thread, so that cancelling reaches them; several
experiments are several flow runs. Stop it at any point and run it again: it goes on.
"""

import sys
from pathlib import Path

from prefect import flow, get_run_logger, task
from prefect.artifacts import create_link_artifact, create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE

from components.config import Params, load_params, source_of
from components.core.command import run_command
from components.core.files import read_json
from components.layout import Layout, stage_names
from flows.console import duration
from flows.dvc_stage import StageRun, run_stage
from flows.edit import find_experiment
from flows.lock import repair
from flows.shards import die_with_parent


@task(name="stage", task_run_name="{stage}", cache_policy=NO_CACHE, persist_result=False)
def stage_task(stage: str, root: Path) -> StageRun:
    """One stage through `dvc repro -s`."""
    logger = get_run_logger()
    run = run_stage(stage, root, logger.info)
    logger.info("%s %s in %s: %s", run.label, stage, duration(run.seconds), run.reason)
    return run


@flow(name="pipeline", flow_run_name="{experiment}", log_prints=True, persist_result=False)
def pipeline(experiment: str = "golad-6x6") -> list[StageRun]:
    """From nothing, or from where it stands, to a champion and its report."""
    root = Path.cwd()
    repair(root)
    name = find_experiment(root, experiment)
    stages = stages_to(load_params(root), name)
    runs: list[StageRun] = []
    for stage in stages:
        runs.append(stage_task(stage, root))
        show_progress(name, runs, len(stages))
    show_results(root, name)
    return runs


def stages_to(params: Params, name: str) -> list[str]:
    """An experiment's stages in the order of the graph; before them those of the experiment whose champion it starts from."""
    source = source_of(params.experiment(name).start)
    before = stages_to(params, source[0])[:-2] if source and source[0] in params.experiments else []
    return [*before, *stage_names(name, [generation.generation for generation in params.generations_of(name)])]


def slug(text: str) -> str:
    return "".join(character if character.isalnum() else "-" for character in text.lower())


def show_progress(name: str, runs: list[StageRun], stages: int) -> None:
    rows = [{"stage": run.stage, "what": run.label, "why": run.reason, "time": duration(run.seconds)} for run in runs]
    create_table_artifact(rows, key=f"stages-{slug(name)}", description=f"{name}: {len(runs)} of {stages} stages")


def show_results(root: Path, name: str) -> None:
    """The ratings as a table, the plots as pictures in Markdown, the page as a link."""
    layout = Layout(name)
    header, *rows = read_json(root / layout.tournament)["crosstable"]
    create_table_artifact(
        [dict(zip(header, row, strict=True)) for row in rows], key=f"ratings-{slug(name)}", description=f"{name}: ratings"
    )
    plots = sorted((root / layout.plots).glob("*.svg"))
    if plots:
        create_markdown_artifact(
            "\n\n".join(picture(path) for path in plots), key=f"plots-{slug(name)}", description=f"{name}: plots"
        )
    create_link_artifact((root / layout.page).as_uri(), link_text=f"Report of {name}", key=f"report-{slug(name)}")


def picture(path: Path) -> str:
    import base64

    return f"![{path.stem}](data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()})"


def main(experiment: str) -> int:
    """The flow as a process of its own, for the command that waits for it and passes Ctrl-C on."""
    die_with_parent()
    pipeline(experiment)
    return 0


if __name__ == "__main__":
    sys.exit(run_command(lambda: main(sys.argv[1])))
