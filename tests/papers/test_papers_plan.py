"""The list of measurements, and the page made of what is committed."""

import json
from pathlib import Path

import pytest
from paper_samples import MATCH, plan_of
from pydantic import ValidationError

from components.core.errors import UnknownName
from components.games.registry import make
from components.players.registry import make_player
from flows.papers.nets import NET_NAME
from flows.papers.page import PAGE, page_text
from flows.papers.plan import load_plan
from flows.papers.results import RESULTS, is_as_asked

ROOT = Path(__file__).parents[2]
FACTS = {"row", "asked", "games", "sources", "nets", "numbers", "minutes", "machine", "load", "command"}


def test_the_page_is_what_the_generator_makes_of_the_committed_results():
    assert (ROOT / PAGE).read_text() == page_text(load_plan(), ROOT), "run `python -m flows papers --page`"


def test_every_committed_result_is_of_a_row_as_it_is_listed():
    plan = load_plan()
    rows = {row.id: row for row in plan.rows}
    for path in (ROOT / RESULTS).glob("*.json"):
        found = json.loads(path.read_text())
        assert path.stem == found["row"]
        assert found["row"] in rows
        assert set(found) == FACTS
        assert is_as_asked(rows[path.stem], found), f"{path.name} was measured with other settings; measure it again"


def test_the_committed_results_name_no_folder_of_a_machine():
    for path in (ROOT / RESULTS).glob("*.json"):
        assert "/root/" not in path.read_text()
        assert "/home/" not in path.read_text()


@pytest.mark.parametrize("section", ["golad-6x6", "golad-8x8", "golad-18x16", "organism-3", "go-9x9", "go-13x13", "comparisons"])
def test_the_list_has_every_section_with_games_and_players_that_exist(section):
    for row in load_plan().rows_of(section):
        if not getattr(row, "game", ""):
            continue
        game = make(row.game)
        for text in row.players():
            if not NET_NAME.search(text) and not text.startswith(("gnugo", "pachi")):
                make_player(text, game)


@pytest.mark.parametrize("text", [f"table-{number}" for number in (1, 2, 3, 4)])
def test_the_tables_of_the_go_report_are_claims_with_rows(text):
    assert all(row.kind == "one-sided" for row in load_plan().choose([text]))


def test_a_word_may_be_a_section_a_claim_or_a_row():
    plan = load_plan()
    assert plan.choose([]) == list(plan.rows)
    assert plan.choose(["go-13x13"]) == plan.rows_of("go-13x13")
    assert [row.id for row in plan.choose(["golad-6x6-random-bot"])] == [
        "golad-6x6-report-random-bot",
        "golad-6x6-ours-random-bot",
    ]
    assert [row.id for row in plan.choose(["organism-3-equal-time"])] == ["organism-3-equal-time"]
    with pytest.raises(UnknownName, match="no section, claim or row 'chess'"):
        plan.choose(["chess"])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"player": "search:{nobody},sims=4"}, "names the net 'nobody'"),
        ({"games": 3}, "multiple of 2"),
        ({"kind": "equal-time"}, "where its simulations go"),
        ({"simulations": 4}, "Extra inputs"),
    ],
)
def test_a_wrong_row_is_refused(change, problem):
    with pytest.raises(ValidationError, match=problem):
        plan_of({"id": "one", **MATCH, **change})


def test_a_row_is_there_once():
    with pytest.raises(ValidationError, match="row one is there twice"):
        plan_of({"id": "one", **MATCH}, {"id": "one", **MATCH})
