"""The `zeroline` command: one word per job, each job imported when it is asked for."""

import sys

from components.core.errors import UnknownName, run_command

JOBS = {"games": "list, check and watch the games"}


def main() -> int:
    return run_command(lambda: run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print("usage: zeroline JOB ...\n\njobs:")
        for job, meaning in JOBS.items():
            print(f"  {job:<12} {meaning}")
        return 0
    if arguments[0] not in JOBS:
        raise UnknownName(f"There is no job '{arguments[0]}'; the jobs are {', '.join(JOBS)}.")
    from components.games.__main__ import run as run_games

    return run_games(arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
