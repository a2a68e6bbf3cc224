"""The board behind a GTP session: any size, either colour at any time, undo, handicaps, files.

Used by gtp_engine.py. A controller is the referee: it may let a colour play twice, play on after two passes and go beyond our
move cap. Promises that what our rules forbid on the board itself (occupied, suicide, ko, superko) is refused, and that a
refused command changes nothing.
"""

from collections.abc import Sequence
from pathlib import Path

from components.core.errors import BadParameter, IllegalAction, ZerolineError
from components.games.contract import Game, State
from components.games.go.board import EMPTY, NOWHERE
from components.games.go.position import from_board, from_stones
from components.games.go.text import COLUMNS
from components.protocols.sgf import SgfGame
from components.protocols.sgf_games import action_of_point, read_sgf_file, start_of
from components.protocols.thinking import trained_rules, with_knobs

SPARE_PLIES = 100  # beyond three visits to every point: no game between programs lasts longer


class GtpError(ZerolineError):
    """A command that failed, in the words of the protocol."""


class GoTable:
    """The rules and the positions since the last clear_board, the newest last."""

    def __init__(self, player_text: str, side: int, ko: str | None) -> None:
        self.player_text, self.ko = player_text, ko
        self.komi: float | None = None
        self.set_size(side)

    def set_size(self, side: int) -> None:
        """A new, empty board."""
        trained = trained_rules(self.player_text, "go", f"{side}x{side}")
        knobs = {"komi": trained.knobs.komi if self.komi is None else self.komi, "ko": self.ko or trained.knobs.ko}  # type: ignore[attr-defined]
        self.seen_as = with_knobs(trained, **knobs)
        self.game = with_knobs(trained, **knobs, move_cap=3 * side * side + SPARE_PLIES)
        self.states: list[State] = [self.game.start()]
        self.base = 0  # states before this one cannot be taken back: handicap stones, files

    def set_komi(self, komi: float) -> None:
        """The positions stay: komi is no part of them."""
        self.seen_as = with_knobs(self.seen_as, komi=komi)
        self.game = with_knobs(self.game, komi=komi)
        self.komi = komi

    def clear(self) -> None:
        self.states = [self.game.start()]
        self.base = 0

    @property
    def side(self) -> int:
        return self.game.spec.width

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def is_empty(self) -> bool:
        return bool((self.state.board == EMPTY).all())

    @property
    def pass_action(self) -> int:
        return self.game.spec.cells

    def turned_to(self, colour: int) -> State:
        """A copy of the position in which a colour may move, whatever happened before."""
        state = self.game.copy(self.state)
        if int(state.ply) >= self.game.spec.max_plies - 1:
            # Beyond any real game: go on from the board as it lies rather than refuse.
            state = from_board(self.game, [int(stone) for stone in state.board], colour)
        if int(state.mover) != colour:
            state.mover, state.ko = colour, NOWHERE  # a ko is for the other side to wait out
        if int(state.passes) >= 2:
            state.passes = 0
        return state

    def play(self, colour: int, action: int) -> None:
        state = self.turned_to(colour)
        try:
            self.states.append(self.game.after(state, action))
        except IllegalAction:
            raise GtpError("illegal move") from None

    def undo(self) -> None:
        if len(self.states) - 1 <= self.base:
            raise GtpError("cannot undo")
        self.states.pop()

    def set_handicap(self, points: Sequence[int]) -> None:
        """Black stones on an empty board; White moves next."""
        if not self.is_empty:
            raise GtpError("board not empty")
        self.states = [from_stones(self.game, points, (), mover=1)]
        self.base = 0

    def load(self, path: Path, moves: int | None) -> int:
        """Take over a file's game up to a number of moves; returns the colour to move."""
        try:
            return self.take_over(read_sgf_file(path), moves)
        except ZerolineError:
            raise GtpError("cannot load file") from None

    def take_over(self, sgf: SgfGame, moves: int | None) -> int:
        fresh = GoTable(self.player_text, sgf.side, self.ko)
        fresh.set_komi(sgf.komi)
        fresh.states = [start_of(fresh.game, sgf)]
        for colour, point in sgf.moves[:moves]:
            fresh.play(colour, action_of_point(fresh.game, point))
        self.game, self.seen_as, self.komi = fresh.game, fresh.seen_as, fresh.komi
        self.states, self.base = fresh.states, 0
        following = sgf.moves[moves : moves + 1] if moves is not None else ()
        return following[0][0] if following else int(self.state.mover)


def fixed_handicap(side: int, stones: int) -> list[str]:
    """The vertices of GTP's fixed handicaps: corners, then sides, then the centre."""
    most = 0 if side < 7 else (4 if side % 2 == 0 or side == 7 else 9)
    if not 2 <= stones <= most:
        raise GtpError("invalid number of stones")
    low, middle, high = ((3, 4)[side >= 13] - 1, side // 2, side - (3, 4)[side >= 13])
    corners = [(low, low), (high, high), (low, high), (high, low)]  # column, row from the bottom
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    chosen = corners[: min(stones, 4)] + (sides[: (stones - 4) // 2 * 2] if stones > 4 else [])
    chosen += [(middle, middle)] if stones >= 5 and stones % 2 == 1 else []
    return [f"{COLUMNS[column]}{row + 1}" for column, row in chosen]


def free_handicap(game: Game, stones: int) -> list[str]:
    """Where we put handicap stones of our own choice: the fixed points where they exist, else spread over the board."""
    side = game.spec.width
    if stones < 2 or stones >= game.spec.cells:
        raise GtpError("invalid number of stones")
    for count in range(min(stones, 9), 1, -1):
        try:
            return fixed_handicap(side, count)  # fewer than asked for is allowed
        except GtpError:
            continue
    return [f"{COLUMNS[0]}1", f"{COLUMNS[side - 1]}{side}"]


def refuse_size(side: int) -> None:
    if not 2 <= side <= len(COLUMNS):
        raise BadParameter(f"Boards of size {side} cannot be played; need 2 to {len(COLUMNS)}.")
