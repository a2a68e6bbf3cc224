"""What the numbers mean, in sentences for a designer: what is fairest, what drags, what repeats, what one trick decides.

Pure: plain values of result.json in, sentences out. Every sentence carries its interval and its games, and says so when the
games cannot tell two variants apart.
"""

from collections.abc import Callable
from typing import Any

Values = dict[str, Any]
CAPPED_OFTEN, REPEATS_OFTEN, TWINS_OFTEN = 0.1, 0.1, 0.1  # shares worth a sentence
LITTLE_CHOICE = 0.5  # share of forced plies worth a sentence
SAME_OPENING_BITS = 1.0  # two equally used openings


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def told_share(number: Values) -> str:
    """52 % (95 % interval 45 to 59, 200 games)."""
    ends = f"{100 * number['low']:.0f} to {100 * number['high']:.0f}"
    return f"{percent(number['value'])} (95 % interval {ends} %, {number['games']} games)"


def told_number(number: Values, unit: str) -> str:
    """34.2 turns (95 % interval 31.0 to 37.5, 200 games)."""
    ends = f"{short(number['low'])} to {short(number['high'])}"
    return f"{short(number['value'])} {unit} (95 % interval {ends}, {number['games']} games)"


def short(value: float) -> str:
    """Three digits are enough to read: 1234, 56.7, 0.12."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def findings(result: Values) -> list[Values]:
    """The page's first words: a title and a sentence each, the most important first."""
    makers: list[tuple[str, Callable[[Values], str]]] = [
        ("The fairest", fairest),
        ("The best overall", best_overall),
        ("What drags", what_drags),
        ("What repeats", what_repeats),
        ("One trick", one_trick),
        ("Does thinking pay", does_thinking_pay),
    ]
    told = [{"title": title, "text": maker(result)} for title, maker in makers]
    return [*told, *({"title": "The handicap", "text": handicap_sentence(one)} for one in result["handicaps"])]


def first_scores(result: Values) -> dict[str, Values]:
    return {name: values["fairness"]["first_player_score"] for name, values in result["variants"].items()}


def distance(score: Values) -> float:
    return abs(score["value"] - 0.5)


def fairest(result: Values) -> str:
    scores = first_scores(result)
    best = min(scores, key=lambda name: distance(scores[name]))
    text = f"{best}: the first player scores {told_share(scores[best])}."
    alike = [name for name in scores if name != best and overlap(scores[name], scores[best])]
    if alike:
        text += f" These games cannot tell it from {listed(alike)}."
    for name, score in scores.items():
        if name != best and (score["low"] > 0.5 or score["high"] < 0.5):
            text += f" In {name} the {side_ahead(score)} player is ahead beyond chance: {told_share(score)}."
    return text


def side_ahead(score: Values) -> str:
    return "first" if score["value"] > 0.5 else "second"


def overlap(one: Values, other: Values) -> bool:
    return one["low"] <= other["high"] and other["low"] <= one["high"]


def listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def best_overall(result: Values) -> str:
    first, *rest = result["ranking"]
    score = first["score"]
    text = f"{first['variant']} with {score['value']:.0f} of 100 (95 % interval {score['low']:.0f} to {score['high']:.0f})."
    if rest and not first["is_clear"]:
        text += f" The lead over {rest[0]['variant']} ({rest[0]['score']['value']:.0f}) is within the margin of error."
    return text


def what_drags(result: Values) -> str:
    turns = {name: values["pace"]["turns"]["mean"] for name, values in result["variants"].items()}
    longest = max(turns, key=lambda name: turns[name]["value"])
    text = f"The longest games are those of {longest}: {told_number(turns[longest], 'turns')}."
    for name, values in result["variants"].items():
        capped, forced = values["decisiveness"]["capped"], values["pace"]["forced_plies"]
        if capped["value"] >= CAPPED_OFTEN:
            text += f" In {name}, {told_share(capped)} run into the length limit."
        if forced["value"] >= LITTLE_CHOICE:
            text += f" In {name}, {percent(forced['value'])} of the plies leave no choice."
    return text


def what_repeats(result: Values) -> str:
    text = ""
    for name, values in result["variants"].items():
        variety = values["variety"]
        if variety["games_with_repetition"]["value"] >= REPEATS_OFTEN:
            text += f" In {name}, a position comes again in {told_share(variety['games_with_repetition'])}."
        if variety["games_played_twice"]["value"] >= TWINS_OFTEN:
            text += f" In {name}, {told_share(variety['games_played_twice'])} are the same as another, ply by ply."
        if variety["first_turn_entropy"]["high"] < SAME_OPENING_BITS:
            text += f" In {name} nearly every game begins alike."
    return text.strip() or "Nothing stands out: openings differ, games differ, positions hardly come again."


def one_trick(result: Values) -> str:
    text = ""
    for name, values in result["variants"].items():
        opening, kind = values["dominance"]["strongest_opening"], values["dominance"]["strongest_kind"]
        if opening and opening["is_dominant"]:
            text += f" In {name}, opening with '{opening['name']}' wins {told_share(opening['score'])}."
        if kind and kind["is_dominant"]:
            text += f" In {name}, the side that chooses '{kind['name']}' more than the other scores {told_share(kind['score'])}."
    return text.strip() or "No opening and no kind of action is proven to win three games in four."


def does_thinking_pay(result: Values) -> str:
    told = []
    for name, values in result["variants"].items():
        search = values["search"]
        if search is not None:
            times = search["many_simulations"] // search["few_simulations"]
            doubt = "" if search["score"]["low"] > 0.5 else ", which may be chance"
            told.append(f"In {name}, {times} times the thinking scores {told_share(search['score'])}{doubt}.")
    return " ".join(told) or "Not measured: the budget has no games of more search against less."


def handicap_sentence(handicap: Values) -> str:
    chosen, knobs = handicap["chosen"], handicap["knobs"]
    step = chosen["label"] if "=" in chosen["label"] else f"{knobs} = {chosen['label']}"
    score = told_share({**chosen, "value": chosen["score"]})
    text = f"For {handicap['variant']}: {step} comes nearest to 50 %; the first player then scores {score}."
    if handicap["is_fair"]:
        text += f" That is fair within {percent(handicap['band'])}, proven."
    elif distance({"value": chosen["score"]}) <= handicap["band"]:
        text += f" That is within {percent(handicap['band'])} of fair as measured; more games would have to prove it."
    else:
        text += " None of the candidates that were tried is fair; look beyond them or between them."
    if not handicap["is_ordered"]:
        text += " Beware: a later candidate helped the first player. They are not in order, and a better one may be missed."
    return text
