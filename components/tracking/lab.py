"""A rules lab in MLflow: experiment `rules-lab`, a parent run for the lab, a nested run for each variant. Called by the command.

The runs belong to the lab's name and the digest of its plan: publishing again corrects them instead of making others.
"""

from pathlib import Path
from typing import Any

from components.core.files import digest_of
from components.tracking.numbers import metric_name
from components.tracking.publish import NOTE, PARENT
from components.tracking.runs import experiment_id, log_params, log_points, open_run, set_status, set_tags
from components.tracking.store import Store, tell_store

EXPERIMENT = "rules-lab"
LONGEST_PARAMETER = 500


def publish_lab(root: Path, result: dict[str, Any], files: list[Path]) -> str | None:
    """Log a finished lab with its files; returns the problem in one sentence, or None."""
    return tell_store(Path(root).resolve(), lambda store: publish(store, result, files))


def publish(store: Store, result: dict[str, Any], files: list[Path]) -> None:
    place = experiment_id(store, EXPERIMENT, EXPERIMENT)
    key = digest_of(f"lab\0{result['name']}\0{result['digest']}".encode())
    parent = open_run(store, place, key, result["name"], {"kind": "rules-lab", "game": result["game"]})
    log_params(store, parent, {"game": result["game"], "agent": result["agent"], "seed": str(result["seed"]),
                               **{f"budget.{name}": str(value) for name, value in result["budget"].items()}})  # fmt: skip
    log_points(store, parent, points_of(parent_numbers(result)))
    for name, values in result["variants"].items():
        publish_variant(store, place, f"{key}/{name}", name, values, result, parent.info.run_id)
    for path in files:
        store.client.log_artifact(parent.info.run_id, str(path))
    told = "\n\n".join(f"**{one['title']}.** {one['text']}" for one in result["findings"])
    set_tags(store, parent, {NOTE: f"{told}\n\nThe page is the artifact **{files[0].name}**."})
    set_status(store, parent, True)


def publish_variant(
    store: Store, place: str, key: str, name: str, values: dict[str, Any], result: dict[str, Any], parent: str
) -> None:
    run = open_run(store, place, key, f"{result['name']} {name}", {PARENT: parent, "kind": "variant", "variant": name})
    knobs = {f"knob.{knob}": str(value)[:LONGEST_PARAMETER] for knob, value in values["knobs"].items()}
    log_params(store, run, {"game": values["game"][:LONGEST_PARAMETER], "variant": name, **knobs})
    rooms = ("fairness", "pace", "decisiveness", "variety", "comeback", "search")
    numbers = {f"{room}/{path}": value for room in rooms for path, value in estimates_in(values[room] or {}).items()}
    score = next(entry["score"]["value"] for entry in result["ranking"] if entry["variant"] == name)
    log_points(store, run, points_of({**numbers, "ranking/score": score}))
    set_status(store, run, True)


def parent_numbers(result: dict[str, Any]) -> dict[str, float]:
    numbers = {f"ranking/{entry['variant']}": entry["score"]["value"] for entry in result["ranking"]}
    numbers |= {f"first_player_score/{name}": values["fairness"]["first_player_score"]["value"]
                for name, values in result["variants"].items()}  # fmt: skip
    for handicap in result["handicaps"]:
        label = f"handicap/{handicap['variant']} {handicap['knobs']}"
        numbers |= {f"{label} score": handicap["chosen"]["score"], f"{label} games": float(handicap["games"])}
    return numbers


def estimates_in(values: dict[str, Any], prefix: str = "") -> dict[str, float]:
    """value, low and high of every number with an interval, by dotted name."""
    found: dict[str, float] = {}
    for name, value in values.items():
        if isinstance(value, dict) and {"value", "low", "high"} <= set(value):
            found |= {
                f"{prefix}{name}": value["value"],
                f"{prefix}{name}.low": value["low"],
                f"{prefix}{name}.high": value["high"],
            }
        elif isinstance(value, dict):
            found |= estimates_in(value, f"{prefix}{name}.")
    return found


def points_of(numbers: dict[str, float]) -> dict[str, list[tuple[int, float]]]:
    return {metric_name(name): [(0, float(value))] for name, value in numbers.items()}
