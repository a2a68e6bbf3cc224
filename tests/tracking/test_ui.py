"""MLflow's own pages, in a real browser: two parent runs side by side, with strength and losses."""

import json
import shutil
import time
import urllib.parse

import pytest
from servers import mlflow_command
from tiny_line import NAME, run_generation, run_stage, write_params

from components.tracking import publish_experiment
from components.tracking.store import open_store

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("chromium") and shutil.which("chromedriver")),
        reason="needs chromium and chromedriver: apt-get install chromium chromium-driver",
    ),
]
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,1400",
)
WAIT_SECONDS = 90


@pytest.fixture
def browser(tmp_path):
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install -e .[dev]")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def two_parents(project):
    """The line with two learning rates: two parent runs in one store."""
    assert publish_experiment(project, NAME) is None
    write_params(project, 2, learning_rate=0.03)
    for generation in ("g01", "g02"):
        run_generation(project, generation)
    run_stage(project, "tournament", NAME)
    run_stage(project, "report", NAME)
    assert publish_experiment(project, NAME) is None
    with open_store(project) as store:
        experiment = store.client.get_experiment_by_name("tictactoe").experiment_id
        parents = [run for run in store.client.search_runs([experiment]) if "mlflow.parentRunId" not in run.data.tags]
    assert len(parents) == 2
    return project, experiment, parents


SCROLL_ON = """
for (const box of document.querySelectorAll('*')) if (box.scrollHeight > box.clientHeight + 10) box.scrollTop += 250;
return document.body ? document.body.innerText : '';
"""


def wait_for_text(browser, *texts):
    """Scroll through the page until every text was shown: its long tables hold only the rows in sight."""
    deadline, seen, shown = time.monotonic() + WAIT_SECONDS, set(), ""
    while time.monotonic() < deadline:
        shown = " ".join(browser.execute_script(SCROLL_ON).split())
        seen |= {text for text in texts if text in shown}
        if len(seen) == len(set(texts)):
            return
        time.sleep(0.5)
    raise AssertionError(f"the page does not show {sorted(set(texts) - seen)}; it shows:\n{shown[:3000]}")


def test_compare_page_shows_both_runs_with_strength_and_losses(two_parents, browser):
    root, experiment, parents = two_parents
    chosen = urllib.parse.urlencode(
        {"runs": json.dumps([run.info.run_id for run in parents]), "experiments": json.dumps([experiment])}
    )
    with mlflow_command(
        ["server", "--backend-store-uri", f"sqlite:///{root}/mlflow.db", "--workers", "1"], root, "/health"
    ) as address:
        browser.get(f"{address}/#/compare-runs?{chosen}")
        wait_for_text(
            browser,
            "strength/elo",
            "train/policy",
            "gate/score",
            "train.learning_rate",
            f"Run Name: {NAME} {NAME}",
            *(run.info.run_id for run in parents),
        )
        browser.get(f"{address}/#/experiments/{experiment}/runs/{parents[0].info.run_id}")
        wait_for_text(browser, "Champion", "report.html")
        browser.get(f"{address}/#/models/tictactoe")
        wait_for_text(browser, "candidate")
