"""Hand-made games and variants files for the lab's tests."""

import argparse

from components.core.command import OneSentenceParser
from components.rules_lab.games import LabGame
from flows import rules_lab


def lab_game(winner, movers="0101", **changes):
    """A game by its winner ("first", "second" or None) and who chose when."""
    returns = {"first": (1.0, -1.0), "second": (-1.0, 1.0), None: (0.0, 0.0)}[winner]
    plies = len(movers)
    values = {
        "first": 0,
        "returns": returns,
        "movers": tuple(map(int, movers)),
        "choices": (2,) * plies,
        "values": (0.0,) * plies,
        "kinds": ("place",) * plies,
        "opening": ((4,), (0,)),
        "opening_name": "B2",
        "positions": tuple(bytes([number]) for number in range(plies)),
        "is_capped": False,
        "margin": None,
        "digest": "one",
    }
    return LabGame(**{**values, **changes})


def command(*arguments):
    """`zeroline rules-lab ARGUMENTS` as the command line runs it."""
    root = OneSentenceParser(prog="zeroline")
    rules_lab.add_parser(root.add_subparsers(dest="job", required=True, parser_class=OneSentenceParser))
    options: argparse.Namespace = root.parse_args(["rules-lab", *map(str, arguments)])
    return rules_lab.run(options)
