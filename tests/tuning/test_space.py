"""Which parameters a study tries: bounds that the experiment accepts, and every mistake in a file is one sentence."""

import pytest

from components.config import Experiment
from components.core.errors import ZerolineError
from components.tuning.budget import PRESET, Budget, evaluations_per_ply, trial_experiment
from components.tuning.space import Dimension, check_space, default_space, read_space, values_of, with_values
from flows.edit import preset_names
from flows.tune import preset_experiment


@pytest.fixture
def preset():
    return preset_experiment("tictactoe")


@pytest.fixture
def write(tmp_path):
    def write_space(text):
        path = tmp_path / "space.yaml"
        path.write_text(text)
        return path

    return write_space


@pytest.mark.parametrize("name", preset_names())
def test_default_bounds_of_every_preset_are_accepted(name):
    experiment = preset_experiment(name)
    space = default_space(experiment)
    check_space(space, experiment, name)
    assert {"train.learning_rate", "search.simulations"} <= {one.name for one in space}
    assert values_of(experiment, space)["search.simulations"] == experiment.search.simulations


def test_a_file_replaces_the_default_space(write, preset):
    lines = (
        "train.learning_rate: {low: 1e-4, high: 0.01, log: true}",
        "net.blocks: {low: 1, high: 3}",
        "train.optimizer: [adamw, sgd]",
    )
    space = read_space(write("\n".join(lines)), preset)
    assert space == (
        Dimension("train.learning_rate", 0.0001, 0.01, log=True),
        Dimension("net.blocks", 1, 3),
        Dimension("train.optimizer", choices=("adamw", "sgd")),
    )


def test_a_number_with_a_fraction_stays_one_even_between_whole_bounds(write, preset):
    rows, steps = read_space(write("train.uses_per_row: {low: 1, high: 8}\ntrain.warmup_steps: {low: 0, high: 8}\n"), preset)
    assert not rows.is_whole
    assert steps.is_whole


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("train.learning_rat: {low: 0.1, high: 0.2}", "learning_rat'.*train.learning_rate"),
        ("gate.games: {low: 2, high: 4}", "gate.games'.*train"),
        ("train.learning_rate: {low: 0.2, high: 0.1}", "low below high"),
        ("train.value_mix: {low: 0, high: 1, log: true}", "log only from above 0"),
        ("train.value_mix: {low: 0, high: 7}", "value_mix = 7.* is refused"),
        ("train.learning_rate: {low: fast, high: 0.1}", "'fast'; need a number"),
        ("train.learning_rate: 0.1", "need a list of choices or a range"),
        ("train.optimizer: [adamw, madam]", "madam"),
        ("net.blocks: {low: 1, high: 2.5}", "blocks = 2.5"),
        ("[1, 2]", "holds no parameters"),
        ("a: [", "is not YAML"),
    ],
)
def test_mistakes_are_sentences(write, preset, text, words):
    with pytest.raises(ZerolineError, match=words) as caught:
        read_space(write(text), preset)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_a_sentence(tmp_path, preset):
    with pytest.raises(ZerolineError, match="There is no space"):
        read_space(tmp_path / "nothing.yaml", preset)


def test_changed_values_are_checked_as_a_whole(preset):
    assert with_values(preset, {"train.learning_rate": 0.5}).train.learning_rate == 0.5
    with pytest.raises(ZerolineError, match="cycle_low"):
        with_values(preset, {"train.schedule": "cyclical", "train.cycle_low": 1.0, "train.learning_rate": 0.1})


def test_every_trial_asks_its_net_equally_often():
    preset = Experiment(game="tictactoe", family="tictactoe", search={"simulations": 32}, selfplay={"games": 1000})
    budget = Budget(generations=2, games=64, match_games=10, opponent=PRESET)
    for simulations, games in ((32, 64), (64, 32), (8, 256)):
        trial = trial_experiment(preset, with_values(preset, {"search.simulations": simulations}), budget)
        assert trial.selfplay.games == games
        assert trial.selfplay.games * evaluations_per_ply(trial) == 64 * 32
        assert trial.gate.kind == "none"


def test_fast_plies_count_as_what_they_cost():
    preset = Experiment(
        game="tictactoe", family="tictactoe", search={"simulations": 100}, selfplay={"full_share": 0.25, "fast_simulations": 20}
    )
    assert evaluations_per_ply(preset) == 0.25 * 100 + 0.75 * 20


@pytest.mark.parametrize(("options", "words"), [((0, 1, 2), "generations"), ((1, 0, 2), "games"), ((1, 1, 3), "even")])
def test_a_budget_of_nothing_is_refused(options, words):
    with pytest.raises(ZerolineError, match=words):
        Budget(*options, PRESET)
