"""Does the candidate replace the champion? A match, stopped as soon as its verdict is certain, and the reason in one sentence.

Called once per generation. Promises the same verdict and the same counted games whatever the number of slots and after any kill.
Inconclusive keeps the champion: only evidence promotes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from components.evaluation.config import GateConfig
from components.evaluation.ledger import Ledger
from components.evaluation.match import default_opening_plies, match_key, play_match
from components.evaluation.result import GameRecord, MatchResult
from components.evaluation.statistics import FixedTest, SequentialTest
from components.games.contract import Game, Player

Outcome = Literal["promoted", "rejected", "inconclusive"]
Event = dict[str, Any]


@dataclass(frozen=True)
class Verdict:
    """What the gate decided and why. `result` is None when no games were asked for."""

    outcome: Outcome
    reason: str
    result: MatchResult | None
    config: GateConfig

    @property
    def is_promoted(self) -> bool:
        return self.outcome == "promoted"

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the same values on every run."""
        return {
            "verdict": self.outcome, "reason": self.reason, "gate": self.config.model_dump(),
            "match": self.result.to_dict() if self.result else None,
        }  # fmt: skip


def run_gate(
    game: Game, candidate: Player, champion: Player, config: GateConfig, seed: int, ledger: Path | None = None,
    on_event: Callable[[Event], None] | None = None, *, names: tuple[str, str] = ("candidate", "champion"),
) -> Verdict:  # fmt: skip
    """Play the candidate against the champion until the verdict is certain.

    The ledger knows the players by their names: put the nets' digests into them. `on_event` gets {"event": "gate_game", ...}
    after every game and {"event": "gate_verdict", ...} at the end.
    """
    if config.kind == "none":
        return tell(Verdict("promoted", "Promoted: this gate is open, every candidate becomes champion.", None, config), on_event)
    decide = decide_sequential if config.kind == "sequential" else decide_fixed
    plies = default_opening_plies(game) if config.opening_plies is None else config.opening_plies
    memory = Ledger(ledger) if ledger else None
    remembered = memory.finished(match_key(game, names, seed, plies)).values() if memory else []
    progress = Progress(config.planned_games, on_event, len(remembered), sum(record.points for record in remembered))
    result = play_match(
        game, candidate, champion, config.planned_games // 2, seed, config.slots,
        names=names, opening_plies=plies, ledger=memory,
        until=lambda result: decide(result, config)[0] is not None, replays=config.replays, on_game=progress.note_game,
    )  # fmt: skip
    outcome, evidence = decide(result, config)
    return tell(Verdict(outcome or "inconclusive", sentence(outcome, result, evidence), result, config), on_event)


def tell(verdict: Verdict, on_event: Callable[[Event], None] | None) -> Verdict:
    if on_event:
        on_event({"event": "gate_verdict", "verdict": verdict.outcome, "reason": verdict.reason})
    return verdict


@dataclass
class Progress:
    """Counts the games as they end, for whoever watches."""

    planned_games: int
    on_event: Callable[[Event], None] | None
    finished: int = 0
    half_points: int = 0
    voids: int = 0

    def note_game(self, record: GameRecord) -> None:
        self.voids += bool(record.void)
        self.finished += not record.void
        self.half_points += 0 if record.void else record.points
        if self.on_event:
            self.on_event({
                "event": "gate_game", "games": self.finished, "planned_games": self.planned_games,
                "points": self.half_points / 2, "void_games": self.voids, "void": record.void,
            })  # fmt: skip


def decide_sequential(result: MatchResult, config: GateConfig) -> tuple[Outcome | None, str]:
    """The verdict of the sequential test, None while it would play on, and the evidence in words."""
    test = SequentialTest(config.elo0, config.elo1, config.alpha, config.beta)
    ratio, proven = test.ratio(result.pair_counts), test.verdict(result.pair_counts)
    hypotheses = f"{config.elo1:+g} Elo against {config.elo0:+g} Elo"
    risks = f"risks {percent(config.alpha)} and {percent(config.beta)}"
    if proven == "elo1":
        return "promoted", f"log-likelihood ratio {ratio:.2f} reached {test.upper:.2f} for {hypotheses} ({risks})"
    if proven == "elo0":
        return "rejected", f"log-likelihood ratio {ratio:.2f} fell to {test.lower:.2f} for {hypotheses} ({risks})"
    bounds = f"{test.lower:.2f} and {test.upper:.2f}"
    return None, f"log-likelihood ratio {ratio:.2f} is still between {bounds} for {hypotheses}, so the champion stays"


def decide_fixed(result: MatchResult, config: GateConfig) -> tuple[Outcome | None, str]:
    """The verdict once the games left cannot change it, None before that, and the evidence in words."""
    test = FixedTest(config.games, config.threshold, config.strict, config.draws == "half")
    passes = test.verdict(result.wins, result.draws, result.losses)
    needs = f"{'more than' if config.strict else 'at least'} {percent(config.threshold)} of {config.games} games needed"
    if not test.draws_count:
        decided = result.wins + result.losses
        needs += f" and draws left out ({result.wins} of {decided} decided games won)" if decided else " and no game decided"
    left = config.games - result.games
    if passes is None:
        return None, f"{needs}; {left} games could not be finished and would decide, so the champion stays"
    return "promoted" if passes else "rejected", needs + (f"; the {left} games left cannot change this" if left else "")


def sentence(outcome: Outcome | None, result: MatchResult, evidence: str) -> str:
    """For example: Promoted: 26 wins, 3 draws, 11 losses in 40 games, score 68.8 % (95 % interval ...); ..."""
    low, high = result.interval
    tally = [(result.wins, "win", "wins"), (result.draws, "draw", "draws"), (result.losses, "loss", "losses")]
    won = ", ".join(counted(*entry) for entry in tally)
    played = f"in {counted(result.games, 'game', 'games')} ({result.distinct_games} distinct)"
    measured = f"score {percent(result.score)} (95 % interval {percent(low)} to {percent(high)})"
    voids = (
        f"; {counted(len(result.voids), 'void game', 'void games')}, the last: {result.voids[-1].rstrip('.')}"
        if result.voids
        else ""
    )
    return f"{(outcome or 'inconclusive').capitalize()}: {won} {played}, {measured}; {evidence}{voids}."


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
