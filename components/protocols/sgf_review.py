"""A player's opinion of a recorded game of Go: the chances before every move, its own choice, what the move cost.

Called by `zeroline review`. Takes what files hold: any size, handicap stones, a colour that moves twice, repeated boards. Files
are read and written by others.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from components.core.errors import BadFile, BadParameter
from components.games.contract import State
from components.protocols.go_table import GoTable, GtpError
from components.protocols.sgf import SgfGame
from components.protocols.sgf_games import action_of_point
from components.protocols.thinking import Thinker

KO = "simple"  # a recorded game is a fact: many servers allow what our superko does not
COLOURS = ("Black", "White")


@dataclass(frozen=True)
class MoveNote:
    """What the player thinks of one move. Chances are those of the move's own colour, from 0 to 1."""

    number: int  # from 1, as Go players count
    colour: int
    name: str
    best: str
    chance_before: float
    chance_after: float

    @property
    def cost(self) -> float:
        """Two searches of one game never agree to the point: the player's own choice costs nothing."""
        return 0.0 if self.name == self.best else max(0.0, self.chance_before - self.chance_after)

    @property
    def text(self) -> str:
        chances = f"{COLOURS[self.colour]}'s chances: {100 * self.chance_before:.0f} %"
        return chances if self.name == self.best else f"{chances}. Better: {self.best}; {self.name} costs {100 * self.cost:.0f} %"


def review_game(
    sgf: SgfGame, player_text: str, seed: int = 0, on_position: Callable[[int], None] = lambda number: None
) -> list[MoveNote]:
    """A note for every move of the main line."""
    table = GoTable(player_text, sgf.side, KO)
    positions = positions_of_file(table, sgf)
    thinker = Thinker(player_text, time.monotonic, seed)
    thinker.sit(table.game, table.seen_as)
    best, chances = [], []
    for number, position in enumerate(positions):
        action, chance = judge(thinker, position)
        best.append(table.game.text.action_name(table.game, position, action))
        chances.append(chance)
        on_position(number)
    return [
        MoveNote(number + 1, colour, name, best[number], *chances_around(positions, chances, number))
        for number, (colour, name) in enumerate(named_moves(table, sgf))
    ]


def positions_of_file(table: GoTable, sgf: SgfGame) -> list[State]:
    """The position before every move, its colour to move, and the one after the last."""
    table.take_over(sgf, 0)
    positions = []
    for number, (colour, point) in enumerate(sgf.moves, start=1):
        positions.append(table.turned_to(colour))
        try:
            table.play(colour, action_of_point(table.game, point))
        except GtpError:
            raise BadFile(f"Move {number} of the game is illegal; end the file before it.") from None
    last = sgf.moves[-1][0] if sgf.moves else 1
    return [*positions, table.turned_to(1 - last)]


def named_moves(table: GoTable, sgf: SgfGame) -> list[tuple[int, str]]:
    text = table.game.text
    return [(colour, text.action_name(table.game, None, action_of_point(table.game, point))) for colour, point in sgf.moves]


def judge(thinker: Thinker, position: State) -> tuple[int, float]:
    """(what the player would do, the chances of who is to move)."""
    thought = thinker.think(position)
    if thought.value is None:
        raise BadParameter(
            f"'{thinker.text}' has no opinion on a position; review with a player that searches, such as champion."
        )
    return thought.action, (thought.value + 1) / 2


def chances_around(positions: Sequence[State], chances: Sequence[float], number: int) -> tuple[float, float]:
    """The mover's chances before and after a move."""
    is_same_mover = int(positions[number].mover) == int(positions[number + 1].mover)
    return chances[number], chances[number + 1] if is_same_mover else 1 - chances[number + 1]


def commented(sgf: SgfGame, notes: Sequence[MoveNote]) -> SgfGame:
    """The game with the notes behind what was already said about its moves."""
    both = zip_longest(sgf.comments, [note.text for note in notes], fillvalue="")
    return replace(sgf, comments=tuple("\n".join(filter(None, pair)) for pair in both))
