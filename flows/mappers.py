"""Other ways to play shards than processes of our own: as tasks of a Prefect flow run, or on a Ray cluster.

The bytes are the same: a shard is a pure function of its job. Chosen in shards.py by what the environment offers.
"""

import logging
import multiprocessing
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from components.core.errors import ZerolineError, first_line
from components.core.files import write_bytes
from flows.shards import RETRIES, Report, ShardJob, code_digest, play_shard, start_worker, worker_count

KNOCK_SECONDS = 10.0
SECONDS_BETWEEN_LOOKS = 1.0  # at what a cluster's tasks have done


def play_as_prefect_tasks(jobs: list[ShardJob], report: Report) -> None:
    """One task per shard in a tagged flow run of its own, so that the Prefect page shows them live and retries them."""
    from prefect import flow, tags, task
    from prefect.cache_policies import NO_CACHE
    from prefect.task_runners import ThreadPoolTaskRunner

    context = multiprocessing.get_context("spawn")
    workers = min(worker_count(), len(jobs))

    @task(task_run_name="shard-{number}", retries=RETRIES, cache_policy=NO_CACHE, persist_result=False)
    def shard(number: int) -> str:
        # A process per try: a crash costs this try only, and Prefect's thread waits without holding the GIL.
        with ProcessPoolExecutor(1, mp_context=context, initializer=start_worker, initargs=(context.Queue(),)) as pool:
            return pool.submit(play_shard, jobs[number]).result()

    runner: Any = ThreadPoolTaskRunner(max_workers=workers)

    @flow(name="shards", task_runner=runner, persist_result=False)
    def shards() -> None:
        for number, future in enumerate([shard.submit(number) for number in range(len(jobs))]):
            future.result()
            report(jobs[number].shard, told_of(jobs[number]))

    with tags("zeroline", "shards"):
        shards()


def told_of(job: ShardJob) -> dict[str, float]:
    """What a finished shard tells of itself when its progress was shown elsewhere."""
    from components.data.shards import read_card

    card = read_card(Path(job.out))
    zero = dict.fromkeys(("evaluated", "net_seconds", "tree_seconds", "rules_seconds"), 0.0)
    return {"games_done": card.games, "games": card.games, "positions": card.rows, **zero}


class ClusterProblem(ZerolineError):
    """The Ray cluster cannot be reached or has lost a shard for good."""


def play_on_ray(jobs: list[ShardJob], report: Report) -> None:
    """Tasks on the cluster at RAY_ADDRESS; a lost worker's or node's shards are played again elsewhere. Needs the extra `ray`.

    The champion and our sources travel with the tasks and the finished shards come back as bytes: nodes need the installed
    dependencies, but neither a common disk nor a checkout.
    """
    left = [job for job in jobs if not Path(job.out).exists()]
    if left:
        with ray_cluster() as ray:
            play_tasks(ray, left, report)


@contextmanager
def ray_cluster() -> Iterator[Any]:
    """The library, connected. Its own errors become sentences: a shard's, or that the cluster is not there."""
    address = os.environ["RAY_ADDRESS"]
    try:
        import ray
    except ImportError:
        raise ClusterProblem(
            f"RAY_ADDRESS is {address}, but ray is not installed; run pip install -e '.[ray]' or unset RAY_ADDRESS."
        ) from None
    try:
        knock(address)
        with tempfile.TemporaryDirectory() as folder:
            copy_sources(Path(folder))
            ray.init(address, runtime_env={"working_dir": folder}, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise ClusterProblem(
            f"No Ray cluster answers at RAY_ADDRESS={address} ({first_line(error)}); start it or unset RAY_ADDRESS."
        ) from None
    try:
        yield ray
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise ClusterProblem(
            f"The Ray cluster at {address} has lost a shard {RETRIES + 1} times ({first_line(error)})."
            " Run the same command again: finished shards are kept."
        ) from None
    finally:
        ray.shutdown()


def knock(address: str) -> None:
    """Ray itself would try a silent address for many minutes. `auto` and the like name no port and are left to Ray."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS).close()


def copy_sources(folder: Path) -> None:
    """What a node needs of us, side by side as here; the project's runs beside them would travel too."""
    for package in ("components", "flows"):
        shutil.copytree(Path(__file__).parents[1] / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))


def play_tasks(ray: Any, jobs: list[ShardJob], report: Report) -> None:
    board = ray.remote(num_cpus=0, max_restarts=-1)(NoticeBoard).remote()
    play = ray.remote(num_cpus=1, max_retries=RETRIES)(play_from_bytes)
    champions = {path: ray.put(Path(path).read_bytes()) for path in {job.champion for job in jobs}}
    sources = code_digest()
    waiting = {play.remote(job, champions[job.champion], sources, board): job for job in jobs}
    while waiting:
        done, _ = ray.wait(list(waiting), num_returns=1, timeout=SECONDS_BETWEEN_LOOKS)
        for task in done:
            write_bytes(Path(waiting[task].out), ray.get(task))
            del waiting[task]
        for shard, progress in read_board(ray, board).items():
            report(shard, progress)


class NoticeBoard:
    """An actor on the cluster where the tasks leave their progress: shards by number, the newest notice of each."""

    def __init__(self) -> None:
        self.notices: dict[int, dict[str, Any]] = {}

    def note(self, shard: int, progress: dict[str, Any]) -> None:
        self.notices[shard] = progress

    def read(self) -> dict[int, dict[str, Any]]:
        return self.notices


def read_board(ray: Any, board: Any) -> dict[int, dict[str, Any]]:
    """The notices; none while the board is out of reach, since progress must not cost a shard."""
    try:
        return ray.get(board.read.remote(), timeout=SECONDS_BETWEEN_LOOKS)
    except ray.exceptions.RayError:
        return {}


def play_from_bytes(job: ShardJob, champion: bytes, sources: str, board: Any) -> bytes:
    """What a task does on its node: play the shard in a folder of its own and give its bytes back."""
    if code_digest() != sources:
        raise ClusterProblem(f"A Ray node plays with the sources in {Path(__file__).parents[1]}, which are not this project's.")
    with tempfile.TemporaryDirectory() as folder:
        net, out = Path(folder) / "champion.safetensors", Path(folder) / "shard.parquet"
        net.write_bytes(champion)
        play_shard(replace(job, champion=str(net), out=str(out)), board.note.remote)
        return out.read_bytes()
