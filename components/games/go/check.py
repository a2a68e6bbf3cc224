"""Recorded truth about Go against our rules: games replayed ply by ply under both ko rules, move counts, Tromp's counts.

Called by `python -m components.games check`. Promises that every field of the format is compared or, where a file breaks the
format, refused with its place. The format: type "game" or "perft", points row*n + column from the top, pass n*n.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from components.core.errors import BadFile
from components.games.check import Tally
from components.games.contract import Game, State
from components.games.go.board import BLACK, WHITE
from components.games.go.perft import count_legal_positions, count_sequences
from components.games.go.position import MARKS
from components.games.go.records import GAME_FIELDS, PERFT_FIELDS, validate_game, validate_perft
from components.games.go.rules import KO, LEGAL, SUICIDE, SUPERKO
from components.games.go.spec import MOST_PLIES
from components.games.registry import make

REQUIRED_FIELDS = {"game": GAME_FIELDS, "perft": PERFT_FIELDS}
NODES_UNLESS_DEEP = 5_000_000
TROMP_COUNTS = {1: 1, 2: 57, 3: 12675, 4: 24318165}  # OEIS A094777
TROMP_SIDE_UNLESS_DEEP = 3
USUAL_CAP = 512  # recorded games know no cap; one common value lets games of a size share their machine code
KOMIS = ("0.5", "7.5")
MULTI_CAPTURE, BIG_CAPTURE = 2, 8
DERIVED_TAGS = {
    "big_capture",
    "ko",
    "multi_capture",
    "multi_suicide_points",
    "suicide_points",
    "superko_possible",
    "superko_violation",
}


def is_record(record: dict[str, Any]) -> bool:
    return record.get("type") in REQUIRED_FIELDS and "size" in record


def check_records(records: list[dict[str, Any]], tally: Tally, deep: bool) -> None:
    for record in records:
        if record["type"] == "game":
            validate_game(record)
            check_game(record, tally)
        else:
            validate_perft(record)
            check_perft(record, tally, deep)
    check_tromp(tally, deep)


def check_tromp(tally: Tally, deep: bool) -> None:
    """Tromp's numbers of legal positions need no file: they are checked beside any."""
    for side, count in TROMP_COUNTS.items():
        if side > TROMP_SIDE_UNLESS_DEEP and not deep:
            tally.skipped["tromp"] += 1
        else:
            tally.expect("tromp", int(count_legal_positions(side)), count, f"legal positions {side}x{side}")


@lru_cache(maxsize=64)
def judge(side: int, ko: str, cap: int = USUAL_CAP, komi: str = "7.5") -> Game:
    """The game that judges a record. All judges of a side share one state dtype, so that its machine code is made once."""
    room = USUAL_CAP if cap <= USUAL_CAP else MOST_PLIES
    roomy = make(f"go-{side}x{side}:move_cap={room}")
    wanted = make(f"go-{side}x{side}:ko={ko},move_cap={cap},komi={komi}")
    return replace(roomy, knobs=wanted.knobs, rules=wanted.rules)


def start_of(side: int, plies: int, where: str) -> tuple[Game, Game]:
    """The judges by simple ko and by positional superko, with room for that many plies and the counted ones after them."""
    if plies + 16 > MOST_PLIES:
        raise BadFile(f"{where}: {plies} plies are more than the {MOST_PLIES - 16} that can be checked; split the game.")
    cap = USUAL_CAP if plies + 16 <= USUAL_CAP else MOST_PLIES
    return judge(side, "simple", cap), judge(side, "positional", cap)


def refusals_of(game: Game, state: State) -> list[int]:
    out = np.zeros(game.spec.cells, dtype=np.int8)
    game.kernels.refusals(game.rules, state, out)
    return out.tolist()


@dataclass
class Replay:
    """One recorded game on its way: the position by simple ko, and by superko until a board comes again."""

    record: dict[str, Any]
    simple: Game
    superko: Game
    state: State
    strict_state: State
    tally: Tally
    repetition: int | None = None
    captures: dict[str, list[int]] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)

    def expect(self, kind: str, found: Any, needed: Any, ply: int) -> None:
        place = f"{self.record['_where']} ({self.record['id']}, after {ply} plies)"
        self.tally.expect(kind, found, needed, place, lambda: self.simple.text.draw(self.simple, self.state))


def check_game(record: dict[str, Any], tally: Tally) -> None:
    simple, superko = start_of(record["size"], len(record["moves"]), record["_where"])
    replay = Replay(record, simple, superko, simple.start(), superko.start(), tally)
    sampled = {entry["k"]: entry for entry in record["plies"]}
    for ply in range(len(record["moves"]) + 1):
        if ply in sampled:
            check_ply(replay, ply, sampled[ply])
        if ply < len(record["moves"]) and not play_recorded(replay, ply):
            return  # what follows an illegal move means nothing
    check_end(replay)


def play_recorded(replay: Replay, ply: int) -> bool:
    """Play one recorded move; False when our rules refuse it."""
    move = replay.record["moves"][ply]
    is_legal = move in replay.simple.legal(replay.state)
    replay.expect("move is legal", is_legal, True, ply)
    if not is_legal:
        return False
    if replay.repetition is None and move not in replay.superko.legal(replay.strict_state):
        replay.repetition = ply
    before = replay.state.board.copy()
    enemy = WHITE if replay.state.mover == 0 else BLACK
    replay.simple.kernels.apply(replay.simple.rules, replay.state, move)
    if replay.repetition is None:
        replay.superko.kernels.apply(replay.superko.rules, replay.strict_state, move)
    captured = np.flatnonzero((before == enemy) & (replay.state.board == 0)).tolist()
    if captured:
        replay.captures[str(ply)] = captured
    replay.expect("captures", captured, replay.record["captures"].get(str(ply), []), ply + 1)
    return True


def check_ply(replay: Replay, ply: int, entry: dict[str, Any]) -> None:
    """Every field of one sampled position."""
    game, state = replay.simple, replay.state
    reasons = refusals_of(game, state)
    is_ended = int(game.kernels.is_over(game.rules, state))
    found: dict[str, Any] = {
        "tp": "bw"[int(state.mover)],
        "term": is_ended,
        "b": board_text(game, state),
        "ls": mask_of(game, state, reasons),
        "ko": points_with(reasons, KO),
        "s1": [point for point in points_with(reasons, SUICIDE) if not has_own_neighbour(game, state, point)],
        "sm": [point for point in points_with(reasons, SUICIDE) if has_own_neighbour(game, state, point)],
        "area": [int(points) for points in game.kernels.area(game.rules, state)],
        "eye": eyes_by_colour(game, state, by_pachi=False),
        "eye_pachi": eyes_by_colour(game, state, by_pachi=True),
    }
    needed = {"term": 0, **entry, "ls": int(entry["ls"], 16)}
    if entry["lp"] is not None and replay.repetition is None:
        strict = refusals_of(replay.superko, replay.strict_state)
        found["lp"] = mask_of(replay.superko, replay.strict_state, strict)
        found["psk"] = points_with(strict, SUPERKO)
        needed["lp"] = int(entry["lp"], 16)
    for name, value in found.items():
        replay.expect(f"ply {name}", value, needed[name], ply)
    notes = {"ko": found["ko"], "superko_possible": found.get("psk"), "multi_suicide_points": found["sm"]}
    notes["suicide_points"] = found["s1"] + found["sm"]
    replay.tags |= {tag for tag, points in notes.items() if points}


def check_end(replay: Replay) -> None:
    """The fields that tell of the whole game."""
    record, state = replay.record, replay.state
    plies = len(record["moves"])
    black, white = (int(points) for points in replay.simple.kernels.area(replay.simple.rules, state))
    final = {"black_area": black, "white_area": white, "dame": replay.simple.spec.cells - black - white}
    for komi in KOMIS:
        final.update(result_with(replay, komi))
    for name, value in final.items():
        replay.expect(f"final {name}", value, record["final"][name], plies)
    is_ended = replay.simple.kernels.is_over(replay.simple.rules, state)
    replay.expect("end", "passpass" if is_ended else "cap", record["end"], plies)
    replay.expect("plies of captures", set(replay.captures), set(record["captures"]), plies)
    taken = {"b": int(state.captures[0]), "w": int(state.captures[1])}
    replay.expect("prisoners_taken", taken, record["prisoners_taken"], plies)
    replay.expect("first_repetition", replay.repetition, record["first_repetition"], plies)
    if "n_moves" in record:
        replay.expect("n_moves", int(state.ply), record["n_moves"], plies)
    if "repetition" in record:
        replay.expect("repetition ply", replay.repetition, record["repetition"].get("ply"), plies)
        # GNU Go's answer under positional superko is the one that we give: the move is refused.
        accepts = record["repetition"].get("gnugo_psk_accepts", False)
        replay.expect("repetition refused", replay.repetition is None, accepts, plies)
    check_tags(replay, plies)


def check_tags(replay: Replay, plies: int) -> None:
    """The tags that follow from the game; the others name where a game came from."""
    sizes = [len(points) for points in replay.captures.values()]
    replay.tags |= {"multi_capture"} if any(size >= MULTI_CAPTURE for size in sizes) else set()
    replay.tags |= {"big_capture"} if any(size >= BIG_CAPTURE for size in sizes) else set()
    replay.tags |= {"superko_violation"} if replay.repetition is not None else set()
    if "constructed" not in replay.record["tags"]:  # hand-made games carry the tags their maker chose
        replay.expect("tags", sorted(replay.tags), sorted(DERIVED_TAGS & set(replay.record["tags"])), plies)


def result_with(replay: Replay, komi: str) -> dict[str, Any]:
    """Margin and winner under a komi; a game without two passes is ended by a move cap that its last ply reached."""
    game = judge(replay.record["size"], "simple", len(replay.record["moves"]), komi)
    returns = np.zeros(2, dtype=np.float32)
    game.kernels.returns(game.rules, replay.state, returns)
    winner = {1.0: "b", -1.0: "w"}.get(float(returns[0]))
    return {f"margin_komi{komi}": float(game.kernels.score(game.rules, replay.state)), f"winner_komi{komi}": winner}


def check_perft(record: dict[str, Any], tally: Tally, deep: bool) -> None:
    games = start_of(record["size"], len(record["start"]), record["_where"])
    for game, name in zip(games, ("perft_simple", "perft_psk"), strict=True):
        state = game.start()
        for ply, move in enumerate(record["start"]):
            is_legal = move in game.legal(state)
            tally.expect("move is legal", is_legal, True, f"{record['_where']}, start ply {ply}", drawing(game, state))
            if not is_legal:
                break
            game.kernels.apply(game.rules, state, move)
        else:
            check_counts(record, name, game, state, tally, deep)


def check_counts(record: dict[str, Any], name: str, game: Game, state: State, tally: Tally, deep: bool) -> None:
    for depth, count in enumerate(record[name], start=1):
        if count > NODES_UNLESS_DEEP and not deep:
            tally.skipped[name] += 1
            continue
        place = f"{record['_where']}, depth {depth}"
        tally.expect(name, count_sequences(game, state, depth), count, place, drawing(game, state))


def drawing(game: Game, state: State) -> Callable[[], str]:
    return lambda: game.text.draw(game, state)


def board_text(game: Game, state: State) -> str:
    side = game.spec.width
    marks = "".join(MARKS[stone] for stone in state.board)
    return "/".join(marks[start : start + side] for start in range(0, len(marks), side))


def mask_of(game: Game, state: State, reasons: list[int]) -> int:
    """Bit p for a legal point p, bit n*n for pass. A finished game's mask still describes its board."""
    is_ended = game.kernels.is_over(game.rules, state)
    legal: Iterable[int] = [*points_with(reasons, LEGAL), game.spec.cells] if is_ended else map(int, game.legal(state))
    return sum(1 << action for action in legal)


def points_with(reasons: list[int], reason: int) -> list[int]:
    return [point for point, found in enumerate(reasons) if found == reason]


def has_own_neighbour(game: Game, state: State, point: int) -> bool:
    neighbours = game.rules.neighbours[point, : game.rules.degree[point]]
    return bool((state.board[neighbours] == state.mover + 1).any())


def eyes_by_colour(game: Game, state: State, by_pachi: bool) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for name, colour in (("b", BLACK), ("w", WHITE)):
        out = np.zeros(game.spec.cells, dtype=np.bool_)
        game.kernels.eyes(game.rules, state, colour, by_pachi, out)
        found[name] = np.flatnonzero(out).tolist()
    return found
