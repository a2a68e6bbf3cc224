"""params.yaml as frozen models: read once, unknown keys refused, all problems listed at once.

Called by every stage and command. Promises that what a stage runs with is exactly what the file says, defaults included.
"""

import difflib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from components.core.errors import BadFile, BadParameter, UnknownName, ZerolineError
from components.data.config import WindowConfig
from components.evaluation.config import GATE_PRESETS, GateConfig, TournamentConfig
from components.games.registry import make
from components.nets.config import NetConfig
from components.players.registry import check_player
from components.search.config import SearchConfig
from components.selfplay.config import SelfplayConfig
from components.training.config import NEW, TrainConfig, missing_heads

PARAMS_FILE = "params.yaml"
START = "g00"  # the generation before the first: a net that has learned nothing
GENERATION = r"g\d{2,}[a-z]*"
CHAMPION = re.compile(rf"runs/(?P<experiment>[^/]+)/champions/(?P<generation>{GENERATION})\.safetensors")


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Experiment(Frozen):
    """Everything that decides what an experiment produces."""

    game: str
    family: str = Field(default="", description="the game's folder: stages depend on its code and on no other game's")
    seed: int = Field(default=1, ge=0, le=2**32 - 1)
    scale: float = Field(default=1.0, gt=0, le=1, description="how much smaller than its preset; a record, changes nothing")
    # dvc.yaml depends on the file of this name: for new weights that is the file `new` beside it.
    start: str = Field(default=NEW, min_length=1, description="new weights, or the path of a net to transfer from")
    net: NetConfig = NetConfig()
    search: SearchConfig = SearchConfig()
    selfplay: SelfplayConfig = SelfplayConfig()
    window: WindowConfig = WindowConfig()
    train: TrainConfig = TrainConfig()
    gate: GateConfig = GateConfig()
    tournament: TournamentConfig = TournamentConfig()
    ladder: tuple[str, ...] = Field(default=("random",), description="fixed opponents of the tournament")

    @field_validator("game")
    @classmethod
    def name_a_game(cls, name: str) -> str:
        with told_as_problem():
            make(name)
        return name

    @field_validator("gate", mode="before")
    @classmethod
    def name_a_gate(cls, gate: Any) -> Any:
        """One of the gates that have a name, for example `gate: fixed-55`, or its own numbers."""
        if isinstance(gate, str) and gate not in GATE_PRESETS:
            raise ValueError(f"there is no gate '{gate}'; name one of {', '.join(GATE_PRESETS)} or write its numbers")
        return GATE_PRESETS[gate] if isinstance(gate, str) else gate

    @model_validator(mode="after")
    def name_the_family(self) -> "Experiment":
        if self.family != make(self.game).family:
            raise ValueError(f"family must be {make(self.game).family}, the folder of {self.game}; found '{self.family}'")
        return self

    @model_validator(mode="after")
    def transfer_once(self) -> "Experiment":
        """Every generation has a parent, whose net goes on; a path here would be ignored, and DVC would not see its file."""
        if self.train.start not in ("parent", "scratch"):
            raise ValueError(f"train.start must be parent or scratch; to transfer, write start: {self.train.start}")
        return self

    @model_validator(mode="after")
    def fit_together(self) -> "Experiment":
        """What a later stage would refuse is refused before the first, not after hours of games."""
        if self.selfplay.shards > self.selfplay.games:
            raise ValueError(f"selfplay.shards {self.selfplay.shards} is above selfplay.games {self.selfplay.games}")
        if problem := missing_heads(self.train, self.net.auxiliary):
            raise ValueError(problem)
        return self

    @model_validator(mode="after")
    def name_the_players(self) -> "Experiment":
        """A misspelt opponent would be told when the tournament begins."""
        game = make(self.game)
        for text in (*self.ladder, *filter(None, [self.selfplay.players])):
            with told_as_problem():
                check_player(text, game)
        anchor = self.tournament.anchor
        if anchor not in self.ladder and not re.fullmatch(GENERATION, anchor):
            raise ValueError(f"tournament.anchor '{anchor}' is neither in the ladder ({', '.join(self.ladder)}) nor a generation")
        return self


@contextmanager
def told_as_problem() -> Iterator[None]:
    """A sentence of ours, told beside the file's other problems instead of alone."""
    try:
        yield
    except ZerolineError as error:
        raise ValueError(str(error).rstrip(".")) from None


class Generation(Frozen):
    """One turn of the line: which experiment, which generation, from which parent."""

    experiment: str
    family: str
    generation: str = Field(pattern=f"^{GENERATION}$")
    parent: str = Field(pattern=f"^{GENERATION}$")

    @property
    def number(self) -> int:
        return int("".join(character for character in self.generation if character.isdigit()))


def source_of(start: str) -> tuple[str, str] | None:
    """(experiment, generation) whose champion a path names; None for new weights and for files that no line makes."""
    match = CHAMPION.fullmatch(start)
    return (match["experiment"], match["generation"]) if match else None


class Params(Frozen):
    """The whole file."""

    experiments: dict[str, Experiment]
    generations: dict[str, Generation]

    def experiment(self, name: str) -> Experiment:
        if name not in self.experiments:
            raise UnknownName(f"There is no experiment '{name}' in {PARAMS_FILE}; it has {', '.join(self.experiments)}.")
        return self.experiments[name]

    def generation(self, key: str) -> Generation:
        if key not in self.generations:
            raise UnknownName(f"There is no generation '{key}' in {PARAMS_FILE}; it has {', '.join(self.generations)}.")
        return self.generations[key]

    def generations_of(self, experiment: str) -> list[Generation]:
        """An experiment's generations in the order of the file."""
        return [generation for generation in self.generations.values() if generation.experiment == experiment]


def load_params(root: Path = Path()) -> Params:
    """The parameters of the project at root."""
    path = root / PARAMS_FILE
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError:
        raise BadFile(f"There is no {path}; run the command from the project's root.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} is not YAML: {' '.join(str(error).split())}. Mend the file and run the command again.") from None
    if not isinstance(content, dict):
        raise BadFile(f"{path} holds {type(content).__name__}; need the sections experiments and generations.")
    return parse_params(content, str(path))


def parse_params(content: dict[str, Any], source: str = PARAMS_FILE) -> Params:
    try:
        params = Params.model_validate(content)
    except ValidationError as error:
        raise BadParameter(f"{source} has {sentence_of(error)}.") from None
    problems = [
        problem for key, generation in params.generations.items() for problem in check_generation(params, key, generation)
    ]
    problems += [f"experiments.{name} starts from its own champion" for name in params.experiments if is_circular(params, name)]
    if problems:
        raise BadParameter(f"{source}: {'; '.join(problems)}.")
    return params


def is_circular(params: Params, name: str) -> bool:
    """Whether following the experiments that champions come from leads back here."""
    passed: list[str] = []
    at: str | None = name
    while at in params.experiments and at not in passed:
        passed.append(at)
        source = source_of(params.experiments[at].start)
        at = source[0] if source else None
    return at == name


def sentence_of(error: ValidationError) -> str:
    """All problems in one sentence: where, what is wrong, what was found."""
    problems = [f"{'.'.join(map(str, item['loc']))}: {problem_of(item)}" for item in error.errors()]
    return f"{len(problems)} problem{'s' if len(problems) > 1 else ''}: {'; '.join(problems)}"


def problem_of(item: Any) -> str:
    if item["type"] != "extra_forbidden":
        return str(item["msg"]).removeprefix("Value error, ")
    near = difflib.get_close_matches(str(item["loc"][-1]), known_keys(item["loc"]), n=1)
    return f"there is no such key; did you mean {near[0]}?" if near else "there is no such key; leave it out"


def known_keys(place: tuple[int | str, ...]) -> list[str]:
    """The keys that may stand where a wrong one was found, such as (experiments, NAME, train, KEY)."""
    model: Any = Params if len(place) == 1 else Generation if place[0] == "generations" else Experiment
    for name in place[2:-1]:
        model = model.model_fields[name].annotation
    return list(model.model_fields)


def check_generation(params: Params, key: str, generation: Generation) -> list[str]:
    """What is wrong with an entry of the unrolled loop."""
    if generation.experiment not in params.experiments:
        return [f"generations.{key} names the experiment '{generation.experiment}', which is not there"]
    problems = []
    family = params.experiments[generation.experiment].family
    if generation.family != family:
        problems.append(f"generations.{key}.family must be {family}")
    if key != f"{generation.experiment}-{generation.generation}":
        problems.append(f"generations.{key} must be called {generation.experiment}-{generation.generation}")
    if generation.parent != START and f"{generation.experiment}-{generation.parent}" not in params.generations:
        problems.append(f"generations.{key} has the parent {generation.parent}, which is not there")
    return problems
