"""What the lab will do, checked to the last knob before the first game: games of all variants and handicaps, the agent, the net.

Called by the command. Promises that every mistake in the variants file is a sentence, and that nothing has been played by then.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.core.errors import BadParameter, UnknownName, ZerolineError
from components.core.files import digest_of, file_digest, json_text
from components.games.contract import Game
from components.games.registry import build, family_of, knob_text, make
from components.nets.config import NetConfig
from components.players.registry import USUAL, search_config, split_player
from components.rules_lab.config import Handicap, KnobValues, LabConfig
from components.search.config import SearchConfig
from components.training.config import NEW

CHAMPIONS = Path("champions")
DRAWN_PLIES = 12  # of games that all start alike


@dataclass(frozen=True)
class Candidate:
    """One step of a handicap."""

    label: str
    game: Game


@dataclass(frozen=True)
class HandicapPlan:
    label: str
    variant: str
    generations: int
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Plan:
    """A whole lab. `source` is the net that agents start from, None for new weights or no net at all."""

    config: LabConfig
    base: Game
    variants: dict[str, Game]
    handicaps: tuple[HandicapPlan, ...]
    source: Path | None
    source_digest: str
    net: NetConfig

    @property
    def has_net(self) -> bool:
        return self.config.agent == "net"

    def knobs_of(self, variant: str) -> KnobValues:
        return self.config.variants[variant]

    @property
    def drawn_plies(self) -> int:
        """Where setup draws the start position games differ by themselves, and drawn plies would only be mistakes."""
        given = self.config.temperature_plies
        return given if given is not None else 0 if self.base.spec.draws else DRAWN_PLIES

    def search_of(self, game: Game) -> SearchConfig:
        """How measured games think: first plies drawn among what the search likes, or all games of one start would be one."""
        config = self.config
        drawn: dict[str, Any] = {"temperature": config.temperature, "temperature_plies": self.drawn_plies}
        if not self.has_net:
            return search_config(split_player(config.agent, game), {**USUAL["uct"], **drawn})
        mode = {} if game.spec.has_policy else USUAL["value"]
        return SearchConfig(**{**mode, **drawn, "simulations": config.budget.simulations})

    def training_search(self, game: Game) -> SearchConfig:
        simulations = self.config.budget.train_simulations
        if game.spec.has_policy:
            return SearchConfig(mode="gumbel", simulations=simulations)
        drawn = {"temperature": 1.0, "temperature_plies": DRAWN_PLIES}
        return SearchConfig(**{**USUAL["value"], **drawn, "simulations": simulations})

    @property
    def digest(self) -> str:
        games = [game.name for game in self.variants.values()]
        return digest_of(json_text([self.config.model_dump(mode="json"), games, self.source_digest]).encode())


def make_plan(config: LabConfig, game: str | None, source: str) -> Plan:
    """The plan of a variants file; `game` is the command line's base game, `source` names the file in sentences."""
    name = game or config.game
    if name is None:
        raise BadParameter(f"Nothing names the base game; write --game organism-3, or game: organism-3 in {source}.")
    base = make(name)
    variants = {label: variant_of(base, knobs, f"{source}, variant '{label}'") for label, knobs in config.variants.items()}
    refuse_twins({label: variant.name for label, variant in variants.items()}, f"{source}, variants")
    handicaps = tuple(plan_handicap(one, variants, source) for one in config.handicaps)
    path = find_source(config, base)
    net = net_of(config, path)
    plan = Plan(config, base, variants, handicaps, path, file_digest(path) if path else "", net)
    check_agent(plan, source)
    return plan


def variant_of(base: Game, knobs: KnobValues, where: str) -> Game:
    """The base game with some knobs changed."""
    try:
        return build(family_of(base.family), base.size, base.variant, {**base.knobs.model_dump(), **knobs})
    except ZerolineError as error:
        raise type(error)(f"{where}: {error}") from None


def refuse_twins(names: dict[str, str], where: str) -> None:
    """Two labels for the same rules would be measured twice and differ by chance alone."""
    for label, name in names.items():
        first = next(other for other in names if names[other] == name)
        if first != label:
            raise BadParameter(f"{where}: '{first}' and '{label}' are the same game, {name}. Change a knob or leave one out.")


def plan_handicap(one: Handicap, variants: dict[str, Game], source: str) -> HandicapPlan:
    variant = one.variant or next(iter(variants))
    found = [
        Candidate(label_of(one, knobs), variant_of(variants[variant], knobs, f"{source}, handicap of '{variant}'"))
        for knobs in one.candidates
    ]
    refuse_twins({candidate.label: candidate.game.name for candidate in found}, f"{source}, handicap of '{variant}'")
    if len({candidate.label for candidate in found}) < len(found):
        raise BadParameter(f"{source}, handicap of '{variant}': a candidate is there twice. Leave one out.")
    knobs = one.knob or ", ".join(sorted({knob for step in one.steps for knob in step}))
    return HandicapPlan(knobs, variant, one.generations, tuple(found))


def label_of(one: Handicap, knobs: KnobValues) -> str:
    if one.knob is not None:
        return knob_text(knobs[one.knob])
    return ", ".join(f"{name}={knob_text(value)}" for name, value in knobs.items()) or "as it is"


def find_source(config: LabConfig, base: Game) -> Path | None:
    """The net that agents start from."""
    if config.agent != "net" or config.start == NEW:
        return None
    if config.start != "auto":
        return Path(config.start)
    exact = CHAMPIONS / f"{base.family}-{base.size}.safetensors"
    if exact.exists():
        return exact
    # A tower plays every size of its game, so a champion of another size is a better start than none.
    return next(iter(sorted(CHAMPIONS.glob(f"{base.family}-*.safetensors"))), None)


def net_of(config: LabConfig, source: Path | None) -> NetConfig:
    """The source's own architecture, so that all of its weights find their place."""
    from components.nets.checkpoint import read_card

    return config.net if source is None else read_card(source).net


def check_agent(plan: Plan, source: str) -> None:
    if not plan.has_net:
        check_text_agent(plan, source)
    elif plan.source is not None:
        for game in [*plan.variants.values(), *(one.game for handicap in plan.handicaps for one in handicap.candidates)]:
            check_source(plan, game)
    if plan.has_net:
        check_handicaps(plan, source)


def check_handicaps(plan: Plan, source: str) -> None:
    """A candidate that is not trained for is played by its variant's net, which must be able to see it."""
    for handicap in plan.handicaps:
        known = plan.variants[handicap.variant].spec
        for candidate in handicap.candidates:
            seen = candidate.game.spec
            if not handicap.generations and (seen.plane_names, seen.actions) != (known.plane_names, known.actions):
                raise BadParameter(
                    f"{source}: {candidate.game.name} has other planes or actions than the variant '{handicap.variant}',"
                    " whose net cannot play it. Set handicap.generations to at least 1, or choose a knob that leaves them alone."
                )


def check_text_agent(plan: Plan, source: str) -> None:
    kind = plan.config.agent.partition(":")[0]
    if kind != "uct":
        raise UnknownName(
            f"{source}: there is no agent '{plan.config.agent}'; write net, or uct:sims=200 for a look without one."
        )
    if split_player(plan.config.agent, plan.base).path:
        raise BadParameter(f"{source}: a uct agent has no net; write for example uct:sims=200.")
    if plan.search_of(plan.base).mode != "uct":
        raise BadParameter(f"{source}: the agent '{plan.config.agent}' names another mode; leave mode out, or set agent: net.")
    if any(handicap.generations for handicap in plan.handicaps):
        raise BadParameter(f"{source}: handicap.generations trains a net, a uct agent has none. Set it to 0, or agent: net.")


def check_source(plan: Plan, game: Game) -> None:
    """Refuse a net of another game, and one that would have to play with parts it never trained."""
    from components.nets.checkpoint import IncompatibleCheckpoint, layout, read_card

    assert plan.source is not None
    card = read_card(plan.source)
    if card.family != game.family:
        raise IncompatibleCheckpoint(
            f"{plan.source} was trained for {card.game}; this is {game.name}. Name a net of {game.family}."
        )
    is_same = card.plane_names == game.spec.plane_names and layout(card) == layout(game.spec)
    is_same = is_same and (card.net.plays_every_size or (card.height, card.width) == (game.spec.height, game.spec.width))
    if not is_same and not plan.config.budget.generations:
        raise IncompatibleCheckpoint(
            f"{plan.source} was trained for {card.game}, whose planes, actions or board differ from {game.name}'s."
            " Let the lab train it (budget.generations of at least 1), or set start: new."
        )
