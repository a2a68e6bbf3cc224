"""Numbers of results as words for a table: figures, intervals, seconds, training, machines. Pure: values in, text out."""

from collections.abc import Sequence
from typing import Any

from flows.papers.machine import machine_name
from flows.papers.plan import BaseRow
from flows.papers.results import is_as_asked

Result = dict[str, Any]
NOTHING = "–"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def code(text: str) -> str:
    return f"`{text}`"


def number(value: float | None, form: str = ".3f") -> str:
    return NOTHING if value is None else format(value, form)


def between(low: float, high: float) -> str:
    return f"{low:.3f} to {high:.3f}"


def seconds(value: float | None) -> str:
    """With as many digits as matter: 12.3, 0.045, 0.00012."""
    if value is None:
        return NOTHING
    return f"{value:.1f}" if value >= 10 else f"{value:.2g}" if value >= 1e-4 else f"{value:.1g}"


def thousands(value: float | None) -> str:
    return NOTHING if value is None else f"{value:,.0f}".replace(",", " ")


def figure(row: BaseRow, result: Result | None) -> str:
    """A row's headline for the table of claims."""
    if result is None:
        return f"not measured yet, {code(row.id)}"
    kinds = {"time-per-move": time_figure, "tournament": tournament_figure, "curve": curve_figure, "losses": losses_figure}
    told = kinds.get(result["asked"]["kind"], score_figure)(result["numbers"])
    return f"{told}{caveat(row, result)}, {code(row.id)}"


def caveat(row: BaseRow, result: Result) -> str:
    """What a reader must know before believing a number."""
    if not is_as_asked(row, result):
        return " (with other settings than listed now)"
    planned = row.wanted_games(None)
    return f" (a quick look: {result['games']} of {planned} games)" if result["games"] < planned else ""


def score_figure(numbers: Result) -> str:
    margin = numbers.get("median_margin") if "far_margin" in numbers else None
    tail = f", median margin {margin:+.1f}" if margin is not None else ""
    return f"**{numbers['score']:.3f}** ({between(*numbers['interval'])}){tail}"


def time_figure(numbers: Result) -> str:
    return f"**{seconds(numbers['mean_per_turn'])} s** a turn, 95 % within {seconds(numbers['slow_per_turn'])} s"


def tournament_figure(numbers: Result) -> str:
    best = numbers["ratings"][0]
    return f"first is **{best['name']}** at {best['elo']:.0f} Elo ({best['low']:.0f} to {best['high']:.0f})"


def curve_figure(numbers: Result) -> str:
    last = numbers["points"][-1]
    scores = ", ".join(f"{score['score']:.3f} against {opponent}" for opponent, score in last["scores"].items())
    return f"{last['generation']}: **{scores or 'no games'}**"


def losses_figure(numbers: Result) -> str:
    first, last = numbers["lines"][0], numbers["lines"][-1]
    policy = f"policy {first['policy']:.2f} to **{last['policy']:.2f}**"
    return f"{policy}, value {first['value']:.3f} to **{last['value']:.3f}** in {thousands(numbers['steps'])} steps"


def trained(result: Result) -> str:
    """Minutes and game turns of the nets that played."""
    return "<br>".join(trained_net(name, facts) for name, facts in result["nets"].items()) or NOTHING


def trained_net(name: str, facts: Result) -> str:
    if facts["minutes"] is None and facts["game_turns"] is None:
        return f"{name}: not recorded, {thousands(facts['weights'])} weights"
    minutes = "minutes not recorded" if facts["minutes"] is None else f"{facts['minutes']:.0f} min"
    turns = "game turns not recorded" if facts["game_turns"] is None else f"{thousands(facts['game_turns'])} game turns"
    # A net shipped without its run has no scale on record.
    scale = f" at scale {facts['scale']:g}" if facts.get("scale") not in (None, 1.0) else ""
    return f"{name}{scale}: {minutes}, {turns}, {thousands(facts['weights'])} weights"


def opponent(numbers: Result) -> str:
    absent = numbers.get("stand_in_for")
    return code(numbers["opponent"]) + (f" (stands in for {code(absent)}, which is not installed)" if absent else "")


def thinking(numbers: Result) -> str:
    """Measured seconds per move of both; games side by side share the time of a batch."""
    slots = numbers.get("slots", 1)
    both = f"{seconds(numbers['player_seconds_per_move'])} / {seconds(numbers['opponent_seconds_per_move'])}"
    if "seconds_ratio" in numbers:
        both += f", over all games {numbers['seconds_ratio']:.2f} of the opponent's time"
    return both + (f" ({slots} games side by side)" if slots > 1 else " (one game at a time)")


class Machines:
    """Gives every machine a letter, in the order in which they are met."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def letter(self, result: Result) -> str:
        name = machine_name(result["machine"])
        if name not in self.names:
            self.names.append(name)
        load = "" if result["load"] is None else f", load {result['load']:g}"
        return f"{letter_of(self.names.index(name))}{load}"

    def lines(self) -> list[str]:
        return [f"- {letter_of(index)}: {name}" for index, name in enumerate(self.names)]


def letter_of(index: int) -> str:
    return chr(ord("A") + index) if index < 26 else f"M{index}"
