"""Random streams: the known sequence, independence, the right shapes."""

import numpy as np
import pytest

from components.core.seeds import draw, draw_below, draw_gamma, draw_normal, draw_unit, stream_of, streams_of


def test_splitmix_gives_its_published_sequence():
    streams = np.array([1234567], dtype=np.uint64)
    # Reference values of SplitMix64 for seed 1234567.
    assert [int(draw(streams, 0)) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_streams_depend_on_the_whole_key():
    keys = [(1, 2, 3), (1, 2, 4), (1, 3, 2), (2, 1, 3), (1, 2)]
    assert len({stream_of(*key) for key in keys}) == len(keys)
    assert list(streams_of(3, 5)) == [stream_of(5, index) for index in range(3)]


def test_rows_do_not_disturb_each_other():
    together, alone = streams_of(4, 1), streams_of(4, 1)[2:3]
    for row in (0, 2, 1, 2):
        draw(together, row)
    assert [int(draw(alone, 0)) for _ in range(3)][-1] == int(draw(together, 2))


@pytest.mark.parametrize("bound", [1, 2, 7, 82, 1000])
def test_draw_below_is_uniform_and_in_range(bound):
    streams = streams_of(1, bound)
    found = np.array([draw_below(streams, 0, bound) for _ in range(4000)])
    assert found.min() >= 0
    assert found.max() < bound
    assert abs(found.mean() - (bound - 1) / 2) < 0.06 * bound


def test_normal_and_gamma_have_their_moments():
    streams = streams_of(1, 3)
    normal = np.array([draw_normal(streams, 0) for _ in range(8000)])
    assert abs(normal.mean()) < 0.05
    assert abs(normal.std() - 1) < 0.05
    for alpha in (0.1, 0.7, 3.0):
        gamma = np.array([draw_gamma(streams, 0, alpha) for _ in range(60_000)])
        assert gamma.mean() == pytest.approx(alpha, rel=0.1)
        assert gamma.var() == pytest.approx(alpha, rel=0.1)
    unit = np.array([draw_unit(streams, 0) for _ in range(4000)])
    assert 0 <= unit.min() < unit.max() < 1
