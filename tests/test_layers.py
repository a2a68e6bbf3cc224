"""Imports point downwards only, and each outside library has one door."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = [
    "core", "games", "search", "nets", "players", "selfplay", "data", "training", "evaluation",
    "protocols", "reports", "rules_lab", "app",
]  # fmt: skip
DOORS = {
    "numba": ("components/core/jit.py",),
    "mlflow": ("components/tracking/",),
    "matplotlib": ("components/reports/plots.py",),
    "prefect": ("flows/",),
    "dvc": ("flows/",),
}
SOURCES = sorted([*ROOT.glob("components/**/*.py"), *ROOT.glob("flows/**/*.py")])


def imported_names(path: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return names


def layer_of(parts: tuple[str, ...]) -> int | None:
    """Index of a components room; None for single modules beside the rooms (config, tracking)."""
    return LAYERS.index(parts[1]) if len(parts) > 1 and parts[0] == "components" and parts[1] in LAYERS else None


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downwards(path):
    place = path.relative_to(ROOT)
    own = layer_of(place.parts)
    for name in imported_names(path):
        parts = tuple(name.split("."))
        if place.parts[0] == "components":
            assert parts[0] != "flows", f"{place} imports {name}: components never know the flows above them."
        other = layer_of(parts)
        if own is not None and other is not None:
            assert other <= own, f"{place} imports {name}: {LAYERS[own]} may use {LAYERS[own]} and the rooms below it only."


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_outside_libraries_have_one_door(path):
    place = str(path.relative_to(ROOT))
    for name in imported_names(path):
        doors = DOORS.get(name.split(".")[0])
        assert doors is None or place.startswith(doors), f"{place} imports {name}: only {', '.join(doors or ())} may."


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text())), f"{path.relative_to(ROOT)} has no module docstring."


def test_one_place_decides_how_many_threads_torch_has():
    places = [str(path.relative_to(ROOT)) for path in SOURCES if "torch.set_num_threads" in path.read_text()]
    assert places == ["components/nets/evaluator.py"], "call components.nets.evaluator.set_threads instead"
