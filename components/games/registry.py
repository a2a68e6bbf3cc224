"""From a short text to a game: FAMILY[-SIZE][/VARIANT][:knob=value,...], for example `go-9x9:komi=0.5`.

Called wherever a game is named. Promises one canonical name per game and a sentence for every name that is none.
"""

import importlib
import re
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from components.core.errors import BadParameter, UnknownName
from components.games.contract import Family, Game, Knobs

# A folder with a spec.py is a game; nothing else has to be told.
FAMILIES = tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/spec.py")))
NAME = re.compile(r"(?P<family>[a-z]+)(-(?P<size>[0-9x]+))?(/(?P<variant>[a-z0-9-]+))?(:(?P<knobs>.*))?")


def family_of(name: str) -> Family:
    if name not in FAMILIES:
        raise UnknownName(f"There is no game '{name}'; the games are {', '.join(FAMILIES)}.")
    return importlib.import_module(f"components.games.{name}.spec").FAMILY


def make(name: str) -> Game:
    """The game that a short text names."""
    match = NAME.fullmatch(name.strip())
    if match is None:
        raise UnknownName(
            f"'{name}' does not name a game; write FAMILY-SIZE/VARIANT:knob=value, for example go-9x9 or go-9x9:komi=0.5."
        )
    family = family_of(match["family"])
    knobs = dict(split_knob(text) for text in split_knobs(match["knobs"] or ""))
    return build(family, match["size"] or family.default_size, match["variant"], knobs)


def build(family: Family, size: str, variant: str | None, knobs: dict[str, Any]) -> Game:
    """The game of a family at a size: the variant's knobs, then the given ones."""
    chosen = variant or next(iter(family.variants))
    if chosen not in family.variants:
        raise UnknownName(f"{family.name} has no variant '{chosen}'; its variants are {', '.join(family.variants)}.")
    checked = check_knobs(family, {**family.variants[chosen], **knobs})
    spec, rules, dtype = family.build(size, checked)
    return Game(family.name, size, chosen, checked, spec, rules, dtype)


def check_knobs(family: Family, values: dict[str, Any]) -> Knobs:
    unknown = [name for name in values if name not in family.knobs.model_fields]
    if unknown:
        known = ", ".join(family.knobs.model_fields) or "none"
        raise UnknownName(f"{family.name} has no knob '{unknown[0]}'; its knobs are {known}.")
    try:
        return family.knobs(**values)
    except ValidationError as error:
        problems = [
            f"{'.'.join(map(str, item['loc'])) or family.name}: {item['msg']} (found {item['input']!r})"
            for item in error.errors()
        ]
        raise BadParameter(f"{family.name}: {'; '.join(problems)}. Change the value or leave it out.") from None


def split_knobs(text: str) -> list[str]:
    """Pieces between commas; a comma inside brackets belongs to a list value."""
    return [piece for piece in re.split(r",(?![^\[]*\])", text) if piece]


def split_knob(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise BadParameter(f"'{text}' is not a knob; write knob=value.")
    if value.startswith("["):
        return name, [item.strip() for item in value.strip("[]").split(",")]
    return name, value


def name_of(game: Game) -> str:
    """The canonical name: size always, variant and knobs only where they differ from the default."""
    family = family_of(game.family)
    size = f"-{game.size}" if family.sizes_help else ""
    variant = "" if game.variant == next(iter(family.variants)) else f"/{game.variant}"
    defaults = check_knobs(family, dict(family.variants[game.variant]))
    changed = [
        f"{name}={knob_text(getattr(game.knobs, name))}"
        for name in type(game.knobs).model_fields
        if getattr(game.knobs, name) != getattr(defaults, name)
    ]
    return f"{game.family}{size}{variant}" + (f":{','.join(changed)}" if changed else "")


def knob_text(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return f"[{','.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def example_games() -> list[str]:
    """Every registered game at the sizes that its family shows."""
    return [name for family in FAMILIES for name in family_of(family).example_names]


def parse_size(family: str, size: str, low: int, high: int) -> tuple[int, int]:
    """(width, height) of a size such as 18x16, each within [low, high]."""
    match = re.fullmatch(r"(\d{1,3})x(\d{1,3})", size)
    if match is None or not all(low <= int(side) <= high for side in match.groups()):
        raise BadParameter(f"{family} has no size '{size}'; write WIDTHxHEIGHT with sides from {low} to {high}, for example 9x9.")
    return int(match[1]), int(match[2])
