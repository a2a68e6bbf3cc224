"""Names and numbers as MLflow takes them."""

from components.tracking.models import model_name
from components.tracking.numbers import flatten, gate_numbers, line_numbers, metric_name, numbers_in


def test_parameters_are_flattened_by_dots():
    assert flatten({"net": {"blocks": 3, "heads": {}}, "ladder": ["a"]}) == {
        "net.blocks": "3",
        "net.heads": "{}",
        "ladder": "['a']",
    }


def test_metric_names_hold_only_allowed_signs():
    assert metric_name("strength/score_vs_uct:sims=100,c=1.0") == "strength/score_vs_uct_sims_100_c_1.0"


def test_model_names_hold_no_slash_and_no_colon():
    assert model_name("go-9x9/report-9x9:komi=0.5") == "go-9x9_report-9x9_komi=0.5"


def test_only_numbers_are_metrics():
    assert numbers_in({"a": 1, "b": 0.5, "c": "x", "d": None, "e": True, "f": [1]}) == {"a": 1.0, "b": 0.5}


def test_a_line_without_held_out_games():
    assert line_numbers({"step": 5, "policy": 2.0, "validation": None}) == {"train/policy": 2.0}


def test_an_open_gate_only_promotes():
    assert gate_numbers({"verdict": "promoted", "match": None}) == {"gate/promoted": 1.0}
