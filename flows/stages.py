"""The stages of the line, one command each: `python -m flows.stages generate golad-6x6-g01`. Called by dvc.yaml only.

A stage reads its inputs, does its work with resumable steps in the work folder, and writes its outputs whole. It prints; the
components it calls do not. What a stage writes under runs/ depends on its inputs alone.
"""

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from components.config import START, Experiment, Generation, load_params
from components.core.command import run_command
from components.core.errors import BadFile, BadParameter
from components.core.files import digest_of, json_text, new_file, read_json, write_json
from components.games.contract import Player
from components.layout import Layout
from flows.cache import doubt_copies
from flows.console import duration
from flows.lock import remember

if TYPE_CHECKING:
    from flows.shards import ShardJob

TRAINING_ROOMS = ("core", "games", "nets", "data", "training")

# MLflow takes seconds to load, so it is told when a generation is complete and when all is.
PUBLISHED = ("gate", "report")


def start(name: str) -> None:
    """The net that has learned nothing here: new, or transferred from a file. The first generation plays with it."""
    experiment = load_params().experiment(name)
    layout = Layout(name)
    from components.data.shards import write_window
    from components.data.window import Window
    from components.games.registry import make
    from components.nets.checkpoint import make_card, save_checkpoint
    from components.training.resume import save_no_optimizer
    from components.training.start import first_net

    game = make(experiment.game)
    first = first_net(game, experiment.net, experiment.start, experiment.seed)
    save_checkpoint(layout.champion(START), first.model, make_card(game, experiment.net, generation=0, note=first.note))
    save_no_optimizer(layout.optimizer(START))
    write_window(layout.window(START), Window(()))
    weights = sum(weight.numel() for weight in first.model.parameters())
    print(f"{name}: {weights:,} weights for {game.name}, {first.note}")


def generate(key: str) -> None:
    """Self-play with the parent's champion, or another player's games: a Parquet file per shard, and what the games were like."""
    from components.data.summary import summarise
    from components.games.registry import make
    from components.selfplay.play import planned_memory
    from flows.shards import choose_mapper, drop_damaged
    from flows.watch import SelfplayWatch

    experiment, generation, layout = open_generation(key)
    jobs = shard_jobs(key, experiment, generation, layout)
    for name in drop_damaged(jobs):
        print(f"generate {key}: {name} was damaged after it was played, and is played again", flush=True)
    known = [job.shard for job in jobs if Path(job.out).exists()]
    watch = SelfplayWatch(key, experiment.selfplay.games, {one: experiment.selfplay.games_of_shard(one) for one in known})
    if not experiment.selfplay.players:
        watch.tell_memory(planned_memory(make(experiment.game), experiment.search, experiment.selfplay))
    choose_mapper()(jobs, watch.note)
    folder = layout.data(generation.generation)
    shutil.rmtree(folder, ignore_errors=True)
    for job in jobs:
        copy_whole(Path(job.out), folder / Path(job.out).name)
    summary = summarise(sorted(folder.glob("*.parquet")), make(experiment.game))
    write_json(layout.selfplay(generation.generation), summary)
    watch.finish(summary)


def shard_jobs(key: str, experiment: Experiment, generation: Generation, layout: Layout) -> list["ShardJob"]:
    """A generation's shards as jobs; each waits in a work folder that is named by all that decides it."""
    from components.nets.checkpoint import read_card
    from flows.shards import ORACLE_ROOMS, SELFPLAY_ROOMS, ShardJob, code_digest

    champion, is_oracle = layout.champion(generation.parent), bool(experiment.selfplay.players)
    search = experiment.selfplay.search_of_generation(experiment.search, generation.number)
    jobs = []
    for shard in range(experiment.selfplay.shards):
        job = ShardJob(
            game=experiment.game,
            seed=experiment.seed,
            search=search.model_dump_json(),
            selfplay=experiment.selfplay.model_dump_json(),
            champion=str(champion),
            champion_digest="" if is_oracle else read_card(champion).parameters_digest,
            generation=generation.number,
            shard=shard,
            code=code_digest(ORACLE_ROOMS if is_oracle else SELFPLAY_ROOMS),
            out="",
        )
        jobs.append(replace(job, out=str(layout.work(f"{key}-{job.digest}") / f"shard-{shard:03d}.parquet")))
    return jobs


def train(key: str) -> None:
    """The candidate: the parent's champion after training on the window."""
    from components.data.shards import entry_of, read_window, write_window
    from components.data.window import choose_window
    from components.training.trainer import TrainRequest
    from components.training.trainer import train as run_training
    from flows.shards import code_digest
    from flows.watch import TrainingWatch

    experiment, generation, layout = open_generation(key)
    shards = sorted(layout.data(generation.generation).glob("*.parquet"))
    own = [entry_of(path, Path()) for path in shards]
    window = choose_window(read_window(layout.window(generation.parent)), own, experiment.window)
    request = TrainRequest(
        game=experiment.game,
        net=experiment.net,
        config=experiment.train,
        window=window,
        window_config=experiment.window,
        root=Path(),
        parent=layout.champion(generation.parent),
        candidate=layout.candidate(generation.generation),
        report=layout.training(generation.generation),
        work=layout.work(f"{key}-{code_digest(TRAINING_ROOMS)}"),
        generation=generation.number,
        seed=experiment.seed,
        parent_optimizer=layout.optimizer(generation.parent),
        optimizer=layout.optimizer(generation.generation),
    )
    run_training(request, TrainingWatch(key).note)
    write_window(layout.window(generation.generation), window)


def gate(key: str) -> None:
    """The champion: the candidate if it proves stronger than its parent's champion, else that one again."""
    from components.evaluation.gate import run_gate
    from components.games.registry import make
    from components.nets.checkpoint import read_card
    from flows.watch import GateWatch

    experiment, generation, layout = open_generation(key)
    game = make(experiment.game)
    nets = [layout.candidate(generation.generation), layout.champion(generation.parent)]
    digests = [read_card(path).parameters_digest for path in nets]
    settings = digest_of(
        json_text([experiment.model_dump(mode="json", include={"game", "search", "gate", "seed"}), digests]).encode()
    )
    players = [gate_player(experiment, path, experiment.gate.simulations) for path in nets]
    verdict = run_gate(
        game, players[0], players[1], experiment.gate, experiment.seed, layout.work(f"{key}-{settings}") / "games.jsonl",
        GateWatch(key).note, names=(f"candidate-{digests[0]}", f"champion-{digests[1]}"),
    )  # fmt: skip
    copy_whole(nets[0] if verdict.is_promoted else nets[1], layout.champion(generation.generation))
    write_json(layout.gate(generation.generation), verdict.to_dict())
    print(f"gate {key}: {verdict.reason}")


def tournament(name: str) -> None:
    """All champions and the ladder in one table of ratings."""
    from components.evaluation.tournament import run_tournament
    from components.games.registry import make
    from components.nets.checkpoint import read_card
    from components.players.registry import make_player
    from flows.watch import TournamentWatch

    params = load_params()
    experiment, layout = params.experiment(name), Layout(name)
    game = make(experiment.game)
    entries: dict[str, Callable[[], Player]] = {text: lambda text=text: make_player(text, game) for text in experiment.ladder}  # type: ignore[misc]
    nets, seen = {}, set()
    for generation in (START, *(one.generation for one in params.generations_of(name))):
        path = layout.champion(generation)
        digest = read_card(path).parameters_digest
        if digest not in seen:  # a rejected candidate leaves the champion as it was: one entry is enough
            seen.add(digest)
            nets[generation] = digest
            entries[generation] = lambda path=path: gate_player(experiment, path, experiment.gate.simulations)  # type: ignore[misc]
    settings = digest_of(
        json_text([experiment.model_dump(mode="json", include={"game", "search", "gate", "ladder", "seed"}), nets]).encode()
    )
    result = run_tournament(
        game, entries, experiment.tournament, experiment.seed, layout.work(f"{name}-tournament-{settings}") / "games.jsonl",
        TournamentWatch(name, experiment.tournament.pairs).note,
    )  # fmt: skip
    write_json(layout.tournament, {**result.to_dict(), "game": game.name, "nets": nets})
    print_crosstable(result.crosstable_rows())


def report(name: str) -> None:
    """The numbers of the whole run, its plots and the page that shows them."""
    from flows.report import write_report

    page = write_report(load_params(), name)
    print(f"report {name}: {page}")


def gate_player(experiment: Experiment, net: Path, simulations: int) -> Player:
    """A net as it plays matches: the experiment's own search without exploration, at the match's number of simulations."""
    from components.nets.evaluator import NetEvaluator
    from components.players.search import SearchPlayer
    from components.search.modes import evaluator_of

    search = experiment.search.for_match(simulations)
    return SearchPlayer(search, lambda game: evaluator_of(game, search, NetEvaluator(net, game)))


def open_generation(key: str) -> tuple[Experiment, Generation, Layout]:
    params = load_params()
    generation = params.generation(key)
    return params.experiment(generation.experiment), generation, Layout(generation.experiment)


def copy_whole(source: Path, target: Path) -> None:
    with new_file(target) as part:
        shutil.copyfile(source, part)


def print_crosstable(rows: list[list[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


STAGES = {stage.__name__: stage for stage in (start, generate, train, gate, tournament, report)}


def run(arguments: list[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in STAGES:
        raise BadParameter(f"Found '{' '.join(arguments)}'; need a stage ({', '.join(STAGES)}) and an experiment or generation.")
    stage, key = arguments
    remember()
    began = time.monotonic()
    try:
        STAGES[stage](key)
    except BadFile:
        doubt_copies()
        raise
    seconds = time.monotonic() - began
    params = load_params()
    experiment = params.generations[key].experiment if key in params.generations else key
    note_time(Layout(experiment).timing(f"{stage}@{key}"), seconds)
    print(f"{stage}@{key}: done in {duration(seconds)}", flush=True)
    if stage in PUBLISHED:
        publish(experiment)
    return 0


def note_time(path: Path, seconds: float) -> None:
    known = read_json(path)["seconds"] if path.exists() else []
    write_json(path, {"seconds": [*known, round(seconds, 1)]})


def publish(experiment: str) -> None:
    """Let MLflow see what is new. An observer: if its store is out of reach the line goes on and says so."""
    from components.tracking import publish_experiment

    problem = publish_experiment(Path(), experiment)
    if problem:
        print(f"MLflow was not told: {problem}", file=sys.stderr)


def main() -> int:
    return run_command(lambda: run(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
