"""GOLAD's scripted opponents, from the report's bots to a two-ply search: the ladder that a champion climbs.

Made by components.games.players.make_baseline. They choose whole turns and keep no memory: asked for a sacrifice, they look
for the best way to go on with what is pending. Promises that all chance comes from each game's own stream.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.core.jit import kernel
from components.core.seeds import draw_below
from components.games.contract import Game, Player, States
from components.games.golad.greedy import FACTS, MOST_BIRTHS, RANKED, choose_turns
from components.games.golad.life import count_cells, owns
from components.games.golad.rules import NONE, legal

# Weights of the dominations after 1, 2, ... generations (Gnivom's bot, second in the official final); none: cell difference.
DIFFERENCE: tuple[float, ...] = ()
TWO_GENERATIONS = (1.0, 1.0)
FOUR_GENERATIONS = (1.26, 0.946, 0.61, 0.4)
SMALL_BOARD_CELLS = 100  # two generations are better on 8x8, four on 18x16; where it turns was not measured


@kernel
def pick_cell(state, width, owner, streams, row):
    """A random cell of a player (0, 1), any living cell (2) or any dead cell (3); -1 if there is none."""
    picked, seen = NONE, 0
    for cell in range(width * state.cells.shape[1]):
        is_0, is_1 = owns(state.cells, 0, cell, width), owns(state.cells, 1, cell, width)
        is_meant = (owner == 0 and is_0) or (owner == 1 and is_1) or (owner == 2 and (is_0 or is_1))
        if is_meant or (owner == 3 and not is_0 and not is_1):
            seen += 1
            if draw_below(streams, row, seen) == 0:
                picked = cell
    return picked


@kernel
def choose_pass(rules, states, actions, streams, chosen):
    """Pass; in a birth that someone else began, a random sacrifice."""
    for row in range(states.shape[0]):
        count = legal(rules, states[row], actions)
        is_pending = states[row].target != NONE
        chosen[row] = actions[draw_below(streams, row, count)] if is_pending else actions[count - 1]


@kernel
def choose_kill(rules, states, actions, streams, chosen):
    """Kill a random cell of the opponent."""
    choose_pass(rules, states, actions, streams, chosen)
    for row in range(states.shape[0]):
        if states[row].target == NONE:
            cell = pick_cell(states[row], rules.width, 1 - np.int64(states[row].mover), streams, row)
            chosen[row] = cell if cell != NONE else chosen[row]


@kernel
def choose_random_bot(rules, states, actions, streams, chosen):
    """A coin: a random birth, or the kill of any living cell. Where no birth is possible, a kill; on an empty board, a pass."""
    choose_pass(rules, states, actions, streams, chosen)
    for row in range(states.shape[0]):
        if states[row].target != NONE:
            continue
        cell = NONE
        if draw_below(streams, row, 2) == 0 and count_cells(states[row].cells, np.int64(states[row].mover)) >= 2:
            cell = pick_cell(states[row], rules.width, 3, streams, row)
        if cell == NONE:
            cell = pick_cell(states[row], rules.width, 2, streams, row)
        chosen[row] = cell if cell != NONE else chosen[row]


class PassPlayer:
    """Never changes the board: life alone decides."""

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        chosen = np.zeros(len(states), dtype=np.int32)
        choose_pass(game.rules, states, np.zeros(game.spec.max_legal, dtype=np.int32), streams, chosen)
        return chosen


class KillPlayer:
    """Kills a random cell of the opponent every turn."""

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        chosen = np.zeros(len(states), dtype=np.int32)
        choose_kill(game.rules, states, np.zeros(game.spec.max_legal, dtype=np.int32), streams, chosen)
        return chosen


class RandomBot:
    """The report's RandomBot: half births, half kills of any living cell, its own included."""

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        chosen = np.zeros(len(states), dtype=np.int32)
        choose_random_bot(game.rules, states, np.zeros(game.spec.max_legal, dtype=np.int32), streams, chosen)
        return chosen


class OnePlyPlayer:
    """The best turn by its value after the life step: pass, all kills, births combined from good parts."""

    weights: tuple[float, ...] | None = None  # None: by board size
    is_by_lot = False  # births paid by random pairs instead of good ones
    has_replies = False

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        chosen = np.zeros(len(states), dtype=np.int32)
        kind = (self.is_by_lot, self.has_replies, self.weights_for(game))
        arguments = (*plain_positions(game, states), *kind, *working_space(game), streams, chosen)
        choose_turns(*arguments)
        return chosen

    def weights_for(self, game: Game) -> NDArray[np.float64]:
        weights = self.weights
        if weights is None:
            weights = TWO_GENERATIONS if game.spec.cells <= SMALL_BOARD_CELLS else FOUR_GENERATIONS
        return np.array(weights, dtype=np.float64)


class RandomSacrificePlayer(OnePlyPlayer):
    """Cell difference after one generation; one birth per dead cell, paid by a random pair."""

    weights = DIFFERENCE
    is_by_lot = True


class TwoPlyPlayer(OnePlyPlayer):
    """The best twenty turns of the one-ply player, each valued by the opponent's best reply."""

    has_replies = True


def plain_positions(game: Game, states: States) -> tuple[NDArray[Any], ...]:
    """boards [n, 2, height], facts [n, FACTS], salts [n], rule [3], as greedy.py wants them."""
    facts = np.stack([states[name] for name in ("mover", "target", "first", "turn", "facing")], axis=1).astype(np.int64)
    rule = np.array([game.rules.width, game.rules.is_random, 2 * game.rules.max_rounds], dtype=np.int64)
    return np.ascontiguousarray(states["cells"]), facts, np.ascontiguousarray(states["salt"]), rule


def working_space(game: Game) -> tuple[NDArray[Any], ...]:
    """scratch, after [2, height], facts_after, ranked, ranked_values [2, RANKED], and two sets of candidates."""
    most = game.spec.cells + MOST_BIRTHS + 2
    boards = [np.zeros((2, game.spec.height), dtype=np.uint64) for _ in range(2)]
    ranked = np.zeros((2, RANKED), dtype=np.int64), np.zeros((2, RANKED), dtype=np.float64)
    own, replies = ((np.zeros((most, 3), dtype=np.int64), np.zeros(most, dtype=np.float64)) for _ in range(2))
    return *boards, np.zeros(FACTS, dtype=np.int64), *ranked, *own, *replies


BASELINES: dict[str, type[Player]] = {
    "pass": PassPlayer,
    "kill": KillPlayer,
    "random-bot": RandomBot,
    "greedy-random-sacrifice": RandomSacrificePlayer,
    "greedy": OnePlyPlayer,
    "greedy-2ply": TwoPlyPlayer,
}
