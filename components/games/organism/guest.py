"""A net of another Organism variant at the table: one that plays whole sequences where the referee asks for small choices.

Read by players/guest.py. Both forms of play reach the same results of a ply, and the list of results starts from any half-made
sequence: a guest asked in the middle of one chooses among what can still be reached. Nets of small choices are no guests where
whole sequences are played.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.games.contract import Game, State
from components.games.organism.codes import CHOOSE_ORGANISM, CODE, INTRODUCE
from components.games.organism.listing import list_results
from components.games.organism.tables import FIRST, NEXT

OWN_KNOBS = frozenset({"turns", "planes", "max_results"})  # how a net sees and acts
REFEREE_KNOBS = frozenset({"ply_cap"})  # may differ; the match is played by the referee's
CHOICE_FIELDS = ("acting", "kind", "left", "done", "sub", "cell", "target", "grows", "due")
# Not the winner: it follows from these, except where a repetition that only the referee's history knows ends the game.
RESULT_FIELDS = ("food", "tokens", "pending", "introduced", "mover", "acts", "turns")


@dataclass(frozen=True)
class Goal:
    """What a sequence leads to: the position after it, and the board in the list of results; a pass is not listed."""

    state: State
    listed: NDArray[np.int16] | None  # [4, cells]


def can_host(referee: Game, trained: Game) -> bool:
    return is_same_form(referee, trained) or referee.spec.has_policy


def is_same_form(referee: Game, home: Game) -> bool:
    return referee.spec.has_policy == home.spec.has_policy


def home_state(referee: Game, home: Game, state: State, history: tuple[int, ...] | None) -> State:
    """The position as whole-sequence play has it. A sequence that is under way stays so; choices that were forced are undone."""
    twin = home.copy(state)
    if is_same_form(referee, home):
        return twin
    twin.options[:], twin.extras, twin.ply = 0, 0, state.acts
    if not state.has_chosen:
        twin.element &= np.int8(CODE)
        twin.base_element[:], twin.base_food[:] = 0, 0
        twin.phase = INTRODUCE if state.phase == INTRODUCE else CHOOSE_ORGANISM
        for name in CHOICE_FIELDS:
            twin[name] = 0
    return twin


def plies_for(referee: Game, home: Game, state: State, home_state: State, action: int) -> list[int]:
    """The small choices that lead to the result of a sequence.

    Where the list of results is cut the way may be lost from sight: the plies then end early, and the guest is asked again.
    """
    if is_same_form(referee, home):
        return [action]
    goal, here, plies = goal_of(home, home_state, action), state, []
    while not is_finished(state, here):
        step = step_towards(referee, home, state, here, goal)
        if step is None:
            break
        here = step[1]
        plies.append(step[0])
    return plies or [int(referee.legal(state)[0])]


def goal_of(home: Game, state: State, action: int) -> Goal:
    after = home.copy(state)
    home.kernels.apply(home.rules, after, action)
    boards, results, _ = list_results(home.rules, state, action + 1)
    return Goal(after, boards[results[FIRST] + action] if results[NEXT] > results[FIRST] else None)


def is_finished(start: State, state: State) -> bool:
    """Whether the ply of an organism, or the introduction, that began at start is complete."""
    return bool(state.acts > start.acts or (start.phase == INTRODUCE and state.phase != INTRODUCE))


def step_towards(referee: Game, home: Game, start: State, here: State, goal: Goal) -> tuple[int, State] | None:
    """(the first small choice from which the goal can still be reached, the position after it)."""
    for action in referee.legal(here).tolist():
        child = referee.copy(here)
        referee.kernels.apply(referee.rules, child, action)
        is_right = is_same_result(child, goal.state) if is_finished(start, child) else can_reach(home.rules, child, goal)
        if is_right:
            return action, child
    return None


def is_same_result(state: State, goal: State) -> bool:
    same = (np.array_equal(state[name], goal[name]) for name in RESULT_FIELDS)
    return np.array_equal(state.element & CODE, goal.element & CODE) and all(same)


def can_reach(rules: Any, state: State, goal: Goal) -> bool:
    boards, results, _ = list_results(rules, state, int(rules.max_results) + 1)
    return bool((boards[results[FIRST] : results[NEXT]] == goal.listed).all(axis=(1, 2)).any())
