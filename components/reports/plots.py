"""The only import of matplotlib: a run's plots as SVG text.

Called by the report stage. Promises the same bytes for the same numbers: fixed salt, no date, no times. Text stays text, so that
the page can restyle it and a reader can search it; colours are Okabe and Ito's, which colour-blind readers tell apart.
"""

import io
from collections.abc import Callable
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK = "#23272e"  # axes and text; the page puts its own text colour in this one's place, for dark screens
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")
VERDICT_COLOURS = {"promoted": "#009e73", "rejected": "#d55e00", "inconclusive": "#e69f00"}
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": "#9aa0a6",
    "grid.alpha": 0.3,
    "lines.linewidth": 2,
    "savefig.transparent": True,
}
LONGEST_LABEL = 26  # characters at the right edge
LABEL_GAP = 0.065  # of the axes' height between two labels: one line of text
Values = dict[str, Any]
Histories = dict[str, list[Values]]  # lines of training.json by generation


def draw_plots(summary: Values, histories: Histories) -> dict[str, str]:
    """SVG text by name."""
    drawings: dict[str, Callable[[], Figure]] = {
        "strength": lambda: strength_figure(summary),
        "losses": lambda: loss_figure(histories),
        "games": lambda: games_figure(summary),
        "gates": lambda: gate_figure(summary),
    }
    return {name: svg_of(draw, name) for name, draw in drawings.items()}


def svg_of(draw: Callable[[], Figure], name: str) -> str:
    return svg_titled(draw, name, f"{name} by generation")


def svg_titled(draw: Callable[[], Figure], name: str, title: str) -> str:
    # The salt differs by plot: marks of two plots in one page must not share their ids.
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": f"zeroline-{name}"}):
        sink = io.StringIO()
        draw().savefig(sink, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return sink.getvalue()


def panels(titles: list[str], height: float = 3.4) -> tuple[Figure, list[Axes]]:
    """Panels side by side, all with a light grid."""
    figure = Figure(figsize=(9.2, height), layout="constrained")
    axes = figure.subplots(1, len(titles), squeeze=False)[0]
    for axis, title in zip(axes, titles, strict=True):
        axis.set_title(title)
        axis.grid(axis="y")
    return figure, list(axes)


def number_generations(axis: Axes, summary: Values, part: str = "number") -> None:
    """Ticks for the generations that have this part: the start has no games and no gate."""
    numbers = sorted({values["number"] for values in summary["generations"].values() if part in values}) or [0]
    every = max(1, -(-len(numbers) // 12))
    axis.set_xticks(numbers[::every])
    axis.set_xlim(numbers[0] - 0.3, numbers[-1] + 0.3)
    axis.set_xlabel("generation")


def split_line(summary: Values) -> tuple[list[Values], list[Values]]:
    """(generations of the main line, generations of branches)."""
    told = summary["generations"]
    return [told[name] for name in summary["line"]], [values for name, values in told.items() if name not in summary["line"]]


def strength_figure(summary: Values) -> Figure:
    """Ratings with the fixed opponents as level lines, and the score against each of them."""
    figure, (ratings, scores) = panels([f"Rating of the champion, {summary['anchor']} = 0", "Score against fixed opponents"], 3.8)
    draw_ratings(ratings, summary)
    draw_scores(scores, summary)
    return figure


def draw_ratings(axis: Axes, summary: Values) -> None:
    line, branches = ([values for values in part if "elo" in values] for part in split_line(summary))
    draw_intervals(axis, line, "elo", "elo_low", "elo_high", COLOURS[0], MARKERS[0])
    if branches:
        draw_intervals(axis, branches, "elo", "elo_low", "elo_high", COLOURS[0], MARKERS[0], is_branch=True)
    known = {name: rating["elo"] for name, rating in summary["ladder"].items() if rating}
    for elo in known.values():
        axis.axhline(elo, color=INK, linestyle=(0, (4, 3)), linewidth=1, alpha=0.6)
    number_generations(axis, summary)
    axis.set_ylabel("Elo")
    label_ends(axis, [(elo, name, INK) for name, elo in known.items()])


def draw_scores(axis: Axes, summary: Values) -> None:
    line, _ = split_line(summary)
    labels = []
    for place, opponent in enumerate(summary["ladder"]):
        # A little to the side of each other, or equal intervals would hide one another.
        aside = 0.05 * (place - (len(summary["ladder"]) - 1) / 2)
        met = [
            {**values["scores"][opponent], "number": values["number"] + aside} for values in line if opponent in values["scores"]
        ]
        colour = COLOURS[place % len(COLOURS)]
        draw_intervals(axis, met, "score", "low", "high", colour, MARKERS[place % len(MARKERS)])
        labels += [(met[-1]["score"], opponent, colour)] if met else []
    number_generations(axis, summary)
    axis.set_ylim(0, 1.03)
    show_percent(axis)
    label_ends(axis, labels)


def draw_intervals(
    axis: Axes, points: list[Values], value: str, low: str, high: str, colour: str, marker: str, is_branch: bool = False
) -> None:
    """Values joined by a line, each with its 95 % interval; a branch's values are hollow and not joined."""
    numbers = [point["number"] for point in points]
    middles = [point[value] for point in points]
    # An interval of few games may end a rounding error inside its own middle.
    spread = [
        [max(0.0, point[value] - point[low]) for point in points],
        [max(0.0, point[high] - point[value]) for point in points],
    ]
    axis.errorbar(
        numbers, middles, yerr=spread, color=colour, marker=marker, markersize=6, capsize=3, elinewidth=1.2,
        linestyle="none" if is_branch else "-", markerfacecolor="none" if is_branch else colour,
    )  # fmt: skip


def label_ends(axis: Axes, labels: list[tuple[float, str, str]]) -> None:
    """Names at the right edge, beside what they name, pushed apart where they would overlap."""
    low, high = axis.get_ylim()
    placed = -1.0
    for value, text, colour in sorted(labels):
        place = max((value - low) / (high - low), placed + LABEL_GAP)
        placed = place
        axis.text(1.02, place, shortened(text), color=colour, transform=axis.transAxes, va="center", ha="left")


def shortened(text: str) -> str:
    """A player's text may be a whole line of options: in full it would leave no room for the plot."""
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"


def show_percent(axis: Axes) -> None:
    axis.yaxis.set_major_formatter(lambda share, position: f"{100 * share:.0f} %")


def loss_figure(histories: Histories) -> Figure:
    """Policy and value loss over all steps, generation after generation."""
    figure, axes = panels(["Policy loss", "Value loss"])
    for axis, loss in zip(axes, ("policy", "value"), strict=True):
        draw_losses(axis, histories, loss)
    return figure


def draw_losses(axis: Axes, histories: Histories, loss: str) -> None:
    begin, ends = 0, []
    for place, history in enumerate(histories.values()):
        steps = [begin + line["step"] for line in history]
        dot = "o" if len(history) == 1 else None  # a single value makes no line
        axis.plot(
            steps, [line[loss] for line in history], color=COLOURS[0], marker=dot, label=None if place else "training games"
        )
        held_out = [(step, line["validation"][loss]) for step, line in zip(steps, history, strict=True) if line["validation"]]
        if held_out:
            axis.plot(
                *zip(*held_out, strict=True), color=COLOURS[1], linestyle=(0, (4, 2)), marker=dot,
                label=None if place else "held-out games",
            )  # fmt: skip
        begin = steps[-1]
        ends.append(begin)
    for end in ends[:-1]:
        axis.axvline(end, color=INK, linewidth=0.8, alpha=0.35)
    axis.set_xlabel("training step, generation after generation")
    if histories:
        axis.legend(frameon=False, fontsize=9)


def games_figure(summary: Values) -> Figure:
    """How long the games are, who wins them, how many are drawn."""
    figure, axes = panels(["Plies per game", "First player's score", "Draws"], 2.9)
    line, branches = ([values for values in part if "selfplay" in values] for part in split_line(summary))
    for place, (axis, name) in enumerate(zip(axes, ("mean_plies", "first_player_score", "draw_rate"), strict=True)):
        axis.plot([v["number"] for v in line], [v["selfplay"][name] for v in line], color=COLOURS[place], marker=MARKERS[place])
        axis.plot(
            [v["number"] for v in branches], [v["selfplay"][name] for v in branches],
            color=COLOURS[place], marker=MARKERS[place], linestyle="none", markerfacecolor="none",
        )  # fmt: skip
        number_generations(axis, summary, "selfplay")
        axis.set_ylim(0, 1.03 if place else 1.1 * max([1.0, *(v["selfplay"][name] for v in [*line, *branches])]))
    axes[1].axhline(0.5, color=INK, linestyle=(0, (4, 3)), linewidth=1, alpha=0.6)
    for axis in axes[1:]:
        show_percent(axis)
    return figure


def gate_figure(summary: Values) -> Figure:
    """Each candidate's score against the champion before it: filled when it was promoted, hollow when not."""
    figure, (axis,) = panels(["Candidate's score against the champion before it"])
    told = [(name, values) for name, values in summary["generations"].items() if "score" in values.get("gate", {})]
    for name, values in told:
        gate = {"number": values["number"], **values["gate"]}
        draw_intervals(
            axis, [gate], "score", "low", "high", VERDICT_COLOURS[gate["verdict"]], "o", is_branch=not gate["promoted"]
        )
        text = gate["verdict"] if name in summary["line"] else f"{name} {gate['verdict']}"
        axis.annotate(text, (gate["number"], gate["score"]), xytext=(8, 0), textcoords="offset points", va="center", fontsize=9)
    threshold = next((values["gate"]["threshold"] for _, values in told if "threshold" in values["gate"]), None)
    needed, label = (0.5, "equal") if threshold is None else (threshold, "needed")
    axis.axhline(needed, color=INK, linestyle=(0, (4, 3)), linewidth=1, alpha=0.6)
    number_generations(axis, summary, "gate")
    axis.set_ylim(0, 1.03)
    show_percent(axis)
    label_ends(axis, [(needed, label, INK)])
    return figure
