"""Which of an experiment's files belong together, by what is written in them. No MLflow here, and no writing.

While a line runs again with other parameters, yesterday's files of later stages still lie in their places. They are told apart
by content, since times say nothing after a checkout: a shard names the net that played it, a window the digests of its shards,
a gate the nets that met. What does not fit what came before it is left out.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.config import START, Experiment, Generation, Params
from components.core.errors import ZerolineError
from components.core.files import digest_of, file_digest, json_text, read_json
from components.layout import Layout

Values = dict[str, Any]


@dataclass(frozen=True)
class GenerationEvidence:
    """What is known of one generation: each part None until its stage has run."""

    generation: Generation
    selfplay: Values | None = None
    training: Values | None = None
    gate: Values | None = None

    @property
    def name(self) -> str:
        return self.generation.generation

    @property
    def parts(self) -> dict[str, Values]:
        found = {"selfplay": self.selfplay, "training": self.training, "gate": self.gate}
        return {name: part for name, part in found.items() if part is not None}

    @property
    def is_promoted(self) -> bool:
        return self.gate is not None and self.gate["verdict"] == "promoted"


@dataclass(frozen=True)
class Evidence:
    """An experiment's files that fit its parameters and each other."""

    name: str
    params: Params
    layout: Layout
    generations: tuple[GenerationEvidence, ...]
    tournament: Values | None

    @property
    def experiment(self) -> Experiment:
        return self.params.experiment(self.name)

    @property
    def digest(self) -> str:
        """Of the experiment's parameters, defaults included."""
        return digest_of(json_text(self.experiment.model_dump(mode="json")).encode())

    @property
    def main_line(self) -> tuple[GenerationEvidence, ...]:
        """The generations that lead to the newest one, oldest first: branches share their numbers with it."""
        by_name = {one.name: one for one in self.generations}
        line = list(self.generations[-1:])
        while line and line[0].generation.parent != START:
            line.insert(0, by_name[line[0].generation.parent])
        return tuple(line)


def gather(params: Params, name: str, layout: Layout) -> Evidence:
    """Look at everything the stages of an experiment have written."""
    experiment = params.experiment(name)
    settled, found = {START}, []
    for generation in params.generations_of(name):
        one = GenerationEvidence(generation)
        if generation.parent in settled:
            one = look_at(generation, experiment, layout)
        if one.gate is not None:
            settled.add(one.name)
        found.append(one)
    is_settled = len(settled) == len(found) + 1
    return Evidence(name, params, layout, tuple(found), fitting_tournament(experiment, layout, settled) if is_settled else None)


def look_at(generation: Generation, experiment: Experiment, layout: Layout) -> GenerationEvidence:
    """One generation whose parent is settled, as far as its parts fit."""
    name = generation.generation
    champion = net_digest(layout.champion(generation.parent))
    selfplay = training = gate = None
    if champion and was_played(generation, experiment, layout, champion):
        selfplay = readable(layout.selfplay(name))
    if selfplay is not None and was_trained(name, layout):
        training = readable(layout.training(name))
    if training is not None:
        gate = fitting_gate(name, experiment, layout, training["candidate"], champion)
    return GenerationEvidence(generation, selfplay, training, gate)


def readable(path: Path) -> Any:
    """The JSON in a file; None while there is none to read."""
    try:
        return read_json(path)
    except ZerolineError:
        return None


def net_digest(path: Path) -> str:
    from components.nets.checkpoint import read_card

    try:
        return read_card(path).parameters_digest
    except ZerolineError:
        return ""


def was_played(generation: Generation, experiment: Experiment, layout: Layout, champion: str) -> bool:
    """Whether all shards are there, played by this champion (or the named player) with the search of these parameters."""
    from components.data.shards import read_card

    search = experiment.selfplay.search_of_generation(experiment.search, generation.number).model_dump_json()
    try:
        cards = [read_card(path) for path in sorted(layout.data(generation.generation).glob("*.parquet"))]
    except ZerolineError:
        return False
    is_whole = len(cards) == experiment.selfplay.shards and sum(card.games for card in cards) == experiment.selfplay.games
    net = "" if experiment.selfplay.players else champion
    return is_whole and all(card.net == net and card.search == search for card in cards)


def was_trained(name: str, layout: Layout) -> bool:
    """Whether the candidate is the one of training.json and its window names the very bytes of this generation's shards."""
    from components.data.shards import read_window

    training = readable(layout.training(name))
    try:
        window = read_window(layout.window(name))
    except ZerolineError:
        return False
    own = {path.name: path for path in layout.data(name).glob("*.parquet")}
    meant = {Path(shard.path).name: shard.digest for shard in window.shards if Path(shard.path).parent.parent.name == name}
    if training is None or not meant or not meant.keys() <= own.keys():
        return False
    is_same_data = all(file_digest(own[shard]) == digest for shard, digest in meant.items())
    return is_same_data and training["candidate"] == net_digest(layout.candidate(name))


def fitting_gate(name: str, experiment: Experiment, layout: Layout, candidate: str, champion: str) -> Values | None:
    """The verdict, if it is about these two nets under these parameters and the champion is the one it chose."""
    gate = readable(layout.gate(name))
    if gate is None or gate["gate"] != experiment.gate.model_dump(mode="json"):
        return None
    met = gate["match"]
    if met and not (names_net(met["player"], candidate) and names_net(met["opponent"], champion)):
        return None
    chosen = candidate if gate["verdict"] == "promoted" else champion
    return gate if net_digest(layout.champion(name)) == chosen else None


def names_net(player: str, digest: str) -> bool:
    """Gate players are called candidate-DIGEST and champion-DIGEST, the digest whole or its beginning."""
    told = player.rpartition("-")[2]
    return bool(told) and digest.startswith(told)


def fitting_tournament(experiment: Experiment, layout: Layout, settled: set[str]) -> Values | None:
    """The tournament, if the nets in it are the champions there are and the whole ladder took part."""
    tournament = readable(layout.tournament)
    if tournament is None:
        return None
    digests = {name: net_digest(layout.champion(name)) for name in settled}
    entered, rated = tournament["nets"], {rating["name"] for rating in tournament["ratings"]}
    is_same = set(entered.values()) == set(digests.values()) and all(digests.get(name) == net for name, net in entered.items())
    return tournament if is_same and set(experiment.ladder) <= rated else None
