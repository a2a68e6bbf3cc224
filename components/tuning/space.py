"""Which parameters a study tries, and between which bounds: from the preset itself, or from a file.

Called by the tune command. Pure but for reading the file; optuna is not needed here. Promises that every bound is a value the
experiment accepts, so that a misspelt key or a wrong range is told before anything is played.
"""

import types
import typing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from components.config import Experiment, sentence_of
from components.core.errors import BadFile, BadParameter, UnknownName

SECTIONS = ("net", "search", "selfplay", "window", "train")  # what makes a net; gate and tournament only judge it
DIGITS = 3  # significant: a study cannot tell finer steps apart, and people copy these numbers
EXAMPLE = "train.learning_rate: {low: 0.0005, high: 0.01, log: true}"
Value = float | int | str | bool


@dataclass(frozen=True)
class Dimension:
    """One parameter with what it may be: a range, or a list of choices."""

    name: str  # section and key: train.learning_rate
    low: float | int = 0
    high: float | int = 0
    log: bool = False
    step: float | int | None = None
    choices: tuple[Value, ...] = ()

    @property
    def is_whole(self) -> bool:
        return all(isinstance(number, int) for number in (self.low, self.high, self.step or 1))

    @property
    def ends(self) -> tuple[Value, ...]:
        """Values that the experiment must accept."""
        return self.choices or (self.low, self.high)

    def holds(self, value: Any) -> bool:
        if self.choices:
            return value in self.choices
        return isinstance(value, int | float) and self.low <= value <= self.high

    def suggest(self, trial: Any) -> Value:
        """What a trial of optuna tries here."""
        if self.choices:
            return trial.suggest_categorical(self.name, list(self.choices))
        if self.is_whole:
            return int(trial.suggest_int(self.name, self.low, self.high, step=self.step or 1, log=self.log))
        return float(f"{trial.suggest_float(self.name, self.low, self.high, step=self.step, log=self.log):.{DIGITS}g}")

    def told(self) -> str:
        """For example: 0.0002 to 0.02, log."""
        if self.choices:
            return " or ".join(map(str, self.choices))
        return f"{self.low:g} to {self.high:g}{', log' if self.log else ''}"


Space = tuple[Dimension, ...]


def default_space(experiment: Experiment) -> Space:
    """What is worth trying first around a preset's own values. The net's size is not: it changes what a game costs."""
    train, search = experiment.train, experiment.search
    found = [
        Dimension("train.learning_rate", neat(train.learning_rate / 10), neat(min(10.0, train.learning_rate * 10)), log=True)
    ]
    if train.uses_per_row is not None:
        found.append(Dimension("train.uses_per_row", 1.0, 8.0, step=0.5))
    if train.method == "search":
        found.append(Dimension("train.value_mix", 0.0, 0.8, step=0.1))
    found.append(Dimension("search.simulations", max(2, search.simulations // 4), search.simulations * 4, log=True))
    if search.mode == "gumbel":
        found.append(Dimension("search.considered", 4, 32, log=True))
    else:
        found.append(Dimension("search.c", 0.5, 4.0, log=True))
    return tuple(found)


def neat(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")


def read_space(path: Path, experiment: Experiment) -> Space:
    """The space in a file, a line per parameter: a range {low, high, log, step} or a list of choices."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError:
        raise BadFile(f"There is no space {path}; write one with lines such as {EXAMPLE}.") from None
    except yaml.YAMLError as error:
        raise BadFile(f"{path} is not YAML: {' '.join(str(error).split())}. Mend the file and run the command again.") from None
    if not isinstance(content, dict) or not content:
        raise BadFile(f"{path} holds no parameters; write lines such as {EXAMPLE}.")
    space = tuple(dimension_of(str(name), given, path) for name, given in content.items())
    check_space(space, experiment, str(path))
    return space


def dimension_of(name: str, given: Any, path: Path) -> Dimension:
    if field_type(name) is None:
        raise UnknownName(f"{path} names '{name}', which no experiment has; the parameters are {known_names(name)}.")
    if isinstance(given, list) and given and all(isinstance(choice, Value) for choice in given):
        return Dimension(name, choices=tuple(given))
    if not isinstance(given, dict) or not {"low", "high"} <= set(given) or not set(given) <= {"low", "high", "log", "step"}:
        raise BadParameter(f"{path}: {name} is {given}; need a list of choices or a range such as {{low: 1, high: 8, step: 1}}.")
    return range_of(name, given, path)


def range_of(name: str, given: dict[str, Any], path: Path) -> Dimension:
    low, high = number_of(given["low"], f"{path}: {name}.low"), number_of(given["high"], f"{path}: {name}.high")
    step = number_of(given["step"], f"{path}: {name}.step") if given.get("step") is not None else None
    log = given.get("log", False)
    if not isinstance(log, bool) or low >= high or (log and (low <= 0 or step is not None)) or (step is not None and step <= 0):
        raise BadParameter(f"{path}: {name} is {given}; need low below high, log only from above 0 and without a step.")
    if not takes_whole_numbers(name):
        low, high, step = float(low), float(high), None if step is None else float(step)
    return Dimension(name, low, high, log, step)


def number_of(given: Any, where: str) -> float | int:
    """A number as YAML gives it; 1e-4 is a text to it, but not to people."""
    try:
        if isinstance(given, str):
            return float(given)
        if isinstance(given, int | float) and not isinstance(given, bool):
            return given
    except ValueError:
        pass
    raise BadParameter(f"{where} is '{given}'; need a number.")


def field_type(name: str) -> Any:
    """The declared type of section.key; None if there is no such parameter."""
    section, _, key = name.partition(".")
    if section not in SECTIONS:
        return None
    fields = section_fields(section)
    return fields[key].annotation if key in fields else None


def section_fields(section: str) -> dict[str, Any]:
    model: type[BaseModel] = Experiment.model_fields[section].annotation  # type: ignore[assignment]
    return dict(model.model_fields)


def takes_whole_numbers(name: str) -> bool:
    """Whether a parameter is an int, or an int or nothing."""
    kind = field_type(name)
    parts = typing.get_args(kind) if typing.get_origin(kind) in (types.UnionType, typing.Union) else (kind,)
    bare = {typing.get_args(part)[0] if typing.get_origin(part) is typing.Annotated else part for part in parts}
    return int in bare and float not in bare


def known_names(name: str) -> str:
    """The parameters of the section that was meant, or the sections."""
    section = name.partition(".")[0]
    if section in SECTIONS:
        return ", ".join(f"{section}.{key}" for key in section_fields(section))
    return "those of " + ", ".join(f"{one}.*" for one in SECTIONS)


def check_space(space: Space, experiment: Experiment, source: str) -> None:
    """Refuse bounds that the experiment itself would refuse, all problems at once."""
    problems = []
    for dimension in space:
        for value in dimension.ends:
            try:
                with_values(experiment, {dimension.name: value})
            except BadParameter as error:
                problems.append(f"{dimension.name} = {value} is refused ({error})")
    if problems:
        raise BadParameter(f"{source}: {'; '.join(problems)}. Choose bounds that the experiment accepts.")


def with_values(experiment: Experiment, values: dict[str, Any]) -> Experiment:
    """The experiment with some parameters changed, checked as a whole."""
    content = experiment.model_dump(mode="json")
    for name, value in values.items():
        section, _, key = name.partition(".")
        content[section][key] = value
    try:
        return Experiment.model_validate(content)
    except ValidationError as error:
        raise BadParameter(sentence_of(error)) from None


def values_of(experiment: Experiment, space: Space) -> dict[str, Any]:
    """The experiment's own values where the space holds them."""
    content = experiment.model_dump(mode="json")
    own = {one.name: content[one.name.partition(".")[0]][one.name.partition(".")[2]] for one in space}
    return {one.name: own[one.name] for one in space if one.holds(own[one.name])}
