"""Progress of the long stages in one line each: self-play and training."""

import time
from typing import Any

from flows.console import ProgressLine, duration


class SelfplayWatch:
    """Adds up what the shards report: games, positions per second, where the time goes, how long it will take."""

    def __init__(self, key: str, games: int, shards_known: int) -> None:
        self.key, self.games, self.line = key, games, ProgressLine()
        self.began, self.shards = time.monotonic(), {}  # type: tuple[float, dict[int, dict[str, Any]]]
        if shards_known:
            print(f"generate {key}: {shards_known} shards were already played", flush=True)

    def tell_memory(self, planned: str) -> None:
        print(f"generate {self.key}: every worker searches {planned}", flush=True)

    def note(self, shard: int, progress: dict[str, Any]) -> None:
        self.shards[shard] = progress
        self.line.show(self.text())

    def total(self, name: str) -> float:
        return sum(progress[name] for progress in self.shards.values())

    def text(self) -> str:
        seconds = max(1e-9, time.monotonic() - self.began)
        games, positions = self.total("games_done"), self.total("positions")
        spent = {name: self.total(f"{name}_seconds") for name in ("net", "tree", "rules")}
        busy = max(1e-9, sum(spent.values()))
        shares = " / ".join(f"{100 * part / busy:.0f} %" for part in spent.values())
        left = f", {duration(seconds * (self.games - games) / games)} left" if games else ""
        speed = f"{positions / seconds:.0f} positions/s, {self.total('evaluated') / seconds:.0f} evaluations/s"
        return f"generate {self.key}: {games:.0f} of {self.games} games, {speed}, net / tree / rules {shares}{left}"

    def finish(self, summary: dict[str, Any]) -> None:
        if self.shards:
            self.line.show(self.text(), is_last=True)
        told = f"{summary['games']} games, {summary['rows']} positions, {summary['mean_plies']:.1f} plies a game"
        results = f"first player scored {summary['first_player_score']:.3f}, {100 * summary['draw_rate']:.0f} % drawn"
        print(f"generate {self.key}: {told}; {results}", flush=True)


class TrainingWatch:
    """Shows steps, losses and speed as training goes on."""

    def __init__(self, key: str) -> None:
        self.key, self.line = key, ProgressLine()

    def note(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "progress":
            self.line.show(self.text(event), is_last=event["step"] == event["steps"])
        elif kind == "resumed":
            print(f"train {self.key}: going on from step {event['step']} of {event['steps']}", flush=True)
        elif kind in ("restart", "optimizer_new"):
            print(f"train {self.key}: {event['reason']}", flush=True)

    def text(self, event: dict[str, Any]) -> str:
        losses = ", ".join(f"{name} {event[name]:.3f}" for name in ("policy", "value") if name in event)
        rows = f", {event['rows_per_second']:.0f} rows/s" if "rows_per_second" in event else ""
        left = f", {duration(event['seconds_left'])} left" if "seconds_left" in event else ""
        return f"train {self.key}: step {event['step']} of {event['steps']}, loss {losses}{rows}{left}"
