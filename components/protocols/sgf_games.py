"""Between SGF files and our games of Go: a match's game as a file, a file as positions, files as training rows.

Called by matches, the GTP engine's loadsgf, the terminal and `zeroline sgf-import`. Promises that every imported move was legal
under our rules and that a file which does not fit is named with its reason.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from components.core.errors import BadFile, IllegalAction, ZerolineError
from components.evaluation.result import GameRecord as MatchGame
from components.evaluation.result import positions_of
from components.games.contract import Game, State
from components.games.go.position import from_stones
from components.games.go.score import score
from components.protocols.sgf import Move, Point, SgfGame, read_sgf
from components.selfplay.record import GameKey, GameRecord
from components.selfplay.recorded import played_ply

MOST_FILE_BYTES = 4_000_000
RULES_WORDS = {True: "area scoring, no suicide, positional superko", False: "area scoring, no suicide, simple ko"}


def read_sgf_file(path: Path) -> SgfGame:
    try:
        if not path.is_file():
            raise BadFile(f"{path} is no file.")  # a device may never end
        if path.stat().st_size > MOST_FILE_BYTES:
            raise BadFile(f"{path} has more than {MOST_FILE_BYTES} bytes; it is no single game.")
        return read_sgf(path.read_bytes().decode("utf-8", errors="replace"))
    except OSError as error:
        raise BadFile(f"{path} cannot be read ({error.strerror}).") from None
    except BadFile as error:
        raise BadFile(f"{path}: {error}") from None


def point_of_action(game: Game, action: int) -> Point | None:
    """(column, row) of an action; None for a pass."""
    return (action % game.spec.width, action // game.spec.width) if action < game.spec.cells else None


def action_of_point(game: Game, point: Point | None) -> int:
    return game.spec.cells if point is None else point[1] * game.spec.width + point[0]


def sgf_of_actions(
    game: Game, actions: Sequence[int], names: tuple[str, str], result: str, comment: str = "", comments: tuple[str, ...] = ()
) -> SgfGame:
    """A game from the empty board, Black first, as SGF."""
    moves: list[Move] = [(ply % 2, point_of_action(game, action)) for ply, action in enumerate(actions)]
    rules = RULES_WORDS[bool(game.rules.is_positional)]
    return SgfGame(
        game.spec.width, float(game.rules.komi), moves=tuple(moves), names=names, result=result, rules=rules,
        comment=comment, comments=comments,
    )  # fmt: skip


def sgf_of_match_game(game: Game, record: MatchGame, names: tuple[str, str]) -> SgfGame:
    """One game of a match; names are the player's and the opponent's."""
    sides = names if record.side == 0 else (names[1], names[0])
    about = [f"pair {record.pair}, {record.opening} opening plies were drawn"]
    about += [f"{name} is {version}" for name, version in zip(names, record.versions, strict=True) if version]
    about += [text for text in (record.void, record.forfeit) if text]
    return sgf_of_actions(game, record.actions, sides, match_result(game, record), "\n".join(about))


def match_result(game: Game, record: MatchGame) -> str:
    if record.void:
        return "Void"
    if record.forfeit:
        return f"{winner_letter(record.returns)}+{'R' if 'resigned' in record.forfeit else 'F'}"
    return result_text(game, positions_of(game, record)[-1])


def winner_letter(returns: Sequence[float]) -> str:
    return "B" if returns[0] > returns[1] else "W"


def result_text(game: Game, state: State) -> str:
    """B+3.5, W+0.5 or 0 by area as the board lies."""
    margin = float(score(game.rules, state))
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def start_of(game: Game, sgf: SgfGame) -> State:
    """The position before the first move."""
    if sgf.side != game.spec.width:
        raise BadFile(f"The file is a game on {sgf.side}x{sgf.side}, this is {game.name}.")
    black = [action_of_point(game, point) for point in sgf.black_stones]
    white = [action_of_point(game, point) for point in sgf.white_stones]
    mover = sgf.first_mover if sgf.first_mover is not None else (sgf.moves[0][0] if sgf.moves else 0)
    return from_stones(game, black, white, mover) if black or white else with_mover(game.start(), mover)


def with_mover(state: State, mover: int) -> State:
    state.mover = mover
    return state


def actions_to_go_on_from(game: Game, sgf: SgfGame) -> list[int]:
    """A file's moves as actions from the empty board, for a game that somebody wants to continue."""
    if sgf.black_stones or sgf.white_stones or any(colour != ply % 2 for ply, (colour, _) in enumerate(sgf.moves)):
        raise BadFile("The game does not start from an empty board with Black and alternate; only such a game can be continued.")
    return [action_of_point(game, point) for _, point in sgf.moves]


def record_of_sgf(game: Game, sgf: SgfGame, number: int) -> GameRecord:
    """A file as self-play would tell it: the move played is the whole policy, the result the value of every position."""
    state = start_of(game, sgf)
    steps: list[tuple[State, int]] = []
    for index, (colour, point) in enumerate(sgf.moves):
        if game.returns(state) is not None:
            break  # what follows the second pass are other people's cleanup moves
        if colour != int(state.mover):
            raise BadFile(f"move {index + 1}: {'Black' if colour == 0 else 'White'} plays out of turn.")
        action = action_of_point(game, point)
        steps.append((state, action))
        try:
            state = game.after(state, action)
        except IllegalAction:
            raise BadFile(f"move {index + 1} at {game.text.action_name(game, state, action)} is illegal.") from None
    returns = returns_of(game, sgf, state)
    ending = "rules" if game.returns(state) is not None else "file"
    return GameRecord(GameKey(0, 0, 0, number), [played_ply(game, *step, returns) for step in steps], returns, ending)


def returns_of(game: Game, sgf: SgfGame, last: State) -> tuple[float, float]:
    """By the file's result; without one, by the rules if the game was played to its end."""
    returns = game.returns(last)
    if sgf.winner is not None:
        return (1.0, -1.0) if sgf.winner == 0 else (-1.0, 1.0)
    if sgf.result.strip().lower() in ("0", "draw", "jigo"):
        return (0.0, 0.0)
    if returns is None:
        raise BadFile(f"the result is unknown: RE[{sgf.result}] and the game was not played to its end.")
    return float(returns[0]), float(returns[1])


def import_games(game: Game, paths: Iterable[Path]) -> tuple[list[GameRecord], list[str]]:
    """(games in the order of the paths, why the other files were left out)."""
    records: list[GameRecord] = []
    refused: list[str] = []
    for path in paths:
        try:
            records.append(record_of_sgf(game, read_sgf_file(path), len(records)))
        except ZerolineError as error:
            refused.append(f"{path.name}: {str(error).removeprefix(f'{path}: ')}")
    return records, refused
