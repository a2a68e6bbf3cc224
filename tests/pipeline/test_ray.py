"""Shards on a real Ray cluster: the bytes of local processes, and one sentence when no cluster answers."""

import pytest
from ray_cluster import free_port, ray_head

pytest.importorskip("ray", reason="the extra `ray` is not installed")
pytestmark = pytest.mark.slow


def test_a_cluster_plays_the_same_bytes(make_project):
    local, cluster = (make_project(name, generations=1) for name in ("local", "cluster"))
    local.dvc("repro", "generate@small-g01")
    with ray_head() as settings:
        output = cluster.dvc("repro", "generate@small-g01", **settings)
    assert "generate small-g01: 48 of 48 games" in output
    assert {name for name in cluster.outputs() if name.endswith(".parquet")}
    assert cluster.outputs() == local.outputs()


def test_a_cluster_that_does_not_answer_is_one_sentence(make_project):
    project = make_project(generations=1)
    project.dvc("repro", "start@small")
    address = f"127.0.0.1:{free_port()}"
    output = project.python("-m", "flows.stages", "generate", "small-g01", expect=2, RAY_ADDRESS=address)
    assert f"No Ray cluster answers at RAY_ADDRESS={address}" in output
    assert "Traceback" not in output
    assert not list((project.root / "runs/small/g01").rglob("*.parquet"))
