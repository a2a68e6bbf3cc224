"""Collect a run's files into one dictionary: strength, losses, games and gates by generation, and the champion.

Called by the report stage and by tracking. Promises the same values for the same files: no clock, no times. `numbers_of` is
report.json, which DVC shows as metrics; sentences stay out of it.
"""

from typing import Any

from components.config import START, Generation, Params
from components.core.files import read_json
from components.games.registry import make
from components.layout import Layout

GAME_NUMBERS = ("games", "rows", "mean_plies", "first_player_score", "draw_rate", "distinct_games")
LOSSES = ("total", "policy", "value")
Values = dict[str, Any]


def collect(params: Params, name: str, layout: Layout) -> Values:
    """Everything the report tells about an experiment whose tournament has been played."""
    experiment = params.experiment(name)
    generations = params.generations_of(name)
    tournament = read_json(layout.tournament)
    told: dict[str, Values] = {START: {"number": 0, "parent": "", "champion": START}}
    for generation in generations:
        told[generation.generation] = collect_generation(generation, told[generation.parent]["champion"], tournament, layout)
    for values in told.values():
        values |= strength_of(values["champion"], tournament, experiment.ladder)
    newest = generations[-1].generation if generations else START
    champion = told[newest]["champion"]
    return {
        "experiment": name,
        "game": make(experiment.game).name,
        "scale": experiment.scale,
        "anchor": tournament["anchor"],
        "ladder": {text: rating_of(text, tournament) for text in experiment.ladder},
        "generations": told,
        "line": line_to(newest, told),
        "champion": {"generation": champion, **strength_of(champion, tournament, experiment.ladder)},
    }


def collect_generation(generation: Generation, parents_champion: str, tournament: Values, layout: Layout) -> Values:
    """One generation's own numbers. A rejected candidate leaves the parent's champion, under its old name, in the tournament."""
    gate = gate_numbers(read_json(layout.gate(generation.generation)))
    is_new = gate["promoted"] and generation.generation in tournament["nets"]
    return {
        "number": generation.number,
        "parent": generation.parent,
        "champion": generation.generation if is_new else parents_champion,
        "selfplay": {
            name: value for name, value in read_json(layout.selfplay(generation.generation)).items() if name in GAME_NUMBERS
        },
        "losses": loss_numbers(read_json(layout.training(generation.generation))),
        "gate": gate,
    }


def line_to(generation: str, told: dict[str, Values]) -> list[str]:
    """The generations from the start to this one, parent before child: the main line, without branches."""
    line = [generation]
    while told[line[0]]["parent"]:
        line.insert(0, told[line[0]]["parent"])
    return line


def gate_numbers(verdict: Values) -> Values:
    """An open gate has no match: no score then."""
    numbers: Values = {"promoted": int(verdict["verdict"] == "promoted")}
    match, gate = verdict["match"], verdict["gate"]
    if match:
        low, high = match["interval"]
        numbers |= {"score": match["score"], "low": low, "high": high, "games": match["games"]}
    if gate["kind"] == "fixed":
        numbers["threshold"] = gate["threshold"]
    return numbers | {"verdict": verdict["verdict"], "reason": verdict["reason"]}


def loss_numbers(training: Values) -> Values:
    """Mean losses of the first and the last interval of steps, and on held-out games at the end."""
    history = training["history"]
    numbers: Values = {"steps": training["steps_done"], "rows": training["rows"]}
    for loss in LOSSES:
        numbers |= {f"{loss}_first": history[0][loss], f"{loss}_last": history[-1][loss]}
        if history[-1]["validation"]:
            numbers[f"{loss}_held_out"] = history[-1]["validation"][loss]
    return numbers


def strength_of(player: str, tournament: Values, ladder: tuple[str, ...]) -> Values:
    """A tournament player's rating and its score against every fixed opponent it met."""
    met = {opponent: score_against(player, opponent, tournament) for opponent in ladder}
    return {**rating_of(player, tournament), "scores": {opponent: score for opponent, score in met.items() if score}}


def rating_of(player: str, tournament: Values) -> Values:
    rating = next((rating for rating in tournament["ratings"] if rating["name"] == player), None)
    return {"elo": rating["elo"], "elo_low": rating["low"], "elo_high": rating["high"]} if rating else {}


def score_against(player: str, opponent: str, tournament: Values) -> Values | None:
    """The player's score; a match is stored once, seen from the side of the name that comes first in the alphabet."""
    for match in tournament["matches"]:
        low, high = match["interval"]
        if not match["games"]:
            continue
        if (match["player"], match["opponent"]) == (player, opponent):
            return {"score": match["score"], "low": low, "high": high, "games": match["games"]}
        if (match["player"], match["opponent"]) == (opponent, player):
            return {"score": 1 - match["score"], "low": 1 - high, "high": 1 - low, "games": match["games"]}
    return None


def numbers_of(summary: Values) -> Values:
    """Only the numbers, nested as they are: DVC would print every sentence as a metric."""
    kept: Values = {}
    for name, value in summary.items():
        if isinstance(value, dict):
            inner = numbers_of(value)
            kept |= {name: inner} if inner else {}
        elif isinstance(value, int | float):
            kept[name] = round(value, 6) if isinstance(value, float) else value
    return kept


def headline(summary: Values) -> str:
    """The run in one sentence."""
    champion = summary["champion"]
    tried = [values["gate"] for values in summary["generations"].values() if "gate" in values]
    promoted = sum(gate["promoted"] for gate in tried)
    rating = (
        f", rated {champion['elo']:.0f} (95 % interval {champion['elo_low']:.0f} to {champion['elo_high']:.0f})"
        f" with {summary['anchor']} at 0"
        if "elo" in champion
        else ""
    )
    scores = ", ".join(f"{percent(score['score'])} against {opponent}" for opponent, score in champion["scores"].items())
    results = f"; it scores {scores}" if scores else ""
    return f"Champion {champion['generation']}{rating}{results}. {promoted} of {len(tried)} candidates were promoted."


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"
