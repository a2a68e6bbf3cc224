"""The reports' nets have the printed layers: parameter counts, shapes, heads."""

import pytest
import torch
from net_samples import make_spec, random_planes, shake

from components.core.errors import BadParameter
from components.nets.config import NetConfig
from components.nets.fused import PlainNet
from components.nets.model import build_model, count_parameters

GO_9 = make_spec(planes=17, height=9, width=9)
GO_13 = make_spec(planes=11, height=13, width=13)
ORGANISM_3 = make_spec(planes=11, height=5, width=5, policy_planes=0, policy_extras=0)
ORGANISM_5 = make_spec(planes=11, height=9, width=9, policy_planes=0, policy_extras=0)
GOLAD = make_spec(planes=3, height=8, width=8)


@pytest.mark.parametrize(
    ("architecture", "spec", "parameters"),
    [
        ("report-go-9x9", GO_9, 196_000),
        ("report-go-13x13", GO_13, 11_900_000),
        ("report-organism", ORGANISM_3, 8_190_000),
        ("report-organism", ORGANISM_5, 20_800_000),
        # first convolution, 3 blocks of 2 * 256*256*9, heads of 128*65 and 64*256
        ("report-golad", GOLAD, 3 * 256 * 9 + 6 * 256 * 256 * 9 + 7 * 512 + 3 * 256 + 6 + 129 * 65 + 65 * 256 + 257),
    ],
)
def test_parameter_counts_are_the_reports(architecture, spec, parameters):
    model = build_model(spec, NetConfig(architecture=architecture))
    assert count_parameters(model) == pytest.approx(parameters, rel=0.005)


@pytest.mark.parametrize(
    ("architecture", "spec"), [("report-go-9x9", GO_9), ("report-golad", GOLAD), ("report-organism", ORGANISM_3)]
)
def test_outputs_fit_the_game_and_survive_folding(architecture, spec):
    model = shake(build_model(spec, NetConfig(architecture=architecture)))
    planes = random_planes(spec, 4)
    with torch.inference_mode():
        logits, value, _ = model(planes)
        folded_logits, folded_value = PlainNet(model, torch.float32, torch.device("cpu"))(planes)
        _, rough_value = PlainNet(model, torch.bfloat16, torch.device("cpu"))(planes)
    assert logits.shape == (4, spec.actions if spec.has_policy else 0)
    torch.testing.assert_close(folded_logits, logits, atol=1e-3, rtol=1e-3)
    torch.testing.assert_close(folded_value, value, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(rough_value, value, atol=0.1, rtol=0.1)


def test_policy_of_the_9x9_report_has_83_outputs_of_which_82_are_ours():
    model = build_model(GO_9, NetConfig(architecture="report-go-9x9"))
    assert model.policy.out_features == 83
    assert GO_9.actions == 82


def test_organism_kernels_are_hexagonal():
    model = build_model(ORGANISM_3, NetConfig(architecture="report-organism"))
    assert all(unit.folded()[0][:, :, 0, 0].abs().max() == 0 for unit in model.convolutions)


def test_a_policy_report_refuses_a_value_only_game():
    with pytest.raises(BadParameter, match="no fixed actions"):
        build_model(ORGANISM_3, NetConfig(architecture="report-golad"))
