"""Find the nets that rows name, and tell where they come from: digest, weights, game turns and minutes of training.

A net lies in champions/ or among an experiment's champions, in this project or in another copy of it. Promises to say what is
missing and which command makes it; nothing is invented, and nothing that is recorded names a folder of this machine.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from components.config import START, load_params, source_of
from components.core.errors import ZerolineError
from components.core.files import read_json
from components.layout import Layout
from flows.papers.plan import NET_NAME, NetSource

GENERATION = re.compile(r"g(\d{2,})")
DIGEST_DIGITS = 16
STAGES = ("generate", "train", "gate")
SUMMED = ("games", "game_turns", "minutes")
UNKNOWN = (*SUMMED, "scale")  # of a net whose run is not at hand


class NoNet(ZerolineError):
    """A net that is not here yet."""


@dataclass(frozen=True)
class Champion:
    """A champion of an experiment and the generation that first brought it."""

    generation: str
    path: Path
    digest: str


@dataclass(frozen=True)
class Net:
    """A net to play with, and what a result records of it."""

    path: Path
    facts: dict[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Entrant:
    """A player's text as the registry reads it, and as results tell it."""

    text: str
    label: str


def digest_of_net(path: Path) -> str:
    from components.nets.checkpoint import read_card

    return read_card(path).parameters_digest


def champions_of(project: Path, experiment: str) -> list[Champion]:
    """The distinct champions, the oldest first: a rejected candidate leaves the net before it under a new name."""
    paths = [
        path for path in Layout(experiment, project).folder.glob("champions/g*.safetensors") if GENERATION.fullmatch(path.stem)
    ]
    found: dict[str, Champion] = {}
    for path in sorted(paths, key=lambda path: int(path.stem[1:])):
        digest = digest_of_net(path)
        found.setdefault(digest, Champion(path.stem, path, digest))
    return list(found.values())


def find_net(name: str, source: NetSource, projects: Sequence[Path]) -> Net:
    """The net of that name, in the first project that has it."""
    for project in projects:
        path = find_path(source, project)
        if path is not None:
            return Net(path, facts_of(path, project, source.experiment, projects))
    raise NoNet(f"needs {source.wanted}, made by `{source.made_by}`")


def find_path(source: NetSource, project: Path) -> Path | None:
    if source.path and (project / source.path).exists():
        return project / source.path
    champions = champions_of(project, source.experiment)
    trained = [champion for champion in champions if champion.generation != START]
    for number, most in (("game_turns", source.turns), ("minutes", source.minutes)):
        spent = {one: training_of(project, source.experiment, one.generation)[number] for one in trained if most}
        trained = [one for one in trained if not most or (spent[one] is not None and spent[one] <= most)]
    if source.champion:
        trained = trained[source.champion - 1 : source.champion]
    return trained[-1].path if trained else None


def facts_of(path: Path, project: Path, experiment: str, projects: Sequence[Path]) -> dict[str, Any]:
    from components.nets.checkpoint import read_checkpoint

    card, weights, _ = read_checkpoint(path)
    facts: dict[str, Any] = {
        "path": path.relative_to(project).as_posix(), "digest": card.parameters_digest[:DIGEST_DIGITS], "game": card.game,
        "weights": sum(tensor.numel() for tensor in weights.values()), "generation": card.generation, "experiment": experiment,
    }  # fmt: skip
    return facts | provenance(card.parameters_digest, experiment, projects)


def provenance(digest: str, experiment: str, projects: Sequence[Path]) -> dict[str, Any]:
    """What a net was trained on, where the run that made it is still at hand; unknown numbers are None."""
    for project in projects:
        for champion in champions_of(project, experiment):
            if champion.digest == digest:
                return training_of(project, experiment, champion.generation)
    return dict.fromkeys(UNKNOWN)


@cache
def training_of(project: Path, experiment: str, last: str) -> dict[str, Any]:
    """Games, game turns, minutes and scale of an experiment up to a generation, with those of the net that it started from."""
    own, source = own_training_of(project, experiment, last), start_of(project, experiment)
    if source is None:
        return own
    before = training_of(project, *source)
    return own | {name: total([before[name], own[name]]) for name in SUMMED}


def own_training_of(project: Path, experiment: str, last: str) -> dict[str, Any]:
    """The same of the experiment alone, on its main line; unknown numbers are None."""
    layout, number = Layout(experiment, project), int(last[1:])
    names = [path.parent.name for path in layout.folder.glob("g*/selfplay.json") if GENERATION.fullmatch(path.parent.name)]
    names = sorted((name for name in names if int(name[1:]) <= number), key=lambda name: int(name[1:]))
    if len(names) < number:
        return dict.fromkeys(UNKNOWN)  # a part of the run is not here: its sum would be too small
    turns = [turns_in(layout, name) for name in names]
    seconds = [stage_seconds(layout, f"{stage}@{experiment}-{name}") for name in names for stage in STAGES]
    return {
        "games": sum(read_json(layout.selfplay(name))["games"] for name in names),
        "game_turns": total(turns),
        "minutes": None if total(seconds) is None else round((total(seconds) or 0.0) / 60, 1),
        "scale": scale_of(project, experiment),
    }


def scale_of(project: Path, experiment: str) -> float | None:
    """How much smaller than its preset the experiment ran, as its params.yaml records it."""
    experiments = load_params(project).experiments
    return experiments[experiment].scale if experiment in experiments else None


def start_of(project: Path, experiment: str) -> tuple[str, str] | None:
    """(experiment, generation) whose champion the experiment started from; None for new weights and committed files."""
    experiments = load_params(project).experiments
    return source_of(experiments[experiment].start) if experiment in experiments else None


def total(values: Sequence[float | None]) -> float | None:
    """The sum, unknown as soon as a part is."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def turns_in(layout: Layout, generation: str) -> int | None:
    """How often a player was on turn in a generation's games; a turn may take several plies. None without the games."""
    import pyarrow.parquet as parquet

    shards = sorted(layout.data(generation).glob("*.parquet"))
    tables = [parquet.read_table(path, columns=["game_id", "mover"]) for path in shards]
    return sum(count_turns(table["game_id"].to_numpy(), table["mover"].to_numpy()) for table in tables) if shards else None


def count_turns(games: Any, movers: Any) -> int:
    """Rows at which another game begins or another player comes to move."""
    if not len(movers):
        return 0
    return 1 + int(np.count_nonzero((games[1:] != games[:-1]) | (movers[1:] != movers[:-1])))


def stage_seconds(layout: Layout, stage: str) -> float | None:
    path = layout.timing(stage)
    return float(read_json(path)["seconds"][-1]) if path.exists() else None


def enter(text: str, nets: dict[str, Net]) -> Entrant:
    """A player with its nets put in; results tell a net by its place in the project and its digest."""
    real = NET_NAME.sub(lambda found: str(nets[found[1]].path), text)
    shown = NET_NAME.sub(lambda found: nets[found[1]].facts["path"], text)
    digests = [nets[name].facts["digest"][:8] for name in NET_NAME.findall(text)]
    return Entrant(real, f"{shown} [{', '.join(digests)}]" if digests else shown)
