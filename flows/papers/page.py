"""docs/results.md from the files in results/. Pure: the same files and the same list give the same bytes on every machine.

What is not measured is listed as such, with the command that would measure it and the one that makes the nets it needs.
"""

from collections.abc import Callable
from pathlib import Path

from flows.papers.cells import (
    NOTHING,
    Machines,
    Result,
    between,
    caveat,
    code,
    figure,
    number,
    opponent,
    seconds,
    table,
    thinking,
    thousands,
    trained,
)
from flows.papers.plan import BaseRow, Claim, CurveRow, LossesRow, Plan, made_by
from flows.papers.results import read_result

PAGE = "docs/results.md"
MOST_LOSS_LINES = 12
Measured = list[tuple[BaseRow, Result]]
HEAD = """\
# The four reports beside our results

Made by `python -m flows papers`, which measures what is missing and writes this page from the files in `results/`; do not edit
it, run `python -m flows papers --page`. The command beside a number makes it again once its file `results/ROW.json` is deleted.
`python -m flows papers --list` shows what is measured here and what a missing row needs.

Scores count half a point for a draw and carry 95 % intervals. Unless a table says otherwise a match plays every start with both
sides. *Its method* is the report's agent as we rebuilt it; *ours* is what this line makes of the same game. A player's text
states its budget (`sims` is simulations per choice), the seconds beside it are measured. A net's minutes are those of self-play,
training and gate up to its generation; a game turn is one player's turn, however many choices it takes.
"""


def page_text(plan: Plan, root: Path = Path()) -> str:
    machines = Machines()
    results = {row.id: read_result(root, row) for row in plan.rows}
    parts = [HEAD]
    for section in plan.sections:
        parts.append(section_text(plan, section, results, machines))
    if machines.names:
        parts.append("\n".join(["## Machines", "", *machines.lines(), ""]))
    return "\n".join(parts)


def section_text(plan: Plan, section: str, results: dict[str, Result | None], machines: Machines) -> str:
    title = plan.sections[section]
    lines = [f"## {title.title}", "", title.text.strip(), ""]
    lines += [*claims_table(plan, plan.claims_of(section), results), ""]
    rows: list[BaseRow] = list(plan.rows_of(section))
    found = [(row, results[row.id]) for row in rows]
    measured = [(row, result) for row, result in found if result is not None]
    for kinds, show in SHOWN.items():
        own = [(row, result) for row, result in measured if result["asked"]["kind"] in kinds]
        lines += show(own, machines) if own else []
    lines += missing_lines(plan, [row for row, result in found if result is None])
    return "\n".join(lines)


def claims_table(plan: Plan, claims: list[Claim], results: dict[str, Result | None]) -> list[str]:
    def cell(names: tuple[str, ...]) -> str:
        return "<br>".join(figure(plan.row(name), results[name]) for name in names) or NOTHING

    rows = [[claim.says, claim.report, cell(claim.reproduced), cell(claim.ours)] for claim in claims]
    return table(["claim or question", "the report", "its method, run by us", "ours"], rows)


def match_lines(measured: Measured, machines: Machines) -> list[str]:
    header = ["row", "player", "opponent", "games", "score", "95 %", "s per move", "trained", "machine", "command"]
    rows = []
    for row, result in measured:
        numbers = result["numbers"]
        rows.append([
            code(row.id) + caveat(row, result), code(numbers["player"]), opponent(numbers), str(numbers["games"]),
            f"{numbers['score']:.3f}", between(*numbers["interval"]), thinking(numbers), trained(result),
            machines.letter(result), code(result["command"]),
        ])  # fmt: skip
    return ["Matches:", "", *table(header, rows), "", *noted(measured)]


def one_sided_lines(measured: Measured, machines: Machines) -> list[str]:
    header = [
        "row", "player, first in every game", "opponent", "games (distinct)", "score", "95 %", "median margin", "90th percentile",
        "plies", "max depth", "min breadth", "s per game", "s per move", "trained", "machine", "command",
    ]  # fmt: skip
    rows = []
    for row, result in measured:
        numbers = result["numbers"]
        rows.append([
            code(row.id) + caveat(row, result), code(numbers["player"]), opponent(numbers),
            f"{numbers['games']} ({numbers['distinct_games']})", f"{numbers['score']:.3f}", between(*numbers["interval"]),
            number(numbers["median_margin"], "+.1f"), number(numbers["far_margin"], "+.1f"), number(numbers["median_plies"], "g"),
            number(numbers["median_depth"], "g"), number(numbers["median_least_breadth"]),
            seconds(numbers["median_seconds_per_game"]), thinking(numbers), trained(result), machines.letter(result),
            code(result["command"]),
        ])  # fmt: skip
    return [
        "One-sided games (medians over games; intervals from distinct games):",
        "",
        *table(header, rows),
        "",
        *noted(measured),
    ]


def time_lines(measured: Measured, machines: Machines) -> list[str]:
    header = [
        "row",
        "player",
        "games",
        "s per turn",
        "median",
        "95 % within",
        "slowest",
        "s per choice",
        "trained",
        "machine",
        "command",
    ]
    rows = []
    for row, result in measured:
        numbers = result["numbers"]
        spread = [seconds(numbers[f"{name}_per_turn"]) for name in ("mean", "median", "slow", "slowest")]
        rows.append([
            code(row.id) + caveat(row, result), code(numbers["player"]), str(numbers["games"]), *spread,
            seconds(numbers["mean_per_choice"]), trained(result), machines.letter(result), code(result["command"]),
        ])  # fmt: skip
    return ["Time per move, one game at a time:", "", *table(header, rows), "", *noted(measured)]


def tournament_lines(measured: Measured, machines: Machines) -> list[str]:
    lines = []
    for row, result in measured:
        numbers = result["numbers"]
        told = f"{numbers['games']} games a pairing, machine {machines.letter(result)}, {trained(result)}"
        lines += [f"Tournament {code(row.id)}{caveat(row, result)}, {code(result['command'])}: {told}", ""]
        header, *rows = numbers["crosstable"]
        spent = numbers["seconds_per_move"]
        rows = [[*line[:6], seconds(spent[line[0]]), *line[6:]] for line in rows]
        lines += [*table([*header[:6], "s per move", *header[6:]], rows), ""]
        lines += [f"- {name}: {code(text)}" for name, text in numbers["players"].items() if name != text]
        lines += [f"- {name} did not play: {why}" for name, why in numbers["left_out"].items()]
        lines += [""] if lines[-1] else []
    return lines + noted(measured)


def curve_lines(measured: Measured, machines: Machines) -> list[str]:
    lines = []
    for row, result in measured:
        points = result["numbers"]["points"]
        opponents = list(dict.fromkeys(name for point in points for name in point["scores"]))
        lines += [f"Curve {code(row.id)}{caveat(row, result)}, {code(result['command'])}, machine {machines.letter(result)}:", ""]
        lines += [
            *table(["generation", "games trained on", "game turns", "minutes", *opponents], curve_rows(points, opponents)),
            "",
        ]
    return lines + noted(measured)


def curve_rows(points: list[Result], opponents: list[str]) -> list[list[str]]:
    rows = []
    for point in points:
        known = point["trained"]
        scores = [point["scores"].get(name) for name in opponents]
        told = [
            f"{one['score']:.3f} ({between(one['low'], one['high'])}, {one['games']} games)" if one else NOTHING for one in scores
        ]
        counts = [thousands(known["games"]), thousands(known["game_turns"]), number(known["minutes"], ".0f")]
        rows.append([point["generation"], *counts, *told])
    return rows


def losses_lines(measured: Measured, machines: Machines) -> list[str]:
    lines = []
    for row, result in measured:
        entries = result["numbers"]["lines"]
        stride = max(1, -(-len(entries) // MOST_LOSS_LINES))
        kept = [*entries[:-1:stride], entries[-1]]
        rows = [
            [thousands(one["step"]), one["generation"], *(f"{one[loss]:.4f}" for loss in ("total", "policy", "value")),
             number(one["value_held_out"], ".4f")]
            for one in kept
        ]  # fmt: skip
        lines += [f"Losses {code(row.id)}, {code(result['command'])}, machine {machines.letter(result)}:", ""]
        lines += [*table(["step", "generation", "total", "policy", "value", "value, held-out games"], rows), ""]
    return lines + noted(measured)


def noted(measured: Measured) -> list[str]:
    notes = [f"- {code(row.id)}: {row.note.strip()}" for row, _ in measured if row.note]
    return [*notes, ""] if notes else []


SHOWN: dict[tuple[str, ...], Callable[[Measured, Machines], list[str]]] = {
    ("match", "equal-time"): match_lines,
    ("one-sided", "self-score"): one_sided_lines,
    ("time-per-move",): time_lines,
    ("tournament",): tournament_lines,
    ("curve",): curve_lines,
    ("losses",): losses_lines,
}


def missing_lines(plan: Plan, rows: list[BaseRow]) -> list[str]:
    if not rows:
        return []
    return ["Not measured yet:", "", *(f"- {code(row.id)}: {code(row.command)}{needs(plan, row)}" for row in rows), ""]


def needs(plan: Plan, row: BaseRow) -> str:
    sources = [plan.nets[name] for name in row.nets]
    wanted = [f"{source.wanted}, made by {code(source.made_by)}" for source in sources]
    if isinstance(row, CurveRow | LossesRow):
        wanted.append(f"the run of {row.experiment}, made by {code(made_by(row.experiment))}")
    return f"; needs {'; '.join(wanted)}" if wanted else ""
