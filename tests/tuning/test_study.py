"""A study remembers, whatever happens to its process: the same values, tried again, under the same number."""

import pytest

from components.core.errors import ZerolineError
from components.tuning.space import Dimension
from components.tuning.study import COMPLETE, FAILED, PRUNED, TrialTold, best_of, open_study

SPACE = (Dimension("train.learning_rate", 0.001, 0.1, log=True), Dimension("train.warmup_steps", 0, 8))
SETTINGS = {"preset": {}, "budget": {"games": 8}, "space": {}}


def opened(folder, settings=SETTINGS, first=None):
    return open_study(folder, settings, SPACE, 1, first or {})


def score_of(values):
    return 1 - abs(values["train.learning_rate"] - 0.02)


def play(study, trials):
    while len(study.settled()) < trials:
        attempt = study.begin()
        study.report(attempt, 1, score_of(attempt.values))
        study.complete(attempt, score_of(attempt.values), 1.0)


def test_a_killed_trial_is_tried_again_and_nothing_else_changes(tmp_path):
    with opened(tmp_path / "calm") as study:
        play(study, 7)
        calm = study.settled()
    for trials in (2, 7):
        with opened(tmp_path / "killed") as study:
            play(study, trials)
            killed = study.begin()  # and never told how it ended
            study.report(killed, 1, 0.5)
    with opened(tmp_path / "killed") as study:
        again = study.begin()
        assert (again.number, again.values) == (killed.number, killed.values)
        assert study.settled() == calm


def test_states_reasons_and_scores_are_kept(tmp_path):
    with opened(tmp_path) as study:
        first = study.begin()
        study.report(first, 1, 0.4)
        study.report(first, 2, 0.6)
        study.complete(first, 0.6, 3.0)
        second = study.begin()
        study.report(second, 1, 0.1)
        study.prune(second, 1.0)
        study.fail(study.begin(), "it diverged", 2.0)
    with opened(tmp_path) as study:
        told = study.settled()
    assert [(one.number, one.state, one.score, one.reason) for one in told] == [
        (1, COMPLETE, 0.6, ""),
        (2, PRUNED, 0.1, ""),
        (3, FAILED, None, "it diverged"),
    ]
    assert told[0].scores == {1: 0.4, 2: 0.6}
    assert best_of(told) == told[0]


def test_a_trial_far_behind_the_others_should_be_given_up(tmp_path):
    with opened(tmp_path) as study:
        play(study, 5)
        assert study.report(study.begin(), 1, 0.0)


def test_the_first_trial_can_be_chosen(tmp_path):
    first = {"train.learning_rate": 0.005, "train.warmup_steps": 3}
    with opened(tmp_path, first=first) as study:
        assert study.begin().values == first
    with opened(tmp_path, first=first) as study:
        assert study.begin().values == first
        assert study.begin().values != first


def test_other_settings_are_not_mixed_in(tmp_path):
    with opened(tmp_path):
        pass
    other = {**SETTINGS, "budget": {"games": 16}}
    with pytest.raises(ZerolineError, match=r"another budget.*--name"), opened(tmp_path, other):
        pass


def test_a_study_has_one_process_at_a_time(tmp_path):
    with opened(tmp_path), pytest.raises(ZerolineError, match="works on"), opened(tmp_path):
        pass


def test_best_is_the_first_of_equals_and_completed():
    trials = [TrialTold(1, PRUNED, {}, {1: 0.9}), TrialTold(2, COMPLETE, {}, {1: 0.7}), TrialTold(3, COMPLETE, {}, {1: 0.7})]
    assert best_of(trials) == trials[1]
    assert best_of(trials[:1]) is None
