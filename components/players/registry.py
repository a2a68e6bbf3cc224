"""From a short text to a player: NAME for a baseline, KIND:ARGUMENT,key=value,... for one that thinks.

Used wherever a player is named: matches, ladders, tournaments, protocols. Promises a sentence for every text that names none.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from components.core.errors import BadFile, BadParameter, UnknownName
from components.games.contract import Game, Player
from components.games.players import baselines, make_baseline
from components.players.external import external_player, is_external
from components.players.process import MissingProgram
from components.search.config import SearchConfig
from components.search.evaluators import Evaluator

KINDS = {
    "search": "search:NET.safetensors,sims=200   search with a net",
    "net": "net:NET.safetensors               a net's policy, no search",
    "value": "value:NET.safetensors,sims=25     value-only search, all successors evaluated",
    "uct": "uct:sims=1000,c=1.0               search with random rollouts, no net",
}
CHAMPION = "champion"  # the net that the project ships for the game at hand: champion,sims=400 or net:champion
CHAMPIONS = Path(__file__).parents[2] / "champions"
CHAMPION_OPTIONS = "mode=gumbel,sims=200"
SHORT_NAMES = {"sims": "simulations", "T": "prior_temperature"}
NET_OPTIONS = ("precision", "threads")
USUAL: dict[str, dict[str, Any]] = {  # what a kind does unless its text says otherwise
    "search": {},
    "value": {"mode": "value-only", "simulations": 25, "c": 1.0, "fpu": "zero"},
    "uct": {"mode": "uct", "c": 1.0, "fpu": "zero"},
}
MODES_OF = {"search": ("puct", "gumbel", "value-only", "policy"), "value": ("value-only",), "uct": ("uct",)}
# A player's trees are new at every ply, so that games do not depend on each other, and its roots explore nothing for training.
SELFPLAY_ONLY = ("reuse", "noise_fraction", "noise_total", "noise_alpha", "noise_plies", "gumbel_scale", "forced_playouts")
NetMaker = Callable[[Game], Evaluator]  # a net as an evaluator for a game


@dataclass(frozen=True)
class PlayerText:
    """A player's text taken apart."""

    kind: str
    path: str
    options: dict[str, str]


def make_player(text: str, game: Game) -> Player:
    """The player that a text names, ready for this game."""
    text = spell_out(text, game.family, game.size)
    if text in baselines(game.family):
        return make_baseline(text, game)
    if is_external(text):
        return external_player(text, game)
    if text.startswith("riddles:"):
        from components.players.riddles import riddles_player

        return riddles_player(text, game)
    parts = split_player(text, game)
    maker: Callable[[PlayerText, NetMaker], Player] = net_player if parts.kind == "net" else thinking_player
    return guest_player(parts, game, maker) or maker(parts, partial(net_evaluator, parts))


def check_player(text: str, game: Game) -> None:
    """Refuse a text that names no player of this game. Its net may not be made yet, nor its program be installed."""
    with suppress(MissingProgram):
        make_player(text, game)


def spell_out(text: str, family: str, size: str) -> str:
    """A player's text in full: `champion` is short for a search with the shipped net of this game and size."""
    name, _, options = text.partition(",")
    kind, _, net = name.rpartition(":")
    if net != CHAMPION or kind not in ("", "search", "net", "value"):
        return text
    usual = CHAMPION_OPTIONS.split(",") if kind in ("", "search") else []
    wanted = options.split(",") if options else []
    return ",".join([f"{kind or 'search'}:{shipped_net(family, size)}", *overridden(usual, wanted)])


def shipped_net(family: str, size: str) -> Path:
    """The file of a champion, from the working folder where it lies below that."""
    shipped = sorted(path.stem for path in CHAMPIONS.glob("*.safetensors"))
    if f"{family}-{size}" not in shipped:
        raise UnknownName(
            f"There is no shipped champion for {family}-{size}; there are {', '.join(shipped) or 'none'}."
            " Train one and name its file: search:NET.safetensors,sims=200."
        )
    path = CHAMPIONS / f"{family}-{size}.safetensors"
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def nearest_size(family: str, size: str) -> str:
    """The size whose champion should play where a controller may ask for any: this one if it is shipped, else the nearest."""
    known = sorted(path.stem.removeprefix(f"{family}-") for path in CHAMPIONS.glob(f"{family}-*.safetensors"))
    return min(known, key=lambda other: abs(cells_of(other) - cells_of(size)), default=size)


def cells_of(size: str) -> int:
    return math.prod(int(side) for side in size.split("x"))


def overridden(usual: list[str], wanted: list[str]) -> list[str]:
    """Options written name=value: the usual ones that are not set anew, then the wanted ones."""
    names = {full_name(option.partition("=")[0]) for option in wanted}
    return [option for option in usual if full_name(option.partition("=")[0]) not in names] + wanted


def full_name(option: str) -> str:
    return SHORT_NAMES.get(option, option)


def split_player(text: str, game: Game) -> PlayerText:
    kind, _, rest = text.partition(":")
    if kind not in KINDS:
        outside = {"go": ("gtp", "gnugo-1", "pachi-500"), "golad": ("riddles",)}.get(game.family, ())
        names = ", ".join([*baselines(game.family), CHAMPION, *KINDS, *outside])
        raise UnknownName(f"{game.name} has no player '{text}'; name one of {names} (for example search:champion,sims=200).")
    pieces = [piece for piece in rest.split(",") if piece]
    path = pieces.pop(0) if pieces and "=" not in pieces[0] else ""
    options = {}
    for piece in pieces:
        name, equals, value = piece.partition("=")
        if not equals:
            raise BadParameter(f"'{piece}' in the player '{text}' is not an option; write key=value, for example sims=200.")
        if full_name(name) in options:
            raise BadParameter(f"The player '{text}' says {full_name(name)} twice; leave one of them out.")
        options[full_name(name)] = value
    return PlayerText(kind, path, options)


def guest_player(parts: PlayerText, game: Game, make: Callable[[PlayerText, NetMaker], Player]) -> Player | None:
    """The player as a guest, if its net is of another variant that can play here; None for every other player."""
    if parts.kind == "uct" or not Path(parts.path).is_file():
        return None
    from components.players.guest import GuestPlayer, find_bridge

    bridge = find_bridge(Path(parts.path), game)
    if bridge is None:
        return None
    return GuestPlayer(bridge, make(parts, lambda home: bridge.look(net_evaluator(parts, bridge.trained))))


def thinking_player(parts: PlayerText, net: NetMaker) -> Player:
    """A search with a net, with values only or with rollouts."""
    from components.players.search import SearchPlayer
    from components.search.modes import evaluator_of

    of_a_net = [found for found in (parts.path, *parts.options) if found and found in (parts.path, *NET_OPTIONS)]
    if parts.kind == "uct" and of_a_net:
        raise BadParameter(f"A uct player has no net; found '{of_a_net[0]}'. Write for example uct:sims=1000,c=1.0.")
    config = player_config(parts)
    return SearchPlayer(config, lambda game: evaluator_of(game, config, None if parts.kind == "uct" else net(game)))


def net_player(parts: PlayerText, net: NetMaker) -> Player:
    from components.players.search import NetPlayer

    temperature = number(parts, "temperature", 0.0)
    unknown = [name for name in parts.options if name not in ("temperature", *NET_OPTIONS)]
    if unknown:
        raise UnknownName(f"A net player has no option '{unknown[0]}'; it has temperature, {', '.join(NET_OPTIONS)}.")
    return NetPlayer(net, temperature)


def number(parts: PlayerText, name: str, default: float) -> float:
    try:
        found = float(parts.options.get(name, default))
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise BadParameter(f"Option {name} of the {parts.kind} player is '{parts.options[name]}'; need a number.")
    return found


def whole_number(parts: PlayerText, name: str, default: int) -> int:
    found = number(parts, name, default)
    if found != int(found):
        raise BadParameter(f"Option {name} of the {parts.kind} player is '{parts.options[name]}'; need a whole number.")
    return int(found)


def player_config(parts: PlayerText) -> SearchConfig:
    """The search of a player; what would change nothing is refused rather than ignored."""
    idle = [name for name in parts.options if name in SELFPLAY_ONLY]
    if idle:
        raise UnknownName(
            f"A {parts.kind} player has no option '{idle[0]}': it searches every ply anew and without what training explores."
            " Self-play has it: write it under search in params.yaml."
        )
    if "temperature" in parts.options and not {"temperature_plies", "temperature_after"} & set(parts.options):
        raise BadParameter(
            f"A {parts.kind} player's temperature is for the first temperature_plies plies of a game, and none are given."
            " Add temperature_plies=40, or write temperature_after for the plies after them."
        )
    config = search_config(parts, USUAL[parts.kind])
    if config.mode not in MODES_OF[parts.kind]:
        raise BadParameter(f"A {parts.kind} player's mode is {' or '.join(MODES_OF[parts.kind])}; found {config.mode}.")
    return config


def search_config(parts: PlayerText, usual: dict[str, Any]) -> SearchConfig:
    """What is usual, then what the text says."""
    options = {name: value for name, value in parts.options.items() if name not in NET_OPTIONS}
    unknown = [name for name in options if name not in SearchConfig.model_fields]
    if unknown:
        known = [name for name in SearchConfig.model_fields if name not in SELFPLAY_ONLY]
        listed = ", ".join([*SHORT_NAMES, *known, *NET_OPTIONS])
        raise UnknownName(f"A {parts.kind} player has no option '{unknown[0]}'; it has {listed}.")
    try:
        return SearchConfig(**{**usual, **options})
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"])) or "options"
        raise BadParameter(f"The {parts.kind} player's {where} cannot be {problem['input']!r}: {problem['msg']}.") from None


def net_evaluator(parts: PlayerText, game: Game) -> Any:
    """The net that a player's text names, as an evaluator for this game."""
    from components.nets.evaluator import NetEvaluator

    if not parts.path:
        raise BadParameter(f"A {parts.kind} player needs a net: {KINDS[parts.kind].split('  ')[0]}.")
    if not Path(parts.path).exists():
        near = (
            sorted(str(path) for path in Path(parts.path).parent.glob("*.safetensors"))
            if Path(parts.path).parent.is_dir()
            else []
        )
        found = f"there are {', '.join(near[:6])}" if near else f"there is no net in {Path(parts.path).parent or '.'}"
        raise BadFile(f"There is no net {parts.path}; {found}.")
    evaluator = NetEvaluator(
        Path(parts.path), game, precision=parts.options.get("precision", "auto"), threads=whole_number(parts, "threads", 1)
    )
    if parts.kind == "net" and evaluator.outputs == 0:
        raise BadParameter(f"{parts.path} judges positions and has no policy to play; write value:{parts.path},sims=25.")
    return evaluator
