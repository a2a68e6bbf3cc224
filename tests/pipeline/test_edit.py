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


def test_a_missing_parent_is_told():
    content = yaml.safe_load((ROOT / "params.yaml").read_text())
    del content["generations"]["golad-6x6-g02"]
    with pytest.raises(ZerolineError, match="has the parent g02, which is not there"):
        parse_params(content)
