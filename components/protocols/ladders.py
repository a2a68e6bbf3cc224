"""The fixed opponents of every game, weakest first, and how a player is called in a record. Used by `zeroline ladder`."""

from pathlib import Path

from components.core.errors import BadParameter, UnknownName, ZerolineError
from components.games.contract import Game, Player
from components.games.players import baselines
from components.players.registry import make_player, spell_out

LADDERS = {
    "go": ("random-uniform-pass", "random-eyes", "uct:sims=100", "uct:sims=1000", "gnugo-1", "gnugo-10", "pachi-500"),
    "golad": ("random-bot", "pass", "kill", "greedy-random-sacrifice", "greedy", "greedy-2ply"),
    "tictactoe": ("random", "uct:sims=20", "uct:sims=200"),
}


def ladder_of(game: Game) -> tuple[str, ...]:
    """The opponents of a game; a game without a ladder of its own has its baselines and a small search."""
    return LADDERS.get(game.family, (*baselines(game.family), "uct:sims=100"))


def label_of(text: str, game: Game) -> str:
    """A player's name in ledgers: with a net's digest, because the file behind a path may change."""
    text = spell_out(text, game.family, game.size)
    kind, _, rest = text.partition(":")
    path = rest.split(",")[0]
    if kind not in ("search", "net", "value") or not Path(path).exists():
        return text
    from components.nets.checkpoint import read_card

    return f"{text} [{read_card(path).parameters_digest[:8]}]"


def try_player(text: str, game: Game) -> tuple[Player | None, str]:
    """(the player, "") or (None, why there is none here): a ladder goes on without an engine that is not installed."""
    try:
        return make_player(text, game), ""
    except UnknownName:
        raise  # nobody can install what does not exist: a misspelt name
    except ZerolineError as error:
        return None, str(error)


def pairs_of(games: int) -> int:
    """Games are played in pairs: the same start, sides swapped."""
    if games < 2 or games % 2:
        raise BadParameter(f"--games is {games}; need an even number of at least 2: every start is played with both sides.")
    return games // 2
