"""Measuring: every kind of row writes its file and its part of the page, nothing is played twice, nothing is invented."""

import json
import shutil

import numpy as np
import pytest
from paper_samples import MATCH, papers, plan_of, result, save_net

from components.core.errors import BadParameter
from flows.papers.nets import NoNet, count_turns, find_net, training_of
from flows.papers.plan import NetSource

ROWS = {
    "match": {"game": "golad-6x6", "player": "search:{golad},sims=4", "opponent": "random-bot", "games": 4},
    "equal-time": {
        "game": "tictactoe", "player": "search:{ttt},sims={sims}", "opponent": "uct:sims=20", "games": 2, "pilot_games": 2,
    },
    "one-sided": {"game": "go-5x5", "player": "uct:sims=8", "opponent": ["gtp:no-such-engine", "random-eyes"], "games": 3},
    "self-score": {"game": "tictactoe", "player": "search:{ttt},sims=4,temperature=1,temperature_plies=9", "games": 4},
    "time-per-move": {"game": "golad-6x6", "player": "search:{golad},sims=4", "games": 2},
    "tournament": {
        "game": "tictactoe", "entries": {"random": "random", "ours": "search:{ttt},sims=4", "rollouts": "uct:sims=4"},
        "anchor": "random", "games": 4,
    },
}  # fmt: skip
SCORED = ("match", "equal-time", "one-sided", "self-score")


def files_of(folder):
    """Every file's bytes but the page's."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".md"}


@pytest.mark.parametrize("kind", ROWS)
def test_every_kind_writes_its_file_and_its_part_of_the_page(project, kind, capsys):
    plan = plan_of({"id": "one", "kind": kind, **ROWS[kind]})
    assert papers(plan) == 0
    found, page = result(project, "one"), (project / "docs" / "results.md").read_text()
    assert found["command"] == "python -m flows papers --only one"
    assert f"`{found['command']}`" in page
    assert found["machine"]["processor"] in page
    assert "not measured yet" not in page
    if kind in SCORED:
        assert found["numbers"]["games"] == ROWS[kind]["games"]
        assert f"**{found['numbers']['score']:.3f}**" in page
    for net in plan.row("one").nets:
        assert found["nets"][net]["path"] == f"champions/{net}.safetensors"
        assert found["sources"][net] == found["nets"][net]["digest"]
    before = files_of(project)
    assert papers(plan) == 0
    assert "one: measured" in capsys.readouterr().out
    assert files_of(project) == before  # a second run plays nothing


def test_a_stand_in_is_named_as_one(project):
    papers(plan_of({"id": "one", "kind": "one-sided", **ROWS["one-sided"]}))
    numbers = result(project, "one")["numbers"]
    assert (numbers["opponent"], numbers["stand_in_for"]) == ("random-eyes", "gtp:no-such-engine")
    assert "`random-eyes` (stands in for `gtp:no-such-engine`" in (project / "docs" / "results.md").read_text()
    assert numbers["median_depth"] >= 1
    assert numbers["median_margin"] <= numbers["far_margin"]


def test_equal_time_tells_the_simulations_it_found_and_both_times(project):
    papers(plan_of({"id": "one", "kind": "equal-time", **ROWS["equal-time"]}))
    numbers = result(project, "one")["numbers"]
    assert f"sims={numbers['simulations']} [" in numbers["player"]
    assert numbers["trials"][0]["simulations"] == 100
    ratio = numbers["player_seconds"] / numbers["opponent_seconds"]
    assert numbers["seconds_ratio"] == pytest.approx(ratio, abs=0.02)
    assert numbers["slots"] == 1


def test_seconds_per_turn_add_up_over_the_choices_of_a_turn(project):
    papers(plan_of({"id": "one", "kind": "time-per-move", **ROWS["time-per-move"]}))
    numbers = result(project, "one")["numbers"]
    assert numbers["turns"] <= numbers["choices"]
    totals = [numbers[f"mean_per_{what}"] * numbers[f"{what}s"] for what in ("turn", "choice")]
    assert totals[0] == pytest.approx(totals[1], rel=0.01)


def test_a_missing_net_is_told_and_not_invented(project, capsys):
    plan = plan_of({"id": "here", **MATCH}, {"id": "gone", **MATCH, "player": "net:{absent}"})
    assert papers(plan) == 0
    told = "needs champions/absent.safetensors or a champion of papers-golad-8x8, made by `python -m flows run papers/golad-8x8`"
    assert f"gone: not run: {told}" in capsys.readouterr().out
    assert (project / "results" / "here.json").exists()
    assert not (project / "results" / "gone.json").exists()
    page = (project / "docs" / "results.md").read_text()
    assert f"- `gone`: `python -m flows papers --only gone`; {told}" in page
    papers(plan, "--list")
    listed = capsys.readouterr().out
    assert "measured" in listed
    assert f"not run ({told})" in listed


def test_a_quick_look_says_so_and_the_next_run_plays_the_rest_only(project, capsys):
    plan = plan_of({"id": "one", **MATCH, "games": 8})
    assert papers(plan, "--games", "4") == 0
    quick = result(project, "one")
    assert (quick["games"], quick["numbers"]["games"]) == (4, 4)
    assert quick["command"] == "python -m flows papers --only one --games 4"
    assert "a quick look: 4 of 8 games" in (project / "docs" / "results.md").read_text()
    ledger = project / ".zeroline" / "papers" / "one" / "games.jsonl"
    first = ledger.read_text()
    assert papers(plan) == 0
    assert result(project, "one")["numbers"]["games"] == 8
    assert ledger.read_text().startswith(first)
    assert len(ledger.read_text().splitlines()) == 8
    assert "quick look" not in (project / "docs" / "results.md").read_text()
    assert papers(plan, "--games", "4") == 0  # a quick look never replaces the measurement
    assert result(project, "one")["numbers"]["games"] == 8


def test_another_net_or_setting_is_measured_again_and_a_net_that_went_away_is_not(project, capsys):
    plan = plan_of({"id": "one", **MATCH})
    papers(plan)
    first = result(project, "one")
    save_net(project / "champions" / "ttt.safetensors", "tictactoe", seed=2)
    papers(plan)
    second = result(project, "one")
    assert first["sources"] != second["sources"]
    papers(plan_of({"id": "one", **MATCH, "seed": 2}))
    assert "measured with other settings" in capsys.readouterr().out
    third = result(project, "one")
    (project / "champions" / "ttt.safetensors").unlink()
    papers(plan_of({"id": "one", **MATCH, "seed": 2}))
    assert "its nets are not here" in capsys.readouterr().out
    assert result(project, "one") == third


def test_a_row_that_fails_is_told_and_the_others_go_on(project, capsys):
    wrong = {"id": "wrong", **MATCH, "opponent": "gtp:gnugo"}
    assert papers(plan_of(wrong, {"id": "right", **MATCH})) == 1
    assert "wrong: not measured. 'gtp:gnugo' speaks GTP" in capsys.readouterr().out
    assert not (project / "results" / "wrong.json").exists()
    assert (project / "results" / "right.json").exists()


def test_a_tournament_leaves_out_an_engine_that_is_not_here(project):
    entries = {"random": "random-eyes", "engine": "gtp:no-such-engine", "pass": "pass"}
    row = {"id": "one", "kind": "tournament", "game": "go-5x5", "entries": entries, "anchor": "random", "games": 2}
    papers(plan_of(row))
    numbers = result(project, "one")["numbers"]
    assert list(numbers["left_out"]) == ["engine"]
    assert sorted(numbers["crosstable"][0][6:]) == ["pass", "random"]
    assert "engine did not play: There is no program" in (project / "docs" / "results.md").read_text()


def test_games_come_in_pairs(project):
    with pytest.raises(BadParameter, match="even number"):
        papers(plan_of({"id": "one", **MATCH}), "--games", "3")


def test_the_page_alone_plays_nothing(project):
    papers(plan_of({"id": "one", **MATCH}), "--page")
    assert [path.name for path in project.iterdir()] != []
    assert not (project / "results").exists()
    assert "not measured yet, `one`" in (project / "docs" / "results.md").read_text()


def test_curves_and_losses_come_from_a_run(project, line):
    shutil.copytree(line, project / "copy")
    curve = {"kind": "curve", "experiment": "ttt", "opponents": ["random"]}
    rows = [
        {"id": "curve", **curve, "game": "tictactoe", "player": "search:{champion},sims=4", "games": 4},
        {"id": "losses", "kind": "losses", "experiment": "ttt"},
        {"id": "newest", **MATCH, "player": "search:{line},sims=4"},
    ]  # fmt: skip
    assert papers(plan_of(*rows), "--projects", "copy") == 0
    points, losses = result(project, "curve")["numbers"]["points"], result(project, "losses")["numbers"]
    assert [point["generation"] for point in points] == ["g00", "g01", "g02"]
    assert points[0]["trained"] == {"games": 0, "game_turns": 0, "minutes": 0, "scale": 1.0}
    assert all(point["scores"]["random"]["games"] == 4 for point in points)
    last = points[-1]
    generations = [
        path for path in sorted((line / "runs" / "ttt").glob("g0*/selfplay.json")) if path.parent.name <= last["generation"]
    ]
    rows_played = [json.loads(path.read_text())["rows"] for path in generations]
    assert last["trained"]["game_turns"] == sum(rows_played)  # in tic-tac-toe a ply is a turn
    assert last["trained"]["minutes"] is not None
    assert losses["steps"] == losses["lines"][-1]["step"]
    newest = result(project, "newest")["nets"]["line"]
    assert newest["path"].startswith("runs/ttt/champions/g0")
    assert "copy" not in json.dumps(result(project, "newest"))
    page = (project / "docs" / "results.md").read_text()
    assert "game turns" in page
    assert "value, held-out games" in page


def test_a_net_may_be_the_nth_champion_or_one_of_few_game_turns(line):
    turns = [training_of(line, "ttt", generation)["game_turns"] for generation in ("g01", "g02")]
    assert 0 < turns[0] < turns[1]
    wanted = {
        "g02": NetSource(experiment="ttt"),
        "g01": NetSource(experiment="ttt", champion=1),
        "g01.": NetSource(experiment="ttt", turns=turns[1] - 1),
        "g02.": NetSource(experiment="ttt", turns=turns[1]),
    }
    for generation, source in wanted.items():
        net = find_net("one", source, [line])
        assert net.path.stem == generation.rstrip(".")
        assert net.facts["game_turns"] == turns[int(net.path.stem[1:]) - 1]
    for source in (NetSource(experiment="ttt", champion=3), NetSource(experiment="ttt", turns=turns[0] - 1)):
        with pytest.raises(NoNet, match=r"of ttt.*made by `python -m flows run ttt`"):
            find_net("one", source, [line])


def test_training_counts_that_of_the_net_it_started_from(line, tmp_path):
    project = tmp_path / "transferred"
    shutil.copytree(line, project)
    experiments, generations = (line / "params.yaml").read_text().split("\ngenerations:")
    block = experiments.removeprefix("experiments:\n").replace("ttt:", "more:", 1)
    started = block.replace("seed: 1", "seed: 1\n    start: runs/ttt/champions/g01.safetensors")
    (project / "params.yaml").write_text(f"{experiments}\n{started}\ngenerations:{generations}")
    before, after = training_of(project, "ttt", "g01"), training_of(project, "more", "g00")
    assert before["games"] == 24
    assert after == before


def test_a_net_may_be_the_newest_one_of_few_minutes(line, monkeypatch):
    minutes = {"g01": 40.0, "g02": 61.0}
    monkeypatch.setattr(
        "flows.papers.nets.training_of", lambda project, experiment, last: {"minutes": minutes[last], "game_turns": 1}
    )
    assert find_net("one", NetSource(experiment="ttt", minutes=60), [line]).path.stem == "g01"
    with pytest.raises(NoNet, match="made in at most 30 minutes"):
        find_net("one", NetSource(experiment="ttt", minutes=30), [line])


def test_a_turn_of_several_plies_is_one_turn():
    # Game a: player 0 takes three plies, player 1 one; game b begins with player 1, who moved last in a.
    assert count_turns(np.array(list("aaaabb")), np.array([0, 0, 0, 1, 1, 0])) == 4
    assert count_turns(np.array([]), np.array([])) == 0
