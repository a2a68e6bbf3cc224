"""`zeroline params` tells every key that params.yaml may hold."""

import pytest

from components.config import Experiment
from components.core.errors import UnknownName
from components.search.config import SearchConfig
from components.selfplay.config import SelfplayConfig
from flows.cli import run


def told(capsys, *section) -> str:
    assert run(["params", *section]) == 0
    return capsys.readouterr().out


def test_every_section_is_told(capsys):
    text = told(capsys)
    for name in Experiment.model_fields:
        assert f"\n  {name} " in text or f"\n{name}\n" in text, name


@pytest.mark.parametrize(("section", "model"), [("search", SearchConfig), ("selfplay", SelfplayConfig)])
def test_every_key_has_a_meaning(capsys, section, model):
    lines = {line.split()[0]: line for line in told(capsys, section).splitlines()[1:] if line}
    assert list(lines) == list(model.model_fields)
    for name, field in model.model_fields.items():
        assert field.description, f"{section}.{name} has no description"
        assert lines[name].endswith(field.description)


def test_defaults_and_ranges_are_those_that_are_checked(capsys):
    lines = {line.split()[0]: " ".join(line.split()) for line in told(capsys, "search").splitlines() if line}
    assert lines["simulations"].startswith("simulations 100 >= 1, <= 1000000 ")
    assert lines["fpu"].startswith("fpu parent zero | parent ")
    assert lines["considered"].startswith("considered none >= 1, <= 1024 or none ")
    assert lines["reuse"].startswith("reuse false boolean ")


def test_an_unknown_section_is_a_sentence():
    with pytest.raises(UnknownName, match=r"no section 'serch'.*search"):
        run(["params", "serch"])
