"""`zeroline papers`: measure what the reports claim, and write docs/results.md from the measurements."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flows.papers.desk import Desk
    from flows.papers.plan import Plan, Row


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser(
        "papers", help="the four reports beside our results: measure what is missing, write docs/results.md"
    )
    command.add_argument("--only", nargs="+", default=[], metavar="NAME", help="sections, claims or rows; default all")
    command.add_argument("--list", action="store_true", help="show the rows, whether they are measured, and their commands")
    command.add_argument("--page", action="store_true", help="only write docs/results.md from the files in results/")
    command.add_argument("--games", type=int, metavar="N", help="games for each match, an even number, for a quick look")
    command.add_argument(
        "--projects", nargs="+", type=Path, default=[], metavar="FOLDER", help="other copies of the project whose runs count too"
    )
    command.add_argument("--mlflow", action="store_true", help="log to MLflow too")


def run(options: argparse.Namespace) -> int:
    from flows.papers.plan import load_plan

    return run_plan(load_plan(), options)


def run_plan(plan: "Plan", options: argparse.Namespace) -> int:
    """Measure what is missing of a list of measurements and write its page, in the project at hand."""
    from flows.papers.desk import Desk

    refuse_odd_games(options.games)
    desk = Desk(plan, others=tuple(options.projects), games=options.games)
    rows = desk.plan.choose(options.only)
    if options.list:
        return show_list(rows, desk)
    problems = 0 if options.page else sum(not settle(row, desk, options.mlflow) for row in rows)
    write_page(desk)
    return 1 if problems else 0


def refuse_odd_games(games: int | None) -> None:
    from components.protocols.ladders import pairs_of

    if games is not None:
        pairs_of(games)


def show_list(rows: list["Row"], desk: "Desk") -> int:
    from flows.papers.results import status_of

    for row in rows:
        status = status_of(row, desk)
        reason = "" if not status.reason else f" ({status.reason.removeprefix('not run: ')})"
        print(f"{row.id:<34} {row.kind:<14} {status.word}{reason}\n    {row.command}")
    return 0


def settle(row: "Row", desk: "Desk", is_told: bool) -> bool:
    """Measure a row if that is due; False when it could not be measured though its nets are here."""
    from components.core.errors import ZerolineError
    from flows.console import duration
    from flows.papers.measure import measure
    from flows.papers.results import status_of, write_result

    status = status_of(row, desk)
    if status.word != "to run":
        print(f"{row.id}: {status.reason or 'measured'}", flush=True)
        return True
    print(f"{row.id}: measuring{f' again, {status.reason}' if status.reason else ''}", flush=True)
    began = time.monotonic()
    try:
        numbers = measure(row, desk)
    except ZerolineError as error:
        print(f"{row.id}: not measured. {error}", flush=True)
        return False
    spent = time.monotonic() - began
    path = write_result(row, desk, numbers, spent / 60)
    print(f"{row.id}: {path.as_posix()} in {duration(spent)}", flush=True)
    if is_told:
        tell_mlflow(row, numbers)
    return True


def tell_mlflow(row: "Row", numbers: dict[str, Any]) -> None:
    from components.tracking.matches import publish_match
    from flows.settings import apply_settings

    apply_settings()
    named = {"game": "papers", "player": row.id, "opponent": row.kind, **numbers}
    problem = publish_match(Path.cwd(), f"papers {row.id}", named)
    if problem:
        print(f"Not logged to MLflow: {problem}")


def write_page(desk: "Desk") -> None:
    from components.core.files import write_text
    from flows.papers.page import PAGE, page_text

    write_text(desk.root / PAGE, page_text(desk.plan, desk.root))
    print(f"wrote {PAGE}")
