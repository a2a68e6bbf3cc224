"""Other ways to play shards than processes of our own: as tasks of a Prefect flow run, or on a Ray cluster.

The bytes are the same: a shard is a pure function of its job. Chosen in shards.py by what the environment offers.
"""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from flows.shards import RETRIES, Report, ShardJob, play_shard, start_worker, worker_count


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


def play_on_ray(jobs: list[ShardJob], report: Report) -> None:
    """Tasks on the cluster at RAY_ADDRESS; a lost node's shards are played again elsewhere. Needs the extra `ray`.

    The champion travels with the task and the finished shard comes back as bytes: nodes need no common disk.
    """
    import ray

    from components.core.files import write_bytes

    ray.init(address="auto", ignore_reinit_error=True, log_to_driver=False)
    remote = ray.remote(max_retries=RETRIES, num_cpus=1)(play_from_bytes)
    left = [job for job in jobs if not Path(job.out).exists()]
    waiting = {remote.remote(job, Path(job.champion).read_bytes()): job for job in left}
    while waiting:
        done, _ = ray.wait(list(waiting), num_returns=1)
        job = waiting.pop(done[0])
        write_bytes(Path(job.out), ray.get(done[0]))
        report(job.shard, told_of(job))


def play_from_bytes(job: ShardJob, champion: bytes) -> bytes:
    import tempfile
    from dataclasses import replace

    with tempfile.TemporaryDirectory() as folder:
        net, out = Path(folder) / "champion.safetensors", Path(folder) / "shard.parquet"
        net.write_bytes(champion)
        play_shard(replace(job, champion=str(net), out=str(out)))
        return out.read_bytes()
