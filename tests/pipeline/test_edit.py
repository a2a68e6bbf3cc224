"""params.yaml is edited with its comments kept, checked as a whole, and never half-written."""

from pathlib import Path

import pytest
import yaml

from components.config import load_params, parse_params
from components.core.errors import ZerolineError
from flows.edit import add_preset, experiment_name, extend, load_preset, plain, preset_names

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path):
    (tmp_path / "params.yaml").write_text((ROOT / "params.yaml").read_text())
    return tmp_path


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_a_valid_experiment(name):
    block = plain(load_preset(name))
    params = parse_params({"experiments": {experiment_name(name): block}, "generations": {}})
    assert params.experiments[experiment_name(name)].family == block["family"]


def test_every_preset_has_a_deployment():
    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    assert {one["name"] for one in deployments} == {experiment_name(name) for name in preset_names()}
    assert {one["parameters"]["experiment"] for one in deployments} == set(preset_names())


def test_shipped_parameters_are_valid_and_name_their_blocks():
    params = load_params(ROOT)
    assert [generation.generation for generation in params.generations_of("golad-6x6")] == ["g01", "g02", "g03"]


def test_adding_and_extending_keep_every_comment(project):
    before = (project / "params.yaml").read_text()
    comments = [line.split("#", 1)[1].strip() for line in before.splitlines() if "#" in line]
    assert add_preset(project, "tictactoe", 2) == "tictactoe"
    assert extend(project, "golad-6x6", 5) == ["golad-6x6-g04", "golad-6x6-g05"]
    after = (project / "params.yaml").read_text()
    assert all(comment in after for comment in comments)
    params = load_params(project)
    assert [one.generation for one in params.generations_of("tictactoe")] == ["g01", "g02"]
    assert params.generation("golad-6x6-g05").parent == "g04"
    old, new = yaml.safe_load(before), yaml.safe_load(after)
    assert new["experiments"]["golad-6x6"] == old["experiments"]["golad-6x6"]


@pytest.mark.parametrize("preset", [name for name in preset_names() if name != "golad-6x6"])
def test_dvc_reads_what_was_added(project, preset):
    from dvc.utils.serialize import load_yaml

    name = add_preset(project, preset, 1)
    assert load_yaml(str(project / "params.yaml"))["experiments"][name]["ladder"] == plain(load_preset(preset))["ladder"]


def test_a_branch_of_a_generation_is_one_line(project):
    path = project / "params.yaml"
    branch = "  golad-6x6-g03b: {experiment: golad-6x6, family: golad, generation: g03b, parent: g02}\n"
    path.write_text(path.read_text() + branch)
    assert load_params(project).generation("golad-6x6-g03b").number == 3


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (lambda root: add_preset(root, "chess"), "There is no preset 'chess'"),
        (lambda root: add_preset(root, "golad-6x6"), "already"),
        (lambda root: extend(root, "golad-6x6", 2), "already"),
        (lambda root: extend(root, "chess", 2), "There is no experiment 'chess'"),
        (lambda root: extend(root, "golad-6x6", 0), "from 1"),
        (lambda root: extend(root / "nowhere", "golad-6x6", 4), "There is no"),
    ],
)
def test_mistakes_are_sentences_and_change_nothing(project, job, words):
    before = (project / "params.yaml").read_text()
    with pytest.raises(ZerolineError, match=words):
        job(project)
    assert (project / "params.yaml").read_text() == before


def test_all_problems_are_told_at_once():
    content = yaml.safe_load((ROOT / "params.yaml").read_text())
    block = content["experiments"]["golad-6x6"]
    block["search"]["simulation"] = 3
    block["train"]["learning_rate"] = -1
    content["generations"]["golad-6x6-g02"]["parent"] = "x"
    with pytest.raises(ZerolineError) as caught:
        parse_params(content)
    assert "3 problems" in str(caught.value)
    for word in ("search.simulation", "train.learning_rate", "golad-6x6-g02.parent"):
        assert word in str(caught.value)


def test_a_misspelt_key_is_told_with_the_nearest_one():
    content = yaml.safe_load((ROOT / "params.yaml").read_text())
    block = content["experiments"]["golad-6x6"]
    block["train"]["learning_rat"], block["gates"], block["net"]["xyz"], content["generation"] = 1, 2, 3, 4
    content["generations"]["golad-6x6-g02"]["parents"] = "g01"
    with pytest.raises(ZerolineError) as caught:
        parse_params(content)
    for words in (
        "experiments.golad-6x6.train.learning_rat: there is no such key; did you mean learning_rate?",
        "experiments.golad-6x6.gates: there is no such key; did you mean gate?",
        "experiments.golad-6x6.net.xyz: there is no such key; leave it out",
        "generations.golad-6x6-g02.parents: there is no such key; did you mean parent?",
        "generation: there is no such key; did you mean generations?",
    ):
        assert words in str(caught.value)


def test_a_missing_parent_is_told():
    content = yaml.safe_load((ROOT / "params.yaml").read_text())
    del content["generations"]["golad-6x6-g02"]
    with pytest.raises(ZerolineError, match="has the parent g02, which is not there"):
        parse_params(content)


def block_with(**changes):
    """The preset golad-6x6 with other values in some sections."""
    block = plain(load_preset("golad-6x6"))
    for section, values in changes.items():
        block[section] = {**block[section], **values} if isinstance(values, dict) else values
    return {"experiments": {"x": block}, "generations": {}}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ladder": ["random", "greeedy"]}, "golad-6x6 has no player 'greeedy'; name one of random"),
        ({"ladder": ["random", "uct:sims=0"]}, "the uct player's simulations cannot be"),
        ({"ladder": ["random", "gnugo-1"]}, "cannot play golad-6x6"),
        ({"ladder": ["greedy"]}, "tournament.anchor 'random' is neither in the ladder (greedy) nor a generation"),
        ({"selfplay": {"players": "nobody"}}, "has no player 'nobody'"),
        ({"selfplay": {"games": 2, "shards": 4}}, "selfplay.shards 4 is above selfplay.games 2"),
        ({"train": {"auxiliary_weights": {"margin": 0.5}}}, "auxiliary_weights names margin, the net has heads for none"),
        ({"gate": "fixed-65"}, "there is no gate 'fixed-65'; name one of sequential, fixed-60, fixed-55"),
        ({"game": "golad-6y6"}, "does not name a game"),
    ],
)
def test_what_a_late_stage_would_refuse_is_refused_before_the_first(changes, words):
    with pytest.raises(ZerolineError) as caught:
        parse_params(block_with(**changes))
    assert words.lower() in str(caught.value).lower()
    assert str(caught.value).startswith("params.yaml has 1 problem: experiments.x")


def test_what_may_come_later_is_no_problem(monkeypatch, tmp_path):
    """A net that is not made yet, a program that is not installed yet, a generation as the anchor."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("components.players.process.MORE_FOLDERS", str(tmp_path))
    block = plain(load_preset("go-9x9"))
    block["ladder"] = ["random", "gnugo-1", "search:runs/later/champions/g01.safetensors,sims=8"]
    block["tournament"]["anchor"] = "g00"
    assert parse_params({"experiments": {"x": block}, "generations": {}}).experiment("x").ladder[1] == "gnugo-1"


@pytest.mark.parametrize(
    ("name", "kind", "threshold"), [("fixed-55", "fixed", 0.55), ("fixed-60", "fixed", 0.60), ("none", "none", 0.6)]
)
def test_a_gate_may_be_named(name, kind, threshold):
    gate = parse_params(block_with(gate=name)).experiment("x").gate
    assert (gate.kind, gate.games, gate.threshold) == (kind, 40, threshold)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("experiments: {a: 1\n", "is not YAML"),
        ("experiments: {}\ngenerations: {}\nexperiments: {}\n", "duplicate key"),
        ("", "need the sections experiments and generations"),
    ],
)
def test_a_file_that_is_no_yaml_is_a_sentence(tmp_path, text, words):
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(ZerolineError, match=words):
        extend(tmp_path, "golad-6x6", 4)
    assert (tmp_path / "params.yaml").read_text() == text
