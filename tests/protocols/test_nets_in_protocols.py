"""One net at many boards: other sizes, another komi or ko rule, another round limit than it was trained with."""

import numpy as np
import pytest
from protocol_fakes import converse

from components.games.registry import make
from components.nets.checkpoint import make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.model import build_model
from components.protocols.lines import Line
from components.protocols.riddles import RiddlesBot
from components.protocols.thinking import Thinker, with_knobs
from components.tracking.matches import publish_match


def net_file(folder, name, config):
    game = make(name)
    path = folder / f"{game.family}.safetensors"
    save_checkpoint(path, build_model(game.spec, config, 3), make_card(game, config))
    return path


@pytest.mark.parametrize("mode", ["puct", "gumbel"])
def test_a_tower_plays_every_size_komi_and_ko(tmp_path, mode):
    path = net_file(tmp_path, "go-9x9", NetConfig(blocks=1, channels=8))
    lines = ["komi 0.5", "genmove b", "komi 6", "genmove w", "boardsize 7", "clear_board", "genmove b", "lz-genmove_analyze w 1"]
    for ko in ("positional", "simple"):
        answers, engine = converse(lines, player=f"search:{path},sims=8,mode={mode},precision=fp32", side=5, ko=ko)
        assert [status for status, _ in answers] == ["="] * len(lines)
        assert float(engine.table.game.rules.komi) == 6


def test_the_champion_plays_at_any_size():
    """The net of the nearest size where none of this one is shipped: a controller sets the board, not the user."""
    answers, _ = converse(["genmove b", "boardsize 13", "clear_board", "genmove b"], player="champion,sims=4", side=5)
    assert [status for status, _ in answers] == ["="] * 4


def test_the_net_sees_the_komi_that_is_played(tmp_path):
    path = net_file(tmp_path, "go-9x9", NetConfig(blocks=1, channels=8))
    thinker, game = Thinker(f"search:{path},sims=2,precision=fp32", lambda: 0.0), make("go-5x5:komi=0.5")
    thinker.sit(with_knobs(game, move_cap=300), game)
    assert thinker.evaluator.game is game
    states = thinker.game.new_states(1)
    states[0] = thinker.game.start()
    planes = np.zeros((1, game.spec.planes, 5, 5), dtype=np.float32)
    game.kernels.encode_many(game.rules, states, np.zeros(1, dtype=np.int64), planes)
    assert (planes[0] == game.encode(game.start())).all()


def test_remembered_evaluations_are_forgotten_under_another_komi(tmp_path):
    path = net_file(tmp_path, "go-9x9", NetConfig(blocks=1, channels=8))
    text = f"search:{path},sims=4,precision=fp32"
    plain, remembering = (Thinker(text + more, lambda: 0.0) for more in ("", ",cache_entries=1000"))
    told = []
    for komi in ("0.5", "6.5"):
        game = make(f"go-5x5:komi={komi}")
        for thinker in (plain, remembering):
            thinker.sit(game)
            told.append(thinker.think(game.start()).value)
    assert told[0] == told[1]
    assert told[2] == told[3]
    assert told[0] != told[2]  # the komi is one of the planes


def test_a_net_for_one_size_refuses_the_others(tmp_path):
    path = net_file(tmp_path, "go-9x9/report-9x9", NetConfig(architecture="report-go-9x9"))
    answers, engine = converse(["boardsize 5", "boardsize 9", "genmove b"], player=f"net:{path},precision=fp32", side=9)
    assert answers[0] == ("?", "unacceptable size")
    assert [status for status, _ in answers[1:]] == ["=", "="]
    assert float(engine.table.game.rules.komi) == 0.5


def test_a_golad_net_plays_another_size_and_round_limit(tmp_path):
    path = net_file(tmp_path, "golad-8x8", NetConfig(blocks=1, channels=8))
    bot = RiddlesBot(f"search:{path},sims=8,precision=fp32")
    for name, value in {"your_botid": 1, "time_per_move": 500, "field_width": 6, "field_height": 6, "max_rounds": 7}.items():
        bot.hear(Line(f"settings {name} {value}", bot.clock()))
    bot.hear(Line("update game field " + ",".join("0.0.0.0.0.0.0.0.0.1.1.1.1.1.1.1.1.1.."[:36]), bot.clock()))
    bot.hear(Line("update game round 3", bot.clock()))
    assert bot.hear(Line("action move 10000", bot.clock())).split()[0] in ("pass", "kill", "birth")
    assert int(bot.game.rules.max_rounds) == 7


def test_a_match_is_one_run_in_mlflow_however_often_it_is_told(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed")
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    summary = {"game": "go-5x5", "player": "uct:sims=8", "opponent": "random", "games": 4, "score": 0.75, "elo": None}
    for score in (0.5, 0.75, 0.75):
        assert publish_match(tmp_path, "the match", {**summary, "score": score}) is None
    client = mlflow.MlflowClient(f"sqlite:///{tmp_path / 'mlflow.db'}")
    (run,) = client.search_runs([client.get_experiment_by_name("go-5x5").experiment_id])
    assert run.data.metrics == {"games": 4.0, "score": 0.75}
    assert run.data.params["player"] == "uct:sims=8"
