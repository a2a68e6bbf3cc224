"""How long to train and how fast, as arithmetic: steps from rows, learning rate from the step. No torch, no state.

Called by the trainer. Promises that the rate of a step depends on the parameters and the step alone, so that a resumed run
needs no scheduler of its own.
"""

import math
from dataclasses import dataclass

from components.training.config import TrainConfig


@dataclass(frozen=True)
class StepPlan:
    """How many steps a run does, and why no more."""

    asked: int
    steps: int
    reason: str  # "steps", "epochs" or "uses_per_row": what ends the run


@dataclass(frozen=True)
class TrainingAge:
    """What a net's optimiser has been through before this run; cycles of the learning rate go on from here."""

    steps: int = 0
    epochs: float = 0.0


def plan_steps(config: TrainConfig, train_rows: int, new_rows: int) -> StepPlan:
    """Steps for a window of train_rows of which new_rows no net has seen. Always at least one step."""
    limit = None if config.uses_per_row is None else max(1, math.floor(config.uses_per_row * new_rows / config.batch_size))
    if config.steps is not None:
        asked, reason = config.steps, "steps"
    elif config.epochs is not None:
        asked, reason = max(1, math.floor(config.epochs * train_rows / config.batch_size)), "epochs"
    else:
        assert limit is not None  # the configuration refuses to have none of the three
        asked, reason = limit, "uses_per_row"
    if limit is not None and limit < asked:
        return StepPlan(asked, limit, "uses_per_row")
    return StepPlan(asked, asked, reason)


def learning_rate_at(config: TrainConfig, step: int, steps: int, epoch: float) -> float:
    """The rate of a step (from 0) of a run of `steps`; epoch counts from the optimiser's birth, as a fraction too."""
    warmth = min(1.0, (step + 1) / (config.warmup_steps + 1))
    return warmth * scheduled_rate(config, step / max(1, steps), epoch)


def scheduled_rate(config: TrainConfig, done: float, epoch: float) -> float:
    """The rate without warm-up after a share `done` of the run."""
    top = config.learning_rate
    if config.schedule == "cosine":
        return top * (config.final_share + (1 - config.final_share) * 0.5 * (1 + math.cos(math.pi * done)))
    if config.schedule == "step":
        return top * config.step_factor ** sum(done >= milestone for milestone in config.milestones)
    if config.schedule == "cyclical":
        return cyclical_rate(config, epoch)
    return top


def cyclical_rate(config: TrainConfig, epoch: float) -> float:
    """Straight up and down between cycle_low and learning_rate; each finished cycle lowers the top by gamma.

    The 9x9 report: 1e-4 to 1e-3, five epochs up and five down, gamma 0.99 per cycle. Its iterations were one epoch each,
    so a cycle spans ten generations: `epoch` must go on counting from net to net.
    """
    finished, phase = divmod(epoch / config.cycle_epochs, 1.0)
    height = 1.0 - abs(2.0 * phase - 1.0)
    return config.cycle_low + (config.learning_rate - config.cycle_low) * height * config.cycle_gamma**finished
