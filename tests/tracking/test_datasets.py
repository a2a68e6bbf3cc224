"""A generation's run names its data by the digest that DVC itself recorded."""

import shutil
import subprocess
import sys

import pytest
import yaml
from test_publish import look
from tiny_line import NAME

from components.layout import Layout
from components.tracking import publish_experiment
from components.tracking.datasets import recorded_digest, window_generations

DVC_YAML = """\
stages:
  generate:
    foreach: {ttt-g01: {generation: g01}, ttt-g02: {generation: g02}}
    do:
      cmd: python -c "import shutil; shutil.copytree('kept/${item.generation}', 'runs/ttt/${item.generation}/data')"
      outs:
        - runs/ttt/${item.generation}/data
"""


@pytest.fixture
def recorded(project):
    """The project after DVC has run its generate stages, which bring back the very shards that were there."""
    for generation in ("g01", "g02"):
        shutil.move(Layout(NAME, project).data(generation), project / "kept" / generation)
    (project / "dvc.yaml").write_text(DVC_YAML)
    for arguments in (["init", "--no-scm", "-q"], ["config", "core.analytics", "false"], ["repro", "-q"]):
        subprocess.run([sys.executable, "-m", "dvc", *arguments], cwd=project, check=True)
    return project


@pytest.mark.slow
def test_data_has_the_digest_that_dvc_recorded(recorded):
    lock = yaml.safe_load((recorded / "dvc.lock").read_text())["stages"]
    digests = {f"{NAME}-{name}": lock[f"generate@{NAME}-{name}"]["outs"][0]["md5"] for name in ("g01", "g02")}
    assert publish_experiment(recorded, NAME) is None
    assert publish_experiment(recorded, NAME) is None
    _, _, nested = look(recorded)
    told = {given.dataset.name: given.dataset.digest for given in nested["g02"].inputs.dataset_inputs}
    assert told == digests
    assert len(nested["g02"].inputs.dataset_inputs) == 2
    assert [given.dataset.name for given in nested["g01"].inputs.dataset_inputs] == [f"{NAME}-g01"]


def write_lock(root, size):
    folder = Layout(NAME, root).data("g01")
    files = list(folder.glob("*.parquet"))
    outs = [{"path": "runs/ttt/g01/data", "md5": "a" * 32 + ".dir", "nfiles": len(files), "size": size}]
    (root / "dvc.lock").write_text(yaml.safe_dump({"schema": "2.0", "stages": {f"generate@{NAME}-g01": {"outs": outs}}}))


def test_a_lock_of_the_run_before_does_not_count(project):
    layout = Layout(NAME, project)
    size = sum(path.stat().st_size for path in layout.data("g01").glob("*.parquet"))
    assert recorded_digest(layout, "g01") is None
    write_lock(project, size + 1)
    assert recorded_digest(layout, "g01") is None
    write_lock(project, size)
    assert recorded_digest(layout, "g01") == "a" * 32 + ".dir"


def test_a_window_names_its_generations(line):
    assert window_generations(Layout(NAME, line), "g02") == ["g01", "g02"]
