"""What a game is to everything above it: a spec, a NumPy record per state, kernels, a text form, baseline players.

Games fill this in; search, self-play, protocols and the contract tests read it. Promises one meaning for every word: `mover`
chooses now, `apply` keeps the mover until the turn is complete, `returns` are per player in [-1, 1] and sum to 0.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from components.core.errors import IllegalAction

State = Any  # one np.record of Game.state_dtype
States = Any  # [n] array of such records
PLAYERS = 2


class Knobs(BaseModel):
    """Rules that a variant or a user may set: typed, range-checked, unknown names refused.

    A knob added later has a default that leaves the rules as they were: nets older than the knob are taken to have that.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class Spec:
    """The static facts of one game at one size under one set of rules.

    Actions 0 .. policy_planes*cells-1 belong to a board cell (action = plane*cells + cell); the next policy_extras have
    none (a pass). A value-only game has neither: its actions are indices into the list of results of a state.
    """

    rules_version: int  # goes up when a game could end differently than before
    height: int
    width: int
    plane_names: tuple[str, ...]
    policy_planes: int
    policy_extras: int
    max_legal: int  # no state has more legal actions
    max_plies: int  # no game lasts longer
    draws: int  # random 64-bit numbers that setup consumes
    cell_maps: NDArray[np.int32] = field(repr=False)  # [symmetries, cells]: cell c goes to cell_maps[s, c]; s = 0 changes nothing

    @property
    def cells(self) -> int:
        return self.height * self.width

    @property
    def planes(self) -> int:
        return len(self.plane_names)

    @property
    def symmetries(self) -> int:
        return len(self.cell_maps)

    @property
    def has_policy(self) -> bool:
        return self.policy_planes + self.policy_extras > 0

    @property
    def actions(self) -> int:
        return self.policy_planes * self.cells + self.policy_extras if self.has_policy else self.max_legal

    @cached_property
    def action_maps(self) -> NDArray[np.int32]:
        """[symmetries, actions]: where each action goes when the board is turned."""
        on_cells = [self.cell_maps + plane * self.cells for plane in range(self.policy_planes)]
        first_extra = self.policy_planes * self.cells
        extras = np.arange(first_extra, first_extra + self.policy_extras, dtype=np.int32)
        return np.concatenate([*on_cells, np.tile(extras, (self.symmetries, 1))], axis=1).astype(np.int32)


class Text(Protocol):
    """How people read and write a game."""

    def draw(self, game: Game, state: State) -> str:
        """The position as text: board, mover and whatever else decides what is legal."""

    def parse(self, game: Game, text: str) -> State:
        """The position that `draw` drew, with the same legal actions; refuses anything else with a sentence."""

    def action_name(self, game: Game, state: State, action: int) -> str:
        """What a person calls this action in this position."""

    def action_of(self, game: Game, state: State, name: str) -> int:
        """The legal action of that name; refuses anything else with a sentence."""


class Player(Protocol):
    """Picks actions for many games at once. Whatever it draws comes from each game's own stream."""

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        """[n] one legal action for each state; no state is over."""


@dataclass(frozen=True)
class Game:
    """One playable game: a family at a size under a variant's knobs, with everything needed to play it."""

    family: str
    size: str
    variant: str
    knobs: Knobs
    spec: Spec
    rules: Any  # np.record that every kernel gets first: the knobs and the tables made from them
    state_dtype: np.dtype[Any]

    @cached_property
    def name(self) -> str:
        from components.games.registry import name_of

        return name_of(self)

    @cached_property
    def kernels(self) -> ModuleType:
        """The batch kernels. Imported on first use: numba takes longer to load than all the rest."""
        return importlib.import_module(f"components.games.{self.family}.kernels")

    @cached_property
    def text(self) -> Text:
        module = importlib.import_module(f"components.games.{self.family}.text")
        return module.TEXT

    def new_states(self, count: int) -> States:
        """[count] records of zeros; `start` or `setup_many` makes them positions."""
        return np.zeros(count, dtype=self.state_dtype).view(np.recarray)

    def start(self, seed: int = 0) -> State:
        """The start position that belongs to a seed."""
        from components.core.seeds import stream_of

        return self.start_many(np.array([stream_of(seed)], dtype=np.uint64))[0]

    def start_many(self, streams: NDArray[np.uint64]) -> States:
        """[n] start positions, each drawn from its own stream, which moves on."""
        from components.core.seeds import fill_draws  # brings numba, which a list of games does not need

        states = self.new_states(len(streams))
        draws = np.zeros(self.spec.draws, dtype=np.uint64)
        for row in range(len(streams)):
            fill_draws(streams, row, draws)
            self.kernels.setup(self.rules, states[row], draws)
        return states

    def legal(self, state: State) -> NDArray[np.int32]:
        """The legal actions in ascending order; none when the game is over."""
        out = np.empty(self.spec.max_legal, dtype=np.int32)
        return out[: self.kernels.legal(self.rules, state, out)].copy()

    def after(self, state: State, action: int) -> State:
        """A new state: this one after a legal action; refuses any other."""
        if action not in self.legal(state):
            raise IllegalAction(
                f"{self.name}: action {action} is not legal here; legal are "
                f"{summary([self.text.action_name(self, state, int(a)) for a in self.legal(state)])}.\n"
                f"{self.text.draw(self, state)}"
            )
        child = self.copy(state)
        self.kernels.apply(self.rules, child, action)
        return child

    def copy(self, state: State) -> State:
        twin = self.new_states(1)
        twin[0] = state
        return twin[0]

    def returns(self, state: State) -> NDArray[np.float32] | None:
        """[2] the result for each player, or None while the game goes on."""
        out = np.zeros(PLAYERS, dtype=np.float32)
        return out if self.kernels.returns(self.rules, state, out) else None

    def encode(self, state: State) -> NDArray[np.float32]:
        """[planes, height, width] what a net sees, from the mover's side."""
        planes = np.zeros((self.spec.planes, self.spec.height, self.spec.width), dtype=np.float32)
        self.kernels.encode(self.rules, state, planes)
        return planes


@dataclass(frozen=True)
class Family:
    """One game folder's entry: its sizes, variants and how to build a Game of them."""

    name: str
    title: str
    default_size: str
    example_names: tuple[str, ...]  # instances that the contract tests, `list` and the benchmarks use
    knobs: type[Knobs]
    variants: Mapping[str, Mapping[str, Any]]  # the first is the default; each names the knobs it sets
    sizes_help: str
    build: Any  # (size text, knobs) -> (spec, rules record, state dtype)


def state_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """A record dtype with `mover` and `ply` added and no hidden padding, so that equal states are equal bytes."""
    columns = [*fields, ("ply", "i4"), ("mover", "i1")]
    columns.sort(key=lambda column: -np.dtype(column[1]).alignment)
    aligned = np.dtype(columns, align=True)
    used = np.dtype(columns).itemsize
    if aligned.itemsize > used:
        columns.append(("pad", "i1", (aligned.itemsize - used,)))
    return np.dtype((np.record, columns))


def record_of(values: Mapping[str, Any], dtypes: list[tuple[Any, ...]]) -> Any:
    """The rules record of a game: one named value or table per field."""
    records = np.zeros(1, dtype=np.dtype((np.record, dtypes)))
    for name, value in values.items():
        records[name][0] = value
    return records[0]


def square_maps(height: int, width: int) -> NDArray[np.int32]:
    """[8 or 4, cells] the symmetries of a square, or of a rectangle that is none."""
    cells = np.arange(height * width, dtype=np.int32).reshape(height, width)
    quarter_turns = range(4) if height == width else (0, 2)
    turned = [np.rot90(board, turns) for board in (cells, cells[:, ::-1]) for turns in quarter_turns]
    # turned[s].flat[i] is the cell that comes to place i; a cell map says where a cell goes.
    return np.stack([np.argsort(board.ravel()) for board in turned]).astype(np.int32)


def summary(names: list[str], most: int = 12) -> str:
    """A short list for a sentence."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
