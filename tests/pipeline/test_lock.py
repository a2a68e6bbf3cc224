"""A dvc.lock that a kill cut short anywhere is mended before DVC reads it."""

import pytest
import yaml

from flows.lock import is_whole, remember, repair

WHOLE = yaml.safe_dump(
    {
        "schema": "2.0",
        "stages": {
            name: {
                "cmd": f"echo {name}",
                "deps": [{"path": "in", "hash": "md5", "md5": "0" * 32, "size": 3}],
                "outs": [{"path": name, "hash": "md5", "md5": "1" * 32, "size": 4}],
            }
            for name in ("first", "second", "third")
        },
    },
    sort_keys=False,
)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.5, 0.62, 0.8, 0.97])
def test_a_cut_file_is_either_accepted_by_dvc_or_put_back(tmp_path, share):
    lock = tmp_path / "dvc.lock"
    lock.write_text(WHOLE)
    assert is_whole(lock)
    remember(tmp_path)
    lock.write_text(WHOLE[: int(len(WHOLE) * share)])
    cut = lock.read_text()
    sentence = repair(tmp_path)
    assert is_whole(lock)
    assert lock.read_text() == (WHOLE if sentence else cut)


def test_a_whole_file_is_left_alone_and_a_missing_one_too(tmp_path):
    assert repair(tmp_path) is None
    (tmp_path / "dvc.lock").write_text(WHOLE)
    assert repair(tmp_path) is None
    assert (tmp_path / "dvc.lock").read_text() == WHOLE


def test_without_a_copy_the_broken_file_goes(tmp_path):
    (tmp_path / "dvc.lock").write_text(WHOLE[: WHOLE.index("outs")] + "o: [{")
    assert "cache restores" in repair(tmp_path)
    assert not (tmp_path / "dvc.lock").exists()
