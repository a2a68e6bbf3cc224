"""Supervised pretraining on recorded games: learn the action that was played and how the game ended."""

import numpy as np

from components.data.batches import Targets
from components.data.rows import WindowRows


def supervised_targets(rows: WindowRows) -> Targets:
    """Every recorded action counts the same, whoever played it and however its game ended (as the 9x9 report's pretraining)."""
    return Targets(
        value=rows.returns_for_mover.astype(np.float32),
        policy_weight=np.ones(len(rows), dtype=np.float32),
        is_action_played=True,
    )
