"""A net of another Go variant at the table: it searches by the referee's komi, ko and move cap, with its own planes.

Read by players/guest.py. Actions are the same in every variant (resigning is never legal), so only the earlier boards that a
net sees have to be found: in the state as far as it keeps them, else by playing the game again.
"""

import numpy as np

from components.games.contract import Game, State

OWN_KNOBS = frozenset({"history", "extras", "resign"})  # how a net sees and acts
REFEREE_KNOBS = frozenset({"komi", "ko", "move_cap"})  # may differ; the match is played by the referee's
NOT_COPIED = ("past", "pad")  # these have another shape


def can_host(referee: Game, trained: Game) -> bool:
    return True


def home_state(referee: Game, home: Game, state: State, history: tuple[int, ...] | None) -> State:
    """The position with as many earlier boards as the guest looks at."""
    twin = home.new_states(1)[0]
    for name in home.state_dtype.names or ():
        if name not in NOT_COPIED:
            twin[name] = state[name]
    replayed = None
    if home.rules.history > referee.rules.history and history is not None:
        replayed = replay(home, state, history)
    if replayed is not None:
        twin.past[:] = replayed.past
    else:
        copy_past(referee, home, state, twin)
    return twin


def replay(home: Game, state: State, history: tuple[int, ...]) -> State | None:
    """The game played again from the empty board; None if it does not lead to this position."""
    if len(history) != state.ply:
        return None
    states, rows = home.new_states(1), np.zeros(len(history), dtype=np.int64)
    states[0] = home.start()
    home.kernels.advance_many(home.rules, states, rows, rows, np.array(history, dtype=np.int32))
    return states[0] if (states[0].board == state.board).all() else None


def copy_past(referee: Game, home: Game, state: State, twin: State) -> None:
    """Take over the boards that the referee's state keeps; older ones look like the oldest of them, which is nearly right."""
    kept = int(referee.rules.history) - 1
    for age in range(1, int(home.rules.history)):
        ply = int(state.ply) - age
        if ply >= 0:  # boards before the first ply stay empty
            known = min(age, kept)
            board = state.past[(int(state.ply) - known) % len(state.past)] if known else state.board
            twin.past[ply % len(twin.past)] = board


def plies_for(referee: Game, home: Game, state: State, home_state: State, action: int) -> list[int]:
    return [action]
