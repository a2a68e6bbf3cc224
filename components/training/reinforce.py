"""REINFORCE with a baseline, as the 9x9 report: the action played, weighted by how much better the game went than expected."""

import numpy as np

from components.data.batches import Targets
from components.data.rows import WindowRows


def reinforce_targets(rows: WindowRows) -> Targets:
    """Policy loss = -(r - v) log p(action), value loss = (r - value)^2.

    v is the net's value recorded at play time, not today's: the report's baseline. A negative weight pushes the action
    down; its loss has no floor, so keep gradient_clip on.
    """
    return Targets(
        value=rows.returns_for_mover.astype(np.float32),
        policy_weight=(rows.returns_for_mover - rows.value_for_mover).astype(np.float32),
        is_action_played=True,
    )
