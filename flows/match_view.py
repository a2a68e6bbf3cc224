"""What a match looks like while it is played and when it is over: a live table on a screen, lines now and then in a log."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from flows.console import ProgressLine, duration

if TYPE_CHECKING:
    from rich.table import Table

    from components.evaluation.result import MatchResult
    from flows.match_command import Running


class MatchView:
    """Shows a running match; use it as a context."""

    def __init__(self, game: str, games: int) -> None:
        self.game, self.games = game, games
        self.began, self.known = time.monotonic(), -1
        self.is_screen = sys.stdout.isatty()
        self.line = ProgressLine()
        self.live: Any = None
        self.last: Running | None = None

    def __enter__(self) -> "MatchView":
        if self.is_screen:
            from rich.live import Live

            self.live = Live(refresh_per_second=4, transient=True)
            self.live.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.live is not None:
            self.live.__exit__(kind, error, trace)
        if kind is KeyboardInterrupt and self.last is not None:
            # The live table is wiped when it ends: what it said last must not be lost with it.
            print(f"\n{self.text(self.last)}", flush=True)

    def show(self, running: "Running") -> None:
        self.last = running
        if self.known < 0:
            self.known = len(running.records)
        if self.live is not None:
            self.live.update(self.table(running))
        else:
            self.line.show(self.text(running), is_last=len(running.records) >= self.games)

    def tally(self, running: "Running") -> tuple[int, int, int, float]:
        """(wins, draws, losses, score) so far; half a point for a draw."""
        points = [record.points for record in running.records]
        wins, draws, losses = points.count(2), points.count(1), points.count(0)
        return wins, draws, losses, (wins + draws / 2) / max(1, len(points))

    def left(self, running: "Running") -> str:
        played = len(running.records) - self.known
        if played <= 0:
            return ""
        return duration((time.monotonic() - self.began) / played * max(0, self.games - len(running.records)))

    def text(self, running: "Running") -> str:
        wins, draws, losses, score = self.tally(running)
        left = self.left(running)
        told = f"{len(running.records)} of {self.games} games, +{wins} ={draws} -{losses}, score {score:.3f}"
        voids = f", {len(running.voids)} void and played again" if running.voids else ""
        return f"{running.names[0]} against {running.names[1]}: {told}{voids}{f', {left} left' if left else ''}"

    def table(self, running: "Running") -> "Table":
        from rich.table import Table

        from components.evaluation.statistics import wilson_interval

        wins, draws, losses, score = self.tally(running)
        low, high = wilson_interval(score, len(running.records))
        table = Table(title=f"{self.game}: {running.names[0]} against {running.names[1]}")
        for column in ("games", "won", "drawn", "lost", "score", "95 %", "plies", "void", "left"):
            table.add_column(column, justify="right")
        plies = sum(record.plies for record in running.records) / max(1, len(running.records))
        table.add_row(
            f"{len(running.records)}/{self.games}", str(wins), str(draws), str(losses), f"{score:.3f}", f"{low:.2f}-{high:.2f}",
            f"{plies:.0f}", str(len(running.voids)), self.left(running),
        )  # fmt: skip
        return table


def print_summary(result: "MatchResult", summary: dict[str, Any]) -> None:
    low, high = result.interval
    print(
        f"{result.names[0]} scored {result.points:g} of {result.games} against {result.names[1]}: {result.score:.3f} "
        f"(95 % {low:.3f} to {high:.3f}), +{result.wins} ={result.draws} -{result.losses}"
    )
    told = {
        "median margin": summary["median_margin"], "median plies": summary["median_plies"],
        "median search depth": summary["median_depth"], "median least breadth": summary["median_least_breadth"],
        "seconds per move": summary["player_seconds_per_move"], "opponent's": summary["opponent_seconds_per_move"],
    }  # fmt: skip
    print("  " + ", ".join(f"{name} {value:.4g}" for name, value in told.items() if value is not None))
    for version in filter(None, summary["versions"]):
        print(f"  played by {version}")
    if summary["forfeits"]:
        print(f"  {summary['forfeits']} games were resigned or lost by an illegal move")
    if result.voids:
        print(f"  {len(result.voids)} games could not be played: {result.voids[0]}")


def ladder_table(game: str, player: str, rows: list[list[str]]) -> "Table":
    from rich.table import Table

    table = Table(title=f"{game}: the ladder of {player}")
    table.add_column("opponent")
    for column in ("games", "won", "drawn", "lost", "score", "95 %", "Elo", "margin", "s/move"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(*row)
    return table
