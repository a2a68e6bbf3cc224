"""The rules lab from plan to files: raise agents, play, measure, rank, find handicaps, write result.json and the page.

Called by the command. Every finished batch, match game and training round is kept, so the same command goes on after a kill
and plays nothing twice; result.json is a pure function of the plan.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from components.core.files import write_json, write_text
from components.games.contract import Game
from components.rules_lab.agents import Agent, Listener, play_all, raise_agent
from components.rules_lab.estimates import rounded, to_plain
from components.rules_lab.games import LabGame, tell_games
from components.rules_lab.handicap import BAND, Found, Trial, find_handicap
from components.rules_lab.measure import measure, play_strengths
from components.rules_lab.page import render_lab
from components.rules_lab.plan import HandicapPlan, Plan
from components.rules_lab.play import MEASURED, Mapper, make_jobs, play_here, read_jobs
from components.rules_lab.ranking import rank
from components.rules_lab.words import findings

RESULT, PAGE = "result.json", "page.html"
FORMAT = 1


class Lab:
    """One lab in one folder."""

    def __init__(self, plan: Plan, folder: Path, mapper: Mapper = play_here, tell: Listener = lambda event: None) -> None:
        self.plan, self.folder, self.mapper, self.tell = plan, folder, mapper, tell
        self.agents: dict[str, Agent] = {}

    def run(self, name: str) -> dict[str, Any]:
        """Do everything that is not done yet; returns what result.json holds."""
        measured = {label: self.measure_variant(label, game) for label, game in self.plan.variants.items()}
        config = self.plan.config
        ranking = rank(measured, config.weights.model_dump(), config.wished_turns)
        result: dict[str, Any] = {
            "format": FORMAT,
            "name": name,
            "digest": self.plan.digest,
            "game": self.plan.base.name,
            "agent": config.agent,
            "budget": config.budget.model_dump(),
            "weights": config.weights.model_dump(),
            "temperature": config.temperature,
            "temperature_plies": self.plan.drawn_plies,
            "wished_turns": config.wished_turns,
            "seed": config.seed,
            "draws_starts": bool(self.plan.base.spec.draws),
            "variants": {label: {**self.facts_of(label), **measured[label]} for label in measured},
            "ranking": ranking,
            "handicaps": [self.find(handicap) for handicap in self.plan.handicaps],
        }
        plain = to_plain(result)
        plain["findings"] = findings(plain)
        write_json(self.folder / RESULT, plain)
        write_text(self.folder / PAGE, render_lab(plain))
        return plain

    def facts_of(self, label: str) -> dict[str, Any]:
        game, agent = self.plan.variants[label], self.agents[label]
        return {
            "game": game.name,
            "rules_version": game.spec.rules_version,
            "knobs": self.plan.knobs_of(label),
            "agent": {"net": agent.digest, "note": agent.note, "search": self.plan.search_of(game).model_dump(mode="json")},
        }

    def measure_variant(self, label: str, game: Game) -> dict[str, Any]:
        budget = self.plan.config.budget
        agents = self.folder / "agents"
        agent = raise_agent(self.plan, game, budget.generations, self.plan.source, agents, self.mapper, self.tell)
        self.agents[label] = agent
        games = self.play(game, agent, budget.games, label)
        strengths = self.play_strengths(game, agent, label) if budget.match_pairs else None
        found = measure(game, games, strengths)
        self.tell({"event": "measured", "label": label, "score": found["fairness"]["first_player_score"]})
        return found

    def play(self, game: Game, agent: Agent, count: int, label: str) -> list[LabGame]:
        """The first so many games of the agent against itself."""
        seed, folder = self.plan.config.seed, self.folder / "games"
        jobs = make_jobs(game, self.plan.search_of(game), agent.net, agent.digest, seed, MEASURED, count, folder)
        play_all(jobs, self.mapper, lambda games: self.tell({"event": "games", "label": f"{label}, measured", **games}))
        return tell_games(game, read_jobs(game, jobs, count))

    def play_strengths(self, game: Game, agent: Agent, label: str) -> dict[str, Any]:
        pairs = self.plan.config.budget.match_pairs
        told = f"{label}, more search against less"
        return play_strengths(
            game, agent, self.plan.search_of(game), pairs, self.plan.config.seed, self.folder / "matches",
            lambda done: self.tell({"event": "games", "label": told, "done": done, "games": 2 * pairs}),
        )  # fmt: skip

    def find(self, handicap: HandicapPlan) -> dict[str, Any]:
        """Search the handicap's candidates with the variant's own agent, trained on where the block says so."""
        budget = self.plan.config.budget

        def points(candidate: int, games: int) -> list[float]:
            label = f"{handicap.variant}, {handicap.label} {handicap.candidates[candidate].label}"
            game = handicap.candidates[candidate].game
            return [one.first_points for one in self.play(game, self.agent_for(handicap, game), games, label)]

        found = find_handicap(len(handicap.candidates), points, budget.handicap_look, budget.handicap_games)
        self.tell({"event": "handicap", "label": handicap.label, "value": handicap.candidates[found.chosen.candidate].label,
                   "score": found.chosen.score})  # fmt: skip
        return tell_handicap(handicap, found)

    def agent_for(self, handicap: HandicapPlan, game: Game) -> Agent:
        own = self.agents[handicap.variant]
        if not handicap.generations or game.name == self.plan.variants[handicap.variant].name:
            return own
        return raise_agent(self.plan, game, handicap.generations, own.net, self.folder / "agents", self.mapper, self.tell)


def tell_handicap(handicap: HandicapPlan, found: Found) -> dict[str, Any]:
    labels = [candidate.label for candidate in handicap.candidates]
    return {
        "knobs": handicap.label,
        "variant": handicap.variant,
        "generations": handicap.generations,
        "band": BAND,
        "candidates": labels,
        "trials": [tell_trial(handicap, trial) for trial in found.trials],
        "order": [labels[place] for place in found.order],
        "chosen": tell_trial(handicap, found.chosen),
        "is_fair": found.is_fair,
        "is_ordered": found.is_ordered,
        "games": found.games,
    }


def tell_trial(handicap: HandicapPlan, trial: Trial) -> dict[str, Any]:
    numbers = {name: rounded(value) if isinstance(value, float) else value for name, value in asdict(trial).items()}
    candidate = handicap.candidates[trial.candidate]
    return {**numbers, "label": candidate.label, "game": candidate.game.name}
