"""The rules lab's plots as SVG text: numbers of several variants with their intervals, results as bars, handicaps in order.

Called by the lab's page with the plain values of result.json. Draws with what plots.py imports: the same style, the same promise
of equal bytes for equal numbers.
"""

from typing import Any

from components.reports.plots import COLOURS, INK, Axes, Figure, panels, svg_titled

Values = dict[str, Any]
Row = tuple[str, Values]  # a label and a number with value, low, high
ROW_HEIGHT = 0.34  # inches
SIDES = (
    ("first_player_wins", "first player wins", 0),
    ("draw_rate", "draw", None),
    ("second_player_wins", "second player wins", 1),
)


def lab_plots(result: Values) -> dict[str, str]:
    """SVG text by name."""
    variants = result["variants"]
    drawn = {
        "ranking": lambda: interval_figure([("Score in the ranking, 0 to 100", rows_of_ranking(result), None)], (0, 100)),
        "fairness": lambda: fairness_figure(variants),
        "length": lambda: interval_figure([
            ("Turns per game", rows_of(variants, "pace", "turns", "mean"), None),
            ("Ways to play a turn, median", rows_of(variants, "pace", "choices_per_turn", "median"), None),
        ]),
        "endings": lambda: interval_figure([
            ("Decided before the length limit", rows_of(variants, "decisiveness", "decided_before_cap"), None),
            ("Games with a comeback", rows_of(variants, "comeback", "comebacks"), None),
        ], (0, 1)),
        "variety": lambda: interval_figure([
            ("Openings, first turn, bits", rows_of(variants, "variety", "first_turn_entropy"), None),
            ("Openings, first two turns, bits", rows_of(variants, "variety", "two_turns_entropy"), None),
        ]),
    }  # fmt: skip
    if all(values["search"] is not None for values in variants.values()):
        rows = [(name, values["search"]["score"]) for name, values in variants.items()]
        drawn["search"] = lambda: interval_figure([("Score of four times the thinking", rows, 0.5)], (0, 1))
    plots = {name: svg_titled(draw, f"lab-{name}", f"{name} by variant") for name, draw in drawn.items()}
    for number, handicap in enumerate(result["handicaps"]):
        title = f"handicap {handicap['knobs']} of {handicap['variant']}"
        plots[f"handicap-{number}"] = svg_titled(lambda: handicap_figure(handicap), f"lab-handicap-{number}", title)  # noqa: B023
    return plots


def rows_of(variants: Values, *path: str) -> list[Row]:
    rows = []
    for name, values in variants.items():
        for key in path:
            values = values[key]
        rows.append((name, values))
    return rows


def rows_of_ranking(result: Values) -> list[Row]:
    return [(entry["variant"], entry["score"]) for entry in result["ranking"]]


def interval_figure(parts: list[tuple[str, list[Row], float | None]], limits: tuple[float, float] | None = None) -> Figure:
    """Panels side by side, a line for each variant."""
    figure, axes = panels([title for title, _, _ in parts], 1.1 + ROW_HEIGHT * max(len(rows) for _, rows, _ in parts))
    for place, (axis, (_, rows, reference)) in enumerate(zip(axes, parts, strict=True)):
        draw_rows(axis, rows, COLOURS[place % len(COLOURS)])
        if reference is not None:
            axis.axvline(reference, color=INK, linestyle=(0, (4, 3)), linewidth=1, alpha=0.6)
        if limits is not None:
            axis.set_xlim(*limits)
        if limits == (0, 1):
            show_percent_across(axis)
        if limits is None:
            axis.set_xlim(left=0)
    return figure


def draw_rows(axis: Axes, rows: list[Row], colour: str) -> None:
    """Each number as a dot with its 95 % interval, the first row on top."""
    places = list(range(len(rows)))
    numbers = [number for _, number in rows]
    spread = [[max(0.0, one["value"] - one["low"]) for one in numbers], [max(0.0, one["high"] - one["value"]) for one in numbers]]
    axis.errorbar(
        [one["value"] for one in numbers], places, xerr=spread, color=colour, marker="o", markersize=6, capsize=3,
        elinewidth=1.4, linestyle="none",
    )  # fmt: skip
    axis.set_yticks(places, [label for label, _ in rows])
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.grid(axis="x")


def show_percent_across(axis: Axes) -> None:
    axis.xaxis.set_major_formatter(lambda share, position: f"{100 * share:.0f} %")


def fairness_figure(variants: Values) -> Figure:
    """The first player's score beside how games end."""
    figure, (scores, ends) = panels(["First player's score", "How games end"], 1.5 + ROW_HEIGHT * len(variants))
    draw_rows(scores, rows_of(variants, "fairness", "first_player_score"), COLOURS[0])
    scores.axvspan(0.46, 0.54, color=COLOURS[2], alpha=0.15, linewidth=0)
    scores.axvline(0.5, color=INK, linestyle=(0, (4, 3)), linewidth=1, alpha=0.6)
    left = [0.0] * len(variants)
    for key, label, colour in SIDES:
        widths = [values["fairness"][key]["value"] for values in variants.values()]
        ends.barh(
            range(len(variants)),
            widths,
            left=left,
            label=label,
            height=0.6,
            color="#9aa0a6" if colour is None else COLOURS[colour],
        )
        left = [begin + width for begin, width in zip(left, widths, strict=True)]
    ends.set_yticks(range(len(variants)), list(variants))
    ends.set_ylim(len(variants) - 0.5, -0.5)
    ends.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, handlelength=1)
    for axis in (scores, ends):
        axis.set_xlim(0, 1)
        show_percent_across(axis)
    return figure


def handicap_figure(handicap: Values) -> Figure:
    """The first player's score by candidate, those that were tried; the band is fair, the filled dot is the choice."""
    figure, (axis,) = panels([f"First player's score by {handicap['knobs']}"], 3.2)
    axis.axhspan(0.5 - handicap["band"], 0.5 + handicap["band"], color=COLOURS[2], alpha=0.15, linewidth=0)
    axis.axhline(0.5, color=INK, linestyle=(0, (4, 3)), linewidth=1, alpha=0.6)
    for trial in handicap["trials"]:
        is_chosen = trial["candidate"] == handicap["chosen"]["candidate"]
        spread = [[max(0.0, trial["score"] - trial["low"])], [max(0.0, trial["high"] - trial["score"])]]
        axis.errorbar(
            [trial["candidate"]], [trial["score"]], yerr=spread, color=COLOURS[0], marker="o", markersize=8 if is_chosen else 6,
            capsize=3, elinewidth=1.4, markerfacecolor=COLOURS[0] if is_chosen else "none",
        )  # fmt: skip
        axis.annotate(f"{trial['games']} games", (trial["candidate"], trial["high"]), xytext=(0, 4), textcoords="offset points",
                      ha="center", fontsize=8)  # fmt: skip
    labels = handicap["candidates"]
    is_long = max(map(len, labels)) > 60 // len(labels)
    axis.set_xticks(range(len(labels)), labels, rotation=20 if is_long else 0, ha="right" if is_long else "center")
    axis.set_xlim(-0.5, len(labels) - 0.5)
    axis.set_ylim(0, 1.05)
    axis.yaxis.set_major_formatter(lambda share, position: f"{100 * share:.0f} %")
    return figure
