"""A tracking server is told the same as the project's own database, over HTTP and nothing else."""

import shutil

import pytest
from servers import mlflow_command
from test_publish import content, history, look
from tiny_line import NAME

from components.core.files import read_json
from components.layout import Layout
from components.tracking import publish_experiment

pytestmark = pytest.mark.slow


@pytest.fixture
def server(empty_store, tmp_path, monkeypatch):
    """A real server with a store and artifacts of its own; yields its folder."""
    home = tmp_path / "server"
    home.mkdir()
    shutil.copyfile(empty_store, home / "mlflow.db")
    command = ["server", "--backend-store-uri", f"sqlite:///{home}/mlflow.db", "--workers", "1"]
    with mlflow_command([*command, "--artifacts-destination", str(home / "artifacts")], home, "/health") as address:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", address)
        yield home


def test_a_server_is_told_runs_files_and_nets_once(project, server):
    untouched = content(project)
    assert publish_experiment(project, NAME) is None
    client, (parent,), nested = look(project)
    assert set(nested) == {"g01", "g02"}
    assert parent.info.status == "FINISHED"
    lines = read_json(Layout(NAME, project).training("g02"))["history"]
    assert history(client, nested["g02"], "train/policy") == {line["step"]: line["policy"] for line in lines}
    assert "report.html" in {entry.path for entry in client.list_artifacts(parent.info.run_id)}
    net = client.get_model_version_by_alias("tictactoe", "candidate")
    assert net.tags["zeroline.digest"] == read_json(Layout(NAME, project).training("g02"))["candidate"]
    assert list((server / "artifacts").rglob("*.safetensors"))

    told = content(server)
    assert publish_experiment(project, NAME) is None
    assert content(server) == told
    # What a server was told is with the server: nothing fell back to the project's own store.
    assert content(project) == untouched
    assert not (project / "mlartifacts").exists()
