"""GOLAD records against our rules: turns, raw answers, start boards, whole games, transcripts of matches.

Called by components/games/check.py. Promises that every field of the format is compared, and that a value that no engine can
have written is refused with its place in the file.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from components.core.errors import BadFile, BadParameter
from components.games.check import Tally, shorten
from components.games.contract import Game, State
from components.games.golad.life import count_cells, flip, has_cells, owns
from components.games.golad.moves import Move, actions_of, read_answer
from components.games.golad.rules import give_birth
from components.games.golad.startboards import official_board
from components.games.golad.text import board_of, position
from components.games.registry import make

Record = dict[str, Any]
NULL = type(None)
BOARD_FIELDS: dict[str, Any] = {"w": int, "h": int, "board": str}
TURN_FIELDS: dict[str, Any] = {
    **BOARD_FIELDS,
    "player": int, "move": str, "error": (str, NULL), "echo": str, "after_move": str, "after_step": str,
    "cells": list, "cells_after_move": list, "cells_after_step": list, "over": bool, "winner": (int, NULL),
}  # fmt: skip
SEED_FIELDS: dict[str, Any] = {"seed": str, "cells_per_player": int, "separate": int}
REQUIRED_FIELDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "step": TURN_FIELDS,
    "input": TURN_FIELDS,
    "init": {**BOARD_FIELDS, **SEED_FIELDS, "cells": list},
    "game": {
        **BOARD_FIELDS,
        "max_rounds": int, "policies": list, "moves": list, "boards": list, "invalid_turns": list, "warnings": list,
        "winner": (int, NULL), "rounds": int, "turns": int, "cells": list,
    },
    "transcript": {**BOARD_FIELDS, **SEED_FIELDS, "max_rounds": int, "winner": (int, NULL), "rounds": int, "bots": list},
}  # fmt: skip


def is_record(record: Record) -> bool:
    kind = record.get("kind")
    return isinstance(kind, str) and kind in REQUIRED_FIELDS and all(name in record for name in BOARD_FIELDS)


def check_records(records: list[Record], tally: Tally, deep: bool) -> None:
    """Compare every record with what our rules make of it."""
    from components.games.golad.check_transcript import check_transcript

    checkers = {"step": check_turn, "input": check_turn, "init": check_start, "game": check_game, "transcript": check_transcript}
    for record in records:
        check_board(record, "board", record["board"])
        checkers[record["kind"]](record, Expect(record, tally))


class Expect:
    """Counts one record's comparisons; a mismatch shows the field and the board."""

    def __init__(self, record: Record, tally: Tally) -> None:
        self.record, self.tally = record, tally

    def __call__(self, field: str, found: Any, needed: Any, board: str | None = None) -> None:
        where = f"{self.record['_where']} {field}"
        shown = self.record["board"] if board is None else board
        self.tally.expect(self.record["kind"], found, needed, where, lambda: drawn(shown, self.record["w"]))


def drawn(board: str, width: int) -> str:
    return "\n".join(" ".join(board[start : start + width]) for start in range(0, len(board), width))


def refuse(record: Record, field: str, need: str) -> BadFile:
    return BadFile(f"{record['_where']}: field '{field}' is {shorten(record[field], 60)}; need {need}. See the format's README.")


def check_board(record: Record, field: str, board: Any) -> str:
    """The board itself, after a look at its size and marks."""
    width, height = record["w"], record["h"]
    for side in ("w", "h"):
        if not 1 <= record[side] <= 64:
            raise refuse(record, side, "a side from 1 to 64")
    if not isinstance(board, str) or len(board) != width * height or set(board) - set(".01"):
        raise refuse(record, field, f"boards of {width * height} characters '.', '0', '1'")
    return board


def check_list(record: Record, field: str, of: type, is_right: Callable[[Any], bool] = lambda item: True) -> list[Any]:
    """A list whose items are all of a type and right."""
    if not all(isinstance(item, of) and not isinstance(item, bool) and is_right(item) for item in record[field]):
        raise refuse(record, field, f"a list of proper values of type {of.__name__}")
    return record[field]


def check_counts(record: Record, field: str) -> list[int]:
    if len(check_list(record, field, int)) != 2:
        raise refuse(record, field, "two counts")
    return record[field]


def check_winner(record: Record) -> int | None:
    winner = record["winner"]
    if isinstance(winner, bool) or winner not in (0, 1, None):
        raise refuse(record, "winner", "0, 1 or null")
    return winner


@lru_cache(maxsize=64)
def game_of(width: int, height: int, max_rounds: int) -> Game:
    return make(f"golad-{width}x{height}:max_rounds={max_rounds}")


def game_for(record: Record) -> Game:
    if "max_rounds" in record and not 0 <= record["max_rounds"] <= 1000:
        raise refuse(record, "max_rounds", "a number from 0 to 1000")
    return game_of(record["w"], record["h"], int(record.get("max_rounds", 100)))


def counts(board: str) -> list[int]:
    return [board.count("0"), board.count("1")]


def survivor(game: Game, state: State) -> tuple[bool, int | None]:
    """(at most one player is alive, the only one alive)."""
    alive = [player for player in (0, 1) if has_cells(state.cells, player)]
    return len(alive) <= 1, alive[0] if len(alive) == 1 else None


def board_after(game: Game, state: State, move: Move) -> str:
    """The board after a move and before life."""
    changed = game.copy(state)
    target, *sacrifices = actions_of(game, state, move)
    if move.kind == "birth":
        give_birth(changed, game.spec.width, target, *sacrifices)
    elif move.kind == "kill":
        owner = 0 if owns(changed.cells, 0, target, game.spec.width) else 1
        flip(changed.cells, owner, target, game.spec.width)
    return board_of(changed.cells, game.spec.width)


def play_move(game: Game, state: State, move: Move) -> None:
    """A whole turn in place. Not `after`: records also ask for turns on boards where the game is already over."""
    for action in actions_of(game, state, move):
        game.kernels.apply(game.rules, state, action)


def check_turn(record: Record, expect: Expect) -> None:
    """One answer on one board: verdict, message, echo, board before and after life, counts, survivor."""
    if record["player"] not in (0, 1):
        raise refuse(record, "player", "0 or 1")
    for field in ("after_move", "after_step"):
        check_board(record, field, record[field])
    game = game_for(record)
    player, width = int(record["player"]), record["w"]
    state = position(game, record["board"], turn=player)
    answer = read_answer(record["move"], record["board"], width, player)
    expect("error", answer.error, record["error"])
    expect("echo", answer.echo, record["echo"])
    expect("cells", counts(record["board"]), check_counts(record, "cells"))
    after_move = board_after(game, state, answer.effect)
    expect("after_move", after_move, record["after_move"])
    expect("cells_after_move", counts(after_move), check_counts(record, "cells_after_move"))
    play_move(game, state, answer.effect)
    after_step = board_of(state.cells, width)
    expect("after_step", after_step, record["after_step"], after_move)
    check_counts(record, "cells_after_step")
    expect("cells_after_step", [count_cells(state.cells, p) for p in (0, 1)], record["cells_after_step"], after_step)
    over, winner = survivor(game, state)
    expect("over", over, record["over"], after_step)
    expect("winner", winner, check_winner(record), after_step)


def check_start(record: Record, expect: Expect) -> None:
    """A start board from its seed, and what every start board has."""
    board, cells = record["board"], record["cells_per_player"]
    expect_seeded_board(record, expect)
    expect("cells", counts(board), check_counts(record, "cells"))
    expect("cells_per_player", counts(board), [cells, cells])
    expect("rotation", board[::-1].translate(str.maketrans("01", "10")), board)
    if record["separate"]:
        expect("separate", board[: len(board) // 2].count("1"), 0)


def expect_seeded_board(record: Record, expect: Expect) -> None:
    if record["separate"] not in (0, 1):
        raise refuse(record, "separate", "0 or 1")
    if record["cells_per_player"] < 0:
        raise refuse(record, "cells_per_player", "a number of cells")
    is_separate = record["separate"] == 1
    try:
        board = official_board(record["seed"], record["w"], record["h"], record["cells_per_player"], is_separate)
    except BadParameter as error:
        raise BadFile(f"{record['_where']}: {error}") from None
    expect("board", board, record["board"])


def check_game(record: Record, expect: Expect) -> None:
    """A whole game: every verdict and board in turn, the end exactly where it is recorded, its result."""
    game = game_for(record)
    moves = check_list(record, "moves", str)
    boards = [check_board(record, "boards", board) for board in record["boards"]]
    check_seed_fields(record, expect)
    state = position(game, record["board"])
    refused, warnings = [], []
    for turn, text in enumerate(moves):
        board = board_of(state.cells, record["w"])
        expect(f"over before turn {turn}", game.returns(state) is not None, False, board)
        answer = read_answer(text, board, record["w"], turn % 2)
        if answer.error is not None:
            refused.append(turn)
            warnings.append(f'Engine warning: "{answer.error}"')
        play_move(game, state, answer.effect)
        expect(f"boards[{turn}]", board_of(state.cells, record["w"]), boards[turn] if turn < len(boards) else None, board)
    last = board_of(state.cells, record["w"])
    expect("invalid_turns", refused, check_list(record, "invalid_turns", int))
    expect("warnings", warnings, check_list(record, "warnings", str))
    expect("turns", len(moves), record["turns"])
    expect("boards", len(moves), len(boards))
    expect("cells", counts(last), check_counts(record, "cells"), last)
    expect_end(record, game, state, expect)


def check_seed_fields(record: Record, expect: Expect) -> None:
    """Games from the engine's generator carry its seed; the others started from a board of their own."""
    if "seed" not in record:
        return
    for field, kind in SEED_FIELDS.items():
        if not isinstance(record.get(field), kind):
            raise BadFile(f"{record['_where']}: a game with a seed needs field '{field}' of type {kind.__name__}.")
    expect_seeded_board(record, expect)


def expect_end(record: Record, game: Game, state: State, expect: Expect) -> None:
    """The game is over here, with the recorded winner and the number of the last round that was started."""
    last = board_of(state.cells, record["w"])
    returns = game.returns(state)
    expect("over at the end", returns is not None, True, last)
    winner = None if returns is None or returns[0] == 0 else int(returns[1] > 0)
    expect("winner", winner, check_winner(record), last)
    expect("rounds", (int(state.turn) + 1) // 2, record["rounds"], last)
