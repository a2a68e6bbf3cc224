"""From a short text to a player: NAME for a baseline, KIND:ARGUMENT,key=value,... for one that thinks.

Used wherever a player is named: matches, ladders, tournaments, protocols. Promises a sentence for every text that names none.
"""

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
CHAMPION = "champion"  # champion,sims=400: the net that the project ships for the game at hand, as a search
CHAMPIONS = Path(__file__).parents[2] / "champions"
CHAMPION_OPTIONS = "mode=gumbel,sims=200"
SHORT_NAMES = {"sims": "simulations", "T": "prior_temperature"}
NET_OPTIONS = ("precision", "threads")
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
    makers: dict[str, Callable[[PlayerText, NetMaker], Player]] = {
        "search": search_player,
        "net": net_player,
        "value": value_player,
        "uct": uct_player,
    }
    return guest_player(parts, game, makers[parts.kind]) or makers[parts.kind](parts, partial(net_evaluator, parts))


def check_player(text: str, game: Game) -> None:
    """Refuse a text that names no player of this game. Its net may not be made yet, nor its program be installed."""
    with suppress(MissingProgram):
        make_player(text, game)


def spell_out(text: str, family: str, size: str) -> str:
    """A player's text in full: `champion` is short for a search with the shipped net of this game and size."""
    name, _, options = text.partition(",")
    if name != CHAMPION:
        return text
    shipped = sorted(path.stem for path in CHAMPIONS.glob("*.safetensors"))
    if f"{family}-{size}" not in shipped:
        raise UnknownName(
            f"There is no shipped champion for {family}-{size}; there are {', '.join(shipped) or 'none'}."
            " Train one and name its file: search:NET.safetensors,sims=200."
        )
    path = CHAMPIONS / f"{family}-{size}.safetensors"
    near = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return ",".join([f"search:{near}", *overridden(CHAMPION_OPTIONS.split(","), options.split(",") if options else [])])


def overridden(usual: list[str], wanted: list[str]) -> list[str]:
    """Options written name=value: the usual ones that are not set anew, then the wanted ones."""
    names = {option.partition("=")[0] for option in wanted}
    return [option for option in usual if option.partition("=")[0] not in names] + wanted


def split_player(text: str, game: Game) -> PlayerText:
    kind, _, rest = text.partition(":")
    if kind not in KINDS:
        outside = {"go": ("gtp", "gnugo-1", "pachi-500"), "golad": ("riddles",)}.get(game.family, ())
        names = ", ".join([*baselines(game.family), CHAMPION, *KINDS, *outside])
        raise UnknownName(
            f"{game.name} has no player '{text}'; name one of {names} (for example search:champion.safetensors,sims=200)."
        )
    pieces = [piece for piece in rest.split(",") if piece]
    path = pieces.pop(0) if pieces and "=" not in pieces[0] else ""
    options = {}
    for piece in pieces:
        name, equals, value = piece.partition("=")
        if not equals:
            raise BadParameter(f"'{piece}' in the player '{text}' is not an option; write key=value, for example sims=200.")
        options[SHORT_NAMES.get(name, name)] = value
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


def search_player(parts: PlayerText, net: NetMaker) -> Player:
    from components.players.search import SearchPlayer
    from components.search.modes import evaluator_of

    config = search_config(parts, {"gumbel_scale": 0.0})
    return SearchPlayer(config, lambda game: evaluator_of(game, config, net(game)))


def value_player(parts: PlayerText, net: NetMaker) -> Player:
    from components.players.search import SearchPlayer
    from components.search.modes import evaluator_of

    config = search_config(parts, {"mode": "value-only", "simulations": 25, "c": 1.0, "fpu": "zero"})
    return SearchPlayer(config, lambda game: evaluator_of(game, config, net(game)))


def uct_player(parts: PlayerText, net: NetMaker) -> Player:
    from components.players.search import SearchPlayer
    from components.search.modes import evaluator_of

    if parts.path:
        raise BadParameter(f"A uct player has no net; found '{parts.path}'. Write for example uct:sims=1000,c=1.0.")
    config = search_config(parts, {"mode": "uct", "c": 1.0, "fpu": "zero"})
    return SearchPlayer(config, lambda game: evaluator_of(game, config))


def net_player(parts: PlayerText, net: NetMaker) -> Player:
    from components.players.search import NetPlayer

    temperature = number(parts, "temperature", 0.0)
    unknown = [name for name in parts.options if name not in ("temperature", *NET_OPTIONS)]
    if unknown:
        raise UnknownName(f"A net player has no option '{unknown[0]}'; it has temperature, {', '.join(NET_OPTIONS)}.")
    return NetPlayer(net, temperature)


def number(parts: PlayerText, name: str, default: float) -> float:
    try:
        return float(parts.options.get(name, default))
    except ValueError:
        raise BadParameter(f"Option {name} of the {parts.kind} player is '{parts.options[name]}'; need a number.") from None


def search_config(parts: PlayerText, defaults: dict[str, Any]) -> SearchConfig:
    """The search of a player: its kind's defaults, then what the text says."""
    options = {name: value for name, value in parts.options.items() if name not in NET_OPTIONS}
    unknown = [name for name in options if name not in SearchConfig.model_fields]
    if unknown:
        known = ", ".join([*SHORT_NAMES, *SearchConfig.model_fields, *NET_OPTIONS])
        raise UnknownName(f"A {parts.kind} player has no option '{unknown[0]}'; it has {known}.")
    try:
        return SearchConfig(**{**defaults, **options})
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
    return NetEvaluator(
        Path(parts.path), game, precision=parts.options.get("precision", "auto"), threads=int(number(parts, "threads", 1))
    )
