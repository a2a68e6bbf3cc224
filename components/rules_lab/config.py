"""A variants file as frozen models: unknown keys refused, all problems listed at once, nothing played yet.

Read by plan.py. Promises that only `true` and `false` are truth values: Organism's `off`, `yes` and `no` stay words.
"""

import re
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from components.config import sentence_of
from components.core.errors import BadFile, BadParameter
from components.nets.config import NetConfig

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")]
KnobValues = dict[str, Any]
Weight = Annotated[float, Field(ge=0, le=1000)]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Budget(Frozen):
    """How much work the lab may do, for every variant."""

    generations: int = Field(default=3, ge=0, le=1000, description="rounds of self-play and training before measuring")
    train_games: int = Field(default=128, ge=1, le=1_000_000, description="self-play games of each round")
    train_simulations: int = Field(default=32, ge=1, le=100_000, description="simulations per choice of these games")
    games: int = Field(default=200, ge=2, le=1_000_000, description="measured games of the agent against itself")
    simulations: int = Field(default=48, ge=1, le=100_000, description="simulations per choice of these games")
    match_pairs: int = Field(default=40, ge=0, le=100_000, description="pairs of four times the thinking against once; 0 = none")
    handicap_look: int = Field(default=32, ge=2, le=100_000, description="games of a handicap before its first verdict")
    handicap_games: int = Field(default=256, ge=2, le=1_000_000, description="most games of one handicap")


class Weights(Frozen):
    """What counts how much in the ranking; ranking.py says what each mark is."""

    fairness: Weight = 3.0
    decisiveness: Weight = 2.0
    skill: Weight = 2.0
    variety: Weight = 1.0
    openness: Weight = 1.0
    comebacks: Weight = 1.0
    length: Weight = 1.0


class Handicap(Frozen):
    """Candidates in order, each better for the second player than the one before: values of one knob, or whole sets of knobs."""

    knob: str | None = Field(default=None, min_length=1)
    values: tuple[Any, ...] = Field(default=(), description="of that knob")
    steps: tuple[KnobValues, ...] = Field(default=(), description="instead of knob and values: sets of knobs")
    variant: str | None = Field(default=None, description="the variant to make fair; default: the first")
    generations: int = Field(default=0, ge=0, le=1000, description="rounds of training for each candidate that is tried")

    @model_validator(mode="after")
    def refuse_contradictions(self) -> "Handicap":
        if (self.knob is None) != (not self.values) or bool(self.steps) == bool(self.values):
            raise ValueError("need either knob and values, or steps (sets of knobs)")
        if len(self.candidates) < 2:
            raise ValueError("needs at least two candidates, the weakest first")
        return self

    @property
    def candidates(self) -> list[KnobValues]:
        return list(self.steps) if self.knob is None else [{self.knob: value} for value in self.values]


class LabConfig(Frozen):
    """The whole file."""

    game: str | None = Field(default=None, description="the base game; --game names another")
    agent: str = Field(default="net", min_length=1, description="net, or uct:sims=N for a quick look without one")
    start: str = Field(default="auto", min_length=1, description="new, a net's path, or auto: the champion shipped for the game")
    net: NetConfig = Field(default=NetConfig(blocks=4, channels=32), description="of new nets")
    seed: int = Field(default=1, ge=0, le=2**32 - 1)
    temperature: float = Field(default=0.7, gt=0, le=10, description="how freely measured games choose their first plies")
    temperature_plies: int | None = Field(
        default=None, ge=0, le=10_000, description="how many plies that is; default: 12, or 0 where start positions are drawn"
    )
    wished_turns: tuple[int, int] | None = Field(default=None, description="a good length, from and to; default: no wish")
    budget: Budget = Budget()
    weights: Weights = Weights()
    variants: dict[Name, KnobValues] = Field(min_length=1, description="knobs on top of the base game, by the variant's name")
    handicap: Handicap | tuple[Handicap, ...] = Field(default=(), description="one block or several")

    @property
    def handicaps(self) -> tuple[Handicap, ...]:
        return (self.handicap,) if isinstance(self.handicap, Handicap) else self.handicap

    @model_validator(mode="after")
    def refuse_contradictions(self) -> "LabConfig":
        if self.wished_turns is not None and not 0 < self.wished_turns[0] <= self.wished_turns[1]:
            raise ValueError("wished_turns must be two rising numbers, for example [10, 40]")
        unknown = [one.variant for one in self.handicaps if one.variant is not None and one.variant not in self.variants]
        if unknown:
            raise ValueError(f"handicap names the variant '{unknown[0]}'; there are {', '.join(self.variants)}")
        return self


class WordLoader(yaml.SafeLoader):
    """YAML as written: `off`, `on`, `yes` and `no` are words, as knobs have them."""


WordLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
WordLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|false|False)$"), list("tTfF"))


def load_lab(path: Path, budget: str = "") -> LabConfig:
    """The variants file, with the budget of the command line over the file's."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=WordLoader)
    except OSError:
        raise BadFile(f"There is no variants file {path}; docs/variants has examples to copy.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} is not YAML: {' '.join(str(error).split())}. Mend the file and run the command again.") from None
    if not isinstance(content, dict):
        raise BadFile(f"{path} holds {type(content).__name__}; need the section variants, docs/variants has examples to copy.")
    return parse_lab(content, str(path), budget)


def parse_lab(content: dict[str, Any], source: str, budget: str = "") -> LabConfig:
    variants = content.get("variants")
    if isinstance(variants, dict):
        # `report:` with nothing behind it is the base game as it is.
        content = {**content, "variants": {name: {} if knobs is None else knobs for name, knobs in variants.items()}}
    if budget:
        given = content.get("budget") or {}
        content = {**content, "budget": {**given, **split_budget(budget)} if isinstance(given, dict) else given}
    try:
        return LabConfig.model_validate(content)
    except ValidationError as error:
        raise BadParameter(f"{source} has {sentence_of(error)}.") from None


def split_budget(text: str) -> dict[str, str]:
    """games=200,generations=2 as numbers by name."""
    pairs = [piece.partition("=") for piece in text.split(",") if piece.strip()]
    wrong = [name for name, equals, value in pairs if not equals or name.strip() not in Budget.model_fields or not value.strip()]
    if wrong:
        raise BadParameter(
            f"--budget has '{wrong[0]}'; write name=number with the names {', '.join(Budget.model_fields)},"
            " for example --budget games=200,generations=2."
        )
    return {name.strip(): value.strip() for name, _, value in pairs}
