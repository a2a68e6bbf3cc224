"""The lab's page: one HTML file that a designer reads from top to bottom, offline, in plain words.

Pure: the plain values of result.json in, text out. Everything that comes from files is escaped; every number is shown with its
interval and the games it is from.
"""

import re
from collections.abc import Iterable
from html import escape
from typing import Any

from components.reports.lab_plots import lab_plots
from components.reports.page import table
from components.reports.plots import INK
from components.reports.style import CSS
from components.rules_lab.ranking import MEANINGS
from components.rules_lab.words import handicap_sentence, percent, short, told_share

Values = dict[str, Any]
SECTIONS = {
    "short": "In short",
    "ranking": "Ranking",
    "fairness": "Who wins",
    "length": "How long, and how much to choose",
    "endings": "Results and comebacks",
    "variety": "Do games differ",
    "dominance": "Does one thing always win",
    "handicap": "The handicap",
    "method": "How this was measured",
}


def render_lab(result: Values) -> str:
    plots = lab_plots(result)
    parts = {
        "short": in_short(result),
        "ranking": figure(plots["ranking"], "Ranking") + ranking_table(result),
        "fairness": fairness_part(result, plots),
        "length": length_part(result, plots),
        "endings": endings_part(result, plots),
        "variety": variety_part(result, plots),
        "dominance": dominance_part(result, plots),
        "handicap": handicap_part(result, plots),
        "method": method_part(result),
    }
    body = "\n".join(f'<section id="{name}"><h2>{SECTIONS[name]}</h2>\n{text}</section>' for name, text in parts.items() if text)
    links = "".join(f'<a href="#{name}">{SECTIONS[name]}</a>' for name, text in parts.items() if text)
    title = f"Rules lab: {result['name']}"
    header = (
        f"<header><h1>{escape(title)}</h1><p class='soft'>{len(result['variants'])} variants of {escape(result['game'])}, played "
        f"by an agent against itself. Draws count half.</p><nav>{links}</nav></header>"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">\n'
        f"<style>{CSS}</style></head>\n<body><main>\n{header}\n{body}\n</main></body></html>\n"
    )


def figure(svg: str, label: str) -> str:
    """A plot inside the page: without its XML head and size, and inked in the page's own text colour."""
    svg = re.sub(r"^.*?(?=<svg)", "", svg, flags=re.DOTALL).replace(INK, "currentColor")
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1), count=1)
    return f'<figure role="img" aria-label="{escape(label)}">{svg}</figure>'


def soft(text: str) -> str:
    return f'<p class="soft">{text}</p>'


def share_cell(number: Values) -> str:
    if not number["games"]:
        return "–"
    ends = f"{percent(number['low'])} to {percent(number['high'])}"
    return f"{percent(number['value'])} <small>{ends}<br>{number['games']} games</small>"


def number_cell(number: Values) -> str:
    if not number["games"]:
        return "–"
    return f"{short(number['value'])} <small>{short(number['low'])} to {short(number['high'])}<br>{number['games']} games</small>"


def variant_table(result: Values, head: Iterable[str], cells: Any) -> str:
    """A row per variant; cells(values) gives the HTML of its columns."""
    rows = [[f"<b>{escape(name)}</b>", *cells(values)] for name, values in result["variants"].items()]
    return table(["variant", *head], rows)


def in_short(result: Values) -> str:
    told = "".join(f"<p><b>{escape(one['title'])}.</b> {escape(one['text'])}</p>" for one in result["findings"])
    rows = [
        [f"<b>{escape(name)}</b>", escape(knobs_text(values["knobs"])), str(values["games"])]
        for name, values in result["variants"].items()
    ]
    return told + table(["variant", f"changed from {escape(result['game'])}", "games"], rows, text_columns=(1,))


def knobs_text(knobs: Values) -> str:
    return ", ".join(f"{name} = {value}" for name, value in knobs.items()) or "nothing: the base game"


def ranking_table(result: Values) -> str:
    marks = [name for name in MEANINGS if any(name in entry["marks"] for entry in result["ranking"])]
    head = ["variant", "score", *(f"{name} <small>×{result['weights'][name]:g}</small>" for name in marks)]
    rows = []
    for entry in result["ranking"]:
        score = entry["score"]
        cells = [mark_cell(entry["marks"].get(name)) for name in marks]
        told = f"<b>{score['value']:.0f}</b> <small>{score['low']:.0f} to {score['high']:.0f}</small>"
        rows.append([f"<b>{escape(entry['variant'])}</b>", told, *cells])
    meanings = "".join(f"<li><b>{name}</b>: {escape(MEANINGS[name])}.</li>" for name in marks)
    return (
        table(head, rows)
        + soft("The score is the weighted mean of these marks, times 100. Small numbers are 95 % intervals.")
        + f"<ul class='soft'>{meanings}</ul>"
    )


def mark_cell(mark: Values | None) -> str:
    if mark is None:
        return "–"
    return f"{mark['value']:.2f} <small>{mark['low']:.2f} to {mark['high']:.2f}</small>"


def fairness_part(result: Values, plots: dict[str, str]) -> str:
    names = ("first_player_score", "first_player_wins", "draw_rate", "second_player_wins")
    cells = variant_table(
        result, ["first player's score", "first wins", "draws", "second wins"],
        lambda values: [share_cell(values["fairness"][name]) for name in names],
    )  # fmt: skip
    return figure(plots["fairness"], "Who wins, by variant") + cells + soft("The green band is 50 % give or take 4.")


def length_part(result: Values, plots: dict[str, str]) -> str:
    lengths = variant_table(
        result, ["turns, mean", "median", "9 in 10 below", "plies, mean", "no choice"],
        lambda values: [
            *(number_cell(values["pace"]["turns"][name]) for name in ("mean", "median", "p90")),
            number_cell(values["pace"]["plies"]["mean"]), share_cell(values["pace"]["forced_plies"]),
        ],
    )  # fmt: skip
    choices = variant_table(
        result, ["choices per ply, mean", "median", "9 in 10 below", "ways to play a turn, mean", "median", "9 in 10 below"],
        lambda values: [
            number_cell(values["pace"][what][name])
            for what in ("choices_per_ply", "choices_per_turn") for name in ("mean", "median", "p90")
        ],
    )  # fmt: skip
    return (
        figure(plots["length"], "Length and choices, by variant") + lengths + choices
        + soft("A turn is all that one player does before the other is asked; a ply is one choice inside it. The ways to play a"
               " turn are the product of the choices met on the way. 'No choice' are plies with a single legal action.")
    )  # fmt: skip


def endings_part(result: Values, plots: dict[str, str]) -> str:
    cells = variant_table(
        result, ["decided", "decided before the limit", "ended by the limit", "winner's lead, median", "comebacks", "settled at"],
        lambda values: [
            *(share_cell(values["decisiveness"][name]) for name in ("decided", "decided_before_cap", "capped")),
            margin_cell(values), share_cell(values["comeback"]["comebacks"]), share_cell(values["comeback"]["settled_at"]),
        ],
    )  # fmt: skip
    return (
        figure(plots["endings"], "Results and comebacks, by variant") + cells
        + soft("A comeback is a win by a side that the agent had expected to lose clearly (below -0.5 on a scale from -1 to 1)."
               " 'Settled at' is how far into the game the winner was clearly ahead for good.")
    )  # fmt: skip


def margin_cell(values: Values) -> str:
    margin = values["decisiveness"]["margin"]
    return "–" if margin is None else f"{number_cell(margin['median'])} <small>{escape(values['margin_unit'])}</small>"


def variety_part(result: Values, plots: dict[str, str]) -> str:
    names = ("first_ply_entropy", "first_turn_entropy", "two_turns_entropy")
    cells = variant_table(
        result,
        ["first ply, bits", "first turn, bits", "two turns, bits", "different games", "played twice", "with a repeated position",
         "repeated turns"],
        lambda values: [
            *(number_cell(values["variety"][name]) for name in names),
            f"{values['variety']['distinct_games']} <small>of {values['games']}</small>",
            share_cell(values["variety"]["games_played_twice"]), share_cell(values["variety"]["games_with_repetition"]),
            share_cell(values["variety"]["repeated_positions"]),
        ],
    )  # fmt: skip
    drawn = " Start positions are drawn here, so openings differ by themselves." if result["draws_starts"] else ""
    return (
        figure(plots["variety"], "Variety, by variant") + cells
        + soft("Bits: 0 means that all games begin alike, 1 is two openings used equally, 3 is eight. Mirror images count as one."
               + drawn)
    )  # fmt: skip


def dominance_part(result: Values, plots: dict[str, str]) -> str:
    search = figure(plots["search"], "More search against less, by variant") if "search" in plots else ""
    return search + "".join(dominance_of_variant(name, values) for name, values in result["variants"].items())


def dominance_of_variant(name: str, values: Values) -> str:
    dominance, search = values["dominance"], values["search"]
    told = ""
    if search is not None:
        few, many = search["few_simulations"], search["many_simulations"]
        told = f"<p>{many} simulations per choice against {few}: {escape(told_share(search['score']))}.</p>"
    openings = table(
        ["first action", "how often", "first player's score"],
        [[escape(one["name"]), share_cell(one["share"]), share_cell(one["score"])] for one in dominance["openings"]],
    )
    kinds = table(
        ["kind of action", "share of choices", "score of the side that used it more", "wins in which it led"],
        [[escape(one["name"]), *(share_cell(one[column]) for column in ("share_of_choices", "score_of_more", "wins_led_by"))]
         for one in dominance["kinds"]],
    ) if dominance["kinds"] else ""  # fmt: skip
    return f"<details open><summary>{escape(name)}</summary>{told}{openings}{kinds}</details>"


def handicap_part(result: Values, plots: dict[str, str]) -> str:
    return "".join(handicap_of(number, one, plots) for number, one in enumerate(result["handicaps"]))


def handicap_of(number: int, handicap: Values, plots: dict[str, str]) -> str:
    rows = [
        [escape(trial["label"]), share_cell({**trial, "value": trial["score"]}), escape(trial["verdict"])]
        for trial in handicap["trials"]
    ]
    searched = f"{handicap['games']} games in all, looked at in the order {', '.join(handicap['order'])}."
    return (
        f"<p>{escape(handicap_sentence(handicap))}</p>" + figure(plots[f"handicap-{number}"], f"Handicap {handicap['knobs']}")
        + table([escape(handicap["knobs"]), "first player's score", "verdict"], rows) + soft(escape(searched))
    )  # fmt: skip


def choice_text(result: Values) -> str:
    plies = result["temperature_plies"]
    if not plies:
        return (
            "It always plays what it thinks best; games differ by the start positions, which are drawn, and by what it looks at."
        )
    return (
        f"It draws its first {plies} plies among what it likes (temperature {result['temperature']:g}), then plays what it thinks"
        " best: without that, all games from one start position would be one game."
    )


def method_part(result: Values) -> str:
    trains = {"generations", "train_games", "train_simulations", "simulations"}
    used = {name: value for name, value in result["budget"].items() if result["agent"] == "net" or name not in trains}
    budget = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in used.items())
    agents = "".join(
        f"<li><b>{escape(name)}</b> ({escape(values['game'])}): {escape(values['agent']['note'])}; "
        f"{values['agent']['search']['simulations']} simulations per choice.</li>"
        for name, values in result["variants"].items()
    )
    return (
        f"<p>The agent of each variant plays both sides. {escape(choice_text(result))}</p>"
        f"<ul>{agents}</ul><p>Budget: {escape(budget)}; seed {result['seed']}.</p>"
        + soft("Intervals hold 95 % of the time for this agent; a stronger one may find what it has missed. Numbers of one page"
               " are many: one in twenty intervals misses the truth by chance.")
        + soft("Everything is in result.json beside this page; the same command goes on where it was and plays no game twice.")
    )  # fmt: skip
