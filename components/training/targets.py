"""Which targets a training method wants of the window's rows: the methods differ in these and in nothing else.

Called by the trainer. `search` is here; the other two have a module each.
"""

import numpy as np

from components.data.batches import Targets
from components.data.rows import WindowRows
from components.training.config import TrainConfig
from components.training.pretrain import supervised_targets
from components.training.reinforce import reinforce_targets


def search_targets(rows: WindowRows, value_mix: float) -> Targets:
    """The search's policy where it was a full search; the result, mixed with what the search thought of the position."""
    return Targets(
        value=((1 - value_mix) * rows.returns_for_mover + value_mix * rows.value_for_mover).astype(np.float32),
        # A fast search only carries the game on: its few visits would teach the net its own prior.
        policy_weight=rows.is_full.astype(np.float32),
        is_action_played=False,
    )


def targets_of(rows: WindowRows, config: TrainConfig) -> Targets:
    if config.method == "reinforce":
        return reinforce_targets(rows)
    if config.method == "supervised":
        return supervised_targets(rows)
    return search_targets(rows, config.value_mix)
