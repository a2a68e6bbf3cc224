"""What a trial may cost, and the experiment that spends it. Pure: values in, values out.

Called by the tune command. Promises that every trial asks its net about equally often: more simulations mean fewer games.
"""

from dataclasses import asdict, dataclass
from typing import Any

from components.config import START, Experiment, Params, parse_params
from components.core.errors import BadParameter
from components.core.files import digest_of, json_text
from components.evaluation.config import GateConfig
from components.tuning.space import Space

PRESET = "preset"  # the opponent that is the untuned preset's own net of the same generation


@dataclass(frozen=True)
class Budget:
    """What each trial spends, and against whom it is measured."""

    generations: int
    games: int  # per generation, at the preset's own number of simulations
    match_games: int
    opponent: str  # a player's text, or PRESET

    def __post_init__(self) -> None:
        for option, number, least in (("generations", self.generations, 1), ("games", self.games, 1)):
            if number < least:
                raise BadParameter(f"Found --{option} {number}; need a number from {least} up.")
        if self.match_games < 2 or self.match_games % 2:
            raise BadParameter(f"Found --match-games {self.match_games}; need an even number from 2 up: starts are paired.")


def evaluations_per_ply(experiment: Experiment) -> float:
    share = experiment.selfplay.full_share
    return share * experiment.search.simulations + (1 - share) * experiment.selfplay.fast_simulations


def trial_experiment(preset: Experiment, changed: Experiment, budget: Budget) -> Experiment:
    """The changed experiment at the budget: games by what a ply costs, and every candidate is promoted.

    A gate would spend most of a small budget on games that teach nothing, and a trial is judged by its own match anyway.
    """
    games = max(1, round(budget.games * evaluations_per_ply(preset) / evaluations_per_ply(changed)))
    shards = min(changed.selfplay.shards, games)
    selfplay = changed.selfplay.model_copy(update={"games": games, "shards": shards})
    gate = GateConfig(kind="none", simulations=preset.gate.simulations, slots=preset.gate.slots)
    return changed.model_copy(update={"selfplay": selfplay, "gate": gate})


def trial_params(name: str, experiment: Experiment, generations: int) -> Params:
    """A trial's own params.yaml: one experiment and its generations."""
    labels = [f"g{number:02d}" for number in range(generations + 1)]
    loop = {
        f"{name}-{label}": {
            "experiment": name,
            "family": experiment.family,
            "generation": label,
            "parent": labels[number - 1] if number > 1 else START,
        }
        for number, label in enumerate(labels)
        if number
    }
    return parse_params({"experiments": {name: experiment.model_dump(mode="json")}, "generations": loop}, name)


def settings_of(preset: Experiment, budget: Budget, space: Space) -> dict[str, Any]:
    """All that decides what a study's numbers mean, as plain values: trials of other settings must not be mixed with these."""
    return {
        "preset": preset.model_dump(mode="json"),
        "budget": asdict(budget),
        "space": {one.name: {"ends": list(one.ends), "log": one.log, "step": one.step} for one in space},
    }


def digest_of_settings(settings: dict[str, Any]) -> str:
    return digest_of(json_text(settings).encode())
