"""A small project with nets, and a tiny line whose champions and losses are read."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from paper_samples import save_net
from tiny_line import NAME, run_generation, run_stage, write_params


@pytest.fixture
def project(tmp_path, monkeypatch):
    """An empty project with a net for GOLAD 6x6 and one for tic-tac-toe; the command runs inside it."""
    save_net(tmp_path / "champions" / "golad.safetensors", "golad-6x6")
    save_net(tmp_path / "champions" / "ttt.safetensors", "tictactoe")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def line(tmp_path_factory):
    """A project in which the experiment ttt was run, every candidate promoted; nobody changes it."""
    root = tmp_path_factory.mktemp("line")
    write_params(root, generations=2)
    params = root / "params.yaml"
    params.write_text(params.read_text().replace("gate: {kind: fixed,", "gate: {kind: none,"))
    run_stage(root, "start", NAME)
    for generation in ("g01", "g02"):
        run_generation(root, generation)
    run_stage(root, "tournament", NAME)
    return root
