"""A person against a player at a terminal: lines in, lines out, for every game, also those with several plies a turn.

Called by `zeroline play`, which only reads and prints. Promises that no line a person types can end the game but `quit`, and
that a saved game goes on where it was.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from components.core.errors import BadFile, EngineFailure, Forfeit, IllegalAction, ZerolineError
from components.core.files import read_json, write_json, write_text
from components.core.seeds import stream_of
from components.games.contract import Game, Player, State
from components.games.contract import summary as short_list
from components.games.record import one_row, result_line
from components.games.registry import make

HELP = (
    "Type a move, or: hint (what the opponent would play), legal (all moves), undo, board, save FILE (.sgf or .json), resign, "
    "help, quit."
)
PERSON = "you"
HINT_KEY, PLAY_KEY = 1, 0


@dataclass
class PlaySession:
    """One game. Invariant: after every line it is the person's turn, or the game is over."""

    game: Game
    opponent: Player
    opponent_name: str
    side: int = 0  # the person's: 0 moves first
    seed: int = 0
    actions: list[int] = field(default_factory=list)
    is_done: bool = False  # nothing more to say: quit or over
    resigned: bool = False

    def __post_init__(self) -> None:
        self.stream = np.array([stream_of(self.seed, PLAY_KEY)], dtype=np.uint64)
        self.states: list[State] = [self.game.start(self.seed)]
        told, self.actions = self.actions, []
        for action in told:
            self.play(action)
        self.call("begin_games", self.game, 1)
        self.call("begin_game", 0)

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def names(self) -> list[str]:
        return [PERSON, self.opponent_name] if self.side == 0 else [self.opponent_name, PERSON]

    @property
    def is_over(self) -> bool:
        return self.resigned or self.game.returns(self.state) is not None

    def call(self, name: str, *arguments: Any) -> None:
        hook = getattr(self.opponent, name, None)
        if hook is not None:
            hook(*arguments)

    def close(self) -> None:
        self.call("close")

    def play(self, action: int) -> None:
        self.states.append(self.game.after(self.state, action))
        self.actions.append(int(action))

    def opening_lines(self) -> list[str]:
        greeting = f"{self.game.name}: you are player {self.side + 1}, {self.opponent_name} is player {2 - self.side}."
        return [greeting, HELP, *self.let_opponent_play(), *self.board_lines()]

    def hear(self, line: str) -> list[str]:
        """Take in what the person typed; what to show."""
        word, _, rest = line.strip().partition(" ")
        commands: dict[str, Callable[[str], list[str]]] = {
            "help": lambda rest: [HELP], "board": lambda rest: self.board_lines(), "legal": lambda rest: [self.legal_line()],
            "hint": lambda rest: [self.hint()], "undo": lambda rest: self.undo(), "save": self.save,
            "resign": lambda rest: self.resign(), "quit": lambda rest: self.quit(),
        }  # fmt: skip
        if not word:
            return []
        try:
            if word.lower() in commands:
                return commands[word.lower()](rest.strip())
            return self.move(line.strip())
        except ZerolineError as error:
            # The board is on the screen already: the sentence alone, without the drawing that follows it.
            return [str(error).split("\n")[0].replace(" in this position:", ".")]

    def move(self, name: str) -> list[str]:
        if self.is_over:
            raise IllegalAction("The game is over; undo, save or quit.")
        self.play(self.game.text.action_of(self.game, self.state, name))
        return [*self.let_opponent_play(), *self.board_lines()]

    def let_opponent_play(self) -> list[str]:
        lines: list[str] = []
        while not self.is_over and int(self.state.mover) != self.side:
            try:
                action = self.choose(self.stream)
            except (EngineFailure, Forfeit) as failure:
                self.is_done = True
                return [*lines, f"{self.opponent_name} cannot go on: {failure}"]
            lines.append(f"{self.opponent_name}: {self.game.text.action_name(self.game, self.state, action)}")
            self.play(action)
        return lines

    def choose(self, stream: np.ndarray) -> int:
        seated = getattr(self.opponent, "choose_seated", None)
        rows = one_row(self.game, self.state)
        if seated is None:
            return int(self.opponent.choose(self.game, rows, stream)[0])
        return int(seated(self.game, rows, stream, np.array([0]), [tuple(self.actions)])[0])

    def board_lines(self) -> list[str]:
        drawn = self.game.text.draw(self.game, self.state).split("\n")
        if not self.is_over:
            return drawn
        self.is_done = True
        return [*drawn, f"You resigned; {self.opponent_name} wins." if self.resigned else self.result_line()]

    def result_line(self) -> str:
        return result_line(self.game, self.state, self.names)

    def legal_line(self) -> str:
        names = [self.game.text.action_name(self.game, self.state, int(action)) for action in self.game.legal(self.state)]
        return short_list(names, most=400) or "none: the game is over"

    def hint(self) -> str:
        """What the opponent would play here, and what it thinks of it where it can tell."""
        if self.is_over:
            raise IllegalAction("The game is over, there is nothing to hint at.")
        if hasattr(self.opponent, "choose_seated") and not hasattr(self.opponent, "insights"):
            raise IllegalAction(f"{self.opponent_name} is another program and gives no hints.")
        action = self.choose(np.array([stream_of(self.seed, HINT_KEY, len(self.actions))], dtype=np.uint64))
        insights = getattr(self.opponent, "insights", [])
        chance = f" (your chances: {100 * (insights[0].value + 1) / 2:.0f} %)" if insights else ""
        return f"{self.game.text.action_name(self.game, self.state, action)}{chance}"

    def undo(self) -> list[str]:
        """Back to the person's last choice."""
        own = [ply for ply in range(len(self.actions)) if int(self.states[ply].mover) == self.side]
        if not own:
            raise IllegalAction("There is no move of yours to take back.")
        del self.states[own[-1] + 1 :], self.actions[own[-1] :]
        self.is_done = self.resigned = False
        return self.board_lines()

    def resign(self) -> list[str]:
        self.resigned = not self.is_over
        return self.board_lines()

    def quit(self) -> list[str]:
        self.is_done = True
        return ["Goodbye."]

    def save(self, name: str) -> list[str]:
        """A .sgf file of Go for other programs, or .json that `zeroline play --load` goes on with."""
        if not name:
            raise BadFile("save needs a file name, for example: save game.json")
        if name.endswith(".sgf"):
            self.save_sgf(Path(name))
        else:
            saved = {"game": self.game.name, "seed": self.seed, "side": self.side, "opponent": self.opponent_name}
            write_json(Path(name), {**saved, "actions": self.actions})
        return [f"Saved {len(self.actions)} plies to {name}."]

    def save_sgf(self, path: Path) -> None:
        if self.game.family != "go":
            raise BadFile(f"SGF is for Go; save {self.game.name} as a .json file.")
        from components.protocols.sgf import write_sgf
        from components.protocols.sgf_games import result_text, sgf_of_actions

        over = self.game.returns(self.state) is not None
        result = result_text(self.game, self.state) if over else f"{'WB'[self.side]}+R" if self.resigned else ""
        write_text(path, write_sgf(sgf_of_actions(self.game, self.actions, (self.names[0], self.names[1]), result)))


def load_saved(path: Path) -> tuple[Game, dict[str, Any]]:
    """(the game, the saved values) of a .json file that `save` wrote, or of anybody's .sgf file."""
    if path.suffix == ".sgf":
        return load_sgf(path)
    saved = read_json(path)
    kinds = {"game": str, "seed": int, "side": int, "opponent": str, "actions": list}
    if not isinstance(saved, dict) or not all(isinstance(saved.get(name), kind) for name, kind in kinds.items()):
        raise BadFile(f"{path} is not a saved game; need JSON with {', '.join(kinds)}.")
    return make(saved["game"]), saved


def load_sgf(path: Path) -> tuple[Game, dict[str, Any]]:
    """(the game, the saved values): the person takes Black, and nobody in the file is an opponent of ours."""
    from components.protocols.sgf_games import actions_to_go_on_from, read_sgf_file

    sgf = read_sgf_file(path)
    game = make(f"go-{sgf.side}x{sgf.side}:komi={sgf.komi:g}")
    return game, {"seed": 0, "side": 0, "opponent": "", "actions": actions_to_go_on_from(game, sgf)}
