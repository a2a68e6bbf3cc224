"""SGF, the file format of Go games: read any file's main line, write games that other programs open.

Used by the GTP engine (loadsgf), matches (one file a game), the terminal and the import of games for training. Pure text: no
files, no rules. Promises that what was written is read back the same, and that a damaged file is one sentence.
"""

import re
from dataclasses import dataclass, field

from components.core.errors import BadFile

Point = tuple[int, int]  # column from the left, row from the top
Move = tuple[int, Point | None]  # colour 0 Black, 1 White; None is a pass
Properties = dict[str, list[str]]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PASS_UP_TO = 19  # "tt" is a pass on boards up to this size, as FF[3] wrote it
DEFAULT_SIDE = 19
MOST_CHARACTERS = 2_000_000
TOKEN = re.compile(r"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*)\])", re.DOTALL)


@dataclass(frozen=True)
class SgfGame:
    """One game: its main line and what the root says about it."""

    side: int
    komi: float = 0.0
    black_stones: tuple[Point, ...] = ()  # set up before the first move: handicap stones, problems
    white_stones: tuple[Point, ...] = ()
    moves: tuple[Move, ...] = ()
    first_mover: int | None = None  # who is to move after the set-up, if the file says so
    names: tuple[str, str] = ("", "")  # Black, White
    result: str = ""  # B+3.5, W+R, 0, Void
    rules: str = ""
    comment: str = ""
    comments: tuple[str, ...] = field(default=(), repr=False)  # by move; may be shorter than the moves

    @property
    def winner(self) -> int | None:
        """0 Black, 1 White; None for a draw, a void game or an unknown result."""
        return {"B+": 0, "W+": 1}.get(self.result.strip().upper()[:2])


def read_sgf(text: str) -> SgfGame:
    """The first game of a collection along its main line."""
    nodes = main_line(text)
    root = nodes[0]
    if root.get("GM", ["1"])[0].strip() != "1":
        raise BadFile(f"This SGF file holds game number {root['GM'][0].strip()[:8]}, not Go (1). Take a Go file.")
    side = read_side(root)
    setup, moves, comments = collect(nodes, side)
    return SgfGame(
        side=side,
        komi=read_number(root, "KM"),
        black_stones=tuple(sorted(point for point, colour in setup.items() if colour == 0)),
        white_stones=tuple(sorted(point for point, colour in setup.items() if colour == 1)),
        moves=tuple(moves),
        first_mover=read_first_mover(nodes, bool(setup)),
        names=(read_text(root, "PB"), read_text(root, "PW")),
        result=read_text(root, "RE"),
        rules=read_text(root, "RU"),
        comment=read_text(root, "C"),
        comments=tuple(comments),
    )


def main_line(text: str) -> list[Properties]:
    """The nodes of the first variation everywhere, the root first."""
    if len(text) > MOST_CHARACTERS:
        raise BadFile(f"An SGF game of {len(text)} characters is too long; the most is {MOST_CHARACTERS}.")
    start = text.find("(")
    if start < 0:
        raise BadFile("Not an SGF file: there is no '('. Need a text such as (;GM[1]SZ[9];B[ee]).")
    nodes: list[Properties] = []
    name, place = "", start
    while place < len(text):
        token = TOKEN.match(text, place)
        if token is None:
            if not text[place:].strip():
                break
            raise BadFile(f"SGF: cannot read '{' '.join(text[place : place + 20].split())}' at character {place}.")
        place = token.end()
        if token["mark"] == ")":
            return finished(nodes)
        if token["mark"] == ";":
            nodes.append({})
        elif token["name"]:
            # FF[3] wrote long names such as Black: only the capitals count.
            name = "".join(letter for letter in token["name"] if letter.isupper())
        elif token["value"] is not None and nodes and name:
            nodes[-1].setdefault(name, []).append(unescape(token["value"]))
    raise BadFile("SGF: the file ends in the middle of a game; a ')' is missing.")


def finished(nodes: list[Properties]) -> list[Properties]:
    if not nodes:
        raise BadFile("SGF: the game has no node; need at least (;GM[1]).")
    return nodes


def unescape(value: str) -> str:
    """A backslash makes the next character plain; before a line break it joins the lines."""
    return re.sub(r"\\(\r\n|\n\r|.)", lambda found: "" if found[1][0] in "\r\n" else found[1], value, flags=re.DOTALL)


def escape(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", text)


def read_text(node: Properties, name: str) -> str:
    return node.get(name, [""])[0]


def read_side(root: Properties) -> int:
    sides = root.get("SZ", [str(DEFAULT_SIDE)])[0].strip().split(":")
    if not all(re.fullmatch(r"\d{1,2}", side) for side in sides) or len({int(side) for side in sides}) != 1:
        raise BadFile(f"SGF: the size '{':'.join(sides)[:20]}' is not a square board's; need SZ[2] to SZ[19].")
    if not 2 <= int(sides[0]) <= PASS_UP_TO:
        raise BadFile(f"SGF: boards of size {sides[0]} cannot be played; need 2 to {PASS_UP_TO}.")
    return int(sides[0])


def read_number(root: Properties, name: str) -> float:
    text = read_text(root, name).strip().replace(",", ".")
    if not text:
        return 0.0
    if re.fullmatch(r"[+-]?(\d{1,4}(\.\d*)?|\.\d+)", text) is None:
        raise BadFile(f"SGF: {name}[{text[:20]}] is not a number.")
    return float(text)


def read_first_mover(nodes: list[Properties], has_setup: bool) -> int | None:
    """PL of the set-up; without it White moves after a handicap, as every server does."""
    for node in nodes:
        if "PL" in node:
            return 1 if node["PL"][0].strip().upper().startswith("W") else 0
        if "B" in node or "W" in node:
            break
    return 1 if has_setup and read_text(nodes[0], "HA").strip() not in ("", "0") else None


def collect(nodes: list[Properties], side: int) -> tuple[dict[Point, int], list[Move], list[str]]:
    """(stones set up before the first move, the moves, their comments)."""
    setup: dict[Point, int] = {}
    moves: list[Move] = []
    comments: list[str] = []
    for node in nodes:
        if moves and any(name in node for name in ("AB", "AW", "AE")):
            raise BadFile(f"SGF: stones are set up after move {len(moves)}; only games without that can be read.")
        set_stones(node, setup, side)
        for colour, name in enumerate("BW"):
            if name in node:
                moves.append((colour, read_move(node[name][0], side)))
                comments.append(read_text(node, "C"))
    return setup, moves, comments


def set_stones(node: Properties, setup: dict[Point, int], side: int) -> None:
    for name, colour in (("AB", 0), ("AW", 1)):
        for point in points_of(node.get(name, []), side):
            setup[point] = colour
    for point in points_of(node.get("AE", []), side):
        setup.pop(point, None)


def points_of(values: list[str], side: int) -> list[Point]:
    """Points and rectangles such as aa:cc."""
    points = []
    for value in values:
        corners = [read_point(corner, side) for corner in value.strip().split(":")]
        (left, top), (right, bottom) = corners[0], corners[-1]
        points += [(column, row) for row in range(top, bottom + 1) for column in range(left, right + 1)]
    return points


def read_point(text: str, side: int) -> Point:
    text = text.strip()
    if len(text) != 2 or any(letter not in LETTERS[:side] for letter in text):
        raise BadFile(f"SGF: '{text[:20]}' is not a point of a board of size {side}.")
    return LETTERS.index(text[0]), LETTERS.index(text[1])


def read_move(text: str, side: int) -> Point | None:
    is_pass = text.strip() == "" or (text.strip() == "tt" and side <= PASS_UP_TO)
    return None if is_pass else read_point(text, side)


def write_sgf(game: SgfGame) -> str:
    """The game as FF[4] text, the same for the same game; no date, so that equal games are equal files."""
    root = [("GM", "1"), ("FF", "4"), ("CA", "UTF-8"), ("AP", "Zeroline"), ("SZ", str(game.side)), ("KM", f"{game.komi:g}")]
    named = [("RU", game.rules), ("PB", game.names[0]), ("PW", game.names[1]), ("RE", game.result), ("C", game.comment)]
    head = "".join(f"{name}[{escape(text)}]" for name, text in root + [pair for pair in named if pair[1]])
    for name, stones in (("AB", game.black_stones), ("AW", game.white_stones)):
        head += name + "".join(f"[{write_point(point)}]" for point in stones) if stones else ""
    if game.first_mover is not None:
        head += f"PL[{'BW'[game.first_mover]}]"
    nodes = [write_move(move, *game.comments[number : number + 1]) for number, move in enumerate(game.moves)]
    return "(;" + head + "\n" + "\n".join("".join(nodes[start : start + 10]) for start in range(0, len(nodes), 10)) + ")\n"


def write_point(point: Point) -> str:
    return LETTERS[point[0]] + LETTERS[point[1]]


def write_move(move: Move, comment: str = "") -> str:
    colour, point = move
    said = f"C[{escape(comment)}]" if comment else ""
    return f";{'BW'[colour]}[{write_point(point) if point else ''}]{said}"
