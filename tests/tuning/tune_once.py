"""`python tests/tuning/tune_once.py --preset ... `: the tune command alone, for tests that start it as a process and kill it."""

import sys

from components.core.command import OneSentenceParser, run_command
from flows import tune

TINY = ("--preset", "tictactoe", "--generations", "1", "--games", "4", "--match-games", "4", "--space", "space.yaml")


def run(arguments: list[str]) -> int:
    jobs = OneSentenceParser(prog="zeroline").add_subparsers(parser_class=OneSentenceParser)
    tune.add_parser(jobs)
    return tune.run(jobs.choices["tune"].parse_args(arguments))


if __name__ == "__main__":
    sys.exit(run_command(lambda: run(sys.argv[1:])))
