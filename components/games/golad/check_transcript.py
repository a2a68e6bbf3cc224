"""A recorded match as its two bots saw it: every line of the text protocol against the one that our rules would send.

Called by check.py. Promises that the framing, the boards, the counts, the echoed moves, the warnings and the end are compared.
The clock's numbers are real time, so only their range is.
"""

from dataclasses import dataclass, field
from typing import Any

from components.games.contract import Game, State
from components.games.golad.check import (
    Expect,
    Record,
    counts,
    expect_end,
    expect_seeded_board,
    game_for,
    play_move,
    refuse,
)
from components.games.golad.moves import Answer, read_answer
from components.games.golad.text import board_of, position

TAGS = ("in", "out", "warn", "note")
ASKING = "action move "
FIRST_ECHO = "null"  # before the opponent's first turn


@dataclass
class Turn:
    """One request to a bot: the lines up to it, the line that answered, the engine's warnings about it."""

    lines: list[str] = field(default_factory=list)
    answer: str | None = None
    warnings: list[str] = field(default_factory=list)


def check_transcript(record: Record, expect: Expect) -> None:
    """Replay a match from both bots' answers and compare what each was sent."""
    game = game_for(record)
    logs = [split_log(log) for log in check_bots(record)]
    expect_seeded_board(record, expect)
    timebanks = [expect_settings(record, expect, player, log[0].lines) for player, log in enumerate(logs)]
    state = position(game, record["board"])
    echoes = [FIRST_ECHO, FIRST_ECHO]
    turns = [log[1:] for log in logs]
    while game.returns(state) is None:
        player = int(state.mover)
        answer = replay_turn(record, expect, game, state, turns[player], echoes[1 - player], timebanks[player])
        echoes[player] = answer.echo
        play_move(game, state, answer.effect)
    expect("requests after the end", [len(left) for left in turns], [0, 0])
    expect_end(record, game, state, expect)


def check_bots(record: Record) -> list[list[Any]]:
    """Two lists of [tag, text]."""
    bots = record["bots"]
    if len(bots) != 2 or not all(isinstance(log, list) and all(map(is_entry, log)) for log in bots):
        raise refuse(record, "bots", f"two lists of [tag, text] with tags {', '.join(TAGS)}")
    return bots


def is_entry(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and all(isinstance(part, str) for part in entry) and entry[0] in TAGS


def split_log(log: list[list[str]]) -> list[Turn]:
    """The settings first, then one Turn per request."""
    turns = [Turn()]
    is_answered = True  # after the settings, and after each request, the next `update` opens a turn
    for tag, text in log:
        if tag == "in":
            if is_answered and text.startswith("update "):
                turns.append(Turn())
                is_answered = False
            turns[-1].lines.append(text)
            is_answered = is_answered or text.startswith(ASKING)
        elif tag == "out" and turns[-1].answer is None:
            turns[-1].answer = text
        elif tag == "warn":
            turns[-1].warnings.append(text)
    return turns


def expect_settings(record: Record, expect: Expect, player: int, lines: list[str]) -> int:
    """The lines before the first turn; returns the bot's full timebank in milliseconds."""
    clock = {name: number_after(lines, f"settings {name} ") for name in ("timebank", "time_per_move")}
    needed = [
        "settings player_names player0,player1",
        f"settings your_bot player{player}",
        f"settings timebank {clock['timebank']}",
        f"settings time_per_move {clock['time_per_move']}",
        f"settings your_botid {player}",
        f"settings field_width {record['w']}",
        f"settings field_height {record['h']}",
        f"settings max_rounds {record['max_rounds']}",
    ]
    expect(f"settings of player {player}", needed, lines)
    return clock["timebank"]


def number_after(lines: list[str], start: str) -> int:
    """The number at the end of the line that starts so; -1, which no line has, if there is none."""
    found = [line[len(start) :] for line in lines if line.startswith(start)]
    return int(found[0]) if found and found[0].isascii() and found[0].isdecimal() and len(found[0]) < 10 else -1


def replay_turn(record: Record, expect: Expect, game: Game, state: State, turns: list[Turn], echo: str, timebank: int) -> Answer:
    """Compare one request and its warnings; returns the engine's verdict on the answer."""
    board, player = board_of(state.cells, record["w"]), int(state.mover)
    where = f"round {state.turn // 2 + 1} of player {player}"
    if not turns:
        # The wrapper shuts down a bot that was late, and answers for it from then on; its log may end there.
        expect(f"{where}: request", is_shut_down(record, player), True, board)
        return read_answer("", board, record["w"], player)
    turn = turns.pop(0)
    time_left = number_after(turn.lines, ASKING)
    expect(f"{where}: lines", request_lines(state, board, echo, time_left), turn.lines, board)
    expect(f"{where}: time left", 0 <= time_left <= timebank, True, board)
    answer = read_answer(as_engine_reads(turn.answer or ""), board, record["w"], player)
    warnings = [] if answer.error is None else [f'Engine warning: "{answer.error}"']
    # A time-out is the wrapper's affair: whether the engine's warning about the missing answer was logged is not defined.
    if turn.answer or turn.warnings:
        expect(f"{where}: warnings", warnings, turn.warnings, board)
    return answer


def is_shut_down(record: Record, player: int) -> bool:
    """Whether a bot's last answer is one that the wrapper shuts a bot down for: none, in time."""
    answers = [text for tag, text in record["bots"][player] if tag == "out"]
    return not answers or answers[-1] == ""


def as_engine_reads(answer: str) -> str:
    """The wrapper stands between bot and engine: it turns `no_moves` into a pass."""
    return "pass" if answer.strip().lower() == "no_moves" else answer


def request_lines(state: State, board: str, echo: str, time_left: int) -> list[str]:
    """What a bot is sent before it must answer; the opponent's move follows the opponent's count."""
    opponent = 1 - int(state.mover)
    lines = [f"update game round {state.turn // 2 + 1}", f"update game field {','.join(board)}"]
    for player, living in enumerate(counts(board)):
        lines.append(f"update player{player} living_cells {living}")
        if player == opponent:
            lines.append(f"update player{player} move {echo}")
    return [*lines, f"{ASKING}{time_left}"]
