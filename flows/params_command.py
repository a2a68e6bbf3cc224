"""`zeroline params [SECTION]`: every key that an experiment of params.yaml may have, with its default, range and meaning.

Told from the models that check the file, so that what is said is what is read.
"""

import argparse
from collections.abc import Iterator
from typing import Any

from components.core.errors import UnknownName

TYPES = {"array": "list", "object": "mapping", "string": "text"}  # where our word is another than JSON's
BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
EXPERIMENT = "experiment"


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("params", help="every key of params.yaml: default, range and meaning")
    command.add_argument("section", nargs="?", help="search, selfplay, net, train ...; all of them by default")


def run(options: argparse.Namespace) -> int:
    known = sections()
    if options.section is not None and options.section not in known:
        raise UnknownName(f"There is no section '{options.section}' in params.yaml; there are {', '.join(known)}.")
    for name in [options.section] if options.section else known:
        print("\n".join([name, *lines_of(known[name]), ""]))
    return 0


def sections() -> dict[str, dict[str, Any]]:
    """The keys of an experiment by section, as JSON schemas; keys beside the sections come first."""
    from components.config import Experiment

    schema = Experiment.model_json_schema()
    parts = {name: reference_of(key) for name, key in schema["properties"].items()}
    plain = {name: key for name, key in schema["properties"].items() if not parts[name]}
    nested = {name: schema["$defs"][part]["properties"] for name, part in parts.items() if part}
    return {EXPERIMENT: plain, **nested}


def reference_of(key: dict[str, Any]) -> str:
    """The model that a key holds, empty for plain values."""
    return str(key.get("$ref", "")).rpartition("/")[2]


def lines_of(keys: dict[str, Any]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*(columns_of(name, key) for name, key in keys.items()), strict=True)]
    for name, key in keys.items():
        cells = [cell.ljust(width) for cell, width in zip(columns_of(name, key), widths, strict=True)]
        yield f"  {'  '.join(cells)}  {key.get('description', '')}".rstrip()


def columns_of(name: str, key: dict[str, Any]) -> tuple[str, str, str]:
    default = key.get("default", "required")
    return name, "none" if default is None else str(default).lower() if isinstance(default, bool) else str(default), range_of(key)


def range_of(key: dict[str, Any]) -> str:
    """What a key accepts: names to choose from, bounds, or its type."""
    if "anyOf" in key:
        return " or ".join("none" if one.get("type") == "null" else range_of(one) for one in key["anyOf"])
    if "enum" in key:
        return " | ".join(map(str, key["enum"]))
    bounds = [f"{sign} {key[bound]:.10g}" for bound, sign in BOUNDS.items() if bound in key]
    kind = key.get("type", "")
    return ", ".join(bounds) or TYPES.get(kind, kind)
