"""The tower: shapes, a calm start, hexagonal weights, folding, one set of weights for every board size."""

import numpy as np
import pytest
import torch
from net_samples import make_spec, random_planes, shake

from components.nets.config import NetConfig
from components.nets.fused import FusedTower, PlainNet
from components.nets.layers import hexagon_cells, hexagonal_mask
from components.nets.model import build_model, count_parameters

CPU = torch.device("cpu")
SMALL = {"blocks": 3, "channels": 16, "policy_channels": 5, "value_channels": 8, "value_hidden": 16}


def test_shapes_follow_the_spec():
    spec = make_spec(planes=6, height=4, width=7, policy_planes=3, policy_extras=2)
    logits, value, auxiliary = build_model(spec, NetConfig(**SMALL))(random_planes(spec, 5))
    assert logits.shape == (5, 3 * 28 + 2)
    assert value.shape == (5,)
    assert auxiliary == {}


def test_value_only_games_have_no_policy_head():
    spec = make_spec(policy_planes=0, policy_extras=0)
    model = build_model(spec, NetConfig(**SMALL))
    logits, value, _ = model(random_planes(spec, 4))
    assert logits.shape == (4, 0)
    assert value.shape == (4,)
    assert not any("policy" in name for name in model.state_dict())


def test_policy_without_extras_and_without_cells():
    for planes, extras in ((2, 0), (0, 3)):
        spec = make_spec(policy_planes=planes, policy_extras=extras)
        logits, _, _ = build_model(spec, NetConfig(**SMALL))(random_planes(spec, 4))
        assert logits.shape == (4, spec.actions)


def test_auxiliary_heads():
    spec = make_spec(height=6, width=5)
    config = NetConfig(**SMALL, auxiliary=("ownership", "margin", "next_generation"))
    _, _, auxiliary = build_model(spec, config)(random_planes(spec, 4))
    assert auxiliary["ownership"].shape == (4, 6, 5)
    assert auxiliary["margin"].shape == (4,)
    assert auxiliary["next_generation"].shape == (4, 3, 6, 5)
    assert auxiliary["ownership"].abs().max() <= 1


@pytest.mark.parametrize("blocks", [2, 10])
def test_untrained_net_prefers_nothing(blocks):
    spec = make_spec(planes=17, height=9, width=9)
    model = build_model(spec, NetConfig(blocks=blocks, channels=32)).eval()
    logits, value, _ = model(random_planes(spec, 64))
    assert torch.softmax(logits, 1).max() < 1.5 / 82
    assert value.abs().max() < 0.1


def test_seed_decides_weights_and_global_seed_stays():
    spec = make_spec()
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    first, second, other = (build_model(spec, NetConfig(**SMALL), seed) for seed in (7, 7, 8))
    assert torch.equal(torch.rand(3), expected)
    assert torch.equal(first.stem.weight, second.stem.weight)
    assert not torch.equal(first.stem.weight, other.stem.weight)


def test_one_net_plays_every_board_size():
    small, large = make_spec(height=5, width=5), make_spec(height=16, width=18)
    model = shake(build_model(small, NetConfig(**SMALL)))
    twin = build_model(large, NetConfig(**SMALL))
    twin.load_state_dict(model.state_dict())
    logits, _, _ = twin.eval()(random_planes(large, 2))
    assert logits.shape == (2, large.actions)


def test_every_cell_hears_of_a_distant_stone_by_pooling():
    spec = make_spec(planes=1, height=19, width=19)
    planes = torch.zeros(2, 1, 19, 19)
    planes[1, 0, 0, 0] = 1
    for pool_every, hears in ((0, False), (1, True)):
        model = shake(build_model(spec, NetConfig(**{**SMALL, "blocks": 2, "pool_every": pool_every})))
        tower = model.tower(planes)
        assert bool((tower[0, :, 18, 18] != tower[1, :, 18, 18]).any()) is hears


def test_hexagonal_kernel_has_six_neighbours():
    # . X X     the corners (0, 0) and (2, 2) are no neighbours
    # X X X
    # X X .
    assert hexagonal_mask(3).tolist() == [[0, 1, 1], [1, 1, 1], [1, 1, 0]]


def test_hexagon_of_three_rings_has_19_cells():
    assert [int(hexagon_cells(side, side).sum()) for side in (5, 7, 9)] == [19, 37, 61]
    assert hexagon_cells(5, 5)[0].tolist() == [0, 0, 1, 1, 1]


def test_masked_weights_never_matter_and_never_learn():
    spec = make_spec(policy_planes=0, policy_extras=0)
    model = build_model(spec, NetConfig(**SMALL, hexagonal=True, hexagon_board=True))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    corners = model.blocks[0].first.weight[:, :, 0, 0].clone()
    for _ in range(3):
        optimizer.zero_grad()
        (model(random_planes(spec, 16))[1] - 1).square().mean().backward()
        optimizer.step()
    assert torch.equal(model.blocks[0].first.weight[:, :, 0, 0], corners)
    assert model.stem.folded()[0][:, :, 0, 0].abs().max() == 0
    assert model.stem.folded()[0][:, :, 2, 2].abs().max() == 0


def test_training_works_after_play():
    spec = make_spec(height=11, width=11, policy_planes=0, policy_extras=0)
    model = build_model(spec, NetConfig(**SMALL, hexagonal=True, hexagon_board=True))
    with torch.inference_mode():
        model(random_planes(spec, 2))
    model(random_planes(spec, 2))[1].sum().backward()
    assert model.stem.weight.grad is not None


def test_cells_off_the_board_stay_zero():
    spec = make_spec(policy_planes=0, policy_extras=0)
    model = shake(build_model(spec, NetConfig(**SMALL, hexagonal=True, hexagon_board=True)))
    tower = model.tower(random_planes(spec, 8))
    assert tower[:, :, hexagon_cells(5, 5) == 0].abs().max() == 0
    assert tower.abs().max() > 0


@pytest.mark.parametrize("is_hexagon", [False, True])
@pytest.mark.parametrize("layout", [(1, 1), (3, 0), (0, 2), (0, 0)])
def test_folded_nets_equal_the_module(is_hexagon, layout):
    spec = make_spec(policy_planes=layout[0], policy_extras=layout[1])
    config = NetConfig(**SMALL, hexagonal=is_hexagon, hexagon_board=is_hexagon, auxiliary=("ownership",))
    model = shake(build_model(spec, config))
    planes = random_planes(spec, 6)
    with torch.inference_mode():
        logits, value, _ = model(planes)
        for net in (PlainNet(model, torch.float32, CPU), FusedTower(model, torch.float32, (8, 5, 5))):
            fused_logits, fused_value = net(planes)
            np.testing.assert_allclose(fused_logits, logits, atol=1e-4)
            np.testing.assert_allclose(fused_value, value, atol=1e-5)


def test_parameter_count_counts_weights_not_statistics():
    spec = make_spec(planes=17, height=9, width=9)
    # stem 17*32*9 + 64; 5 blocks of 2*(32*32*9 + 64); one pooling 64*32 + 32; heads 2*(32*16 + 32), 64*64 + 64, 16+1, 64+1, 64+1
    assert count_parameters(build_model(spec, NetConfig())) == 4896 + 64 + 92800 + 2080 + 1088 + 4160 + 17 + 65 + 65
