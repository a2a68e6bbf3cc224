"""Alive, dead or in seki: drawn positions and what final_status_list says of them."""

import pytest

from components.games.go.position import position_from_rows
from components.games.go.text import vertex
from components.games.registry import make
from components.protocols.go_seki import seki_points
from components.protocols.go_status import dead_points
from components.protocols.gtp import parse_command
from components.protocols.gtp_engine import GtpEngine

NO_EYES = """
    O X . O X . . . .
    O X O O X . . . .      Black B9 and White D9 share C9 and C7:
    O X . O X . . . .      who plays there is taken
    O X X O X . . . .
    O O O X X . . . .
    O O O X . . . . .
    . . O X . . . . .
    O O O X X . . . .
    . . O X . . . . .
"""
EYE_EACH = """
    . X . O . O X . .
    X X X O O O X . .      an eye each, A9 and E9, and C9 between them
    O O O X X X X . .
    . O O X . . . . .
    O . O X X X X . .
    O O O X . . . . .
    . . O X . . . . .
    O O O X X . . . .
    . . O X . . . . .
"""
DAME = """
    . X . O . . . . .
    . X . O . . . . .      open points between two living sides are no seki
    . X . O . . . . .
    . X . O . . . . .
    . X . O . . . . .
    . X . O . . . . .
    . X . O . . . . .
    . X . O . . . . .
    . X . O . . . . .
"""


def rows(drawn):
    return "\n".join(line[: 4 + 17] for line in drawn.splitlines())


def names(game, points):
    return {vertex(game, point) for point in points}


@pytest.mark.parametrize(
    ("drawn", "stones"),
    [
        (NO_EYES, "B9 B8 B7 B6 C6 C8 D9 D8 D7 D6"),
        (EYE_EACH, "B9 A8 B8 C8 D9 D8 E8 F9 F8"),
        (DAME, ""),
    ],
)
@pytest.mark.parametrize("mover", [0, 1])
def test_seki(drawn, stones, mover):
    game = make("go-9x9")
    state = position_from_rows(game, rows(drawn), mover)
    dead = dead_points(game, state)
    assert dead == []
    assert names(game, seki_points(game, state, dead)) == set(stones.split())


def test_every_stone_is_in_one_list():
    engine = GtpEngine("pass", 9)
    engine.table.states = [position_from_rows(engine.table.game, rows(NO_EYES), 0)]
    told = [
        "".join(engine.answer(parse_command(f"final_status_list {status}"))).replace("=", "").split()
        for status in ("alive", "seki", "dead")
    ]
    assert len(told[1]) == 10
    assert told[2] == []
    assert len(told[0]) + len(told[1]) == sum(row.count("X") + row.count("O") for row in rows(NO_EYES).splitlines())
