"""Small real projects for the tests of the line."""

import pytest
from small_project import Project
from small_project import make_project as make_at


@pytest.fixture
def make_project(tmp_path):
    """Makes checkouts with so many generations; all in one test share nothing but the kernels' cache."""

    def make(name: str = "project", generations: int = 2, **changes: object) -> Project:
        return make_at(tmp_path / name, generations, **changes)

    return make
