"""Organism's records of truth: games with every ply's legal results, traces, planes and winners, in the vectors' format.

Called by components/games/check.py. Every field of a game and a ply line is compared with our rules; lines that say nothing a
rule could contradict (seed, policy, reference) are only typed.
"""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from components.core.errors import BadFile
from components.games.check import Tally
from components.games.contract import Game, State
from components.games.organism.actions import Replay
from components.games.organism.notation import parse_state, pending_cells, state_string
from components.games.registry import make

REQUIRED_FIELDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "game": {
        **dict.fromkeys(("game", "config", "policy", "initial", "final", "result", "reference"), str),
        **dict.fromkeys(("seed", "rings", "cells", "tokens_to_win", "organisms_to_win", "plies", "winner"), int),
        "initial_food": list,
        "synthetic_start": bool,
    },
    "ply": {
        **dict.fromkeys(("game", "state", "next_hash", "clean_next_hash", "planes_sha", "after"), str),
        **dict.fromkeys(("ply", "to_move", "n_sequences", "n_actions", "n_next", "clean_n_next", "winner_after"), int),
        "organisms": list,
        "questionable": list,
        "chosen": (str, dict),
        "trace": (dict, type(None)),
    },
}
RESULTS = {"win1": 1, "win2": 2, "ply_cap": 0, "truncated_enumeration": 0, "reference_crash": 0}
KNOWN_FLAGS = ("board_empty_after", "conflict", "integrity_loss", "mid_turn", "pass_only")
UNCOUNTED = 1_000_000_000  # a truncated_sequences that says "very many"


def is_record(record: dict[str, Any]) -> bool:
    return record.get("kind") in REQUIRED_FIELDS and "game" in record and ("rings" in record or "clean_next_hash" in record)


def check_records(records: list[dict[str, Any]], tally: Tally, deep: bool) -> None:
    """Check every game line with the ply lines that follow it. Nothing here takes so long that only --deep would run it."""
    games: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    for record in records:
        if record["kind"] == "game":
            games.append((record, []))
        elif not games or games[-1][0]["game"] != record["game"]:
            raise BadFile(f"{record['_where']}: a ply of game {record['game']!r} without its game line before it.")
        else:
            games[-1][1].append(record)
    for header, plies in games:
        check_game(header, plies, tally)


def check_game(header: dict[str, Any], plies: list[dict[str, Any]], tally: Tally) -> None:
    game, where = game_of(header), header["_where"]
    need(header["result"] in RESULTS, where, f"result {header['result']!r}; need one of {', '.join(RESULTS)}")
    initial, final = (parse_state(game, header[name], f"{where}, {name}") for name in ("initial", "final"))
    drawing = drawing_of(game, final)
    if not header["synthetic_start"]:
        tally.expect("game: start position", state_string(game, game.start()), header["initial"], where, drawing)
    tally.expect("game: cells", len(initial.element), header["cells"], where)
    tally.expect("game: plies", len(plies), header["plies"], where)
    tally.expect("game: winner", header["winner"], RESULTS[header["result"]], where, drawing)
    last = header["initial"]
    for index, ply in enumerate(plies):
        tally.expect("ply: number and state", (ply["ply"], ply["state"]), (index, last), ply["_where"])
        check_ply(game, ply, tally)
        last = ply["after"]
    tally.expect("game: final position", last, header["final"], where, drawing)
    if plies:
        tally.expect("game: winner", header["winner"], plies[-1]["winner_after"], where, drawing)
    check_unplayed(game, header, tally)


def check_unplayed(game: Game, header: dict[str, Any], tally: Tally) -> None:
    """Positions the reference could not list: our count of sequences, and that we list them at all."""
    where = header["_where"]
    if header.get("truncated_sequences", UNCOUNTED) < UNCOUNTED:
        replay = Replay(game, parse_state(game, header["final"], where))
        tally.expect("game: truncated_sequences", replay.count_sequences(), header["truncated_sequences"], where)
    if "crash" in header:
        need(isinstance(header["crash"], dict) and isinstance(header["crash"].get("state"), str), where, "crash without a state")
        state = parse_state(game, header["crash"]["state"], f"{where}, crash")
        tally.expect("game: crash position is playable", bool(result_strings(game, state)), True, where, drawing_of(game, state))


def need(is_fine: bool, where: str, problem: str) -> None:
    if not is_fine:
        raise BadFile(f"{where}: {problem}; see the format's README.")


def game_of(header: dict[str, Any]) -> Game:
    """The game with whole-sequence plies that a header describes."""
    need(all(isinstance(food, int) for food in header["initial_food"]), header["_where"], "initial_food is not a list of numbers")
    limits = [header["tokens_to_win"], header["organisms_to_win"]]
    tokens, organisms = ("off" if limit < 0 else limit for limit in limits)
    return named_game(header["rings"], tuple(header["initial_food"]), tokens, organisms)


@lru_cache
def named_game(rings: int, food: tuple[int, ...], tokens: int | str, organisms: int | str) -> Game:
    knobs = f"free_food=[{','.join(map(str, food))}],tokens_to_win=[{tokens},{tokens}],organisms_to_win={organisms}"
    return make(f"organism-{rings}:turns=whole,{knobs}")


def drawing_of(game: Game, state: State) -> Callable[[], str]:
    return lambda: game.text.draw(game, state)


def digest(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:16]


def result_strings(game: Game, state: State) -> list[str]:
    """All distinct results of a position, in plain byte order."""
    out = game.new_states(game.spec.max_legal)
    count = game.kernels.successors(game.rules, state, np.zeros(game.spec.max_legal, dtype=np.int32), out)
    return sorted(state_string(game, out[row]) for row in range(count))


def check_ply(game: Game, ply: dict[str, Any], tally: Tally) -> None:
    where = ply["_where"]
    state = parse_state(game, ply["state"], f"{where}, state")
    drawing = drawing_of(game, state)
    tally.expect("ply: to_move", int(state.mover) + 1, ply["to_move"], where, drawing)
    tally.expect("ply: organisms", Replay(game, state).count_organisms(), ply["organisms"], where, drawing)
    check_results(game, state, ply, tally)
    check_planes(game, state, ply, tally)
    check_chosen(game, state, ply, tally)


def check_results(game: Game, state: State, ply: dict[str, Any], tally: Tally) -> None:
    """The set of results: complete by the clean hash, and holding every position that the record shows."""
    where, drawing = ply["_where"], drawing_of(game, state)
    found = result_strings(game, state)
    found_hash = digest("\n".join(found))
    tally.expect("ply: clean_n_next", len(found), ply["clean_n_next"], where, drawing)
    tally.expect("ply: clean_next_hash", found_hash, ply["clean_next_hash"], where, drawing)
    tally.expect("ply: n_actions", ply["n_actions"], ply["n_next"], where)
    if "legal_set" not in ply["questionable"]:
        tally.expect("ply: n_next", len(found), ply["n_next"], where, drawing)
        tally.expect("ply: next_hash", found_hash, ply["next_hash"], where, drawing)
    else:
        missing = len(found) - ply["n_next"]
        tally.expect("ply: n_clean_only", (missing, 0), (ply.get("n_clean_only"), ply.get("n_ref_only")), where, drawing)
    replay = Replay(game, state)
    tally.expect("ply: n_sequences", replay.count_sequences(), ply["n_sequences"], where, drawing)
    for name in ("next_sample", "clean_only"):
        shown = ply.get(name, [])
        need(isinstance(shown, list) and all(isinstance(text, str) for text in shown), where, f"{name} is not a list of states")
        if shown:
            tally.expect(f"ply: {name}", sorted(set(shown) - set(found)), [], where, drawing)
    check_shown_actions(game, state, ply, set(found), tally)


def check_shown_actions(game: Game, state: State, ply: dict[str, Any], found: set[str], tally: Tally) -> None:
    """`next`: each result with one action that must lead there."""
    where, drawing = ply["_where"], drawing_of(game, state)
    pairs = ply.get("next", [])
    need(isinstance(pairs, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in pairs), where, "next is not pairs")
    for result, action in pairs:
        replay = Replay(game, state)
        replay.play(action, where)
        tally.expect("ply: next", (replay.problem, replay.after()), ("", result), where, drawing)
        tally.expect("ply: next is a result", result in found, True, where, drawing)


def check_planes(game: Game, state: State, ply: dict[str, Any], tally: Tally) -> None:
    """The report's network input, and its twelve images. Where the record says so, its plane 9 is not to be trusted."""
    where, drawing = ply["_where"], drawing_of(game, state)
    planes = game.encode(state).astype(np.int8)
    if "planes" in ply["questionable"]:
        return
    tally.expect("ply: planes_sha", digest(planes.tobytes()), ply["planes_sha"], where, drawing)
    if "planes" in ply:
        tally.expect("ply: planes", planes.tolist(), ply["planes"], where, drawing)
    if "sym_sha" in ply:
        tally.expect(
            "ply: sym_sha", [digest(image.tobytes()) for image in images_of(game, planes)], ply["sym_sha"], where, drawing
        )


def images_of(game: Game, planes: Any) -> list[Any]:
    flat = planes.reshape(len(planes), -1)
    images = []
    for cell_map in game.spec.cell_maps:
        image = np.empty_like(flat)
        image[:, cell_map] = flat
        images.append(image)
    return images


def check_chosen(game: Game, state: State, ply: dict[str, Any], tally: Tally) -> None:
    """The action that was played: boards after each sub-action, after conflicts, after integrity, the position and the winner."""
    where, drawing = ply["_where"], drawing_of(game, state)
    replay = Replay(game, state)
    replay.play(ply["chosen"], where)
    tally.expect("ply: chosen is legal", replay.problem, "", where, drawing)
    need((ply["trace"] is None) == (ply["chosen"] == "PASS"), where, "a trace belongs to every action but PASS")
    for name, found in replay.trace().items():
        need(name in ply["trace"], where, f"trace without {name}")
        tally.expect(f"ply: trace {name}", found, ply["trace"][name], where, drawing)
    tally.expect("ply: after", replay.after(), ply["after"], where, drawing)
    tally.expect("ply: winner_after", replay.winner(), ply["winner_after"], where, drawing)
    recorded = ply.get("flags", [])
    need(isinstance(recorded, list) and all(isinstance(flag, str) for flag in recorded), where, "flags is not a list of words")
    tally.expect("ply: flags", flags_of(game, state, ply, replay), sorted(set(recorded) & set(KNOWN_FLAGS)), where, drawing)


def flags_of(game: Game, state: State, ply: dict[str, Any], replay: Replay) -> list[str]:
    """What our rules say of the words that a record describes its ply with; those of the reference's own bugs are its own."""
    trace = replay.trace() or {"subs": [], "after_conflict": "", "after_integrity": ""}
    texts = [(trace["subs"] or [""])[-1], trace["after_conflict"], trace["after_integrity"]]
    boards = [text.partition("/")[0] for text in texts]
    own = [cell for cell, code in enumerate(state.element.tolist()) if code and (code - 1) // 3 == int(state.mover)]
    found = {
        "board_empty_after": not np.any(replay.state.element),
        "conflict": boards[0] != boards[1],
        "integrity_loss": boards[1] != boards[2],
        "mid_turn": pending_cells(state) != own,
        "pass_only": ply["chosen"] == "PASS",
    }
    return [flag for flag in KNOWN_FLAGS if found[flag]]
