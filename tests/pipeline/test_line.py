"""The line under plain `dvc repro`: what runs, what does not, and that nothing but the inputs decides the bytes."""

import random
import shutil
import sys
from pathlib import Path

import pytest
from small_project import kill_after, small_params

pytestmark = pytest.mark.slow
# The stages' command on a machine where no engine lies in the usual folders.
WITHOUT_ENGINES = (
    "import sys; from components.players import process; process.MORE_FOLDERS = ''; from flows.stages import main;"
    " sys.exit(main())"
)


def ran(output: str) -> list[str]:
    """The stages that DVC says it ran."""
    return [line.split("'")[1] for line in output.splitlines() if line.startswith("Running stage ")]


def test_only_what_changed_runs(make_project):
    project = make_project(generations=2)
    first = ran(project.dvc("repro"))
    assert first[0] == "start@small"
    assert set(first) == {
        "start@small", "generate@small-g01", "train@small-g01", "gate@small-g01",
        "generate@small-g02", "train@small-g02", "gate@small-g02", "tournament@small", "report@small",
    }  # fmt: skip
    for name in ("runs/small/champions/g02.safetensors", "reports/small/report.html", "mlflow.db"):
        assert (project.root / name).exists(), name
    # What a killed writer left behind is no part of a run.
    part = project.root / "runs/small/champions/.g02.safetensors.host-1.part"
    part.write_bytes(b"half")
    assert ran(project.dvc("repro")) == []
    assert "up to date" in project.dvc("status")
    part.unlink()

    project.python("-m", "flows", "extend", "small", "--to", "3")
    third = ran(project.dvc("repro"))
    assert set(third) == {"generate@small-g03", "train@small-g03", "gate@small-g03", "tournament@small", "report@small"}

    project.commit("three generations")
    project.set("experiments.small.train.learning_rate", 0.005)
    changed = ran(project.dvc("repro"))
    assert "generate@small-g01" not in changed
    assert changed[0] == "train@small-g01"
    assert "training.json" in project.dvc("metrics", "diff")
    assert "learning_rate" in project.dvc("params", "diff")
    pictures = project.dvc("plots", "diff", "--json")
    for name in ("strength", "losses", "games", "gates"):
        assert f"{name}.svg" in pictures

    remote = project.root.parent / "remote"
    project.dvc("remote", "add", "-d", "store", str(remote))
    project.dvc("push")
    before = project.outputs()
    project.run("rm", "-rf", "runs", "reports", ".dvc/cache")
    project.dvc("pull")
    assert project.outputs() == before


def test_experiments_from_the_command_line(make_project):
    project = make_project(generations=1)
    project.dvc("repro")
    project.commit("one generation")
    output = project.dvc("exp", "run", "-n", "hotter", "-S", "experiments.small.train.learning_rate=0.01")
    assert "train@small-g01" in ran(output)
    assert "hotter" in project.dvc("exp", "show", "--csv")


def test_workers_do_not_change_a_byte(make_project):
    one, two = (make_project(name, generations=1) for name in ("one", "two"))
    one.dvc("repro", ZEROLINE_WORKERS="1")
    two.dvc("repro", ZEROLINE_WORKERS="2")
    assert one.outputs() == two.outputs()
    assert one.lock() == two.lock()


def test_a_killed_line_goes_on_to_the_same_bytes(make_project):
    calm, killed = (make_project(name, generations=2) for name in ("calm", "killed"))
    calm.dvc("repro")
    rng = random.Random(7)
    for _ in range(3):
        kill_after(killed, rng.uniform(4, 25))
    killed.python("-m", "flows", "repro")
    assert killed.outputs() == calm.outputs()
    assert killed.lock() == calm.lock()


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (("experiments.small.train.learning_rat", 0.1), "learning_rat"),
        (("experiments.small.search.simulations", 0), "simulations"),
        (("experiments.small.game", "chess"), "chess"),
        (("experiments.small.family", "go"), "family"),
    ],
)
def test_wrong_parameters_end_in_one_sentence(make_project, edit, words):
    project = make_project(generations=1)
    project.set(*edit)
    output = project.python("-m", "flows.stages", "start", "small", expect=2)
    assert words in output
    assert len(output.strip().splitlines()) == 1
    assert not (project.root / "runs").exists()


def test_wrong_parameters_are_told_before_dvc_begins(make_project):
    project = make_project(generations=1)
    project.set("experiments.small.gate.game", 40)
    output = project.python("-m", "flows", "repro", expect=2)
    assert "experiments.small.gate.game" in output
    assert len(output.strip().splitlines()) == 1


def test_a_net_of_another_game_ends_in_one_sentence(make_project):
    project, other = make_project(generations=1), make_project("other", 1, game="tictactoe/misere", seed=2)
    for one, stages in ((project, ("start small", "generate small-g01")), (other, ("start small",))):
        for stage in stages:
            one.python("-m", "flows.stages", *stage.split())
    champion = "runs/small/champions/g00.safetensors"
    shutil.copy(other.root / champion, project.root / champion)
    before = project.outputs()
    for stage in ("generate", "train"):
        output = project.python("-m", "flows.stages", stage, "small-g01", expect=2)
        told = [line for line in output.splitlines() if "every worker searches" not in line]
        assert told[0].startswith(f"IncompatibleCheckpoint: {champion} was trained for tictactoe/misere")
        assert len(told) == 1
        assert project.outputs() == before


def test_an_opponent_that_is_not_installed_ends_in_one_sentence(make_project):
    """The tournament says so, all that was made before stays, and with the program there it goes on."""
    block = {"game": "go-2x2", "family": "go", "ladder": ["random", "gnugo-1"], "tournament": {"pairs": 2, "min_pairs": 1}}
    content = small_params(0, **block)
    project = make_project(generations=0)
    project.write_params(content)
    project.python("-m", "flows.stages", "start", "small")
    before = project.outputs()
    output = project.python("-c", WITHOUT_ENGINES, "tournament", "small", expect=2, PATH=str(Path(sys.executable).parent))
    assert output.strip().splitlines()[-1].startswith("MissingProgram: There is no program 'gnugo'; install gnugo: apt-get")
    assert "Traceback" not in output
    assert project.outputs() == before


def test_damaged_inputs_end_in_one_sentence(make_project):
    project = make_project(generations=1)
    for stage in ("start small", "generate small-g01"):
        project.python("-m", "flows.stages", *stage.split())
    shard = project.root / "runs/small/g01/data/shard-001.parquet"
    whole = shard.read_bytes()
    shard.write_bytes(whole[: len(whole) // 2])
    output = project.python("-m", "flows.stages", "train", "small-g01", expect=2)
    assert "shard-001.parquet" in output
    assert not (project.root / "runs/small/g01/candidate.safetensors").exists()
    shard.write_bytes(whole)
    champion = project.root / "runs/small/champions/g00.safetensors"
    champion.write_bytes(champion.read_bytes()[:100])
    output = project.python("-m", "flows.stages", "train", "small-g01", expect=2)
    assert "g00.safetensors" in output
