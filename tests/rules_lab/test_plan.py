"""Mistakes in a variants file are sentences, told before anything is played; the shipped files are sound."""

from pathlib import Path

import pytest
import yaml
from lab_samples import command

from components.core.errors import BadFile, BadParameter, UnknownName, ZerolineError
from components.games.registry import make
from components.nets.checkpoint import make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.model import build_model
from components.rules_lab.config import load_lab, parse_lab
from components.rules_lab.plan import make_plan

ROOT = Path(__file__).parents[2]
GOOD = {"game": "go-5x5", "agent": "uct:sims=8", "variants": {"area": {}}}


def plan_of(**changes):
    return make_plan(parse_lab({**GOOD, **changes}, "lab.yaml"), None, "lab.yaml")


@pytest.mark.parametrize("path", sorted((ROOT / "docs/variants").glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_files_are_sound(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    plan = make_plan(load_lab(path), None, str(path))
    assert len(plan.variants) >= 3


def test_the_file_of_a_shipped_page_is_sound(monkeypatch):
    monkeypatch.chdir(ROOT)
    path = ROOT / "docs/rules-lab/organism-handicap.yaml"
    (handicap,) = make_plan(load_lab(path), None, str(path)).handicaps
    assert len(handicap.candidates) == 5


def test_organism_words_are_not_truth_values(tmp_path):
    """YAML 1.1 reads `off` as false and `yes` as true; knobs have them as words."""
    path = tmp_path / "lab.yaml"
    variant = "{tokens_to_win: [off, 3], suicide_pays: no, self_wipe_food: false}"
    path.write_text(f"game: organism-3\nagent: uct:sims=8\nvariants: {{a: {variant}}}\n")
    knobs = make_plan(load_lab(path), None, str(path)).variants["a"].knobs
    assert knobs.tokens_to_win == ("off", 3)
    assert knobs.suicide_pays == "no"
    assert knobs.self_wipe_food is False


def test_a_variant_changes_the_base_game_and_nothing_else():
    plan = make_plan(parse_lab(GOOD | {"variants": {"a": None, "b": {"ko": "simple"}}}, "x"), "go-7x7:komi=4.5", "x")
    assert [game.name for game in plan.variants.values()] == ["go-7x7:komi=4.5", "go-7x7:komi=4.5,ko=simple"]


@pytest.mark.parametrize(
    ("changes", "problem", "words"),
    [
        ({"variants": {"a": {"komy": 1}}}, UnknownName, ["variant 'a'", "no knob 'komy'", "komi"]),
        ({"variants": {"a": {"komi": "much"}}}, BadParameter, ["variant 'a'", "komi"]),
        ({"variants": {"a": {}, "b": {"komi": 7.5}}}, BadParameter, ["'a' and 'b' are the same game"]),
        ({"variants": {}}, BadParameter, ["variants"]),
        ({"variants": {"a/b": {}}}, BadParameter, ["variants"]),
        ({"handicap": {"knob": "kom", "values": [1, 2]}}, UnknownName, ["handicap of 'area'", "no knob 'kom'"]),
        ({"handicap": {"knob": "komi", "values": [1.5]}}, BadParameter, ["at least two candidates"]),
        ({"handicap": {"knob": "komi", "values": [1.5, 1.5]}}, BadParameter, ["handicap of 'area'", "twice"]),
        ({"handicap": {"knob": "komi"}}, BadParameter, ["knob and values"]),
        ({"handicap": {"variant": "b", "knob": "komi", "values": [1, 2]}}, BadParameter, ["names the variant 'b'", "area"]),
        ({"handicap": {"knob": "komi", "values": [1, 2], "generations": 1}}, BadParameter, ["uct agent has none"]),
        ({"agent": "net", "start": "new", "handicap": {"knob": "history", "values": [1, 2]}}, BadParameter, ["other planes"]),
        ({"agent": "strong"}, UnknownName, ["no agent 'strong'", "uct:sims=200"]),
        ({"agent": "uct:sims=none"}, BadParameter, ["simulations"]),
        ({"agent": "uct:mode=puct"}, BadParameter, ["names another mode"]),
        ({"agent": "net", "start": "nowhere.safetensors"}, BadFile, ["no checkpoint nowhere.safetensors"]),
        ({"weights": {"beauty": 1}}, BadParameter, ["weights.beauty"]),
        ({"wished_turns": [9, 3]}, BadParameter, ["wished_turns"]),
        ({"budget": {"games": 0}}, BadParameter, ["budget.games"]),
        ({"game": None}, BadParameter, ["--game"]),
        ({"game": "chess-8x8"}, UnknownName, ["no game 'chess'"]),
    ],
)  # fmt: skip
def test_mistakes_are_sentences(changes, problem, words):
    with pytest.raises(problem) as told:
        plan_of(**changes)
    for word in words:
        assert word in str(told.value)
    assert str(told.value).endswith(".")


def test_a_net_of_another_game_is_refused(tmp_path):
    net, game = NetConfig(blocks=1, channels=8), make("golad-6x6")
    path = tmp_path / "golad.safetensors"
    save_checkpoint(path, build_model(game.spec, net, 1), make_card(game, net))
    with pytest.raises(ZerolineError, match=r"trained for golad-6x6; this is go-5x5"):
        plan_of(agent="net", start=str(path))


def test_a_net_with_other_planes_needs_training(tmp_path):
    net, game = NetConfig(blocks=1, channels=8), make("go-5x5:history=1")
    path = tmp_path / "go.safetensors"
    save_checkpoint(path, build_model(game.spec, net, 1), make_card(game, net))
    assert plan_of(agent="net", start=str(path)).net == net
    with pytest.raises(ZerolineError, match=r"budget.generations of at least 1"):
        plan_of(agent="net", start=str(path), budget={"generations": 0})


def test_nothing_is_played_or_written_after_a_mistake(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "lab.yaml"
    path.write_text(yaml.safe_dump({**GOOD, "variants": {"a": {}, "b": {"komy": 1}}}))
    with pytest.raises(UnknownName):
        command("--variants", path)
    with pytest.raises(BadParameter, match="--budget has 'gmes'"):
        command("--variants", path, "--budget", "gmes=3")
    with pytest.raises(BadFile, match="no variants file"):
        command("--variants", tmp_path / "none.yaml")
    path.write_text("variants: [")
    with pytest.raises(BadFile, match="not YAML"):
        command("--variants", path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["lab.yaml"]
