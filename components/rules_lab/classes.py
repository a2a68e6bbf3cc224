"""What the lab knows of a game beyond its contract: kinds of actions, the cap, the margin, what makes two positions equal.

Called by games.py. A game without an entry here still works: its actions go by the first word of their names, its cap is the
longest game that its spec allows, and it has no margin.
"""

import re
from collections.abc import Callable

import numpy as np

from components.games.contract import Game, State
from components.protocols.match_report import go_margin, golad_margin

FOLLOWS_UP = ""  # the kind of a choice that only carries out an earlier one: it says nothing about what was chosen
GOLAD_FOLLOW_UPS = ("sacrifice",)
ORGANISM_KINDS = ("EAT", "MOVE", "GROW", "stop", "pass")  # whole names: "EAT on 3" introduces an element
# Fields that describe a position. Clocks and histories are left out, or no position could ever come again.
POSITION_FIELDS = {
    "go": ("board", "mover"),
    "golad": ("cells", "mover"),
    "organism": ("element", "food", "tokens", "pending", "mover"),
}


def action_kind(game: Game, state: State, action: int) -> str:
    """For example `birth`, `GROW` or `line 2`: what sort of choice this is to a player."""
    kinds: dict[str, Callable[[Game, State, int], str]] = {"go": go_kind, "golad": golad_kind, "organism": organism_kind}
    return kinds.get(game.family, first_word)(game, state, action)


def first_word(game: Game, state: State, action: int) -> str:
    words = re.findall(r"[A-Za-z]+", game.text.action_name(game, state, action))
    return words[0] if words else FOLLOWS_UP


def go_kind(game: Game, state: State, action: int) -> str:
    """Stones by their distance from the edge."""
    if action >= game.spec.cells:
        return game.text.action_name(game, state, action)
    row, column = divmod(action, game.spec.width)
    return f"line {1 + min(row, column, game.spec.height - 1 - row, game.spec.width - 1 - column)}"


def golad_kind(game: Game, state: State, action: int) -> str:
    word = first_word(game, state, action)
    return FOLLOWS_UP if word in GOLAD_FOLLOW_UPS else word


def organism_kind(game: Game, state: State, action: int) -> str:
    """The type that an organism acts with, and circulating instead; cells and payments carry these out."""
    if not game.spec.has_policy:
        return FOLLOWS_UP  # whole turns are numbered results
    name = game.text.action_name(game, state, action)
    if name.startswith("circulate"):
        return "CIRCULATE"
    return name if name in ORGANISM_KINDS else FOLLOWS_UP


def is_capped(game: Game, final: State) -> bool:
    """Whether the length limit ended the game, not its rules."""
    if game.family == "go":
        return bool(game.kernels.is_truncated(game.rules, final))
    if game.family == "golad":
        is_late = bool(final.turn >= 2 * int(game.rules.max_rounds))
        return is_late and all(bool(np.any(final.cells[player])) for player in (0, 1))
    if game.family == "organism":
        # A win in the very last ply is a win by the rules; a draw there is the cap's, and so is a count of tokens.
        return bool(final.acts >= game.knobs.ply_cap) and (no_winner(game, final) or counts_tokens(game))  # type: ignore[attr-defined]
    return bool(final.ply >= game.spec.max_plies) and no_winner(game, final)


def no_winner(game: Game, final: State) -> bool:
    returns = game.returns(final)
    return returns is None or returns[0] == returns[1]


def counts_tokens(game: Game) -> bool:
    return bool(game.knobs.ply_cap_result == "tokens")  # type: ignore[attr-defined]


def has_tokens(game: Game) -> bool:
    return counts_tokens(game) or any(limit != "off" for limit in game.knobs.tokens_to_win)  # type: ignore[attr-defined]


def margin_of(game: Game, final: State) -> float | None:
    """By how much player 0 ended ahead, in the game's own count; None where there is none to count."""
    if game.family == "go":
        return go_margin(game, final)
    if game.family == "golad":
        return golad_margin(game, final)
    if game.family == "organism" and has_tokens(game):
        return float(final.tokens[0] - final.tokens[1])
    return None


def margin_unit(game: Game) -> str:
    return {"go": "points", "golad": "cells", "organism": "tokens"}.get(game.family, "")


def position_key(game: Game, state: State) -> bytes:
    """Equal for positions that a player would call the same."""
    fields = POSITION_FIELDS.get(game.family) or tuple(name for name in state.dtype.names if name not in ("ply", "pad"))
    return b"".join(np.asarray(state[name]).tobytes() for name in fields)
