"""Nets, lists of measurements and the command itself, as the tests of the reports use them."""

import json

from components.core.command import OneSentenceParser
from components.games.registry import make
from components.nets.checkpoint import make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.model import build_model
from flows import papers_command
from flows.papers.plan import Plan

NETS = {
    "golad": {"path": "champions/golad.safetensors", "experiment": "golad-6x6"},
    "ttt": {"path": "champions/ttt.safetensors", "experiment": "ttt"},
    "line": {"experiment": "ttt"},
    "absent": {"path": "champions/absent.safetensors", "experiment": "papers-golad-8x8"},
}
MATCH = {"kind": "match", "game": "tictactoe", "player": "search:{ttt},sims=4", "opponent": "random", "games": 4}


def save_net(path, game_name, seed=1):
    game, config = make(game_name), NetConfig(blocks=1, channels=8)
    save_checkpoint(path, build_model(game.spec, config, seed), make_card(game, config))


def plan_of(*rows):
    """A list with one claim for each row."""
    claims = [{"id": f"claim-{row['id']}", "section": "all", "says": "?", "report": "0.70", "ours": [row["id"]]} for row in rows]
    sections = {"all": {"title": "All", "text": "Everything."}}
    return Plan.model_validate({"sections": sections, "nets": NETS, "claims": claims, "rows": list(rows)})


def papers(plan, *words):
    """`zeroline papers WORDS` with this list instead of the project's."""
    root = OneSentenceParser()
    papers_command.add_parser(root.add_subparsers())
    return papers_command.run_plan(plan, root.parse_args(["papers", *words]))


def result(project, row):
    return json.loads((project / "results" / f"{row}.json").read_text())
