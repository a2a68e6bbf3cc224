"""GOLAD's batch kernels: loops over the scalar kernels of rules.py, as every game has them.

The loops are written out in each game because numba keeps machine code on disk only for kernels whose rules are imported
at module level: rules handed over as arguments would be compiled anew in every process.
"""

from components.core.jit import kernel
from components.core.seeds import draw_below
from components.games.golad.auxiliary import AUXILIARY
from components.games.golad.rules import apply, encode, legal, returns, setup, turn_start

__all__ = ["AUXILIARY", "apply", "encode", "legal", "returns", "setup", "turn_start"]


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
        count = legal(rules, states[row], actions)
        while count > 0:
            apply(rules, states[row], actions[draw_below(streams, row, count)])
            count = legal(rules, states[row], actions)
        returns(rules, states[row], results[row])


@kernel
def successors(rules, state, actions, out):
    """Write every position one action away to out [max_legal], the action that leads there to actions; returns how many."""
    count = legal(rules, state, actions)
    for i in range(count):
        out[i] = state
        apply(rules, out[i], actions[i])
    return count
