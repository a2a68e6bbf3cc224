"""Go for people: a drawn board with GTP vertices (A1 bottom left, no I), and the reason why a move is refused.

A drawing holds what decides the legal actions: stones, mover, ply, passes, captures and the points banned by ko or superko.
The boards that banned them are not drawn; a parsed position bans the same points until the board changes.
"""

import re

from components.core.errors import BadFile, BadParameter, IllegalAction
from components.games.contract import Game, State
from components.games.go.board import EMPTY, NOWHERE
from components.games.go.position import MARKS, position_from_rows
from components.games.go.rules import KO, LEGAL, OCCUPIED, SUICIDE, SUPERKO, forbid_result, is_over, refusal
from components.games.go.score import area, score

COLUMNS = "ABCDEFGHJKLMNOPQRST"  # GTP skips I
COLOURS = ("Black", "White")
REASONS = {OCCUPIED: "a stone is there", SUICIDE: "suicide", KO: "ko", SUPERKO: "superko: this board was there before"}
BANS = {KO: "ko", SUPERKO: "superko"}
STATUS = re.compile(r"([XO]) to move, ply (\d{1,4}), passes ([012]), captured by X (\d{1,4}), by O (\d{1,4})")
BANNED = re.compile(r"banned: (.+)")
BAN = re.compile(r"([A-T]\d+) \((ko|superko)\)")
RESIGNED = re.compile(r"([XO]) resigned")
ROW = re.compile(r"\s*(\d+)[ (]([.XO () ]+?)[ )]\1")


def vertex(game: Game, point: int) -> str:
    side = game.spec.width
    return f"{COLUMNS[point % side]}{side - point // side}"


def point_of(game: Game, name: str) -> int:
    """The point of a vertex such as D4; NOWHERE if the board has none."""
    side = game.spec.width
    found = re.fullmatch(r"([A-HJ-T])([1-9]\d?)", name.strip().upper())
    if found is None or COLUMNS.index(found[1]) >= side or int(found[2]) > side:
        return NOWHERE
    return (side - int(found[2])) * side + COLUMNS.index(found[1])


class GoText:
    def draw(self, game: Game, state: State) -> str:
        side = game.spec.width
        letters = "   " + " ".join(COLUMNS[:side])
        rows = [self.draw_row(game, state, row) for row in range(side)]
        return "\n".join([letters, *rows, letters, *self.status_lines(game, state)])

    def draw_row(self, game: Game, state: State, row: int) -> str:
        """One row with its number on both sides; the last stone stands in brackets."""
        side = game.spec.width
        marks = " ".join(MARKS[mark] for mark in state.board[row * side : (row + 1) * side])
        line = f"{side - row:2d} {marks} {side - row}"
        if 0 <= state.last < game.spec.cells and state.last // side == row:
            place = 3 + 2 * (int(state.last) % side)
            line = f"{line[: place - 1]}({line[place]}){line[place + 2 :]}"
        return line

    def status_lines(self, game: Game, state: State) -> list[str]:
        lines = [
            f"{MARKS[state.mover + 1]} to move, ply {state.ply}, passes {state.passes}, "
            f"captured by X {state.captures[0]}, by O {state.captures[1]}"
        ]
        if state.resigned:
            return [*lines, f"{MARKS[state.resigned]} resigned"]
        if is_over(game.rules, state):
            black, white = area(game.rules, state)
            return [*lines, f"area X {black}, O {white}, margin {score(game.rules, state):+g}"]
        reasons = {point: refusal(game.rules, state, point) for point in range(game.spec.cells)}
        banned = [f"{vertex(game, point)} ({BANS[reason]})" for point, reason in reasons.items() if reason in BANS]
        return [*lines, f"banned: {', '.join(banned)}"] if banned else lines

    def parse(self, game: Game, text: str) -> State:
        side = game.spec.width
        lines = text.strip().splitlines()[1:]
        rows, others = lines[:side], lines[side:]
        found = [ROW.fullmatch(row) for row in rows]
        status = STATUS.fullmatch(others[1]) if len(others) in (2, 3) else None
        if status is None or len(rows) != side or not all(found):
            raise BadFile(f"Not a {game.name} position: need {side} drawn rows and a line 'X to move, ply ...', found:\n{text}")
        board = "\n".join(re.sub(r"[ ()]", "", row[2]) for row in found if row)
        try:
            state = position_from_rows(game, board, "XO".index(status[1]))
        except BadParameter as error:
            raise BadFile(str(error)) from None
        if int(status[2]) > game.spec.max_plies:
            raise BadFile(f"{game.name}: ply {status[2]} is beyond the move cap of {game.spec.max_plies}; raise move_cap.")
        state.ply, state.passes = int(status[2]), int(status[3])
        state.captures[:] = int(status[4]), int(status[5])
        state.last = last_action(game, state, rows)
        for line in others[2:]:
            self.parse_note(game, state, line)
        return state

    def parse_note(self, game: Game, state: State, line: str) -> None:
        """The line below the status: bans, a resignation, or a score, which follows from the rest."""
        resigned, banned = RESIGNED.fullmatch(line), BANNED.fullmatch(line)
        if resigned:
            state.resigned = MARKS.index(resigned[1])
            state.last = game.spec.cells + 1
        elif banned:
            bans = [BAN.fullmatch(piece) for piece in banned[1].split(", ")]
            if not all(bans) or len(bans) > state.ply:
                raise BadFile(
                    f"{game.name}: cannot read '{line}'; write 'banned: C3 (ko), D4 (superko)', fewer than plies played."
                )
            for ban in bans:
                self.ban(game, state, ban[1], ban[2])  # type: ignore[index]
        elif not line.startswith("area "):
            raise BadFile(f"{game.name}: cannot read the line '{line}' below the board.")

    def ban(self, game: Game, state: State, name: str, kind: str) -> None:
        """Make a point illegal the way it became so: by ko, or because the board it leads to was there before."""
        point = point_of(game, name)
        if point == NOWHERE or refusal(game.rules, state, point) not in (LEGAL, KO):
            raise BadFile(f"{game.name}: {name} cannot be banned by {kind} here, it is not open to the mover anyway.")
        forbid_result(game.rules, state, point)
        if kind == BANS[KO]:
            state.ko = point
        if refusal(game.rules, state, point) == LEGAL:
            raise BadFile(f"{game.name}: {name} cannot be banned by superko, this game has simple ko; set ko=positional.")

    def action_name(self, game: Game, state: State, action: int) -> str:
        if action < game.spec.cells:
            return vertex(game, action)
        return "pass" if action == game.spec.cells else "resign"

    def action_of(self, game: Game, state: State, name: str) -> int:
        """The action of a vertex, 'pass' or, where the game has that action, 'resign'; letters may be small."""
        cells = game.spec.cells
        word = name.strip().lower()
        if is_over(game.rules, state):
            raise IllegalAction(f"The game is over, '{name}' cannot be played.\n{self.draw(game, state)}")
        if word == "pass" or (word == "resign" and game.spec.actions > cells + 1):
            return cells if word == "pass" else cells + 1
        point = point_of(game, name)
        if point == NOWHERE:
            corner = vertex(game, game.spec.width - 1)
            raise IllegalAction(f"'{name}' is no point of this board; write A1 to {corner} or pass.\n{self.draw(game, state)}")
        reason = refusal(game.rules, state, point)
        if reason != LEGAL:
            mover = COLOURS[int(state.mover)]
            raise IllegalAction(
                f"{mover} may not play {vertex(game, point)} ({REASONS[reason]}) in this position:\n{self.draw(game, state)}"
            )
        return point


def last_action(game: Game, state: State, rows: list[str]) -> int:
    """The point in brackets; else a pass, if one was counted."""
    for row, line in enumerate(rows):
        if "(" in line:
            point = row * game.spec.width + (line.index("(") - 2) // 2
            return point if state.board[point] != EMPTY else NOWHERE
    return game.spec.cells if state.passes else NOWHERE


TEXT = GoText()
