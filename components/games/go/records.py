"""The format of Go's vector records: which fields, of which types, with which values. No rules are asked.

Called by check.py before a record is compared. Promises a sentence with the file's line for every value that the format
does not allow, so that the comparison itself can trust what it reads.
"""

from typing import Any

from components.core.errors import BadFile
from components.games.go.spec import LARGEST_SIDE, SMALLEST_SIDE

NONE = type(None)
GAME_FIELDS: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "size": int,
    "family": str,
    "policy": str,
    "moves": list,
    "end": str,
    "captures": dict,
    "prisoners_taken": dict,
    "final": dict,
    "first_repetition": (int, NONE),
    "tags": list,
    "plies": list,
}
PERFT_FIELDS: dict[str, type | tuple[type, ...]] = {"size": int, "start": list, "perft_simple": list, "perft_psk": list}
PLY_FIELDS: dict[str, type | tuple[type, ...]] = {
    "k": int,
    "tp": str,
    "b": str,
    "ls": str,
    "lp": (str, NONE),
    "ko": list,
    "psk": (list, NONE),
    "s1": list,
    "sm": list,
    "area": list,
    "eye": dict,
    "eye_pachi": dict,
}
FINAL_FIELDS: dict[str, type | tuple[type, ...]] = {
    "black_area": int,
    "white_area": int,
    "dame": int,
    "margin_komi0.5": (int, float),
    "winner_komi0.5": str,
    "margin_komi7.5": (int, float),
    "winner_komi7.5": str,
}


def validate_game(record: dict[str, Any]) -> None:
    where = record["_where"]
    side = validate_side(record)
    require(record["moves"], where, "field 'moves' is empty; need at least one move")
    validate_points(record["moves"], side * side, where, "moves")
    validate_fields(record["final"], FINAL_FIELDS, f"{where}, final")
    validate_fields(record["prisoners_taken"], {"b": int, "w": int}, f"{where}, prisoners_taken")
    for ply, points in record["captures"].items():
        is_ply = ply.isdecimal() and int(ply) < len(record["moves"])
        require(is_ply and isinstance(points, list), where, f"captures['{ply}'] is not a list of points at a ply of the game")
        validate_points(points, side * side - 1, where, f"captures['{ply}']")
    require(isinstance(record.get("repetition", {}), dict), where, "field 'repetition' is not an object")
    for index, entry in enumerate(record["plies"]):
        validate_ply(entry, side, len(record["moves"]), f"{where}, plies[{index}]")


def validate_ply(entry: Any, side: int, plies: int, where: str) -> None:
    require(isinstance(entry, dict), where, f"found {entry!r}; need an object")
    validate_fields(entry, PLY_FIELDS, where)
    require(0 <= entry["k"] <= plies, where, f"'k' is {entry['k']}; the game has {plies} moves")
    rows = entry["b"].split("/")
    is_board = len(rows) == side and all(len(row) == side and not set(row) - set(".XO") for row in rows)
    require(is_board, where, f"'b' is {entry['b']!r}; need {side} rows of {side} points '.', 'X' or 'O' joined by '/'")
    for name in ("ko", "psk", "s1", "sm"):
        validate_points(entry[name] or [], side * side - 1, where, name)
    for name in ("ls", "lp"):
        require(entry[name] is None or is_hexadecimal(entry[name]), where, f"'{name}' is {entry[name]!r}; need a hex number")
    require(len(entry["area"]) == 2, where, f"'area' is {entry['area']!r}; need two numbers")
    for name in ("eye", "eye_pachi"):
        validate_fields(entry[name], {"b": list, "w": list}, f"{where}, {name}")


def validate_perft(record: dict[str, Any]) -> None:
    where = record["_where"]
    side = validate_side(record)
    validate_points(record["start"], side * side, where, "start")
    for name in ("perft_simple", "perft_psk"):
        is_counts = all(isinstance(count, int) and count >= 0 for count in record[name])
        require(is_counts, where, f"field '{name}' is {record[name]!r}; need whole numbers, one per depth")


def validate_side(record: dict[str, Any]) -> int:
    side = record["size"]
    need = f"field 'size' is {side}; need {SMALLEST_SIDE} to {LARGEST_SIDE}"
    require(SMALLEST_SIDE <= side <= LARGEST_SIDE, record["_where"], need)
    return side


def validate_points(points: list[Any], highest: int, where: str, name: str) -> None:
    for point in points:
        is_point = isinstance(point, int) and not isinstance(point, bool) and 0 <= point <= highest
        require(is_point, where, f"'{name}' holds {point!r}; need whole numbers from 0 to {highest}")


def validate_fields(values: dict[str, Any], fields: dict[str, type | tuple[type, ...]], where: str) -> None:
    for name, types in fields.items():
        require(
            name in values and isinstance(values[name], types),
            where,
            f"'{name}' is {values.get(name)!r}, which is not of its type",
        )


def is_hexadecimal(text: str) -> bool:
    return bool(text) and not set(text.lower()) - set("0123456789abcdef")


def require(is_met: Any, where: str, sentence: str) -> None:
    if not is_met:
        raise BadFile(f"{where}: {sentence}; see the format's README.")
