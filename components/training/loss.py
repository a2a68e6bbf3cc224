"""What training makes small: cross-entropy of the policy over legal actions, squared error of the value, auxiliary losses.

Called by steps.py with a batch as tensors and what the net said about it. Pure: no state, no randomness.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

Outputs = tuple[Tensor, Tensor, dict[str, Tensor]]


@dataclass(frozen=True)
class TensorBatch:
    """data.batches.Batch on the device."""

    planes: Tensor  # [n, planes, height, width]
    policy: Tensor  # [n, actions]
    legal: Tensor  # [n, actions] bool
    policy_weight: Tensor  # [n]
    value: Tensor  # [n] for the mover
    auxiliary: dict[str, Tensor]


@dataclass(frozen=True)
class Losses:
    """Scalars of one batch; total is what is minimised."""

    total: Tensor
    policy: Tensor
    value: Tensor
    auxiliary: dict[str, Tensor]


def losses_of(
    outputs: Outputs, batch: TensorBatch, value_weight: float, mask_illegal: bool, auxiliary_weights: Mapping[str, float]
) -> Losses:
    logits, value, extras = outputs
    policy = policy_loss(logits.float(), batch, mask_illegal)
    value_error = F.mse_loss(value.float(), batch.value)
    auxiliary = {name: auxiliary_loss(name, extras[name].float(), target) for name, target in batch.auxiliary.items()}
    total = policy + value_weight * value_error
    for name, loss in auxiliary.items():
        total = total + auxiliary_weights[name] * loss
    return Losses(total, policy, value_error, auxiliary)


def policy_loss(logits: Tensor, batch: TensorBatch, mask_illegal: bool) -> Tensor:
    """Mean of weight * cross-entropy over the rows that have a policy target; 0 if none has.

    The mean is over those rows, not over all: with one full search in four the policy would otherwise count a quarter.
    """
    if logits.shape[1] == 0:
        return logits.new_zeros(())
    if mask_illegal:
        logits = logits.masked_fill(~batch.legal, -torch.inf)
    log_probabilities = torch.log_softmax(logits, dim=1)
    # Illegal actions have target 0 and logarithm -inf, whose product would be no number.
    summands = torch.where(batch.policy > 0, batch.policy * log_probabilities, 0.0)
    has_target = (batch.policy_weight != 0).sum().clamp(min=1)
    return -(batch.policy_weight * summands.sum(dim=1)).sum() / has_target


def auxiliary_loss(name: str, output: Tensor, target: Tensor) -> Tensor:
    """next_generation [n, classes, H, W] is a choice per cell; ownership and margin are numbers."""
    if name == "next_generation":
        return F.cross_entropy(output, target)
    return F.mse_loss(output, target)
