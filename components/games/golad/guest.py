"""A net of another GOLAD variant at the table: what it sees of the position, and which plies its action becomes.

Read by players/guest.py. A net that knows births by random pairs draws the pair of a turn from the position alone, so nothing
has to be remembered: asked in the middle of a birth, it pays with the same pair. Nets that choose their sacrifices are no
guests where pairs are drawn: their plies do not exist there.
"""

from components.core.seeds import stream_of
from components.games.contract import Game, State
from components.games.golad.rules import NONE, turn_pair

OWN_KNOBS = frozenset({"sacrifices", "planes", "next_generations"})  # how a net sees and acts
REFEREE_KNOBS = frozenset({"cells", "separate", "max_rounds"})  # may differ; the match is played by the referee's
SALT_KEY = 0x601AD  # any fixed number: keeps these lots apart from every other stream


def can_host(referee: Game, trained: Game) -> bool:
    return bool(trained.rules.is_random or not referee.rules.is_random)


def draws_pairs(referee: Game, home: Game) -> bool:
    """Whether the guest's births are one action where the referee's are three plies."""
    return bool(home.rules.is_random and not referee.rules.is_random)


def home_state(referee: Game, home: Game, state: State, history: tuple[int, ...] | None) -> State:
    """The position by the guest's rules, at the start of the turn: until a birth is paid the board does not change."""
    twin = home.copy(state)
    if draws_pairs(referee, home):
        twin.target, twin.first, twin.ply = NONE, NONE, state.turn
        # By the whole position, not by the turn alone: else every game of a match would sacrifice the same cells first.
        twin.salt = stream_of(SALT_KEY, int(state.turn), *state.cells.ravel().tolist())
    return twin


def plies_for(referee: Game, home: Game, state: State, home_state: State, action: int) -> list[int]:
    """The referee's plies of the guest's action; of a birth that somebody else began, only its payment."""
    if not draws_pairs(referee, home):
        return [action]
    pair = [int(cell) for cell in turn_pair(home.rules, home_state)]
    if state.target != NONE:
        unpaid = [cell for cell in pair if cell != state.first]
        return unpaid if state.first == NONE else unpaid[:1]
    return [action, *pair] if is_birth(home, home_state, action) else [action]


def is_birth(home: Game, state: State, action: int) -> bool:
    row, column = divmod(action, home.spec.width)
    return action < home.spec.cells and not (int(state.cells[0, row]) | int(state.cells[1, row])) >> column & 1
