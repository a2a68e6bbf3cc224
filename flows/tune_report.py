"""What a tuning study tells when it is over: the table of trials, the best values as a preset's block, and the same as JSON."""

import io
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from components.evaluation.result import MatchResult
    from components.tuning.space import Space
    from components.tuning.study import TrialTold


def print_trials(trials: list["TrialTold"], space: "Space") -> None:
    """All trials, the best first, those that were given up or failed after them."""
    from components.tuning.study import COMPLETE
    from flows.stages import print_crosstable

    def place(trial: "TrialTold") -> tuple[bool, float, int]:
        return trial.state != COMPLETE, -(trial.score or 0.0), trial.number

    names = [one.name for one in space]
    rows = [["trial", "score", "state", "generations", *names]]
    for trial in sorted(trials, key=place):
        score = "" if trial.score is None else f"{trial.score:.3f}"
        values = [str(trial.values[name]) for name in names]
        rows.append([str(trial.number), score, trial.state, str(len(trial.scores)), *values])
    print_crosstable(rows)


def told_of_best(best: "TrialTold", confirmed: "MatchResult", opponent: str) -> str:
    low, high = confirmed.interval
    values = ", ".join(f"{name} {value}" for name, value in best.values.items())
    fresh = f"in {confirmed.games} fresh games {confirmed.score:.3f} (95 % {low:.3f} to {high:.3f})"
    return f"trial {best.number} is the best: {values}; score {best.score:.3f} against {opponent}, {fresh}"


def best_block(path: Path, preset: str, best: "TrialTold", told: str) -> Path:
    """Write the preset's block with the best values in place of its own, its comments kept."""
    from ruamel.yaml.comments import CommentedMap

    from components.core.files import write_text
    from flows.edit import load_preset, round_trip

    block = load_preset(preset)
    for name, value in best.values.items():
        section, _, key = name.partition(".")
        block.setdefault(section, CommentedMap())[key] = value
    text = io.StringIO()
    round_trip().dump(block, text)
    write_text(path, f"# {preset}, tuned: {told}.\n{text.getvalue()}")
    return path


def result_of(
    settings: dict[str, Any], trials: list["TrialTold"], best: "TrialTold", confirmed: "MatchResult"
) -> dict[str, Any]:  # fmt: skip
    told = [{**asdict(trial), "scores": {str(step): score for step, score in trial.scores.items()}} for trial in trials]
    return {"settings": settings, "trials": told, "best": best.number, "confirmed": confirmed.to_dict()}
