"""Go's batch kernels: loops over the scalar kernels of rules.py, and rollouts on the light board of playout.py.

The loops are written out in each game because numba keeps machine code on disk only for kernels whose rules are imported
at module level: rules handed over as arguments would be compiled anew in every process.
"""

import numpy as np

from components.core.jit import kernel
from components.games.go.auxiliary import AUXILIARY
from components.games.go.board import NOWHERE, place_board
from components.games.go.playout import NON_EYE, UNIFORM_WITH_PASS, WORK, load, play_out, unload_board
from components.games.go.rules import apply, copy_state, encode, is_over, is_truncated, legal, refusal, returns, setup, turn_start
from components.games.go.score import area, eyes, ownership, score

__all__ = [
    "AUXILIARY",
    "NON_EYE",
    "UNIFORM_WITH_PASS",
    "apply",
    "area",
    "encode",
    "eyes",
    "is_over",
    "is_truncated",
    "legal",
    "ownership",
    "refusal",
    "returns",
    "score",
    "setup",
    "turn_start",
]


@kernel
def advance_many(rules, states, parents, children, actions):
    """states[children[i]] becomes states[parents[i]] after actions[i]; equal indices advance in place."""
    for i in range(parents.shape[0]):
        if parents[i] != children[i]:
            copy_state(states[parents[i]], states[children[i]])
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
    """Play every state to its end with uniform points except own eyes. actions is not used; results [n, 2]."""
    rollout_policy_many(rules, states, streams, actions, results, NON_EYE)


@kernel
def rollout_policy_many(rules, states, streams, actions, results, policy):
    """Play every state to its end: NON_EYE or UNIFORM_WITH_PASS (the 9x9 report's rollouts), simple ko. actions is not used.

    Each state becomes the finished position, so that `score` and `ownership` can be asked; its earlier boards stay those
    of the position it was.
    """
    space = np.zeros(1, dtype=WORK)
    board = np.empty(rules.cells, dtype=np.int8)
    for row in range(states.shape[0]):
        if not is_over(rules, states[row]):
            # Taken anew in every turn of the loop: a compiled record does not keep its array alive, the loop's use of it does.
            work = space[0]
            load(rules, states[row], work)
            plies = play_out(rules, states[row], work, streams, row, policy)
            unload_board(rules, work, board)
            finish(rules, states[row], work, board, plies)
        returns(rules, states[row], results[row])


@kernel
def finish(rules, state, work, board, plies):
    """Make a state the end of its rollout, as if both had passed."""
    place_board(rules, state, board)
    state.captures[0] += work.captures[0]
    state.captures[1] += work.captures[1]
    state.mover = (state.mover + plies) % 2
    state.ply += plies
    state.ko = NOWHERE
    state.last = rules.cells
    state.passes = 2


@kernel
def margins_many(rules, states, out):
    """out [n]: Black's margin after komi of each board as it lies."""
    for row in range(states.shape[0]):
        out[row] = score(rules, states[row])


@kernel
def refusals(rules, state, out):
    """out [cells] int8: why the mover may not play on each point; 0 where he may. Answers for finished games too."""
    for point in range(rules.cells):
        out[point] = refusal(rules, state, point)


@kernel
def successors(rules, state, actions, out):
    """Write every position one action away to out [max_legal], the action that leads there to actions; returns how many."""
    count = legal(rules, state, actions)
    for i in range(count):
        out[i] = state
        apply(rules, out[i], actions[i])
    return count
