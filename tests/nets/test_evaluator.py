"""Inference: agreement of the precisions, rows that do not influence each other, one place that decides."""

import numpy as np
import pytest
import torch
from net_samples import make_spec, random_planes, shake

from components.core.errors import BadParameter
from components.games.registry import make
from components.nets.checkpoint import make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.evaluator import NetEvaluator, choose_device, choose_precision, fast_net, has_bf16, has_onednn
from components.nets.fused import FusedTower, PlainNet
from components.nets.model import build_model
from components.nets.quantize import QuantizedConv, QuantizedTower, calibrate

CPU = torch.device("cpu")
needs_onednn = pytest.mark.skipif(not has_onednn(), reason="int8 and fused operations are for x86 CPUs")


needs_bf16 = pytest.mark.skipif(not has_bf16(CPU), reason="this processor does not compute bf16")
PRECISIONS = ["fp32", pytest.param("bf16", marks=needs_bf16), "int8"]
TOLERANCES = {"fp32": 1e-4, "bf16": 0.05, "int8": 0.15}


def fast_net_of(model, planes, precision):
    shape = (32, *planes.shape[2:])
    if precision == "int8":
        return QuantizedTower(model, calibrate(model, planes), shape)
    return FusedTower(model, torch.bfloat16 if precision == "bf16" else torch.float32, shape)


@pytest.fixture(scope="module", params=["square", "hexagon"])
def sample(request):
    is_hexagon = request.param == "hexagon"
    spec = make_spec(planes=5, height=7, width=7, policy_planes=0 if is_hexagon else 2, policy_extras=0 if is_hexagon else 1)
    model = shake(build_model(spec, NetConfig(blocks=3, channels=32, hexagonal=is_hexagon, hexagon_board=is_hexagon)))
    planes = random_planes(spec, 40)
    if is_hexagon:
        planes[:, 1] *= -1  # counts and signed planes, as Organism has them
        planes[:, 2] *= 7
    return model, planes


@needs_onednn
@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_row_depends_on_itself_alone(sample, precision):
    """Bit by bit: permuted, alone, and in batches of other sizes."""
    model, planes = sample
    net = fast_net_of(model, planes, precision)
    with torch.inference_mode():
        logits, values = net(planes)
        order = torch.randperm(len(planes), generator=torch.Generator().manual_seed(0))
        turned_logits, turned_values = net(planes[order])
        assert torch.equal(turned_logits, logits[order])
        assert torch.equal(turned_values, values[order])
        for count in (1, 2, 3, 7, 16, 33):
            few_logits, few_values = net(planes[:count].clone())
            assert torch.equal(few_logits, logits[:count]), count
            assert torch.equal(few_values, values[:count]), count


@needs_onednn
@pytest.mark.parametrize("precision", PRECISIONS)
def test_every_precision_follows_the_plain_net_on_any_board(sample, precision):
    model, planes = sample
    with torch.inference_mode():
        exact, values, _ = model(planes)
        logits, found = fast_net_of(model, planes, precision)(planes)
    assert (found - values).abs().max() < TOLERANCES[precision]
    if exact.numel():
        assert (logits - exact).abs().max() / exact.std() < 2 * TOLERANCES[precision]


@needs_onednn
@pytest.mark.parametrize(("precision", "same_top", "mean_error"), [("bf16", 0.97, 0.01), ("int8", 0.90, 0.04)])
def test_agreement_with_fp32_on_a_trained_net(trained, tictactoe, solved_positions, precision, same_top, mean_error):
    states, planes, policy, value = solved_positions
    rows = np.arange(0, len(states), 5)
    exact = NetEvaluator(trained, tictactoe, "fp32")
    rough = NetEvaluator(trained, tictactoe, precision)
    if precision == "int8":
        rough.calibrate(planes[::10])
    logits, values = exact.evaluate(states, rows)
    rough_logits, rough_values = rough.evaluate(states, rows)
    assert (logits.argmax(1) == rough_logits.argmax(1)).mean() > same_top
    assert np.abs(values - rough_values).mean() < mean_error
    # Against perfect play both are equally good: what differs is nearly tied.
    best = [policy[rows, answer.argmax(1)] > 0 for answer in (logits, rough_logits)]
    assert abs(best[0].mean() - best[1].mean()) < 0.02
    assert abs(np.abs(values - value[rows]).mean() - np.abs(rough_values - value[rows]).mean()) < 0.02


def test_states_and_planes_give_the_same_answer_in_chunks(trained, tictactoe, solved_positions):
    states, planes, _, _ = solved_positions
    evaluator = NetEvaluator(trained, tictactoe, "fp32", max_batch=16)
    rows = np.array([5, 1, 900, *range(40)])
    logits, values = evaluator.evaluate(states, rows, np.zeros(len(rows), np.uint64))
    plane_logits, plane_values = evaluator.evaluate_planes(planes[rows])
    assert np.array_equal(logits, plane_logits)
    assert np.array_equal(values, plane_values)
    assert (logits.dtype, values.dtype, logits.shape) == (np.float32, np.float32, (43, 9))


def test_answers_are_the_callers_to_keep(trained, tictactoe, solved_positions):
    states = solved_positions[0]
    evaluator = NetEvaluator(trained, tictactoe)
    logits, _ = evaluator.evaluate(states, np.arange(8))
    before = logits.copy()
    evaluator.evaluate(states, np.arange(8, 16))
    assert np.array_equal(logits, before)


def test_no_rows_no_answers(trained, tictactoe, solved_positions):
    evaluator = NetEvaluator(trained, tictactoe)
    assert evaluator.evaluate(solved_positions[0], np.arange(0))[0].shape == (0, 9)
    assert evaluator.evaluate_planes(np.zeros((0, 2, 3, 3), np.float32))[0].shape == (0, 9)


def test_padding_changes_nothing(trained, tictactoe, solved_positions):
    planes = solved_positions[1][:21]
    plain = NetEvaluator(trained, tictactoe, "fp32").evaluate_planes(planes)
    padded = NetEvaluator(trained, tictactoe, "fp32", max_batch=12, pad_to=8).evaluate_planes(planes)
    np.testing.assert_allclose(padded[0], plain[0], atol=1e-5)
    np.testing.assert_allclose(padded[1], plain[1], atol=1e-5)


def test_refresh_takes_over_new_weights(tictactoe, solved_positions):
    model = shake(build_model(tictactoe.spec, NetConfig(blocks=1, channels=8)))
    evaluator = NetEvaluator(model, tictactoe, "fp32")
    planes = solved_positions[1][:4]
    before = evaluator.evaluate_planes(planes)[1]
    with torch.no_grad():
        model.value.bias += 1
    assert np.array_equal(evaluator.evaluate_planes(planes)[1], before)
    evaluator.refresh()
    assert (evaluator.evaluate_planes(planes)[1] > before).all()


def test_a_net_without_policy_likes_all_actions_alike(tictactoe, solved_positions):
    spec = make_spec(planes=2, height=3, width=3, policy_planes=0, policy_extras=0)
    evaluator = NetEvaluator(shake(build_model(spec, NetConfig(blocks=1, channels=8))), tictactoe)
    logits, values = evaluator.evaluate(solved_positions[0], np.arange(5))
    assert logits.shape == (5, 9)
    assert not logits.any()
    assert values.any()


def test_auto_is_bf16_until_int8_has_passed_its_match(trained, tictactoe, solved_positions, tmp_path):
    planes = solved_positions[1][::10]
    usual = "bf16" if has_bf16(CPU) else "fp32"
    ranges = calibrate(trained, torch.from_numpy(planes)).tensors()
    card = make_card(tictactoe, trained.config)
    for is_accepted, stored in ((False, None), (False, ranges), (True, None), (True, ranges)):
        path = tmp_path / "net.safetensors"
        save_checkpoint(path, trained, card.model_copy(update={"int8_accepted": is_accepted}), stored)
        evaluator = NetEvaluator(path, tictactoe, device="cpu")
        assert evaluator.precision == ("int8" if is_accepted and stored and has_onednn() else usual)
        assert np.isfinite(evaluator.evaluate_planes(planes)[1]).all()


def test_a_verdict_about_int8_holds_on_its_own_board_only(tmp_path):
    home, larger = make("golad-4x4"), make("golad-6x6")
    model = shake(build_model(home.spec, NetConfig(blocks=1, channels=8)))
    ranges = calibrate(model, torch.from_numpy(home.encode(home.start())[None])).tensors()
    card = make_card(home, model.config).model_copy(update={"int8_accepted": True})
    save_checkpoint(tmp_path / "net.safetensors", model, card, ranges)
    usual = "bf16" if has_bf16(CPU) else "fp32"
    found = [NetEvaluator(tmp_path / "net.safetensors", game, device="cpu").precision for game in (home, larger)]
    assert found == ["int8" if has_onednn() else usual, usual]


@needs_onednn
def test_stored_ranges_play_as_measured_ones(trained, tictactoe, solved_positions, tmp_path):
    planes = solved_positions[1][::10]
    measured = NetEvaluator(trained, tictactoe, "int8", device="cpu")
    with pytest.raises(BadParameter, match="int8 needs ranges"):
        measured.evaluate_planes(planes)
    ranges = measured.calibrate(planes).tensors()
    save_checkpoint(tmp_path / "a.safetensors", trained, make_card(tictactoe, trained.config), ranges)
    stored = NetEvaluator(tmp_path / "a.safetensors", tictactoe, "int8", device="cpu")
    assert np.array_equal(measured.evaluate_planes(planes)[0], stored.evaluate_planes(planes)[0])


@needs_onednn
def test_a_verdict_with_finer_weights_does_not_hold_here(trained, tictactoe, solved_positions, tmp_path, monkeypatch):
    ranges = calibrate(trained, torch.from_numpy(solved_positions[1])).tensors()
    card = make_card(tictactoe, trained.config).model_copy(update={"int8_accepted": True})
    save_checkpoint(tmp_path / "a.safetensors", trained, card, ranges)
    monkeypatch.setattr("components.nets.evaluator.WEIGHT_LEVELS", int(ranges["weight_levels"]) // 2)
    assert NetEvaluator(tmp_path / "a.safetensors", tictactoe, device="cpu").precision != "int8"


def test_ranges_of_an_older_version_count_as_none(trained, tictactoe, tmp_path):
    card = make_card(tictactoe, trained.config).model_copy(update={"int8_accepted": True})
    save_checkpoint(tmp_path / "a.safetensors", trained, card, {"planes": torch.ones(2), "activations": torch.ones(5)})
    assert NetEvaluator(tmp_path / "a.safetensors", tictactoe, device="cpu").precision != "int8"


@needs_onednn
def test_a_plane_that_calibration_never_met_is_seen_in_play(trained):
    """Such as ko: the positions of a few games need hold none."""
    own_only, both = torch.zeros(2, 2, 3, 3), torch.zeros(2, 2, 3, 3)
    own_only[:, 0, 0] = both[:, 0, 0] = both[:, 1, 2] = 1.0
    rough = QuantizedTower(trained, calibrate(trained, own_only), (2, 3, 3))
    exact = trained.eval()(both)[0].detach()
    assert torch.allclose(rough(both)[0], exact, atol=0.1 * float(exact.abs().max()))


@needs_onednn
def test_rounded_weights_are_right_on_average():
    """Inputs after ReLU are never negative: without a correction many small errors of one sign would add up."""
    weight = torch.rand(16, 32, 3, 3, generator=torch.Generator().manual_seed(1)) ** 4
    x = torch.rand(8, 32, 7, 7, generator=torch.Generator().manual_seed(2)).mul(255).round()
    layer = QuantizedConv(weight, torch.zeros(16), x.mean((0, 2, 3)), 1.0, 0, (8, 7, 7))
    bytes_in = x.to(torch.uint8).contiguous(memory_format=torch.channels_last)
    errors = (layer(bytes_in, 1.0, torch.float32, "none") - torch.nn.functional.conv2d(x, weight, padding=1))[:, :, 1:-1, 1:-1]
    assert (errors.mean((0, 2, 3)).abs() < 0.2 * errors.std((0, 2, 3))).all()


def test_choices_are_checked(trained, tictactoe):
    for build in (
        lambda: choose_precision("fp8", CPU),
        lambda: choose_precision("int8", torch.device("cuda")),
        lambda: choose_precision("int8", CPU, is_tower=False),
        lambda: choose_device("abacus"),
        lambda: NetEvaluator(trained, tictactoe, threads=0),
    ):
        with pytest.raises(BadParameter):
            build()


def test_a_refused_int8_says_what_was_found():
    with pytest.raises(BadParameter, match="this net is a report's"):
        choose_precision("int8", CPU, is_tower=False)
    with pytest.raises(BadParameter, match="plays nets on cuda"):
        choose_precision("int8", torch.device("cuda"))


def test_a_torch_without_the_fused_operations_still_plays(trained, monkeypatch):
    def broken(*_arguments):
        raise RuntimeError("no such operation")

    monkeypatch.setattr("components.nets.evaluator.FusedTower", broken)
    assert isinstance(fast_net(trained, torch.bfloat16, CPU, (8, 3, 3)), PlainNet)


@needs_onednn
def test_the_largest_bytes_and_weights_do_not_overflow():
    """Without VNNI two products are added in 16 bits: 255 * w + 255 * w must fit, or bright positions are judged wrongly."""
    weight = torch.ones(32, 32, 3, 3)
    layer = QuantizedConv(weight, torch.zeros(32), torch.full((32,), 255.0), 1.0, 0, (2, 7, 7))
    bytes_in = torch.full((2, 32, 7, 7), 255, dtype=torch.uint8).contiguous(memory_format=torch.channels_last)
    found = layer(bytes_in, 1.0, torch.float32, "none")
    assert torch.allclose(found[:, :, 3, 3], torch.tensor(32 * 9 * 255.0), rtol=1e-5)
