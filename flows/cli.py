"""The `zeroline` command, also `python -m flows`: one word per job, each job imported when it is asked for."""

import argparse
import sys
from pathlib import Path

from components.core.command import OneSentenceParser, run_command
from flows import (
    gtp_command,
    ladder_command,
    match_command,
    papers_command,
    params_command,
    play_command,
    quantize_command,
    review_command,
    riddles_command,
    rules_lab,
    sgf_command,
    tune,
)


def parser() -> argparse.ArgumentParser:
    root = OneSentenceParser(prog="zeroline", description="From the rules of a board game to a champion and a report.")
    jobs = root.add_subparsers(dest="job", required=True, metavar="JOB", parser_class=OneSentenceParser)
    run = jobs.add_parser("run", help="run an experiment's stages as a Prefect flow, no server needed")
    run.add_argument("experiment", help="an experiment of params.yaml, or a preset")
    repro = jobs.add_parser("repro", help="dvc repro, after mending a record that a kill cut short", add_help=False)
    repro.add_argument("rest", nargs=argparse.REMAINDER)
    add = jobs.add_parser("add", help="add a preset to params.yaml")
    add.add_argument("preset", help="'zeroline presets' lists them")
    add.add_argument("--generations", type=int, metavar="N", help="how many to begin with; the preset's own number by default")
    add.add_argument("--scale", type=float, default=1.0, metavar="S", help="shrink games, buffer, steps and pairs by this factor")
    lengthen = jobs.add_parser("extend", help="add generations to an experiment in params.yaml")
    lengthen.add_argument("experiment")
    lengthen.add_argument("--to", type=int, required=True, metavar="N", help="the last generation to have")
    jobs.add_parser("presets", help="list the presets")
    games = jobs.add_parser("games", help="list, check and watch the games", add_help=False)
    games.add_argument("rest", nargs=argparse.REMAINDER)
    plain = (match_command, ladder_command, play_command, gtp_command, sgf_command, review_command, quantize_command)
    for command in (*plain, papers_command, params_command, rules_lab, tune):
        command.add_parser(jobs)
    riddles_command.add_parsers(jobs)
    return root


def main() -> int:
    return run_command(lambda: run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    jobs = {"run": run_flow, "repro": reproduce, "add": add, "extend": lengthen, "presets": presets, "games": games}
    jobs |= {"match": match_command.run, "ladder": ladder_command.run, "play": play_command.run, "gtp": gtp_command.run}
    jobs |= {"riddles": riddles_command.run_bot, "riddles-match": riddles_command.run_match, "sgf-import": sgf_command.run}
    jobs |= {"quantize": quantize_command.run, "papers": papers_command.run, "rules-lab": rules_lab.run, "tune": tune.run}
    jobs |= {"review": review_command.run, "params": params_command.run}
    return jobs[options.job](options)


def run_flow(options: argparse.Namespace) -> int:
    from flows.dvc_stage import run_group
    from flows.edit import find_experiment
    from flows.settings import apply_settings

    apply_settings()
    find_experiment(Path.cwd(), options.experiment)  # a misspelt name is told before Prefect starts
    # A group of its own: Ctrl-C would end Prefect's temporary server too, and the flow would call that for minutes.
    return run_group([sys.executable, "-m", "flows.pipeline", options.experiment])


def reproduce(options: argparse.Namespace) -> int:
    import os

    from components.config import load_params
    from flows.dvc_stage import dvc_command, environment
    from flows.lock import repair

    load_params()  # a wrong key is told before DVC begins, and alone
    sentence = repair()
    if sentence:
        print(sentence, flush=True)
    command = [*dvc_command(), "repro", *options.rest]
    os.execvpe(command[0], command, environment())


def add(options: argparse.Namespace) -> int:
    from components.config import load_params
    from flows.edit import add_preset

    known = set(load_params().experiments)
    name = add_preset(Path(), options.preset, options.generations, options.scale)
    params = load_params()
    for other in params.experiments.keys() - known - {name}:
        print(f"Added {other} too, which {name} starts from.")
    count = len(params.generations_of(name))
    scale = f" at scale {options.scale:g}" if options.scale != 1 else ""
    print(f"Added {name} with {count} generations{scale} to params.yaml; 'dvc repro report@{name}' runs it.")
    return 0


def lengthen(options: argparse.Namespace) -> int:
    from flows.edit import extend

    added = extend(Path(), options.experiment, options.to)
    print(f"Added {', '.join(added)}; 'dvc repro report@{options.experiment}' runs what is new.")
    return 0


def presets(options: argparse.Namespace) -> int:
    from flows.edit import load_preset, preset_names

    for name in preset_names():
        print(f"{name:<24} {load_preset(name)['game']}")
    return 0


def games(options: argparse.Namespace) -> int:
    from components.games.__main__ import run as run_games

    return run_games(options.rest)


if __name__ == "__main__":
    sys.exit(main())
