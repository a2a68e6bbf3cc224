"""Bring up a variant's agent: the start net carried over, then rounds of self-play and training. Resumable at every step.

Called by the lab. There is no gate: a handful of rounds from a trained net is fine-tuning, and the last net is the agent.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.core.files import digest_of, json_text
from components.data.config import WindowConfig
from components.data.shards import entry_of
from components.data.window import Window, choose_window
from components.games.contract import Game
from components.nets.checkpoint import make_card, read_card, save_checkpoint
from components.nets.config import NetConfig
from components.rules_lab.plan import Plan
from components.rules_lab.play import Mapper, PlayJob, make_jobs
from components.training.config import NEW, TrainConfig
from components.training.start import first_net
from components.training.trainer import TrainRequest, train

TRAIN = TrainConfig(batch_size=128, uses_per_row=3.0, learning_rate=1e-3, schedule="cosine")
WINDOW = WindowConfig(generations=4)
Listener = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Agent:
    """Who plays a variant's games."""

    net: Path | None  # None: rollouts
    digest: str  # of the weights
    note: str  # where it is from, in words


def raise_agent(
    plan: Plan, game: Game, generations: int, start: Path | None, folder: Path, mapper: Mapper, tell: Listener
) -> Agent:
    """The agent of a game after so many rounds from a start net; what is there already is not done again."""
    if not plan.has_net:
        return Agent(None, "", f"{plan.config.agent}, no net")
    place = folder / agent_digest(plan, game, generations, start)
    net = place / "g00.safetensors"
    if not net.exists():
        first = first_net(game, plan.net, str(start) if start else NEW, plan.config.seed)
        save_checkpoint(net, first.model, make_card(game, plan.net, generation=0, note=first.note))
    note = read_card(net).note
    window = Window(())
    for generation in range(1, generations + 1):
        net, window = train_round(plan, game, generation, net, window, place, mapper, tell)
    rounds = f", then {generations} rounds of {plan.config.budget.train_games} games" if generations else ""
    return Agent(net, read_card(net).parameters_digest, note + rounds)


def agent_digest(plan: Plan, game: Game, generations: int, start: Path | None) -> str:
    """Names an agent's folder by all that decides its weights; more rounds later go on from the same folder."""
    source = read_card(start).parameters_digest if start else ""
    budget = (plan.config.budget.train_games, plan.config.budget.train_simulations) if generations else ()
    net: NetConfig = plan.net
    deciding = [game.name, game.spec.rules_version, source, net.model_dump(mode="json"), list(budget), plan.config.seed]
    return digest_of(json_text(deciding).encode())


def train_round(
    plan: Plan, game: Game, generation: int, parent: Path, window: Window, place: Path, mapper: Mapper, tell: Listener
) -> tuple[Path, Window]:
    """(the net after one round of self-play and training, the rows that it was trained on)."""
    label = f"{game.name} round {generation}"
    digest = read_card(parent).parameters_digest
    jobs = make_jobs(game, plan.training_search(game), parent, digest, plan.config.seed, generation,
                     plan.config.budget.train_games, place / f"g{generation:02d}")  # fmt: skip
    play_all(jobs, mapper, lambda games: tell({"event": "games", "label": f"{label}, self-play", **games}))
    chosen = choose_window(window, [entry_of(Path(job.out), place) for job in jobs], WINDOW)
    net, report = place / f"g{generation:02d}.safetensors", place / f"g{generation:02d}.json"
    if not report.exists():
        request = TrainRequest(
            game=game.name, net=plan.net, config=TRAIN, window=chosen, window_config=WINDOW, root=place,
            seed=plan.config.seed, generation=generation, parent=parent, candidate=net, report=report,
            work=place / f"work-g{generation:02d}",
        )  # fmt: skip
        train(request, lambda event: tell({**event, "event": f"training_{event['event']}", "label": label}))
    return net, chosen


def play_all(jobs: list[PlayJob], mapper: Mapper, tell: Callable[[dict[str, int]], None]) -> None:
    """Play the batches that are missing; tells the games done before and after each."""
    missing = [job for job in jobs if not Path(job.out).exists()]
    total = sum(job.games for job in jobs)
    done = total - sum(job.games for job in missing)

    def note(job: PlayJob) -> None:
        nonlocal done
        done += job.games
        tell({"done": done, "games": total})

    if missing:
        tell({"done": done, "games": total})
        mapper(missing, note)
