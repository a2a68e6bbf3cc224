"""Guests: a net trained under one variant of a game plays in another variant of the same family and size.

Made by the registry when a net does not fit the game at hand but the family's guest.py can interpret for it. The net searches in
its home game: its own planes and actions under the referee's rules. Promises legal plies whatever the position, and that a
game depends on nothing but its own positions, stream and table.
"""

import importlib
import importlib.util
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.core.errors import ZerolineError
from components.games.contract import Game, Player, State, States
from components.games.registry import build, family_of
from components.search.forest import Insight

NO_TABLE = -1  # of a guest that is not told where it sits
UNSEARCHED = Insight(
    actions=np.zeros(0, dtype=np.int32), visits=np.zeros(0, dtype=np.int32), policy=np.zeros(0, dtype=np.float32),
    value=0.0, prior_entropy=0.0, depth=0, breadth=0.0, values=np.zeros(0, dtype=np.float32),
)  # fmt: skip


@dataclass(frozen=True)
class Bridge:
    """Between two games of a family: positions go from the referee's to the guest's, actions come back as plies."""

    referee: Game
    trained: Game  # exactly what the net was trained for
    home: Game  # what it plays in its mind: sees and acts as trained, under the referee's rules
    interpreter: ModuleType  # components.games.FAMILY.guest

    def look(self, evaluator: Any) -> Any:
        """Let a net of the trained game judge states of the home game: the planes are the same."""
        evaluator.game = self.home
        return evaluator


@dataclass(frozen=True)
class Planned:
    """One of the referee's plies, and the search that it comes from."""

    ply: int
    insight: Insight


def find_bridge(path: Path, game: Game) -> Bridge | None:
    """How the net in a file can be a guest here; None if it fits as it is, or if nobody can interpret for it."""
    from components.nets.checkpoint import read_card

    card = read_card(path)
    if (card.family, card.height, card.width) != (game.family, game.spec.height, game.spec.width):
        return None
    if importlib.util.find_spec(f"components.games.{game.family}.guest") is None:
        return None
    trained = trained_game(path, card, game)
    if trained is None or trained.knobs == game.knobs:
        return None
    interpreter = importlib.import_module(f"components.games.{game.family}.guest")
    home = home_game(game, trained, interpreter)
    return None if home is None else Bridge(game, trained, home, interpreter)


def trained_game(path: Path, card: Any, game: Game) -> Game | None:
    """The game of a card; None if today's rules or planes are no longer the net's."""
    from components.nets.checkpoint import check_fits

    try:
        trained = build(family_of(card.family), game.size, card.variant, dict(card.knobs))
        check_fits(path, card, trained)
    except ZerolineError:
        return None
    return trained


def home_game(referee: Game, trained: Game, interpreter: ModuleType) -> Game | None:
    """The referee's rules seen and played as the net does; None if they differ in more than can be interpreted."""
    rules, own = referee.knobs.model_dump(), trained.knobs.model_dump()
    differing = {name for name in rules if rules[name] != own[name]}
    if not differing <= interpreter.OWN_KNOBS | interpreter.REFEREE_KNOBS or not interpreter.can_host(referee, trained):
        return None
    return build(
        family_of(referee.family), referee.size, trained.variant, rules | {name: own[name] for name in interpreter.OWN_KNOBS}
    )


class GuestPlayer:
    """Asks the player at home for an action and makes it as the referee's plies.

    Where an action is several plies, those to come wait under the position in which each is due, table by table.
    """

    def __init__(self, bridge: Bridge, player: Player) -> None:
        self.bridge, self.player = bridge, player
        self.plans: dict[tuple[int, bytes], Planned] = {}
        self.insights: list[Insight] = []

    def begin_games(self, game: Game, count: int) -> None:
        self.plans = {}

    def begin_game(self, table: int) -> None:
        self.plans = {key: planned for key, planned in self.plans.items() if key[0] != table}

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        return self.decide(states, streams, [NO_TABLE] * len(states), [None] * len(states))

    def choose_seated(
        self, game: Game, states: States, streams: NDArray[np.uint64], tables: NDArray[np.int64],
        histories: list[tuple[int, ...]],
    ) -> NDArray[np.int32]:  # fmt: skip
        return self.decide(states, streams, tables.tolist(), list(histories))

    def decide(
        self, states: States, streams: NDArray[np.uint64], tables: list[int], histories: list[tuple[int, ...] | None]
    ) -> NDArray[np.int32]:
        """[n] what is planned for each state; the others are asked about at home, all in one batch."""
        keys = [(table, state.tobytes()) for table, state in zip(tables, states, strict=True)]
        decided = {row: self.plans[key] for row, key in enumerate(keys) if key in self.plans}
        for key in keys:
            self.plans.pop(key, None)
        asked = [row for row in range(len(states)) if row not in decided]
        if asked:
            own_streams = streams[asked]
            plans = self.ask_home(states[asked], own_streams, [histories[row] for row in asked])
            streams[asked] = own_streams
            for row, (plies, insight) in zip(asked, plans, strict=True):
                decided[row] = Planned(plies[0], insight)
                self.plan(tables[row], states[row], plies, insight)
        self.insights = [decided[row].insight for row in range(len(states))] if hasattr(self.player, "insights") else []
        return np.array([decided[row].ply for row in range(len(states))], dtype=np.int32)

    def ask_home(
        self, states: States, streams: NDArray[np.uint64], histories: list[tuple[int, ...] | None]
    ) -> list[tuple[list[int], Insight]]:
        """(plies, insight) for each state."""
        referee, home, interpreter = self.bridge.referee, self.bridge.home, self.bridge.interpreter
        home_states = home.new_states(len(states))
        for row, state in enumerate(states):
            home_states[row] = interpreter.home_state(referee, home, state, histories[row])
        actions = self.player.choose(home, home_states, streams).tolist()
        insights = getattr(self.player, "insights", [UNSEARCHED] * len(states))
        rows = zip(states, home_states, actions, strict=True)
        plies = [interpreter.plies_for(referee, home, state, home_state, action) for state, home_state, action in rows]
        return list(zip(plies, insights, strict=True))

    def plan(self, table: int, state: State, plies: list[int], insight: Insight) -> None:
        """Note the plies after the first under the positions that they are for."""
        referee = self.bridge.referee
        here = referee.copy(state)
        for played, due in pairwise(plies):
            referee.kernels.apply(referee.rules, here, played)
            self.plans[table, here.tobytes()] = Planned(due, insight)
