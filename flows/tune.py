"""`zeroline tune --preset PRESET --trials N`: search for better parameters by TPE, each trial a small line of its own.

A trial plays, trains and is measured after every generation; one that falls behind is given up. Kill it whenever you like: the
same command goes on to N trials in all. Everything lies in .zeroline/tune/NAME, and MLflow has a run for each trial.
"""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.console import duration

if TYPE_CHECKING:
    from components.config import Experiment
    from components.evaluation.result import MatchResult
    from components.games.contract import Player
    from components.tuning.budget import Budget
    from components.tuning.space import Space
    from components.tuning.study import Attempt, Study, TrialTold
    from flows.tune_line import TrialLine

FOLDER = Path(".zeroline") / "tune"
BEST, RESULT = "best.yaml", "result.json"
CONFIRMING = 2  # times the games of a trial's match: the best of many scores is partly luck, fresh games tell
FRESH_SEED = 1  # added to the seed for those


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("tune", help="search for better parameters of a preset by trials (TPE), resumable")
    command.add_argument("--preset", required=True, metavar="PRESET", help="'zeroline presets' lists them")
    command.add_argument("--trials", type=int, default=20, metavar="N", help="trials in all, earlier runs included (default 20)")
    command.add_argument("--generations", type=int, default=3, metavar="N", help="of each trial (default 3)")
    command.add_argument("--games", type=int, default=256, metavar="N", help="per generation at the preset's simulations; a"
                         " trial with twice as many simulations plays half the games (default 256)")  # fmt: skip
    command.add_argument("--match-games", type=int, default=100, metavar="N", help="measuring games per generation (default 100)")
    command.add_argument("--opponent", default="preset", metavar="PLAYER", help="whom the trials are measured against: preset,"
                         " its own untuned net of the same generation (default), or a player such as greedy")  # fmt: skip
    command.add_argument("--space", type=Path, metavar="FILE", help="YAML with the parameters to try, for example"
                         " 'train.learning_rate: {low: 0.0005, high: 0.01, log: true}'")  # fmt: skip
    command.add_argument("--name", help="of the study (default: the preset's name)")


def run(options: argparse.Namespace) -> int:
    from components.core.errors import BadParameter
    from components.tuning.budget import PRESET, Budget, settings_of
    from components.tuning.space import default_space, read_space, values_of
    from components.tuning.study import open_study
    from flows.edit import experiment_name

    if options.trials < 1:
        raise BadParameter(f"Found --trials {options.trials}; need a number from 1 up.")
    preset = preset_experiment(options.preset)
    budget = Budget(options.generations, options.games, options.match_games, options.opponent)
    space = read_space(options.space, preset) if options.space else default_space(preset)
    name = options.name or experiment_name(options.preset)
    refuse_bad_name(name)
    # The preset's own net stands at 0.5 against itself; against another opponent its score is worth a trial.
    first = {} if budget.opponent == PRESET else values_of(preset, space)
    opponent = None if budget.opponent == PRESET else find_opponent(budget.opponent, preset)
    settings = settings_of(preset, budget, space)
    with open_study(FOLDER / name, settings, space, preset.seed, first) as study:
        return Tuning(name, options.preset, preset, budget, space, study, settings, opponent).run(options.trials)


def preset_experiment(name: str) -> "Experiment":
    """The preset as an experiment. A net that it starts from gets its full path: trials run in folders of their own."""
    from components.config import parse_params
    from components.training.config import NEW
    from flows.edit import experiment_name, load_preset, plain

    block = plain(load_preset(name))
    start = str(block.get("start", NEW))
    if start != NEW and Path(start).exists():
        block["start"] = str(Path(start).resolve())
    return parse_params({"experiments": {experiment_name(name): block}, "generations": {}}, name).experiments[
        experiment_name(name)
    ]


def refuse_bad_name(name: str) -> None:
    from components.core.errors import BadParameter

    if not name.replace("-", "").replace("_", "").isalnum():
        raise BadParameter(f"Found --name '{name}'; need letters, digits, - and _: it names a folder.")


def find_opponent(text: str, preset: "Experiment") -> "Player":
    from components.games.registry import make
    from components.players.registry import make_player

    return make_player(text, make(preset.game))


class Tuning:
    """A study at work: plays trials until there are enough, and tells what came out."""

    def __init__(
        self, name: str, preset_name: str, preset: "Experiment", budget: "Budget", space: "Space", study: "Study",
        settings: dict[str, Any], opponent: "Player | None",
    ) -> None:  # fmt: skip
        self.name, self.preset_name, self.preset, self.budget, self.space = name, preset_name, preset, budget, space
        self.study, self.settings, self.opponent = study, settings, opponent
        self.folder = FOLDER / name
        self.began, self.generations_done, self.is_told = time.monotonic(), 0, True

    def run(self, trials: int) -> int:
        print(f"tune {self.name}: {self.budget_told()}", flush=True)
        for one in self.space:
            print(f"  {one.name}: {one.told()}")
        known = len(self.study.settled())
        if known:
            print(f"tune {self.name}: {known} trials are known already", flush=True)
        if known < trials:
            self.play_preset()
        while len(self.study.settled()) < trials:
            self.try_next(trials)
            self.publish()
        return self.finish()

    def budget_told(self) -> str:
        budget, simulations = self.budget, self.preset.gate.simulations
        spent = f"{budget.generations} generations of {budget.games} games at {self.preset.search.simulations} simulations"
        return f"each trial spends {spent}; {budget.match_games} games against {self.opponent_name} at {simulations} measure it"

    @property
    def opponent_name(self) -> str:
        return "the untuned preset" if self.opponent is None else self.budget.opponent

    def preset_line(self) -> "TrialLine":
        from components.tuning.budget import trial_experiment
        from flows.tune_line import TrialLine

        return TrialLine(self.folder / "preset", trial_experiment(self.preset, self.preset, self.budget), self.budget)

    def play_preset(self) -> None:
        """The untuned preset at the same budget, once, if it is the opponent."""
        if self.opponent is None:
            line = self.preset_line()
            for generation in range(1, self.budget.generations + 1):
                line.play_generation(generation)
                self.generations_done += 1

    def try_next(self, trials: int) -> None:
        """One trial. Values that contradict each other or make training diverge fail it; anything else ends the study."""
        from components.core.errors import BadParameter
        from components.training.steps import TrainingDiverged

        attempt, began = self.study.begin(), time.monotonic()
        tried = ", ".join(f"{name.partition('.')[2]} {value}" for name, value in attempt.values.items())
        print(f"tune {self.name}: trial {attempt.number} of {trials}: {tried}", flush=True)
        try:
            line = self.trial_line(attempt)
        except BadParameter as error:
            self.study.fail(attempt, str(error), 0.0)
            print(f"tune {self.name}: trial {attempt.number} cannot be run: {error}", flush=True)
            return
        try:
            self.play_trial(attempt, line, trials, began)
        except TrainingDiverged as error:
            self.study.fail(attempt, str(error), time.monotonic() - began)
            print(f"tune {self.name}: trial {attempt.number} failed: training diverged", flush=True)

    def trial_line(self, attempt: "Attempt") -> "TrialLine":
        from components.tuning.budget import trial_experiment
        from components.tuning.space import with_values
        from flows.tune_line import TrialLine

        changed = with_values(self.preset, attempt.values)
        return TrialLine(self.trial_folder(attempt.number), trial_experiment(self.preset, changed, self.budget), self.budget)

    def trial_folder(self, number: int) -> Path:
        return self.folder / f"trial-{number:03d}"

    def play_trial(self, attempt: "Attempt", line: "TrialLine", trials: int, began: float) -> None:
        for generation in range(1, self.budget.generations + 1):
            score = self.score_of(line, generation)
            is_behind = self.study.report(attempt, generation, score)
            self.generations_done += 1
            self.show(attempt, generation, score, trials)
            # After the last generation nothing is saved by giving up.
            if is_behind and generation < self.budget.generations:
                self.study.prune(attempt, time.monotonic() - began)
                print(f"tune {self.name}: trial {attempt.number} is behind the median of the others and given up", flush=True)
                return
        self.study.complete(attempt, score, time.monotonic() - began)

    def score_of(self, line: "TrialLine", generation: int) -> float:
        known = line.known_score(generation)
        if known is not None:
            return known
        line.play_generation(generation)
        score = self.match(line, generation, self.budget.match_games, self.preset.seed).score
        line.note_score(generation, score)
        return score

    def match(self, line: "TrialLine", generation: int, games: int, seed: int) -> "MatchResult":
        from components.nets.checkpoint import read_card
        from flows.tune_line import play_scored_match

        opponent, name = self.opponent, self.budget.opponent
        if opponent is None:
            preset = self.preset_line()
            opponent = preset.player(generation, self.preset.gate.simulations)
            name = f"preset-{read_card(preset.champion(generation)).parameters_digest}"
        return play_scored_match(line, generation, opponent, name, games, seed)

    def show(self, attempt: "Attempt", generation: int, score: float, trials: int) -> None:
        from components.tuning.study import best_of

        place = f"trial {attempt.number} of {trials}, generation {generation} of {self.budget.generations}"
        best = best_of(self.study.settled())
        known = f", best so far {best.score:.3f}" if best else ""
        per_generation = (time.monotonic() - self.began) / self.generations_done
        left = (trials - attempt.number + 1) * self.budget.generations - generation
        print(f"tune {self.name}: {place}, score {score:.3f}{known}, at most {duration(per_generation * left)} left", flush=True)

    def publish(self, note: str = "", files: tuple[Path, ...] = ()) -> None:
        """Let MLflow see what is new. A store out of reach is told once and tried again at the end."""
        from components.games.registry import make
        from components.tracking.studies import StudyTold, publish_study
        from flows.settings import apply_settings

        if not self.is_told and not files:
            return
        apply_settings()
        told = StudyTold(self.name, make(self.preset.game).name, self.settings, self.study.settled(), note, files)
        problem = publish_study(Path.cwd(), told)
        self.is_told = problem is None
        if problem:
            print(f"MLflow was not told: {problem}", flush=True)

    def finish(self) -> int:
        """The table, the best values confirmed by fresh games, and the files."""
        from components.core.errors import BadParameter
        from components.core.files import write_json
        from components.tuning.study import best_of
        from flows.tune_report import best_block, print_trials, result_of, told_of_best

        trials = self.study.settled()
        best = best_of(trials)
        print_trials(trials, self.space)
        if best is None:
            raise BadParameter(
                f"No trial of {self.name} was completed; the last failed so: {trials[-1].reason.rstrip('.')}. Narrow the space."
            )
        confirmed = self.confirm(best)
        told = told_of_best(best, confirmed, self.opponent_name)
        best_path = best_block(self.folder / BEST, self.preset_name, best, told)
        write_json(self.folder / RESULT, result_of(self.settings, trials, best, confirmed))
        print(f"tune {self.name}: {told}")
        print(f"Wrote {best_path}: paste it under a new name in params.yaml's experiments, or keep it as a preset.")
        self.publish(told, (best_path, self.folder / RESULT))
        return 0

    def confirm(self, best: "TrialTold") -> "MatchResult":
        from components.tuning.budget import trial_experiment
        from components.tuning.space import with_values
        from flows.tune_line import TrialLine

        changed = trial_experiment(self.preset, with_values(self.preset, best.values), self.budget)
        line = TrialLine(self.trial_folder(best.number), changed, self.budget)
        return self.match(line, self.budget.generations, CONFIRMING * self.budget.match_games, self.preset.seed + FRESH_SEED)
