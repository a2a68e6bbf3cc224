"""Training goes on after kill -9 as if nothing had happened: the same bytes as an undisturbed run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from train_once import outputs, request_of

from components.core.errors import BadFile
from components.data.batches import BatchSource
from components.games.registry import make
from components.training.config import TrainConfig
from components.training.steps import Learner
from components.training.targets import search_targets
from components.training.trainer import RESUME_FILE, TIMING_FILE, torch_set_up, train

SCRIPT = Path(__file__).with_name("train_once.py")


class ForgetfulNet(torch.nn.Module):
    """Dropout, as in the Organism report's net: the only layer that draws random numbers."""

    def __init__(self):
        super().__init__()
        self.dense = torch.nn.Linear(18, 10)

    def forward(self, planes):
        out = self.dense(torch.nn.functional.dropout(planes.flatten(1), 0.3, self.training))
        return out[:, :9], torch.tanh(out[:, 9]), {}


def test_dropout_draws_the_same_after_a_resume(rows):
    """What a step draws depends on its own seed, not on how many steps this process has done."""
    torch.manual_seed(1)
    fresh = ForgetfulNet().state_dict()
    source = BatchSource(rows, search_targets(rows, 0.0), make("tictactoe"), 16, 1)

    def learner():
        net = ForgetfulNet()
        net.load_state_dict(fresh)
        return Learner(net, TrainConfig(), torch.device("cpu"))

    with torch_set_up(TrainConfig()):
        whole, before, after = learner(), learner(), learner()
        for step in range(6):
            whole.learn(source.batch(step), 0.01, step)
        for step in range(3):
            before.learn(source.batch(step), 0.01, step)
        torch.rand(100)
        after.restore(before.tensors(), 0)
        for step in range(3, 6):
            after.learn(source.batch(step), 0.01, step)
    assert torch.equal(whole.model.dense.weight, after.model.dense.weight)


class Killed(BaseException):
    """Stands for kill -9 inside this process."""


def train_with_kills(request, kill_after):
    """Run to the end, dying at the given `saved` events; what is on disk is all that is kept."""
    for kill in kill_after:
        seen = 0

        def die(event, kill=kill):
            nonlocal seen
            seen += event["event"] == "saved"
            if seen == kill:
                raise Killed

        with pytest.raises(Killed):
            train(request, die)
    return train(request)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"optimizer": "sgd", "ema": None, "momentum": 0.9},
        {"optimizer": "adam", "precision": "bf16", "reset_optimizer": False},
        {"optimizer": "sgd", "momentum": 0.0, "method": "reinforce", "value_mix": 0.0, "decayed": "all", "gradient_clip": None},
    ],
    ids=["adamw-ema", "sgd", "adam-bf16", "reinforce"],
)
def test_resumed_run_ends_in_the_same_weights(folder, config, request):
    name = request.node.callspec.id
    train(request_of(folder, f"{name}-whole", steps=40, report_steps=9, **config))
    train_with_kills(request_of(folder, f"{name}-killed", steps=40, report_steps=9, **config), [1, 3, 2])
    assert outputs(folder / f"{name}-killed") == outputs(folder / f"{name}-whole")


def start_process(folder, name):
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.Popen([sys.executable, SCRIPT, folder, name], stdout=subprocess.PIPE, text=True, env=environment)


def kill_at_random_moment(process, rng):
    """Let it save a few times, then end it in the middle of whatever it does."""
    for _ in range(rng.randint(1, 4)):
        if not process.stdout.readline():
            break
    time.sleep(rng.random() * 0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_resume_after_kill_9_ends_in_the_same_bytes(folder, whole):
    rng = random.Random(7)
    for _ in range(3):
        kill_at_random_moment(start_process(folder, "killed"), rng)
    last = start_process(folder, "killed")
    told = [json.loads(line) for line in last.communicate()[0].splitlines()]
    assert last.returncode == 0
    assert told[0]["event"] == "resumed"
    assert told[0]["step"] >= 5
    assert outputs(folder / "killed") == outputs(whole[0])
    assert [path.name for path in (folder / "killed" / "work").iterdir()] == [TIMING_FILE]


def test_unfinished_run_of_other_parameters_is_not_continued(folder):
    with pytest.raises(Killed):
        train(request_of(folder, "changed"), kill_at_first_save)
    events = []
    train(request_of(folder, "changed", learning_rate=0.01, steps=20), events.append)
    assert events[0]["event"] == "restart"
    train(request_of(folder, "unchanged", learning_rate=0.01, steps=20))
    assert outputs(folder / "changed") == outputs(folder / "unchanged")


def kill_at_first_save(event):
    if event["event"] == "saved":
        raise Killed


def test_saving_more_often_changes_nothing(folder, whole):
    train(request_of(folder, "often", checkpoint_steps=None, checkpoint_seconds=0.001))
    assert outputs(folder / "often") == outputs(whole[0])


def test_damaged_training_state_is_a_sentence(folder):
    request = request_of(folder, "damaged", steps=10)
    request.work.mkdir(parents=True)
    (request.work / RESUME_FILE).write_bytes(b"nonsense")
    with pytest.raises(BadFile, match=r"no training state .* Delete it and run the same command again"):
        train(request)
