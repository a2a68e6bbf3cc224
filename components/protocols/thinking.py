"""One player at one board under somebody else's clock: searches in slices until its time or its simulations are used up.

Used by the GTP engine, the Riddles.io bot and the terminal. The rules on the board may differ from those that a net was trained
with as long as the net's eyes are the same: another komi, ko rule, move cap or round limit; the search always plays by the
board's rules. Promises to look at the clock after every slice.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from components.core.seeds import stream_of
from components.games.contract import Game, Player, State
from components.games.record import one_row
from components.games.registry import build, family_of
from components.players.registry import make_player, nearest_size, spell_out, split_player
from components.players.search import NetPlayer, SearchPlayer
from components.protocols.clock import Clock, Stopwatch
from components.search.config import SearchConfig
from components.search.evaluators import Evaluator
from components.search.forest import Forest, Insight

ANALYSIS_SIMULATIONS = 5000  # of a live analysis; a user who looks longer has seen it
NET_KINDS = ("search", "net", "value")
WARM_SLICES = 3  # the root, its first child, and one more: every kernel of a search has then run
THINKING_KEY = 7  # keeps these streams apart from those of matches


@dataclass(frozen=True)
class Thought:
    """What a player decided and why; value is for the mover, None if the player has no opinion."""

    action: int
    value: float | None
    insight: Insight | None
    seconds: float


def trained_rules(text: str, family: str, size: str) -> Game:
    """The game that a player's net was trained for, at this size; the family's default rules if it has no net."""
    kind, _, rest = text_at_any_size(text, family, size).partition(":")
    path = rest.split(",")[0]
    if kind in NET_KINDS and path:
        from components.nets.checkpoint import read_card

        card = read_card(path)
        if card.family == family:
            return build(family_of(family), size, card.variant, dict(card.knobs))
    return build(family_of(family), size, None, {})


def text_at_any_size(text: str, family: str, size: str) -> str:
    """A player's text in full. A controller sets the board: where no champion of its size is shipped the nearest one plays."""
    return spell_out(text, family, nearest_size(family, size))


def with_knobs(game: Game, **changes: Any) -> Game:
    """The same game under changed knobs; knobs that a family does not have are left out."""
    fitting = {name: value for name, value in changes.items() if name in type(game.knobs).model_fields}
    return build(family_of(game.family), game.size, game.variant, {**game.knobs.model_dump(), **fitting})


def show_other_rules(evaluator: Any, game: Game, seen_as: Game) -> Evaluator:
    """Let an evaluator judge states of another game with the same planes; `seen_as` decides what it sees of the rules."""
    from components.search.modes import CachedEvaluator
    from components.search.uct import RolloutEvaluator
    from components.search.value_only import ValueOnlyEvaluator

    if isinstance(evaluator, CachedEvaluator):
        # Begun anew: a state does not hold the komi, so what is remembered was judged under the other rules.
        return CachedEvaluator(show_other_rules(evaluator.inner, game, seen_as), game, evaluator.entries)
    if isinstance(evaluator, ValueOnlyEvaluator):
        return ValueOnlyEvaluator(game, show_other_rules(evaluator.values, game, seen_as), evaluator.temperature)
    if isinstance(evaluator, RolloutEvaluator):
        return RolloutEvaluator(game, "uniform-pass" if evaluator.is_uniform_pass else "default")
    evaluator.game = seen_as
    return evaluator


class Thinker:
    """A player's text brought to life for whatever board comes, one position at a time."""

    def __init__(self, text: str, clock: Clock, seed: int = 0) -> None:
        self.text, self.clock = text, clock
        self.stream = np.array([stream_of(seed, THINKING_KEY)], dtype=np.uint64)
        self.player: Player | None = None
        self.trained: Game | None = None  # the rules of the player's net at this size
        self.game: Game | None = None
        self.forests: dict[bool, Forest] = {}  # by whether it is for analysis
        self.slice_seconds = 0.0  # the longest slice seen: the next one may take as long

    def sit(self, game: Game, seen_as: Game | None = None) -> None:
        """Get ready for a board: load what is needed and compile it, so that the first move does not pay for it."""
        if self.game is game:
            return
        if self.player is None or self.trained is None or self.trained.size != game.size:
            self.trained = trained_rules(self.text, game.family, game.size)
            self.player = self.make_player(game)
            self.evaluator: Any = None
        self.game, self.forests, self.slice_seconds = game, {}, 0.0
        if isinstance(self.player, SearchPlayer | NetPlayer):
            self.evaluator = self.evaluator or self.player.make_evaluator(self.trained)
            self.evaluator = show_other_rules(self.evaluator, game, seen_as or game)
        if isinstance(self.player, NetPlayer):
            self.player.game, self.player.evaluator = game, self.evaluator
        self.warm_up(game.start())

    def make_player(self, game: Game) -> Player:
        assert self.trained is not None
        text, near = text_at_any_size(self.text, game.family, game.size), nearest_size(game.family, game.size)
        if text != self.text and near != game.size:
            sys.stderr.write(f"No champion is shipped for {game.family}-{game.size}: the one of {near} plays.\n")
        return make_player(text, self.trained)

    def warm_up(self, state: State) -> None:
        """Two short looks: the first may compile, the second shows what a slice costs. Then the move is played once."""
        assert self.game is not None
        for _ in range(2):
            self.slice_seconds = 0.0
            left = iter(range(WARM_SLICES))
            thought = self.think(state, should_stop=lambda left=left: next(left, None) is None)  # type: ignore[misc]
        # What follows a decision counts against the same clock: measured cold, it took 0.8 s of a 5 s limit.
        self.game.returns(self.game.after(state, thought.action))

    @property
    def config(self) -> SearchConfig | None:
        return self.player.config if isinstance(self.player, SearchPlayer) else None

    def forest(self, is_analysis: bool) -> Forest:
        assert self.game is not None
        assert self.config is not None
        if is_analysis not in self.forests:
            config = self.config
            if is_analysis:
                # A Gumbel root spends its simulations by a plan with an end; an open-ended look needs PUCT.
                mode = "puct" if config.mode == "gumbel" else config.mode
                changes = {"mode": mode, "simulations": max(ANALYSIS_SIMULATIONS, config.simulations)}
                config = config.model_copy(update=changes)
            self.forests[is_analysis] = Forest(self.game, self.evaluator, config, 1)
        return self.forests[is_analysis]

    def think(
        self, state: State, seconds: float | None = None, started: float | None = None,
        should_stop: Callable[[], bool] = lambda: False, excluded: int | None = None,
    ) -> Thought:  # fmt: skip
        """Choose an action within seconds of `started`; the one excluded is not chosen while there is another."""
        assert self.game is not None
        assert self.player is not None
        watch = Stopwatch(self.clock, self.clock() if started is None else started, seconds, self.slice_seconds)
        if self.config is None:
            action = int(self.player.choose(self.game, one_row(self.game, state), self.stream)[0])
            return Thought(self.replace_excluded(state, action, excluded), None, None, watch.used)
        forest = self.forest(False)
        for _ in self.slices(forest, state, watch):
            if should_stop():
                break
        return self.decide(state, watch.used, excluded)

    def decide(self, state: State, seconds: float, excluded: int | None = None) -> Thought:
        """What the search of a position comes to, finished or not."""
        assert self.config is not None
        forest = self.forest(False)
        insight = forest.insight(0)
        action = forest.action_of(0, forest.choose(0, self.config.temperature_at(int(state.ply))))
        self.stream[0] = forest.streams[0]
        if action == excluded:
            action = best_but(insight, action)
        return Thought(action, insight.value, insight, seconds)

    def slices(self, forest: Forest, state: State, watch: Stopwatch) -> Iterator[None]:
        """Run a search round by round. The first is always run: without it there is no move at all."""
        forest.plant(0, state)
        forest.aim(0, int(self.stream[0]), is_noisy=False)
        while forest.run_round():
            may_go_on = watch.may_go_on()
            self.slice_seconds = watch.longest_slice
            yield
            if not may_go_on:
                return

    def replace_excluded(self, state: State, action: int, excluded: int | None) -> int:
        assert self.game is not None
        others = [int(other) for other in self.game.legal(state) if other != excluded]
        return others[0] if action == excluded and others else action


def best_but(insight: Insight, excluded: int) -> int:
    """The most visited action other than one."""
    order = np.argsort(-insight.visits, kind="stable")
    return next((int(insight.actions[place]) for place in order if insight.actions[place] != excluded), excluded)


def check_player(text: str, family: str, size: str) -> None:
    """Refuse a text that names no player, and a net of another game or rules version, before anything else is done."""
    from components.nets.checkpoint import check_rules, read_card

    game, text = trained_rules(text, family, size), spell_out(text, family, size)
    if ":" not in text:
        return
    parts = split_player(text, game)
    if parts.kind in NET_KINDS and parts.path:
        check_rules(parts.path, read_card(parts.path), game)
