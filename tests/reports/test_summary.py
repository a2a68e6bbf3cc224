"""The numbers of a report are those of the files, seen from the champion's side."""

import pytest
from tiny_line import NAME

from components.config import load_params
from components.core.files import read_json
from components.layout import Layout
from components.reports.summary import collect, gate_numbers, headline, line_to, numbers_of, score_against

MATCH = {"player": "g01", "opponent": "random", "score": 0.75, "interval": [0.6, 0.9], "games": 20}


@pytest.fixture(scope="module")
def summary(line):
    return collect(load_params(line), NAME, Layout(NAME, line))


def test_numbers_are_those_of_the_files(summary, line):
    layout = Layout(NAME, line)
    told = summary["generations"]["g01"]
    assert told["selfplay"]["mean_plies"] == read_json(layout.selfplay("g01"))["mean_plies"]
    assert told["losses"]["policy_last"] == read_json(layout.training("g01"))["history"][-1]["policy"]
    assert told["gate"]["score"] == read_json(layout.gate("g01"))["match"]["score"]
    ratings = {rating["name"]: rating["elo"] for rating in read_json(layout.tournament)["ratings"]}
    assert summary["champion"]["elo"] == ratings[summary["champion"]["generation"]]
    assert summary["ladder"]["random"]["elo"] == 0


def test_a_rejected_candidate_leaves_the_parents_champion(summary):
    for values in list(summary["generations"].values())[1:]:
        parent = summary["generations"][values["parent"]]
        expected = parent["champion"] if not values["gate"]["promoted"] else values["champion"]
        assert values["champion"] == expected
        assert "elo" in values


def test_score_is_turned_when_the_opponents_name_comes_first():
    tournament = {"matches": [MATCH]}
    assert score_against("g01", "random", tournament) == {"score": 0.75, "low": 0.6, "high": 0.9, "games": 20}
    turned = score_against("random", "g01", tournament)
    assert turned["score"] == 0.25
    assert (turned["low"], turned["high"]) == pytest.approx((0.1, 0.4))
    assert score_against("g01", "kill", tournament) is None


def test_a_match_without_games_is_no_score():
    assert score_against("g01", "random", {"matches": [{**MATCH, "games": 0}]}) is None


def test_an_open_gate_has_no_score():
    told = gate_numbers({"verdict": "promoted", "reason": "Open.", "match": None, "gate": {"kind": "none"}})
    assert told == {"promoted": 1, "verdict": "promoted", "reason": "Open."}


def test_the_line_leaves_branches_out():
    parents = {"g00": "", "g01": "g00", "g02": "g01", "g02b": "g01", "g03": "g02b"}
    assert line_to("g03", {name: {"parent": parent} for name, parent in parents.items()}) == ["g00", "g01", "g02b", "g03"]


def test_metrics_hold_numbers_only(summary):
    def leaves(values):
        for value in values.values():
            yield from leaves(value) if isinstance(value, dict) else [value]

    assert all(isinstance(value, int | float) for value in leaves(numbers_of(summary)))
    assert numbers_of(summary)["generations"]["g01"]["gate"]["promoted"] in (0, 1)


def test_headline_names_champion_rating_and_scores(summary):
    text = headline(summary)
    assert f"Champion {summary['champion']['generation']}" in text
    assert "against random" in text
    assert "of 2 candidates" in text
