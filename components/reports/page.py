"""The report page: one HTML file with everything in it, readable offline, on a phone and in the dark.

Called by the report stage with values that others collected; pure text in, text out. Everything that comes from files or
parameters is escaped.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from components.reports.plots import INK
from components.reports.replays import SIDES, DrawnGame, DrawnTurn
from components.reports.style import CSS
from components.reports.summary import headline, percent

Values = dict[str, Any]
SECTIONS = {
    "strength": "Strength",
    "losses": "Losses",
    "games": "Games",
    "gates": "Gate history",
    "times": "Time per stage",
    "replays": "Three games",
    "parameters": "Parameters",
    "again": "How to make this again",
}


@dataclass(frozen=True)
class PageContent:
    """What the page shows."""

    summary: Values
    plots: Mapping[str, str]  # SVG text by name
    seconds: Mapping[str, float]  # by stage
    replays: list[DrawnGame]
    replayed: str  # the generation that the replays are from
    parameters: str  # the experiment's block as YAML
    commands: str


def render_page(content: PageContent) -> str:
    summary = content.summary
    parts = {
        "strength": [tiles(summary), figure(content, "strength"), strength_table(summary)],
        "losses": [figure(content, "losses"), loss_table(summary)],
        "games": [figure(content, "games"), games_table(summary)],
        "gates": [figure(content, "gates"), gate_table(summary)],
        "times": [time_table(content.seconds)],
        "replays": [f'<p class="soft">From the self-play of {escape(content.replayed)}. The number in brackets is what the search'
                    " expected for the mover, from -1 to 1.</p>", *map(replay, content.replays)],
        "parameters": [f'<pre class="block">{escape(content.parameters)}</pre>'],
        "again": [f'<pre class="block">{escape(content.commands)}</pre>'],
    }  # fmt: skip
    sections = "\n".join(
        f'<section id="{name}"><h2>{SECTIONS[name]}</h2>\n{"".join(pieces)}</section>' for name, pieces in parts.items()
    )
    title = f"{summary['experiment']}: {summary['game']}"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">\n'
        f"<style>{CSS}</style></head>\n<body><main>\n{header(summary)}\n{sections}\n</main></body></html>\n"
    )


def header(summary: Values) -> str:
    links = "".join(f'<a href="#{name}">{title}</a>' for name, title in SECTIONS.items())
    scale = "" if summary["scale"] == 1 else f", at {summary['scale']:g} of its preset's scale"
    return (
        f"<header><h1>{escape(summary['experiment'])}</h1><p class='soft'>Self-play of {escape(summary['game'])}, "
        f"{len(summary['generations']) - 1} generations{scale}</p><p class='verdict'>{escape(headline(summary))}</p>"
        f"<nav>{links}</nav></header>"
    )


def tiles(summary: Values) -> str:
    champion = summary["champion"]
    shown = [(champion["generation"], "champion")]
    if "elo" in champion:
        shown.append((f"{champion['elo']:.0f}", f"Elo, {summary['anchor']} = 0"))
    shown += [
        (percent(score["score"]), f"against {opponent}, {score['games']} games") for opponent, score in champion["scores"].items()
    ]
    cells = "".join(f'<div class="tile"><b>{escape(number)}</b><span>{escape(label)}</span></div>' for number, label in shown)
    return f'<div class="tiles">{cells}</div>'


def figure(content: PageContent, name: str) -> str:
    """A plot inside the page: without its XML head, and inked in the page's own text colour."""
    svg = re.sub(r"^.*?(?=<svg)", "", content.plots[name], flags=re.DOTALL).replace(INK, "currentColor")
    # Without a width in points the drawing fills its column; its viewBox keeps the shape.
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1), count=1)
    return f'<figure role="img" aria-label="{SECTIONS[name]} by generation">{svg}</figure>'


def table(head: Iterable[str], rows: Iterable[Iterable[str]], text_columns: tuple[int, ...] = ()) -> str:
    """Cells are HTML; the columns named hold sentences."""
    kinds = dict.fromkeys(text_columns, " class=text")
    top = "".join(f"<th{kinds.get(place, '')}>{cell}</th>" for place, cell in enumerate(head))
    lines = ["".join(f"<td{kinds.get(place, '')}>{cell}</td>" for place, cell in enumerate(row)) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def generations_with(summary: Values, part: str) -> list[tuple[str, Values]]:
    return [(escape(name), values[part]) for name, values in summary["generations"].items() if part in values]


def strength_table(summary: Values) -> str:
    """Scores and ratings of the champion after each generation, intervals beside them."""
    opponents = list(summary["ladder"])
    rows = []
    for name, values in summary["generations"].items():
        elo = f"{values['elo']:.0f} <small>{values['elo_low']:.0f} to {values['elo_high']:.0f}</small>" if "elo" in values else ""
        cells = [score_cell(values["scores"].get(opponent)) for opponent in opponents]
        rows.append([escape(name), escape(values["champion"]), elo, *cells])
    head = ["generation", "champion", f"Elo ({escape(summary['anchor'])} = 0)", *(f"vs {escape(name)}" for name in opponents)]
    return table(head, rows) + '<p class="soft">Small numbers are 95 % intervals. Draws count half.</p>'


def score_cell(score: Values | None) -> str:
    return f"{percent(score['score'])} <small>{percent(score['low'])} to {percent(score['high'])}</small>" if score else ""


def loss_table(summary: Values) -> str:
    rows = [
        [name, f"{losses['steps']:,}", f"{losses['rows']:,}", *(loss_cell(losses, loss) for loss in ("policy", "value"))]
        for name, losses in generations_with(summary, "losses")
    ]
    return table(["generation", "steps", "rows", "policy loss, first to last", "value loss, first to last"], rows)


def loss_cell(losses: Values, loss: str) -> str:
    held_out = f" <small>held out {losses[f'{loss}_held_out']:.3f}</small>" if f"{loss}_held_out" in losses else ""
    return f"{losses[f'{loss}_first']:.3f} → {losses[f'{loss}_last']:.3f}{held_out}"


def games_table(summary: Values) -> str:
    head = ["generation", "games", "distinct", "positions", "plies per game", "first player's score", "draws"]
    rows = [
        [name, f"{games['games']:,}", f"{games['distinct_games']:,}", f"{games['rows']:,}", f"{games['mean_plies']:.1f}",
         f"{100 * games['first_player_score']:.1f} %", f"{100 * games['draw_rate']:.1f} %"]
        for name, games in generations_with(summary, "selfplay")
    ]  # fmt: skip
    return table(head, rows)


def gate_table(summary: Values) -> str:
    rows = [
        [name, f'<b class="{gate["verdict"]}">{gate["verdict"]}</b>', score_cell(gate if "score" in gate else None),
         f"{gate['games']}" if "games" in gate else "", escape(gate["reason"])]
        for name, gate in generations_with(summary, "gate")
    ]  # fmt: skip
    return table(["generation", "verdict", "score", "games", "reason"], rows, text_columns=(4,))


def time_table(seconds: Mapping[str, float]) -> str:
    longest, total = max(seconds.values(), default=0), sum(seconds.values())
    rows = [
        [escape(stage), span(spent), f'<span class="bar" style="width:{100 * spent / max(longest, 1e-9):.1f}%"></span>']
        for stage, spent in seconds.items()
    ]
    drawn = table(["stage", "time", ""], rows).replace('<td><span class="bar"', '<td class="chart"><span class="bar"')
    return f"<p>{span(total)} in all, on the machine that wrote this page; each stage as it last ran.</p>{drawn}"


def span(seconds: float) -> str:
    """For example 4.2 s, 3 min 20 s, 1 h 5 min."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"


def replay(game: DrawnGame) -> str:
    """A game folded up under its result; opened, a board for every turn."""
    drawings = [game.start, *(turn.drawing for turn in game.turns)]
    widest = max(len(line) for drawing in drawings for line in drawing.splitlines())
    boards = position("Start", game.start) + "".join(
        position(turn_label(number, turn), turn.drawing) for number, turn in enumerate(game.turns, 1)
    )
    wide = f"--wide: {0.52 * max(14, widest) + 1.4:.1f}rem"  # a board's characters and its margins
    return f'<details><summary>{escape(game.title)}</summary><div class="positions" style="{wide}">{boards}</div></details>'


def turn_label(number: int, turn: DrawnTurn) -> str:
    return f"{number}. {SIDES[turn.mover]} ({turn.value:+.2f}): {turn.actions}"


def position(label: str, drawing: str) -> str:
    return f'<div class="position"><p>{escape(label)}</p><pre>{escape(drawing)}</pre></div>'
