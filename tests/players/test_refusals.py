"""A net that does not fit the game is one sentence and exit code 2, whatever command names it."""

import pytest

from components.core.command import USER_ERROR_EXIT_CODE, run_command
from components.games.registry import make
from components.nets.checkpoint import make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.model import build_model
from flows.cli import run


@pytest.fixture
def net_of(tmp_path):
    """Writes an untrained net for a game, its card changed if wanted; returns the path."""

    def write(name, **changes):
        game, config = make(name), NetConfig(blocks=1, channels=8)
        path = tmp_path / "net.safetensors"
        save_checkpoint(path, build_model(game.spec, config), make_card(game, config).model_copy(update=changes))
        return path

    return write


@pytest.mark.parametrize(
    ("trained", "changes", "game", "words"),
    [
        ("tictactoe", {}, "go-5x5", "was trained for tictactoe; this is go-5x5. Name a checkpoint of go."),
        ("tictactoe", {}, "tictactoe/misere", "misere=False, here True"),
        ("tictactoe", {"rules_version": 7}, "tictactoe", "rules 7; this is tictactoe rules 1. Retrain"),
    ],
)
@pytest.mark.parametrize("kind", ["search:{},sims=4", "net:{}", "value:{},sims=4"])
def test_a_net_of_other_rules_is_refused(net_of, capsys, trained, changes, game, words, kind):
    text = kind.format(net_of(trained, **changes))
    status = run_command(lambda: run(["match", text, "random", "--game", game, "--games", "2"]))
    (sentence,) = capsys.readouterr().err.strip().splitlines()
    assert status == USER_ERROR_EXIT_CODE
    assert sentence.startswith("IncompatibleCheckpoint: ")
    assert words in sentence


@pytest.mark.parametrize(("option", "words"), [("--games 3", "need an even number"), ("--sims 0", "need at least 1")])
def test_quantize_refuses_games_it_cannot_play(net_of, capsys, option, words):
    status = run_command(lambda: run(f"quantize {net_of('tictactoe')} --game tictactoe {option}".split()))
    assert status == USER_ERROR_EXIT_CODE
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["quantize {net} --game go-5x5", "gtp --player search:{net},sims=4", "riddles --player net:{net}"]
)
def test_other_commands_refuse_it_alike(net_of, capsys, command):
    status = run_command(lambda: run(command.format(net=net_of("tictactoe")).split()))
    assert status == USER_ERROR_EXIT_CODE
    assert "was trained for tictactoe" in capsys.readouterr().err.splitlines()[-1]
