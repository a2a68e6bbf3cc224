"""Let one player play both sides of many games and tell them as self-play would: an oracle's games, to learn from.

Called by the generate stage when `selfplay.players` names a player. Promises that the games depend on their keys, the player and
the opening plies only, as far as the player itself repeats (Pachi does not); finished games survive a kill in the ledger.
"""

from collections.abc import Callable
from pathlib import Path

from components.core.errors import EngineFailure
from components.core.seeds import stream_of
from components.evaluation.ledger import Ledger
from components.evaluation.match import play_match
from components.evaluation.result import GameRecord as MatchGame
from components.evaluation.result import positions_of
from components.games.contract import Game, Player
from components.selfplay.record import GameKey, GameRecord
from components.selfplay.recorded import ending_of, played_ply

RESIGNED = "resigned"  # how a game ended that a player gave up or lost by breaking the rules


def play_recorded(
    game: Game, player: Player, name: str, keys: list[GameKey], opening_plies: int, slots: int, ledger: Path,
    on_game: Callable[[MatchGame], None] = lambda record: None,
) -> list[GameRecord]:  # fmt: skip
    """Games in the order of their keys, which share seed, generation and shard. Two at a time begin with the same opening."""
    first = keys[0]
    result = play_match(
        game, player, player, -(-len(keys) // 2), stream_of(first.seed, first.generation, first.shard), slots,
        names=(name, name), opening_plies=opening_plies, ledger=Ledger(ledger), on_game=on_game,
    )  # fmt: skip
    if len(result.records) < len(keys):
        raise EngineFailure(
            f"{name} finished {len(result.records)} of {len(keys)} games, the last trouble: {result.voids[-1]} Run the same"
            " command again: finished games are kept."
        )
    return [told_game(game, key, record) for key, record in zip(keys, result.records, strict=False)]


def told_game(game: Game, key: GameKey, record: MatchGame) -> GameRecord:
    """The player's own plies; those of the opening were drawn and teach nothing."""
    positions = positions_of(game, record)
    steps = list(zip(positions[:-1], record.actions, strict=True))[record.opening :]
    plies = [played_ply(game, state, action, record.returns) for state, action in steps]
    return GameRecord(key, plies, record.returns, RESIGNED if record.forfeit else ending_of(game, positions[-1]))
