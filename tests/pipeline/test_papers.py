"""The reports as presets: each is a valid block that says where it differs, shrinks honestly, and runs through the line."""

import shutil
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))

from tiny_line import run_stage

from components.config import load_params, parse_params
from components.core.errors import ZerolineError
from components.core.files import read_json
from components.data.shards import read_card, read_games
from components.games.registry import make
from components.layout import Layout
from components.nets.checkpoint import read_card as read_net_card
from components.tracking.evidence import gather
from flows.edit import PRESETS, SCALED, add_preset, experiment_name, load_preset, plain, preset_generations, preset_names
from flows.pipeline import stages_to

ROOT = Path(__file__).parents[2]
PAPERS = [name for name in preset_names() if name.startswith("papers/")]
GNUGO = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")
# The reports' nets and searches on games that end after a few plies.
TINY_GAMES = {
    "papers/golad-6x6": "golad-6x6/report:planes=report,max_rounds=3",
    "papers/golad-8x8": "golad-8x8/report:planes=report,max_rounds=2",
    "papers/organism-3": "organism-3:turns=whole,ply_cap=2",
    "papers/go-13x13": "go-13x13/report-13x13:resign=false,move_cap=4",
    "papers/go-9x9-reinforce": "go-9x9/report-9x9:move_cap=8",
    "papers/go-9x9-pretrain": "go-9x9/report-9x9:move_cap=8",
    "papers/go-9x9-search": "go-9x9/report-9x9:move_cap=8",
}


@pytest.fixture
def project(tmp_path):
    (tmp_path / "params.yaml").write_text((ROOT / "params.yaml").read_text())
    return tmp_path


def test_the_reports_are_all_here():
    assert {name.removeprefix("papers/") for name in PAPERS} == {
        "golad-6x6", "golad-8x8", "go-13x13", "organism-3", "go-9x9-uct", "go-9x9-reinforce", "go-9x9-pretrain", "go-9x9-search",
    }  # fmt: skip


@pytest.mark.parametrize("name", PAPERS)
def test_a_report_says_where_it_differs_and_names_what_scale_shrinks(name):
    head = (PRESETS / f"{name}.yaml").read_text().split("game:")[0]
    assert "Where this differs from the report" in head
    assert head.count("\n# - ") >= 5
    block = plain(load_preset(name))
    assert "generations" not in block
    assert {"games"} <= block["selfplay"].keys()
    assert {"pairs"} <= block["tournament"].keys()


def test_scale_writes_what_is_run_and_its_record(project):
    whole = plain(load_preset("papers/golad-6x6"))
    name = add_preset(project, "papers/golad-6x6", 4, 0.1)
    block = yaml.safe_load((project / "params.yaml").read_text())["experiments"][name]
    for section, number in SCALED:
        assert block[section][number] == max(1, round(0.1 * whole[section][number])), (section, number)
    assert block["scale"] == 0.1
    kept = {"search": whole["search"], "net": whole["net"], "gate": whole["gate"]}
    assert {section: block[section] for section in kept} == kept
    params = load_params(project)
    assert params.experiment(name).scale == 0.1
    assert len(params.generations_of(name)) == 4


def test_scale_leaves_no_shard_without_a_game(project):
    add_preset(project, "papers/go-13x13", scale=0.1)
    selfplay = load_params(project).experiment("papers-go-13x13").selfplay
    assert (selfplay.games, selfplay.shards) == (1, 1)


@pytest.mark.parametrize("scale", [0.0, -1.0, 1.5])
def test_a_wrong_scale_is_a_sentence(project, scale):
    with pytest.raises(ZerolineError, match="need a number above 0, at most 1"):
        add_preset(project, "tictactoe", scale=scale)


def test_a_preset_brings_what_it_starts_from(project):
    add_preset(project, "papers/go-9x9-search", 1, 0.2)
    params = load_params(project)
    assert [one.generation for one in params.generations_of("papers-go-9x9-pretrain")] == ["g01"]
    assert params.experiment("papers-go-9x9-pretrain").selfplay.games == 200
    stages = stages_to(params, "papers-go-9x9-search")
    assert stages.index("gate@papers-go-9x9-pretrain-g01") < stages.index("start@papers-go-9x9-search")
    assert "report@papers-go-9x9-pretrain" not in stages


def test_an_experiment_cannot_start_from_itself():
    block = plain(load_preset("tictactoe"))
    content = {
        name: {**block, "start": f"runs/{other}/champions/g01.safetensors"} for name, other in (("one", "two"), ("two", "one"))
    }
    with pytest.raises(ZerolineError, match=r"experiments\.one starts from its own champion"):
        parse_params({"experiments": content, "generations": {}})


def test_a_transfer_inside_training_is_refused():
    block = plain(load_preset("tictactoe"))
    block["train"]["start"] = "runs/x/champions/g01.safetensors"
    with pytest.raises(ZerolineError, match="to transfer, write start: runs/x"):
        parse_params({"experiments": {"x": block}, "generations": {}})


def tiny(name: str, generations: int) -> dict:
    """A preset's own method with so few and short games that it takes seconds."""
    block = plain(load_preset(name))
    block["game"] = TINY_GAMES[name]
    block["search"] |= {"simulations": 3, "cache_entries": 0}
    block["selfplay"] |= {"games": 4, "shards": 1, "slots": 4, "precision": "fp32"}
    if block["selfplay"].get("players") and not GNUGO:
        block["selfplay"]["players"] = "random-eyes"
    block["train"] |= {"steps": 2, "epochs": None, "batch_size": 8}
    block["gate"] |= {"simulations": 2, "games": 2}
    key = experiment_name(name)
    names = [f"g{number:02d}" for number in range(generations + 1)]
    return {
        "experiments": {key: block},
        "generations": {
            f"{key}-{own}": {"experiment": key, "family": block["family"], "generation": own, "parent": parent}
            for parent, own in pairwise(names)
        },
    }


def run_line(root: Path, content: dict) -> Layout:
    """Every stage up to the last gate."""
    (root / "params.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    name = next(iter(content["experiments"]))
    run_stage(root, "start", name)
    for key in content["generations"]:
        for stage in ("generate", "train", "gate"):
            run_stage(root, stage, key)
    return Layout(name, root)


@pytest.mark.parametrize(
    "name",
    ["papers/golad-6x6", "papers/golad-8x8", "papers/organism-3", pytest.param("papers/go-13x13", marks=pytest.mark.slow)],
)
def test_a_report_runs_through_the_line(tmp_path, name):
    layout = run_line(tmp_path, tiny(name, 1))
    net = read_net_card(layout.champion("g01")).net
    assert net.architecture == plain(load_preset(name))["net"]["architecture"]
    assert read_json(layout.training("g01"))["steps_done"] == 2


def test_reinforce_samples_the_policy_and_carries_the_optimizer(tmp_path):
    content = tiny("papers/go-9x9-reinforce", 2)
    layout = run_line(tmp_path, content)
    rows = [ply for game in read_games(next(layout.data("g01").glob("*.parquet")), make(TINY_GAMES["papers/go-9x9-reinforce"]))
            for ply in game.plies]  # fmt: skip
    assert {int(ply.visits.sum()) for ply in rows} == {0}
    assert {ply.depth for ply in rows} == {0}
    assert 81 not in {ply.action for ply in rows}  # a pass only if at most one point is legal
    assert all(abs(ply.value) < 1 for ply in rows)  # the net's own word, the baseline
    first, second = (read_json(layout.training(one))["history"][-1]["learning_rate"] for one in ("g01", "g02"))
    epochs = 2 * 8 / read_json(layout.training("g01"))["rows"]
    assert first == pytest.approx(1e-4 + 9e-4 * 2 * (epochs / 2) / 10)  # step 1 of 2
    assert second == pytest.approx(1e-4 + 9e-4 * 2 * (epochs + epochs / 2) / 10)  # the cycle goes on where it stood
    assert layout.champion("g01").stat().st_size < 1.2 * layout.champion("g00").stat().st_size
    assert layout.optimizer("g01").stat().st_size > layout.champion("g01").stat().st_size


def test_moments_of_a_rejected_candidate_are_not_used(tmp_path):
    content = tiny("papers/go-9x9-reinforce", 2)
    block = content["experiments"]["papers-go-9x9-reinforce"]
    block["gate"] = {"kind": "fixed", "games": 2, "threshold": 0.99, "simulations": 1}
    layout = run_line(tmp_path, content)
    assert read_json(layout.gate("g01"))["verdict"] != "promoted"
    first, second = (read_json(layout.training(one))["history"][-1]["learning_rate"] for one in ("g01", "g02"))
    assert second == pytest.approx(first, rel=0.2)


def test_the_search_starts_from_a_net_taught_by_an_oracle(tmp_path):
    taught = run_line(tmp_path, tiny("papers/go-9x9-pretrain", 1))
    shard = next(taught.data("g01").glob("*.parquet"))
    game = make(TINY_GAMES["papers/go-9x9-pretrain"])
    assert read_card(shard).net == ""
    for record in read_games(shard, game):
        state = game.start()
        for ply in record.plies:
            assert list(ply.actions) == list(game.legal(state))
            assert ply.actions[ply.visits == 1].tolist() == [ply.action]
            assert ply.policy.tolist() == ply.visits.tolist()
            state = game.after(state, ply.action)
        assert tuple(game.returns(state)) == record.returns
    assert read_json(taught.training("g01"))["method"] == "supervised"
    seen = gather(load_params(tmp_path), "papers-go-9x9-pretrain", taught).generations[0]
    assert seen.parts.keys() == {"selfplay", "training", "gate"}  # MLflow is told of games that no net of ours played
    searching = run_line(tmp_path, tiny("papers/go-9x9-search", 1))
    first = read_net_card(searching.champion("g00"))
    assert first.parameters_digest == read_net_card(taught.champion("g01")).parameters_digest
    assert "papers-go-9x9-pretrain" in first.note


def test_an_oracles_games_survive_a_kill_and_are_the_same_again(tmp_path):
    """The ledger keeps every finished game; with it, after it was cut, or without it the shard has the same bytes."""
    from flows.shards import ShardJob, play_shard

    player = "gnugo-1" if GNUGO else "random-eyes"
    selfplay = f'{{"games": 4, "shards": 1, "slots": 2, "players": "{player}"}}'

    def job(name: str) -> ShardJob:
        out = str(tmp_path / name / "shard.parquet")
        return ShardJob("go-9x9/report-9x9:move_cap=8", 1, "{}", selfplay, "", "", 1, 0, "", out)

    whole = Path(play_shard(job("whole"))).read_bytes()
    ledger = tmp_path / "whole" / "shard.games.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    assert len(lines) == 4
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / ledger.name).write_bytes(b"".join(lines[:2]) + lines[2][:40])
    assert Path(play_shard(job("killed"))).read_bytes() == whole


def test_an_experiment_without_generations_has_a_report(tmp_path):
    content = {"experiments": {"papers-go-9x9-uct": plain(load_preset("papers/go-9x9-uct"))}, "generations": {}}
    assert preset_generations("papers/go-9x9-uct") == 0
    block = content["experiments"]["papers-go-9x9-uct"]
    block |= {"game": "go-9x9/report-9x9:move_cap=8", "scale": 0.5, "tournament": {"pairs": 6, "min_pairs": 1, "slots": 4}}
    block["gate"]["simulations"] = 4
    block["ladder"] = ["random", "uct:sims=4,c=0.2,rollout=uniform-pass,temperature_plies=40"]
    layout = run_line(tmp_path, content)
    for stage in ("tournament", "report"):
        run_stage(tmp_path, stage, "papers-go-9x9-uct")
    told = read_json(layout.report)
    assert told["scale"] == 0.5
    assert told["generations"]["g00"]["scores"]["random"]["games"] > 0
    page = layout.page.read_text()
    assert "0 generations, at 0.5 of its preset" in page


def test_scale_is_a_parameter_in_mlflow(tmp_path):
    from components.tracking.numbers import flatten

    block = {**plain(load_preset("tictactoe")), "scale": 0.25}
    experiment = parse_params({"experiments": {"x": block}, "generations": {}}).experiment("x")
    assert flatten(experiment.model_dump(mode="json"))["scale"] == "0.25"


@pytest.mark.slow
def test_the_start_depends_on_the_file_that_it_names(make_project):
    """Another experiment's champion is made first; another net in its place runs the start again."""
    project = make_project(generations=1, gate={"kind": "none", "simulations": 4})
    content = project.params()
    block = content["experiments"]["small"]
    content["experiments"]["child"] = {**block, "start": "runs/small/champions/g01.safetensors"}
    content["experiments"]["other"] = {**block, "start": "net.safetensors"}
    project.write_params(content)
    output = project.dvc("repro", "start@child")
    ran = [line.split("'")[1] for line in output.splitlines() if line.startswith("Running stage ")]
    assert ran == ["start@small", "generate@small-g01", "train@small-g01", "gate@small-g01", "start@child"]
    champions = project.root / "runs" / "small" / "champions"
    shutil.copy(champions / "g00.safetensors", project.root / "net.safetensors")
    project.dvc("repro", "start@other")
    assert "up to date" in project.dvc("status", "start@other")
    shutil.copy(champions / "g01.safetensors", project.root / "net.safetensors")
    assert "Running stage 'start@other'" in project.dvc("repro", "start@other")
