"""Organism's players without a net: `safe` and `greedy`, both one organism ply deep.

They look at every result that the present ply can still lead to and pick one at random among the best; in the game of small
choices they then make a choice that leads there. Nothing is remembered between plies: the best class can only stay reachable.
"""

import numpy as np
from numpy.typing import NDArray

from components.core.jit import kernel
from components.core.seeds import draw_below
from components.games.contract import Game, Player, States
from components.games.organism.codes import CODE, DRAWN, ELEMENT, FOOD, GOES_ON, INTRODUCE, PENDING, TOKENS
from components.games.organism.groups import owner_of
from components.games.organism.listing import list_results, take_result
from components.games.organism.rules import apply, legal
from components.games.organism.tables import FIRST, NEXT

WIN, LOSS = 1000, -1000  # beyond any difference of tokens and elements


@kernel
def outcome(state, player):
    """WIN or LOSS when the game is over and decided, else 0."""
    if state.winner == GOES_ON or state.winner == DRAWN:
        return 0
    return WIN if state.winner == player + 1 else LOSS


@kernel
def balance(state, player):
    """Tokens and elements of a player minus the opponent's."""
    total = np.int64(state.tokens[player]) - np.int64(state.tokens[1 - player])
    for cell in range(state.element.shape[0]):
        owner = owner_of(np.int64(state.element[cell]))
        total += (owner == player) - (owner == 1 - player)
    return total


@kernel
def score_results(rules, state, is_greedy, scores, spare):
    """Write a score of each result of the present ply to scores and return how many there are. spare: room for a state."""
    boards, results, _ = list_results(rules, state, rules.max_results + 1)
    count = results[NEXT] - results[FIRST]
    for i in range(count):
        spare[0] = state
        take_result(rules, spare[0], boards, results[FIRST] + i)
        scores[i] = outcome(spare[0], state.mover)
        if is_greedy and scores[i] == 0:
            scores[i] = balance(spare[0], state.mover)
    return count


@kernel
def is_reached(boards, row, other_boards, other_row):
    """Whether two listed results are the same position."""
    for plane in range(4):
        for cell in range(boards.shape[2]):
            if boards[row, plane, cell] != other_boards[other_row, plane, cell]:
                return False
    return True


@kernel
def is_same_position(state, boards, row, is_turn_over):
    """Whether a finished ply ended in a listed result; pending and tokens may have changed with the turn."""
    for cell in range(boards.shape[2]):
        if state.element[cell] & CODE != boards[row, ELEMENT, cell] or state.food[cell] != boards[row, FOOD, cell]:
            return False
        if not is_turn_over and state.pending[cell] != boards[row, PENDING, cell]:
            return False
    return is_turn_over or (state.tokens[0] == boards[row, TOKENS, 0] and state.tokens[1] == boards[row, TOKENS, 1])


@kernel
def find_choice(rules, state, goal, actions, spare):
    """The first small choice that leads to result number `goal` of the present ply. actions [max_legal]: working space."""
    boards, results, _ = list_results(rules, state, rules.max_results + 1)
    row = results[FIRST] + goal
    count = legal(rules, state, actions)
    for i in range(count):
        spare[0] = state
        apply(rules, spare[0], actions[i])
        is_finished = spare[0].acts > state.acts or (state.phase == INTRODUCE and spare[0].phase != INTRODUCE)
        if is_finished:
            if is_same_position(spare[0], boards, row, spare[0].turns > state.turns):
                return actions[i]
        else:
            others, listed, _ = list_results(rules, spare[0], rules.max_results + 1)
            for other in range(listed[FIRST], listed[NEXT]):
                if is_reached(boards, row, others, other):
                    return actions[i]
    return actions[0]


class ResultPlayer:
    """Uniform over the results with the best score."""

    is_greedy = False

    def choose(self, game: Game, states: States, streams: NDArray[np.uint64]) -> NDArray[np.int32]:
        chosen = np.empty(len(states), dtype=np.int32)
        scores = np.zeros(int(game.rules.max_results), dtype=np.int64)
        actions = np.zeros(game.spec.max_legal, dtype=np.int32)
        spare = game.new_states(1)
        for row in range(len(states)):
            count = score_results(game.rules, states[row], self.is_greedy, scores, spare)
            best = np.flatnonzero(scores[:count] == scores[:count].max()) if count else np.zeros(0, dtype=np.int64)
            goal = int(best[draw_below(streams, row, len(best))]) if count else 0
            if game.spec.has_policy and count:
                chosen[row] = find_choice(game.rules, states[row], goal, actions, spare)
            else:
                chosen[row] = goal if not game.spec.has_policy else game.legal(states[row])[0]
        return chosen


class SafePlayer(ResultPlayer):
    """Takes a win if there is one, else avoids plies that lose at once, else random."""


class GreedyPlayer(ResultPlayer):
    """Takes a win, avoids a loss, else the largest difference of tokens plus elements after the ply, ties at random."""

    is_greedy = True


BASELINES: dict[str, type[Player]] = {"safe": SafePlayer, "greedy": GreedyPlayer}
