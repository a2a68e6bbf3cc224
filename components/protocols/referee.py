"""The official GOLAD match without Java: two bots, one board, the engine's verdicts and the wrapper's clock.

Called by `zeroline riddles-match` and by the transcript tests. Promises the lines that the official engine and its wrapper
send, in their order, given the same answers; only the numbers of the clocks are this machine's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from components.games.contract import Game, State
from components.games.golad.check_transcript import FIRST_ECHO, as_engine_reads, request_lines
from components.games.golad.moves import actions_of, read_answer
from components.games.golad.text import board_of, position
from components.players.riddles import Seat, settings_lines


@dataclass(frozen=True)
class Turn:
    """One turn as it was played."""

    player: int
    answer: str
    warning: str | None  # the engine's words about an answer that it refused
    board: str  # after the life step


@dataclass
class OfficialGame:
    """How a match went: winner 0, 1 or None for a tie; rounds as the engine counts its score."""

    winner: int | None
    rounds: int
    turns: list[Turn] = field(default_factory=list)


def play_official_game(
    game: Game, board: str, seats: Sequence[Seat], on_turn: Callable[[Turn], None] = lambda turn: None
) -> OfficialGame:
    """Play from a start board to the end. A seat that fails for good answers nothing from then on."""
    for player, seat in enumerate(seats):
        seat.tell(settings_lines(game, player, seat.bank))
    state = position(game, board)
    echoes = [FIRST_ECHO, FIRST_ECHO]
    turns: list[Turn] = []
    while game.returns(state) is None:
        turn, echo = play_turn(game, state, seats, echoes)
        echoes[turn.player] = echo
        turns.append(turn)
        on_turn(turn)
    return OfficialGame(winner_of(game, state), (len(turns) + 1) // 2, turns)


def play_turn(game: Game, state: State, seats: Sequence[Seat], echoes: list[str]) -> tuple[Turn, str]:
    """Ask the mover, judge its answer and play it in place; returns the turn and how it is told to the opponent."""
    player, seat = int(state.mover), seats[int(state.mover)]
    board = board_of(state.cells, game.spec.width)
    text = seat.ask(request_lines(state, board, echoes[1 - player], int(seat.bank.left)))
    answer = read_answer(as_engine_reads(text), board, game.spec.width, player)
    for action in actions_of(game, state, answer.effect):
        game.kernels.apply(game.rules, state, action)
    return Turn(player, text, answer.error, board_of(state.cells, game.spec.width)), answer.echo


def winner_of(game: Game, state: State) -> int | None:
    returns = game.returns(state)
    assert returns is not None
    return None if returns[0] == returns[1] else int(returns[1] > returns[0])
