"""Play the lab's games in batches: each is one Parquet file, a pure function of its job, and never played twice.

Called by the lab, in this process or by a mapper in others. A batch's folder is named by all that decides its games.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from components.core.files import digest_of, json_text
from components.data.schema import card_of
from components.data.shards import read_games, write_shard
from components.games.contract import Game
from components.games.registry import make
from components.nets.checkpoint import load_checkpoint
from components.nets.evaluator import NetEvaluator
from components.search.config import SearchConfig
from components.search.evaluators import Evaluator
from components.search.modes import evaluator_of
from components.selfplay.config import SelfplayConfig
from components.selfplay.play import ShardPlay
from components.selfplay.record import GameKey, GameRecord

BATCH_GAMES = 32  # in lock-step: enough to keep the net busy, few enough that a kill loses little
MEASURED = 9001  # the generation that measured games are filed under, far from those that train


@dataclass(frozen=True)
class PlayJob:
    """One batch in plain values that any process can be given."""

    game: str
    search: str  # JSON
    net: str  # path, empty for rollouts
    net_digest: str
    seed: int
    generation: int
    shard: int
    begin: int  # the games of the shard from here
    end: int  # up to here
    out: str

    @property
    def games(self) -> int:
        return self.end - self.begin


Mapper = Callable[[list[PlayJob], Callable[[PlayJob], None]], None]


def make_jobs(
    game: Game, search: SearchConfig, net: Path | None, net_digest: str, seed: int, generation: int, games: int, folder: Path
) -> list[PlayJob]:
    """Batches that hold at least this many games, those that are on the disk among them: more games later add what is missing."""
    told = search.model_dump_json()
    deciding = [game.name, game.spec.rules_version, told, net_digest, seed, generation]
    place = folder / digest_of(json_text(deciding).encode())
    jobs = []
    for shard, start in enumerate(range(0, games, BATCH_GAMES)):
        for begin, end in pieces_of(place, shard, min(BATCH_GAMES, games - start)):
            out = str(place / f"shard-{shard:03d}-{begin:02d}-{end:02d}.parquet")
            jobs.append(PlayJob(game.name, told, str(net or ""), net_digest, seed, generation, shard, begin, end, out))
    return jobs


def pieces_of(place: Path, shard: int, games: int) -> list[tuple[int, int]]:
    """(begin, end) of files that together hold a shard's first games: the longest that are there, then one for the rest."""
    known: dict[int, int] = {}
    for path in place.glob(f"shard-{shard:03d}-*.parquet"):
        begin, end = map(int, path.stem.split("-")[2:])
        known[begin] = max(end, known.get(begin, 0))
    pieces, at = [], 0
    while at < games:
        pieces.append((at, known.get(at, games)))
        at = pieces[-1][1]
    return pieces


def play_job(job: PlayJob) -> str:
    """Play a batch unless it is there; returns its path."""
    if Path(job.out).exists():
        return job.out
    game, search = make(job.game), SearchConfig.model_validate_json(job.search)
    keys = [GameKey(job.seed, job.generation, job.shard, index) for index in range(job.begin, job.end)]
    config = SelfplayConfig(games=job.games, shards=1, slots=job.games)
    records = ShardPlay(game, evaluator_for(game, search, job.net, job.games), search, config, keys).run()
    write_shard(Path(job.out), game, records, card_of(game, job.net_digest, job.search, job.generation, job.shard))
    return job.out


def evaluator_for(game: Game, search: SearchConfig, net: str, games: int) -> Evaluator:
    """The net as an evaluator of this game, whatever knobs it was trained with: the plan has checked that its planes fit."""
    if not net:
        return evaluator_of(game, search)
    model, _ = load_checkpoint(net)
    return evaluator_of(game, search, NetEvaluator(model, game, max_batch=max(games * search.leaves, 64)))


def play_here(jobs: list[PlayJob], on_done: Callable[[PlayJob], None]) -> None:
    """The mapper without processes."""
    for job in jobs:
        play_job(job)
        on_done(job)


def read_jobs(game: Game, jobs: list[PlayJob], games: int) -> list[GameRecord]:
    """The first so many games of finished batches, in order."""
    records = [record for job in jobs for record in read_games(Path(job.out), game)]
    return [record for record in records if BATCH_GAMES * record.key.shard + record.key.game < games]
