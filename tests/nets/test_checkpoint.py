"""Checkpoints: whole, repeatable, and refused with a sentence where they do not belong."""

import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from net_samples import make_spec, shake
from safetensors.torch import save_file

from components.core.errors import BadFile
from components.games.registry import make
from components.nets.checkpoint import (
    IncompatibleCheckpoint,
    check_fits,
    load_checkpoint,
    load_ranges,
    make_card,
    parameters_digest,
    read_card,
    record_int8,
    save_checkpoint,
    transfer_tower,
)
from components.nets.config import NetConfig
from components.nets.evaluator import NetEvaluator
from components.nets.model import build_model

CHAMPIONS = sorted((Path(__file__).parents[2] / "champions").glob("*.safetensors"))
CONFIG = NetConfig(blocks=2, channels=16, value_hidden=16)


@pytest.fixture
def saved(tmp_path, tictactoe):
    model = shake(build_model(tictactoe.spec, CONFIG))
    path = tmp_path / "net.safetensors"
    card = save_checkpoint(path, model, make_card(tictactoe, CONFIG, parent="abc", generation=3, note="a test"))
    return path, model, card


def with_spec(game, **changes):
    return dataclasses.replace(game, spec=dataclasses.replace(game.spec, **changes))


def test_weights_and_card_come_back(saved, tictactoe):
    path, model, card = saved
    loaded, found = load_checkpoint(path, tictactoe)
    assert found == card == read_card(path)
    assert (found.game, found.generation, found.parent, found.note) == ("tictactoe", 3, "abc", "a test")
    assert parameters_digest(loaded) == parameters_digest(model) == found.parameters_digest
    assert not loaded.training


def test_a_checkpoint_opens_without_its_game(saved):
    path, model, _ = saved
    planes = torch.ones(1, 2, 3, 3)
    assert torch.equal(load_checkpoint(path)[0](planes)[0], model(planes)[0])


def test_equal_nets_are_equal_bytes_and_no_part_is_left(saved, tmp_path, tictactoe):
    path, model, card = saved
    again = tmp_path / "again.safetensors"
    save_checkpoint(again, model, card)
    assert again.read_bytes() == path.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["again.safetensors", "net.safetensors"]


def test_digest_sees_a_single_weight(saved):
    _, model, card = saved
    with torch.no_grad():
        model.value.bias += 1e-6
    assert parameters_digest(model) != card.parameters_digest


def test_a_net_older_than_a_knob_was_trained_at_its_default(saved, tictactoe):
    older = saved[2].model_copy(update={"knobs": {}})
    check_fits("older.safetensors", older, tictactoe)
    with pytest.raises(IncompatibleCheckpoint, match=r"misere=False, here True"):
        check_fits("older.safetensors", older, make("tictactoe/misere"))


@pytest.mark.parametrize("path", CHAMPIONS, ids=lambda path: path.stem)
def test_the_shipped_champions_play_their_games(path):
    game = make(path.stem)
    starts = game.start_many(np.arange(1, 3, dtype=np.uint64))
    logits, values = NetEvaluator(path, game).evaluate(starts, np.arange(2), np.zeros(2, dtype=np.uint64))
    assert np.isfinite(logits).all()
    assert (np.abs(values) <= 1).all()


def test_another_variant_is_refused(saved):
    with pytest.raises(IncompatibleCheckpoint, match=r"trained for tictactoe \(misere=False, here True\).*tictactoe/misere"):
        load_checkpoint(saved[0], make("tictactoe/misere"))


def test_another_family_is_refused(saved, tictactoe):
    with pytest.raises(IncompatibleCheckpoint, match="trained for halma"):
        check_fits("a.safetensors", saved[2].model_copy(update={"family": "halma", "game": "halma-9x9"}), tictactoe)


def test_another_rules_version_is_refused(saved, tictactoe):
    with pytest.raises(IncompatibleCheckpoint, match="tictactoe rules 1; this is tictactoe rules 2"):
        load_checkpoint(saved[0], with_spec(tictactoe, rules_version=2))


@pytest.mark.parametrize("changes", [{"plane_names": ("own", "other")}, {"policy_extras": 1}])
def test_other_planes_or_actions_are_refused(saved, tictactoe, changes):
    with pytest.raises(IncompatibleCheckpoint, match="planes and actions"):
        load_checkpoint(saved[0], with_spec(tictactoe, **changes))


def test_a_tower_plays_another_board_and_a_report_net_does_not(saved, tmp_path, tictactoe):
    wider = with_spec(tictactoe, height=5, width=5)
    model, _ = load_checkpoint(saved[0], wider)
    assert model(torch.ones(1, 2, 5, 5))[0].shape == (1, 25)
    config = NetConfig(architecture="report-golad")
    report = tmp_path / "report.safetensors"
    save_checkpoint(report, build_model(tictactoe.spec, config), make_card(tictactoe, config))
    load_checkpoint(report, tictactoe)
    with pytest.raises(IncompatibleCheckpoint, match="one board size only"):
        load_checkpoint(report, wider)


def test_damaged_files_are_sentences(saved, tmp_path):
    content = saved[0].read_bytes()
    broken = {
        "missing": None,
        "empty": b"",
        "cut in the header": content[:100],
        "cut in the weights": content[:-200],
        "text": b"not a net",
        "pickle": pickle.dumps({"weights": [1, 2, 3]}),
        "long header": b"\xff" * 64,
    }
    for name, bytes_found in broken.items():
        path = tmp_path / f"{name}.safetensors"
        if bytes_found is not None:
            path.write_bytes(bytes_found)
        with pytest.raises(BadFile, match=path.name):
            load_checkpoint(path)


def test_a_flipped_weight_is_noticed(saved):
    path = saved[0]
    content = bytearray(path.read_bytes())
    content[-5] ^= 0x10
    path.write_bytes(content)
    with pytest.raises(BadFile, match="SHA-256"):
        load_checkpoint(path)


def test_files_without_a_sound_card_are_sentences(saved, tmp_path):
    card = saved[2].model_dump(mode="json")
    for metadata, words in (
        (None, "without our card"),
        ({"zeroline": "{"}, "card is damaged"),
        ({"zeroline": "[1]"}, "card is damaged"),
        ({"zeroline": json.dumps({**card, "format": 99})}, "format 99"),
        ({"zeroline": json.dumps({**card, "colour": "red"})}, "card is damaged"),
        ({"zeroline": json.dumps(card)}, "shapes its card promises"),
    ):
        path = tmp_path / "odd.safetensors"
        save_file({"net.x": torch.zeros(2)}, path, metadata)
        with pytest.raises(BadFile, match=words):
            load_checkpoint(path)


def test_transfer_to_a_larger_board_takes_everything(saved):
    path, model, _ = saved
    larger, report = transfer_tower(path, make_spec(planes=2, height=8, width=6, policy_extras=0), CONFIG)
    count = len(model.state_dict())
    assert report == f"Took {count} of {count} tensors from {path}."
    assert parameters_digest(larger) == parameters_digest(model)


def test_transfer_to_other_planes_leaves_out_the_stem_and_says_so(saved):
    path, model, _ = saved
    other, report = transfer_tower(path, make_spec(planes=7, height=3, width=3, policy_extras=1), CONFIG)
    assert "new from the start: extras, stem" in report
    assert torch.equal(other.blocks[0].first.weight, model.blocks[0].first.weight)


def test_int8_ranges_travel_in_the_same_file(saved, tmp_path):
    path, _, card = saved
    assert load_ranges(path) == {}
    target = tmp_path / "int8.safetensors"
    ranges = {"planes": torch.ones(2), "signed": torch.zeros(1), "activations": torch.arange(5.0)}
    accepted = record_int8(path, target, ranges, accepted=True)
    assert accepted.int8_accepted
    assert accepted.parameters_digest == card.parameters_digest
    assert load_ranges(target)["activations"].tolist() == [0, 1, 2, 3, 4]
