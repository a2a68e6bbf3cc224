"""Bring MLflow up to date with one experiment: parent run, a nested run per generation, report, nets.

MLflow's experiment is the game; the parent run belongs to an experiment's name and the digest of its parameters. Only what is
new is written. What a re-run changed replaces that generation's run and corrects the parent's metrics.
"""

from pathlib import Path
from typing import Any

from components.config import load_params
from components.core.files import digest_of, json_text
from components.games.registry import make
from components.layout import Layout
from components.reports.replays import draw_games
from components.reports.summary import collect, headline, numbers_of
from components.tracking.datasets import log_datasets
from components.tracking.evidence import Evidence, GenerationEvidence, gather, readable
from components.tracking.models import model_name, publish_nets
from components.tracking.numbers import flatten, parent_points, part_points
from components.tracking.runs import experiment_id, find_run, log_params, log_points, open_run, set_status, set_tags
from components.tracking.store import Store, tell_store

PARENT = "mlflow.parentRunId"
NOTE = "mlflow.note.content"
REPORT = "zeroline.report"


def publish_safely(root: Path, experiment: str) -> str | None:
    return tell_store(root, lambda store: publish(store, root, experiment))


def publish(store: Store, root: Path, name: str) -> None:
    params = load_params(root)
    evidence = gather(params, name, Layout(name, root))
    game = make(evidence.experiment.game).name
    place = experiment_id(store, game, model_name(game))
    key = digest_of(f"{name}\0{evidence.digest}".encode())
    parent = open_run(store, place, key, name, {"experiment": name, "parameters": evidence.digest})
    log_params(store, parent, flatten(evidence.experiment.model_dump(mode="json")))
    log_points(store, parent, parent_points(evidence))
    runs = {
        one.name: publish_generation(store, evidence, one, place, f"{key}/{one.name}", parent.info.run_id)
        for one in evidence.generations
        if one.parts
    }
    publish_nets(store, evidence, game, runs)
    publish_report(store, evidence, parent)
    set_status(store, parent, is_finished=evidence.tournament is not None)


def publish_generation(
    store: Store, evidence: Evidence, one: GenerationEvidence, place: str, key: str, parent: str
) -> str:  # fmt: skip
    """The generation's own run with every part that it has by now; returns the run's id."""
    digests = {f"zeroline.{part}": digest_of(json_text(content).encode()) for part, content in one.parts.items()}
    known = find_run(store, place, key)
    if known and any(known.data.tags.get(tag, digest) != digest for tag, digest in digests.items()):
        # Played or trained again with another result: half of the old run and half of the new one would be neither.
        store.client.delete_run(known.info.run_id)
    tags = {PARENT: parent, "experiment": evidence.name, "generation": one.name}
    run = open_run(store, place, key, f"{evidence.name} {one.name}", tags)
    for part in one.parts:
        if f"zeroline.{part}" not in run.data.tags:
            log_points(store, run, part_points(part, one, evidence.layout))
            set_tags(store, run, {f"zeroline.{part}": digests[f"zeroline.{part}"]})
    if one.training is not None:
        log_datasets(store, run, one.name, evidence.layout)
    set_status(store, run, is_finished=one.gate is not None)
    return run.info.run_id


def publish_report(store: Store, evidence: Evidence, parent: Any) -> None:
    """The page, its plots and three drawn games as artifacts of the parent run, when they are of these very numbers."""
    layout = evidence.layout
    if evidence.tournament is None or not layout.page.exists():
        return
    summary = collect(evidence.params, evidence.name, layout)
    if readable(layout.report) != numbers_of(summary):
        return
    files = [layout.page, *sorted(layout.plots.glob("*.svg"))]
    digest = digest_of(b"\0".join(path.read_bytes() for path in files))
    if parent.data.tags.get(REPORT) == digest:
        return
    run_id = parent.info.run_id
    for path in files:
        store.client.log_artifact(run_id, str(path), None if path == layout.page else "plots")
    newest = evidence.main_line[-1:]
    for number, game in enumerate(draw_games(layout.data(newest[0].name), make(evidence.experiment.game)) if newest else [], 1):
        store.client.log_text(run_id, game.to_text(), f"replays/game-{number}.txt")
    note = f"{headline(summary)}\n\nThe report page is the artifact **{layout.page.name}**; plots and drawn games lie beside it."
    set_tags(store, parent, {NOTE: note, REPORT: digest})
