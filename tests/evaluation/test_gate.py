"""The gate: verdicts, reasons, early ends, resuming."""

import json

import pytest
from evaluation_fakes import AlwaysFailing, LowestAction, WinTaker, result_of, untimed
from pydantic import ValidationError

from components.evaluation.config import GATE_PRESETS, GateConfig
from components.evaluation.gate import decide_fixed, decide_sequential, run_gate, sentence
from components.games.players import RandomPlayer
from components.games.registry import make

STRONG, WEAK = (1, 1), (-1, -1)


@pytest.fixture(scope="module")
def game():
    return make("tictactoe")


def test_open_gate_promotes_without_a_game(game):
    verdict = run_gate(game, AlwaysFailing(), AlwaysFailing(), GATE_PRESETS["none"], seed=0)
    assert verdict.is_promoted
    assert verdict.result is None
    assert "every candidate" in verdict.reason


def test_better_candidate_is_promoted_and_worse_one_rejected(game):
    for config in (GateConfig(slots=4), GateConfig(kind="fixed", slots=4)):
        assert run_gate(game, WinTaker(), RandomPlayer(), config, seed=1).outcome == "promoted"
        assert run_gate(game, RandomPlayer(), WinTaker(), config, seed=1).outcome == "rejected"


def test_sequential_gate_without_evidence_is_inconclusive(game):
    verdict = run_gate(game, LowestAction(), LowestAction(), GateConfig(max_games=12, elo0=-30, elo1=30), seed=0)
    assert verdict.outcome == "inconclusive"
    assert not verdict.is_promoted
    assert "so the champion stays" in verdict.reason


def test_early_end_saves_games(game):
    played = []
    verdict = run_gate(game, RandomPlayer(), WinTaker(), GateConfig(kind="fixed", slots=2), 1, on_event=played.append)
    assert verdict.result.games < 40
    assert sum(event["event"] == "gate_game" for event in played) <= verdict.result.games + 4
    assert "games left cannot change this" in verdict.reason
    assert played[-1] == {"event": "gate_verdict", "verdict": "rejected", "reason": verdict.reason}


def test_slots_change_nothing(game):
    told = [run_gate(game, WinTaker(), RandomPlayer(), GateConfig(slots=slots), seed=2) for slots in (1, 64)]
    assert told[0].reason == told[1].reason
    assert untimed(told[0].result) == untimed(told[1].result)


def test_killed_gate_goes_on_and_ends_alike(game, tmp_path):
    path, config = tmp_path / "gate.jsonl", GateConfig(slots=3)
    undisturbed = run_gate(game, WinTaker(), RandomPlayer(), config, 2, path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:9]) + b'{"match":"tic')
    events = []
    resumed = run_gate(game, WinTaker(), RandomPlayer(), config, 2, path, events.append)
    assert resumed.to_dict() == undisturbed.to_dict()
    assert events[0]["games"] == 10  # nine remembered


def test_reason_has_everything_a_reader_asks_for():
    result = result_of(*[STRONG] * 12, (1, 0), (1, -1), *[WEAK] * 6)
    outcome, evidence = decide_fixed(result, GateConfig(kind="fixed"))
    reason = sentence(outcome, result, evidence)
    assert reason.startswith("Promoted: 26 wins, 1 draw, 13 losses in 40 games (40 distinct), score 66.2 % (95 % interval ")
    assert reason.endswith("more than 60.0 % of 40 games needed.")


@pytest.mark.parametrize(
    ("preset", "outcome"), [("fixed-60", "rejected"), ("fixed-55", "promoted"), ("report-organism", "promoted")]
)
def test_presets_differ_at_exactly_60_percent(preset, outcome):
    assert decide_fixed(result_of(*[STRONG] * 12, *[WEAK] * 8), GATE_PRESETS[preset])[0] == outcome


def test_all_drawn_match_does_not_promote_under_the_report_gate():
    outcome, evidence = decide_fixed(result_of(*[(0, 0)] * 20), GATE_PRESETS["report-organism"])
    assert outcome == "rejected"
    assert "no game decided" in evidence


def test_sequential_evidence_names_the_bound_it_reached():
    outcome, evidence = decide_sequential(result_of(*[STRONG] * 30), GateConfig())
    assert outcome == "promoted"
    assert "reached 2.94 for +50 Elo against +0 Elo" in evidence
    assert decide_sequential(result_of(*[WEAK] * 30), GateConfig())[0] == "rejected"
    assert decide_sequential(result_of(STRONG), GateConfig())[0] is None


def test_gate_without_a_finished_game_keeps_the_champion(game):
    for kind in ("fixed", "sequential"):
        verdict = run_gate(game, AlwaysFailing(), LowestAction(), GateConfig(kind=kind, games=4, max_games=4, replays=0), seed=0)
        assert verdict.outcome == "inconclusive"
        assert "4 void games, the last: candidate: the engine does not answer." in verdict.reason


def test_verdict_is_json(game):
    verdict = run_gate(game, WinTaker(), RandomPlayer(), GateConfig(kind="fixed", games=4), seed=0)
    told = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert told["verdict"] in ("promoted", "rejected")
    assert told["match"]["games"] <= 4


@pytest.mark.parametrize("values", [{"games": 41}, {"elo0": 50, "elo1": 50}, {"threshold": 1.0}, {"kind": "maybe"}, {"game": 40}])
def test_impossible_gates_are_refused(values):
    with pytest.raises(ValidationError):
        GateConfig(**values)
