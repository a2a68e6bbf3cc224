"""`mlflow models serve` answers {state} -> {policy, value}, from the stored model alone."""

import json
import urllib.error
import urllib.request

import pytest
from servers import mlflow_command
from tiny_line import NAME

from components.games.registry import make
from components.layout import Layout
from components.tracking.answers import NetAnswers

pytestmark = pytest.mark.slow


def ask(address, states):
    body = json.dumps({"dataframe_records": [{"state": state} for state in states]}).encode()
    request = urllib.request.Request(f"{address}/invocations", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)["predictions"]


def test_served_net_answers_like_the_net(published):
    game = make("tictactoe")
    position = game.after(game.start(), 4)
    states = [position.tobytes().hex(), game.text.draw(game, position), "X X X\nO O .\n. . .\nO to move"]
    candidate = Layout(NAME, published).candidate("g02")
    expected = NetAnswers(candidate, prior_temperature=1.0).answer(states)
    # Without PYTHONPATH and outside the project: the model brings the code it needs.
    with mlflow_command(
        ["models", "serve", "-m", "models:/tictactoe@candidate", "--env-manager", "local"], published, "/ping"
    ) as address:
        answers = ask(address, states)
        assert [json.loads(answer["policy"]) for answer in answers] == [
            pytest.approx(json.loads(policy), abs=1e-5) for policy, _ in expected
        ]
        assert [answer["value"] for answer in answers] == pytest.approx([value for _, value in expected], abs=1e-5)
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(address, ["nonsense"])
        assert refused.value.code == 400
        assert "Not a tic-tac-toe position" in refused.value.read().decode()


def test_a_stored_model_holds_code_and_weights_and_no_pickle(published):
    stored = next((published / "mlartifacts").rglob("MLmodel")).parent
    assert (stored / "code" / "components" / "games" / "tictactoe" / "rules.py").exists()
    assert list(stored.rglob("*.safetensors"))
    assert not list(stored.rglob("__pycache__"))
    assert not list(stored.rglob("*.pkl"))
