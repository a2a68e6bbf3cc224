"""Organism's batch kernels: loops over the scalar kernels of rules.py. Promises what every game's kernels.py promises.

Whole-sequence games list their results once per position where a loop over legal and apply would list them once per result.
"""

from components.core.jit import kernel
from components.core.seeds import draw_below
from components.games.organism import places as at
from components.games.organism.codes import GOES_ON, WHOLE
from components.games.organism.listing import PASS_ROW, list_results
from components.games.organism.rules import apply, encode, legal, play_result, returns, setup, turn_start
from components.games.organism.tables import FIRST, NEXT

__all__ = ["apply", "encode", "legal", "returns", "setup", "turn_start"]


@kernel
def advance_many(rules, states, parents, children, actions):
    """states[children[i]] becomes states[parents[i]] after actions[i]; equal indices advance in place."""
    for i in range(parents.shape[0]):
        if parents[i] != children[i]:
            states[children[i]] = states[parents[i]]
        apply(rules, states[children[i]], actions[i])


@kernel
def describe_many(rules, states, rows, actions, counts, results, over):
    """For each row: legal actions into actions [n, max_legal] with counts [n], results [n, 2], over [n]."""
    for i in range(rows.shape[0]):
        counts[i] = legal(rules, states[rows[i]], actions[i])
        over[i] = returns(rules, states[rows[i]], results[i])


@kernel
def returns_many(rules, states, results, over):
    """Results [n, 2] and whether each state is over [n]."""
    for row in range(states.shape[0]):
        over[row] = returns(rules, states[row], results[row])


@kernel
def encode_many(rules, states, rows, planes):
    """Fill planes [n, planes, height, width] with what a net sees of each row."""
    for i in range(rows.shape[0]):
        planes[i] = 0.0
        encode(rules, states[rows[i]], planes[i])


@kernel
def rollout_many(rules, states, streams, actions, results):
    """Play every state to its end with uniform legal actions. actions [max_legal] is working space; results [n, 2]."""
    for row in range(states.shape[0]):
        state = states[row]
        while not returns(rules, state, results[row]):
            if rules.knobs[at.turns] == WHOLE:
                boards, listed, _ = list_results(rules, state, rules.max_results + 1)
                count = listed[NEXT] - listed[FIRST]
                play_result(rules, state, boards, listed[FIRST] + draw_below(streams, row, count) if count > 0 else PASS_ROW)
            else:
                count = legal(rules, state, actions)
                apply(rules, state, actions[draw_below(streams, row, count)])


@kernel
def successors(rules, state, actions, out):
    """Write every position one action away to out [max_legal], the action that leads there to actions; returns how many."""
    if rules.knobs[at.turns] == WHOLE and state.winner == GOES_ON:
        boards, results, _ = list_results(rules, state, rules.max_results + 1)
        count = max(1, results[NEXT] - results[FIRST])
        for i in range(count):
            actions[i] = i
            out[i] = state
            play_result(rules, out[i], boards, results[FIRST] + i if results[NEXT] > results[FIRST] else PASS_ROW)
        return count
    count = legal(rules, state, actions)
    for i in range(count):
        out[i] = state
        apply(rules, out[i], actions[i])
    return count
