"""Play a generation's shards: who plays them (the mapper) and what one worker does.

Called by the generate stage. A shard is a pure function of its job: the same bytes whatever the mapper, the number of workers
or the kills in between. Finished shards wait in the work folder and are never played twice.
"""

import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Empty
from typing import Any

from components.core.errors import BadFile, BadParameter, ZerolineError
from components.core.files import digest_of

RETRIES = 2
Report = Callable[[int, dict[str, Any]], None]


@dataclass(frozen=True)
class ShardJob:
    """Everything that decides a shard, in plain values that any process or machine can be given."""

    game: str
    seed: int
    search: str  # JSON of the search as this generation plays it
    selfplay: str  # JSON
    champion: str  # path
    champion_digest: str  # empty when another player plays
    generation: int
    shard: int
    code: str  # digest of the sources that play
    out: str  # where the finished shard goes

    @property
    def digest(self) -> str:
        """Names the shard by all that decides its bytes; where the files lie does not."""
        decisive = {name: value for name, value in asdict(self).items() if name not in ("out", "champion")}
        return digest_of(json.dumps(decisive, sort_keys=True).encode())


SELFPLAY_ROOMS = ("core", "games", "search", "nets", "selfplay", "data")
ORACLE_ROOMS = (*SELFPLAY_ROOMS, "players", "evaluation")


def code_digest(rooms: tuple[str, ...] = SELFPLAY_ROOMS) -> str:
    """Digest of the sources that decide how games are played and written: edited code never finds old shards."""
    root = Path(__file__).parents[1] / "components"
    paths = sorted(path for room in rooms for path in (root / room).rglob("*.py"))
    return digest_of(b"".join(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() for path in paths))


def play_shard(job: ShardJob, report: Report = lambda shard, progress: None) -> str:
    """Play one shard and write it whole; returns its path. Safe to call again."""
    if Path(job.out).exists():
        return job.out
    from components.data.schema import card_of
    from components.data.shards import write_shard
    from components.games.registry import make
    from components.selfplay.config import SelfplayConfig
    from components.selfplay.record import GameKey

    game, config = make(job.game), SelfplayConfig.model_validate_json(job.selfplay)
    keys = [GameKey(job.seed, job.generation, job.shard, index) for index in range(config.games_of_shard(job.shard))]
    play = play_oracle if config.players else play_champion
    records = play(job, game, config, keys, report)
    write_shard(Path(job.out), game, records, card_of(game, job.champion_digest, job.search, job.generation, job.shard))
    return job.out


def drop_damaged(jobs: list[ShardJob]) -> list[str]:
    """Delete waiting shards that no longer read well, so that they are played again; returns their names.

    Otherwise a generation would fail on its copy of such a file for ever, however often the copy is deleted.
    """
    damaged = [Path(job.out) for job in jobs if Path(job.out).exists() and not is_sound(job)]
    for path in damaged:
        path.unlink()
    return [path.name for path in damaged]


def is_sound(job: ShardJob) -> bool:
    """Whether a waiting shard can be read to its last row."""
    from components.data.shards import read_shard
    from components.games.registry import make

    try:
        read_shard(Path(job.out), make(job.game))
    except BadFile:
        return False
    return True


def play_champion(job: ShardJob, game: Any, config: Any, keys: list[Any], report: Report) -> list[Any]:
    """Self-play: the champion with its search on both sides."""
    from components.nets.evaluator import NetEvaluator
    from components.search.config import SearchConfig
    from components.search.modes import evaluator_of
    from components.selfplay.play import Progress, ShardPlay

    search = SearchConfig.model_validate_json(job.search)
    net = NetEvaluator(Path(job.champion), game, precision=config.precision, max_batch=max(config.slots * search.leaves, 64))
    evaluator = evaluator_of(game, search, net)
    told_at = 0.0

    def tell(progress: Progress) -> None:
        nonlocal told_at
        if time.monotonic() - told_at > 0.5:
            told_at = time.monotonic()
            report(job.shard, progress_dict(progress))

    play = ShardPlay(game, evaluator, search, config, keys)
    records = play.run(tell)
    report(job.shard, progress_dict(Progress(len(records), len(keys), play.positions, play.forest.clock)))
    return records


def play_oracle(job: ShardJob, game: Any, config: Any, keys: list[Any], report: Report) -> list[Any]:
    """Recorded games of the player that the parameters name; the champion only watches."""
    from components.evaluation.recorded import play_recorded
    from components.players.registry import make_player
    from components.search.forest import Clock
    from components.selfplay.play import Progress

    done = positions = 0

    def tell(record: Any) -> None:
        nonlocal done, positions
        done, positions = done + (not record.void), positions + len(record.actions)
        report(job.shard, progress_dict(Progress(done, len(keys), positions, Clock())))

    player, ledger = make_player(config.players, game), Path(job.out).with_suffix(".games.jsonl")
    return play_recorded(game, player, config.players, keys, config.opening_plies, config.slots, ledger, tell)


def progress_dict(progress: Any) -> dict[str, Any]:
    clock = progress.clock
    return {
        "games_done": progress.games_done,
        "games": progress.games,
        "positions": progress.positions,
        "evaluated": clock.evaluated,
        "net_seconds": clock.net,
        "tree_seconds": clock.tree,
        "rules_seconds": clock.rules,
    }


def worker_count() -> int:
    """One per core unless ZEROLINE_WORKERS says otherwise; the bytes do not depend on it."""
    text = os.environ.get("ZEROLINE_WORKERS", "")
    if text and (not text.isdigit() or int(text) < 1):
        raise BadParameter(f"ZEROLINE_WORKERS is '{text}'; need a number of processes from 1 up.")
    return int(text) if text else len(os.sched_getaffinity(0))


_reports: Any = None


def start_worker(reports: Any) -> None:
    """Give a worker process the way to tell its progress, and let it end with its parent even if that is killed."""
    global _reports
    _reports = reports
    # Ctrl-C reaches workers too: one sentence from the stage is enough, without a traceback from each of them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent()


def die_with_parent() -> None:
    """Linux: ask the kernel to end this process when its parent is gone, so that kill -9 of a stage leaves no orphans."""
    import ctypes

    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except (OSError, AttributeError):
        return
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid != os.getppid():
        os._exit(1)  # it went while we were starting, before the kernel knew: nobody would ever end us


def play_and_tell(job: ShardJob) -> str:
    return play_shard(job, lambda shard, progress: _reports.put((shard, progress)))


def play_locally(jobs: list[ShardJob], report: Report) -> None:
    """The default mapper: processes on this machine. What fails or dies is played again; a user's error is told at once."""
    for failures in range(RETRIES + 1):
        left = [job for job in jobs if not Path(job.out).exists()]
        if not left:
            return
        try:
            play_in_pool(left, report)
            return
        except ZerolineError:
            raise
        except Exception:
            if failures == RETRIES:
                raise


def play_in_pool(jobs: list[ShardJob], report: Report) -> None:
    context = multiprocessing.get_context("spawn")
    reports = context.Queue()
    workers = min(worker_count(), len(jobs))
    with ProcessPoolExecutor(workers, mp_context=context, initializer=start_worker, initargs=(reports,)) as pool:
        waiting = {pool.submit(play_and_tell, job) for job in jobs}
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=0.3, return_when=FIRST_COMPLETED)
                pass_on(reports, report)
                for future in done:
                    future.result()
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, KeyboardInterrupt):
                end_workers()
            raise


def end_workers() -> None:
    """Whoever presses Ctrl-C does not wait for shards of minutes; a pool's own end would."""
    for worker in multiprocessing.active_children():
        worker.terminate()


def pass_on(reports: Any, report: Report) -> None:
    while True:
        try:
            report(*reports.get_nowait())
        except Empty:
            return


def choose_mapper() -> Callable[[list[ShardJob], Report], None]:
    """Ray when RAY_ADDRESS is set, Prefect tasks when a Prefect server is configured, else processes of our own."""
    if os.environ.get("RAY_ADDRESS"):
        from flows.mappers import play_on_ray

        return play_on_ray
    if os.environ.get("PREFECT_API_URL"):
        from flows.mappers import play_as_prefect_tasks

        return play_as_prefect_tasks
    return play_locally
