"""Where a candidate's first weights and moments come from: the parent, nothing, or another net."""

import pytest
import torch
from train_once import NET, outputs, request_of

from components.core.errors import BadParameter
from components.games.registry import make
from components.nets.checkpoint import IncompatibleCheckpoint, load_checkpoint, make_card, read_card, save_checkpoint
from components.nets.model import build_model
from components.training.resume import optimizer_path
from components.training.trainer import train


def test_child_goes_on_from_its_parent(folder, whole):
    parent = whole[0] / "candidate.safetensors"
    report = train(request_of(folder, "child", parent=parent, steps=1, learning_rate=1e-9, weight_decay=0, ema=None))
    card = read_card(folder / "child" / "candidate.safetensors")
    assert card.parent == report.told["parent"] == whole[1].digest
    old, new = (load_checkpoint(path)[0].state_dict() for path in (parent, folder / "child" / "candidate.safetensors"))
    assert torch.allclose(old["stem.weight"], new["stem.weight"], atol=1e-6)


def test_scratch_forgets_the_parent(folder, whole):
    train(request_of(folder, "scratch", parent=whole[0] / "candidate.safetensors", start="scratch"))
    assert outputs(folder / "scratch") == outputs(whole[0])


def test_transfer_takes_over_what_fits(folder, whole):
    source = whole[0] / "candidate.safetensors"
    wider = NET.model_copy(update={"value_hidden": 24})
    report = train(request_of(folder, "transfer", net=wider, start=str(source), steps=1))
    assert "Took" in report.told["start"]
    assert "value" in report.told["start"]


def test_parent_of_another_shape_is_a_sentence(folder, whole):
    other = NET.model_copy(update={"blocks": 3})
    with pytest.raises(BadParameter, match=r"has the net .*'blocks': 2.* ask for .*'blocks': 3.*Begin a new experiment"):
        train(request_of(folder, "shape", parent=whole[0] / "candidate.safetensors", net=other))


def test_parent_of_another_game_is_a_sentence(folder, tmp_path):
    misere = make("tictactoe/misere")
    save_checkpoint(tmp_path / "misere.safetensors", build_model(misere.spec, NET), make_card(misere, NET))
    with pytest.raises(IncompatibleCheckpoint):
        train(request_of(folder, "game", parent=tmp_path / "misere.safetensors"))


def test_optimiser_goes_on_from_parent_to_child(folder):
    """Two runs with the moments handed over take up the rate's cycle where it stood."""
    cyclic = {"schedule": "cyclical", "cycle_epochs": 4.0, "warmup_steps": 0, "reset_optimizer": False, "ema": None}
    train(request_of(folder, "first", steps=30, report_steps=1, **cyclic))
    parent = folder / "first" / "candidate.safetensors"
    assert optimizer_path(parent).exists()
    child = train(request_of(folder, "second", parent=parent, generation=2, steps=1, **cyclic)).told
    rows = child["rows"]
    phase = (30 * 32 / rows / 4.0) % 1.0
    assert child["history"][0]["learning_rate"] == pytest.approx(
        1e-4 + 9e-4 * (1 - abs(2 * phase - 1)) * 0.99 ** (30 * 32 // rows // 4)
    )
    optimizer_path(parent).unlink()
    events = []
    train(request_of(folder, "third", parent=parent, generation=2, steps=1, **cyclic), events.append)
    assert events[0]["event"] == "optimizer_new"


def test_head_that_the_net_lacks_is_a_sentence(folder):
    with pytest.raises(BadParameter, match=r"names margin, the net has heads for none"):
        train(request_of(folder, "heads", auxiliary_weights={"margin": 0.1}))
