"""The loss by hand, the learning rate by hand, the number of steps by hand."""

import math

import pytest
import torch
from pydantic import ValidationError

from components.training.config import TrainConfig
from components.training.loss import TensorBatch, losses_of
from components.training.schedule import learning_rate_at, plan_steps


def two_rows(weights=(1.0, 1.0)):
    """Three actions; the second row may not play the last one."""
    return TensorBatch(
        planes=torch.zeros(2, 1, 1, 1),
        policy=torch.tensor([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]]),
        legal=torch.tensor([[True, True, True], [True, True, False]]),
        policy_weight=torch.tensor(weights),
        value=torch.tensor([1.0, -0.5]),
        auxiliary={},
    )


LOGITS = torch.tensor([[0.0, 0.0, math.log(2.0)], [math.log(3.0), 0.0, 50.0]])
VALUES = torch.tensor([0.5, 0.5])


def numbers(weights=(1.0, 1.0), mask=True, value_weight=1.0):
    losses = losses_of((LOGITS, VALUES, {}), two_rows(weights), value_weight, mask, {})
    return losses.policy.item(), losses.value.item(), losses.total.item()


def test_two_rows_by_hand():
    # Row 1: probabilities 1/4 1/4 1/2, so -(ln(1/4) + ln(1/4)) / 2 = ln 4. Row 2: 3/4 and 1/4 among the legal, so ln 4.
    # Value: (0.5 - 1)^2 = 0.25 and (0.5 + 0.5)^2 = 1, mean 0.625.
    policy, value, total = numbers(value_weight=2.0)
    assert policy == pytest.approx(math.log(4), rel=1e-6)
    assert value == pytest.approx(0.625)
    assert total == pytest.approx(math.log(4) + 2 * 0.625, rel=1e-6)


def test_without_mask_the_illegal_action_takes_its_share():
    # Row 2: the illegal action has weight e^50 against 3 + 1, so its loss is about 50.
    assert numbers(mask=False)[0] == pytest.approx((math.log(4) + 50.0) / 2, rel=1e-6)


def test_rows_without_a_policy_target_do_not_dilute_it():
    assert numbers(weights=(0.0, 1.0))[0] == pytest.approx(math.log(4), rel=1e-6)
    assert numbers(weights=(0.0, 0.0))[0] == 0.0


def test_negative_weights_push_away():
    # Advantages 0.5 and -1 over two rows: (0.5 ln 4 - ln 4) / 2.
    assert numbers(weights=(0.5, -1.0))[0] == pytest.approx(-0.25 * math.log(4), rel=1e-6)


def test_masked_gradient_is_a_number():
    logits = LOGITS.clone().requires_grad_()
    losses_of((logits, VALUES, {}), two_rows(), 1.0, True, {}).total.backward()
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert logits.grad[1, 2] == 0.0  # nobody may learn from an action that was not there


def test_value_only_net_has_no_policy_loss():
    empty = TensorBatch(
        torch.zeros(2, 1, 1, 1), torch.zeros(2, 0), torch.zeros(2, 0, dtype=torch.bool), torch.ones(2), VALUES, {}
    )
    losses = losses_of((torch.zeros(2, 0), torch.zeros(2), {}), empty, 1.0, True, {})
    assert losses.policy.item() == 0.0
    assert losses.total.item() == pytest.approx(0.25)


def test_auxiliary_losses_by_hand():
    batch = two_rows()
    classes = torch.zeros(2, 3, 1, 1)
    classes[:, 1] = 1.0
    batch.auxiliary.update(ownership=torch.ones(2, 1, 1), margin=torch.tensor([0.5, 0.0]), next_generation=classes)
    extras = {"ownership": torch.zeros(2, 1, 1), "margin": torch.zeros(2), "next_generation": torch.zeros(2, 3, 1, 1)}
    losses = losses_of((LOGITS, VALUES, extras), batch, 1.0, True, {"ownership": 0.1, "margin": 2.0, "next_generation": 1.0})
    found = {name: loss.item() for name, loss in losses.auxiliary.items()}
    assert found == pytest.approx({"ownership": 1.0, "margin": 0.125, "next_generation": math.log(3)})
    assert losses.total.item() == pytest.approx(math.log(4) + 0.625 + 0.1 + 0.25 + math.log(3), rel=1e-6)


# --- steps ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "asked", "steps", "reason"),
    [
        ({"uses_per_row": 4}, 31, 31, "uses_per_row"),  # 4 * 1000 / 128 = 31.25
        ({"steps": 20, "uses_per_row": 4}, 20, 20, "steps"),
        ({"steps": 5000, "uses_per_row": 4}, 5000, 31, "uses_per_row"),
        ({"steps": 5000, "uses_per_row": None}, 5000, 5000, "steps"),
        ({"epochs": 2, "uses_per_row": None}, 78, 78, "epochs"),  # 2 * 5000 / 128 = 78.1
        ({"epochs": 2, "uses_per_row": 4}, 78, 31, "uses_per_row"),
        ({"uses_per_row": 0.01}, 1, 1, "uses_per_row"),
    ],
)
def test_steps_follow_from_rows(config, asked, steps, reason):
    plan = plan_steps(TrainConfig(**config), train_rows=5000, new_rows=1000)
    assert (plan.asked, plan.steps, plan.reason) == (asked, steps, reason)


# --- learning rate -------------------------------------------------------------------------------------------------------


def rates(steps, **config):
    return [learning_rate_at(TrainConfig(**config), step, steps, 0.0) for step in range(steps)]


def test_constant_rate_after_warmup():
    assert rates(6, learning_rate=1.0, warmup_steps=3) == pytest.approx([0.25, 0.5, 0.75, 1, 1, 1])


def test_cosine_falls_to_its_share():
    found = rates(100, learning_rate=1.0, schedule="cosine", final_share=0.1)
    assert found[0] == pytest.approx(1.0)
    assert found[50] == pytest.approx(0.55)
    assert 0.1 < found[-1] < 0.101
    assert found == sorted(found, reverse=True)


def test_step_schedule_falls_at_milestones():
    found = rates(8, learning_rate=1.0, schedule="step", milestones=(0.5, 0.75), step_factor=0.1)
    assert found == pytest.approx([1, 1, 1, 1, 0.1, 0.1, 0.01, 0.01])


def test_cycle_of_the_9x9_report():
    config = TrainConfig(learning_rate=1e-3, schedule="cyclical", cycle_low=1e-4, cycle_epochs=10, cycle_gamma=0.99)
    at = {epoch: learning_rate_at(config, 0, 1, epoch) for epoch in (0, 2.5, 5, 10, 15, 25)}
    # Five epochs up, five down; the second cycle's top is 1e-4 + 9e-4 * 0.99, the third's 1e-4 + 9e-4 * 0.99^2.
    expected = {0: 1e-4, 2.5: 5.5e-4, 5: 1e-3, 10: 1e-4, 15: 9.91e-4, 25: 1e-4 + 9e-4 * 0.9801}
    assert at == pytest.approx(expected)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"steps": 1, "epochs": 1}, "set one of them"),
        ({"uses_per_row": None}, "nothing says how long"),
        ({"schedule": "cyclical", "learning_rate": 1e-5}, "above learning_rate"),
        ({"milestones": (0.7, 0.5)}, "milestones must rise"),
        ({"method": "reinforce", "value_mix": 0.5}, "belongs to method search"),
        ({"batch_size": 0}, "greater than or equal to 1"),
        ({"optimizer": "lion"}, "'adamw', 'adam' or 'sgd'"),
        ({"checkpoint_seconds": 120}, "less than or equal to 60"),
        ({"learn_rate": 1}, "Extra inputs"),
        ({"auxiliary_weights": {"margin": -1}}, "greater than or equal to 0"),
    ],
)
def test_config_refuses(values, sentence):
    with pytest.raises(ValidationError, match=sentence):
        TrainConfig(**values)
