"""Everything the lab measures of one variant: its games through every measurement, and the match of two strengths."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from components.core.files import digest_of
from components.evaluation.ledger import Ledger
from components.evaluation.match import play_match
from components.games.contract import Game
from components.players.search import SearchPlayer
from components.rules_lab.agents import Agent
from components.rules_lab.classes import margin_unit
from components.rules_lab.comeback import comeback_of
from components.rules_lab.decisiveness import decisiveness_of
from components.rules_lab.dominance import dominance_of, search_effect
from components.rules_lab.fairness import fairness_of
from components.rules_lab.games import LabGame
from components.rules_lab.pace import pace_of
from components.rules_lab.play import BATCH_GAMES, evaluator_for
from components.rules_lab.variety import variety_of
from components.search.config import SearchConfig

MORE_SEARCH = 4  # times the simulations: plain to see where thinking helps, and cheap enough to play


def measure(game: Game, games: Sequence[LabGame], search: dict[str, Any] | None) -> dict[str, Any]:
    """All measurements of a variant, Estimates inside."""
    return {
        "games": len(games),
        "fairness": fairness_of(games),
        "pace": pace_of(games),
        "decisiveness": decisiveness_of(games),
        "margin_unit": margin_unit(game),
        "variety": variety_of(games),
        "dominance": dominance_of(games),
        "comeback": comeback_of(games),
        "search": search,
    }


def play_strengths(
    game: Game, agent: Agent, search: SearchConfig, pairs: int, seed: int, folder: Path, tell: Callable[[int], None]
) -> dict[str, Any]:
    """The agent with four times the simulations against itself with once, sides swapped; finished games are in the ledger."""
    few, many = search.simulations, MORE_SEARCH * search.simulations
    names = (strength_name(many, agent), strength_name(few, agent))
    ledger = Ledger(folder / f"{digest_of('|'.join((game.name, *names)).encode())}.jsonl")
    players = [strength_player(search, simulations, agent) for simulations in (many, few)]
    match = play_match(
        game, players[0], players[1], pairs, seed, BATCH_GAMES, names=names, ledger=ledger,
        on_game=lambda record: tell(len(ledger.records)),
    )  # fmt: skip
    return search_effect(match, few, many)


def strength_name(simulations: int, agent: Agent) -> str:
    """What the ledger knows a player by: another net is another player."""
    return f"{simulations} simulations {agent.digest[:16] or 'rollouts'}"


def strength_player(search: SearchConfig, simulations: int, agent: Agent) -> SearchPlayer:
    """As strong as it can with so many simulations: nothing is drawn, the start position is what differs."""
    own = search.model_copy(update={"simulations": simulations, "temperature_plies": 0})
    return SearchPlayer(own, lambda game: evaluator_for(game, own, str(agent.net or ""), BATCH_GAMES))
