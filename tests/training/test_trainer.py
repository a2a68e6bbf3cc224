"""Training: it learns, it repeats itself bit by bit, and it says what it did."""

import json

import numpy as np
import pytest
import torch
from train_once import NET, outputs, rename, request_of

from components.data.batches import BatchSource, Targets
from components.data.config import WindowConfig
from components.data.rows import sums_by_row
from components.data.window import NotEnoughRows, Window
from components.games.registry import make
from components.nets.checkpoint import make_card, read_card, save_checkpoint
from components.nets.model import build_model
from components.training.config import TrainConfig
from components.training.pretrain import supervised_targets
from components.training.reinforce import reinforce_targets
from components.training.steps import Learner, TrainingDiverged
from components.training.targets import search_targets
from components.training.trainer import TIMING_FILE, torch_set_up, train


def policy_floor(boards, policy):
    """The least cross-entropy any net can reach: equal positions have noisy targets, of which it can only learn the mean."""
    _, group = np.unique(boards.reshape(len(boards), -1), axis=0, return_inverse=True)
    means = np.stack([policy[group == own].mean(axis=0) for own in range(group.max() + 1)])[group]
    return float(-(policy * np.log(np.where(policy > 0, means, 1.0))).sum(axis=1).mean())


def test_one_batch_is_learned_to_its_floor(rows):
    targets = supervised_targets(rows)
    batch = BatchSource(
        rows, Targets(targets.value, targets.policy_weight, False), make("tictactoe"), 32, 1, is_turned=False
    ).batch(0)
    learner = Learner(build_model(make("tictactoe").spec, NET, 1), TrainConfig(weight_decay=0), torch.device("cpu"))
    with torch_set_up(TrainConfig()):
        losses = [learner.learn(batch, 0.003, step)["policy"] for step in range(250)]
    floor = policy_floor(batch.planes, batch.policy)
    assert losses[0] > floor + 0.3
    assert floor - 1e-4 <= losses[-1] < floor + 0.02


def test_losses_fall_on_games_of_a_search(folder, rows):
    wide = NET.model_copy(update={"channels": 32, "policy_channels": 16})
    told = train(request_of(folder, "learns", net=wide, steps=400, report_steps=100, ema=None, learning_rate=0.003)).told
    first, last = told["history"][0], told["history"][-1]
    uniform = float(np.log(np.diff(rows.offsets))[rows.is_full].mean())
    entropy = -sums_by_row(rows.policy * np.log(np.maximum(rows.policy, 1e-30)), rows.offsets)[rows.is_full].mean()
    # Forty rollouts make noisy targets, so most of the loss is entropy: what counts is the way from uniform towards it.
    assert (uniform - last["policy"]) / (uniform - entropy) > 0.25
    assert last["value"] < 0.8 * first["value"]
    assert last["validation"]["policy"] < first["validation"]["policy"]
    assert last["validation"]["value"] < first["validation"]["value"]


def test_report_says_what_was_done(whole):
    place, report, events = whole
    told = json.loads((place / "training.json").read_text())
    assert told == report.told
    assert (told["steps_asked"], told["steps_done"], told["stopped_by"]) == (120, 120, "steps")
    assert told["mean_uses_per_row"] == pytest.approx(120 * 32 / told["rows"])
    assert told["uses_per_new_row"] == pytest.approx(120 * 32 / told["new_rows"])
    assert [line["step"] for line in told["history"]] == [25, 50, 75, 100, 120]
    assert {"policy", "value", "total", "gradient_norm", "learning_rate", "validation"} <= set(told["history"][0])
    assert told["candidate"] == read_card(place / "candidate.safetensors").parameters_digest
    assert events[0]["event"] == "started"
    assert events[-1]["event"] == "finished"


@pytest.mark.parametrize("is_fast", [False, True])
def test_precision_auto_is_bf16_only_where_the_processor_computes_it(folder, monkeypatch, is_fast):
    monkeypatch.setattr("components.training.steps.has_bf16", lambda device: is_fast)
    told = train(request_of(folder, f"auto-{is_fast}", steps=2, precision="auto")).told
    assert told["precision"] == ("bf16" if is_fast else "fp32")


def test_finished_run_leaves_no_state_behind(whole):
    place, report, _ = whole
    assert [path.name for path in (place / "work").iterdir()] == [TIMING_FILE]
    assert report.rows_per_second > 0
    assert "seconds" not in (place / "training.json").read_text()


def test_same_request_same_bytes(folder, whole):
    train(request_of(folder, "again"))
    assert outputs(folder / "again") == outputs(whole[0])


def test_another_seed_other_weights(folder, whole):
    train(rename(request_of(folder, "seed"), seed=4))
    assert outputs(folder / "seed")["candidate.safetensors"] != outputs(whole[0])["candidate.safetensors"]


def test_random_state_and_threads_are_left_alone(folder):
    torch.manual_seed(11)
    expected = torch.rand(3)
    torch.manual_seed(11)
    threads, strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    train(request_of(folder, "polite", steps=3))
    assert torch.equal(torch.rand(3), expected)
    assert (torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()) == (threads, strict)


def test_uses_per_row_ends_the_run(folder):
    told = train(request_of(folder, "limited", steps=10_000, uses_per_row=1.5)).told
    assert told["stopped_by"] == "uses_per_row"
    assert told["steps_asked"] == 10_000
    assert told["steps_done"] == int(1.5 * told["new_rows"] / 32)
    assert told["uses_per_new_row"] <= 1.5


def test_too_few_rows(folder):
    with pytest.raises(NotEnoughRows, match=r"training tictactoe needs 1 000 000 rows, .* or lower window\.min_rows"):
        train(rename(request_of(folder, "few"), window_config=WindowConfig(min_rows=1_000_000)))


def test_divergence_is_a_sentence(folder, tmp_path):
    game = make("tictactoe")
    broken = build_model(game.spec, NET)
    with torch.no_grad():
        broken.value.weight.fill_(torch.inf)
    save_checkpoint(tmp_path / "broken.safetensors", broken, make_card(game, NET))
    with pytest.raises(TrainingDiverged, match=r"The loss became nan .* Lower train\.learning_rate \(0\.001\)"):
        train(request_of(folder, "diverged", parent=tmp_path / "broken.safetensors"))
    assert not (folder / "diverged" / "candidate.safetensors").exists()


# --- methods -------------------------------------------------------------------------------------------------------------


def test_search_targets_mix_result_and_search(rows):
    targets = search_targets(rows, 0.25)
    assert targets.value == pytest.approx(0.75 * rows.returns_for_mover + 0.25 * rows.value_for_mover, abs=1e-6)
    assert np.array_equal(targets.policy_weight, rows.is_full)
    assert 0 < rows.is_full.mean() < 1


def test_reinforce_weighs_the_action_by_its_surprise(rows):
    targets = reinforce_targets(rows)
    assert targets.is_action_played
    assert np.array_equal(targets.value, rows.returns_for_mover)
    assert targets.policy_weight == pytest.approx(rows.returns_for_mover - rows.value_for_mover, abs=1e-6)


def test_pretraining_learns_every_action_and_the_result(rows):
    targets = supervised_targets(rows)
    assert targets.is_action_played
    assert (targets.policy_weight == 1).all()
    assert np.array_equal(targets.value, rows.returns_for_mover)


@pytest.mark.parametrize("method", ["reinforce", "supervised"])
def test_other_methods_train(folder, method):
    told = train(request_of(folder, method, method=method, value_mix=0.0, steps=200, report_steps=100)).told
    assert told["method"] == method
    assert told["history"][-1]["total"] < told["history"][0]["total"]


def test_empty_window(folder):
    with pytest.raises(NotEnoughRows, match="holds 0"):
        train(rename(request_of(folder, "empty"), window=Window(())))
