"""Games that were played without our search, told as self-play tells them: the action played is the whole policy.

Called for games of other players (evaluation/recorded.py) and for files (protocols/sgf_games.py). Pure: no files, no randomness.
"""

import numpy as np

from components.games.contract import Game, State
from components.selfplay.record import PlyRecord


def played_ply(game: Game, state: State, action: int, returns: tuple[float, float]) -> PlyRecord:
    """One visit on the action played; the result is the value of every position."""
    legal = game.legal(state)
    is_played = legal == action
    return PlyRecord(
        ply=int(state.ply), mover=int(state.mover), state=state.tobytes(), actions=legal,
        visits=is_played.astype(np.int32), policy=is_played.astype(np.float32), value=returns[int(state.mover)],
        prior_entropy=0.0, depth=0, breadth=0.0, action=action, is_full=True,
    )  # fmt: skip


def ending_of(game: Game, state: State) -> str:
    """Games with a cap say so themselves: a board that is full at the last ply has ended by its rules."""
    is_truncated = getattr(game.kernels, "is_truncated", None)
    return "cap" if is_truncated is not None and is_truncated(game.rules, state) else "rules"
