"""A net's description is checked before anything is built, and reading it is instant."""

import subprocess
import sys

import pytest
from pydantic import ValidationError

from components.nets.config import NetConfig


def test_config_does_not_bring_torch():
    program = "import sys, components.nets.config; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    "values",
    [
        {"blocks": 0},
        {"channels": 12},
        {"channels": 4},
        {"pool_every": -1},
        {"architecture": "transformer"},
        {"auxiliary": ("ownership", "ownership")},
        {"auxiliary": ("weather",)},
        {"hexagon_board": True},
        {"filters": 32},
        {"architecture": "report-golad", "blocks": 2},
    ],
)
def test_bad_values_are_refused(values):
    with pytest.raises(ValidationError):
        NetConfig(**values)


def test_every_third_block_is_pooled():
    assert [block for block in range(7) if NetConfig().is_pooled(block)] == [2, 5]
    assert not any(NetConfig(pool_every=0).is_pooled(block) for block in range(7))


def test_a_config_survives_json():
    config = NetConfig(architecture="report-go-9x9")
    assert NetConfig(**config.model_dump(mode="json")) == config
