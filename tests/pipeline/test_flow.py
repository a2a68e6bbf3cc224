"""The same graph under Prefect: the same bytes as plain `dvc repro`, a real server and worker, and a cancel that ends it all."""

import json
import re
import socket
import subprocess
import sys
import time
import urllib.request

import psutil
import pytest
import yaml

pytestmark = pytest.mark.slow

EDITS = (
    ("experiments.small.train.learning_rate", 0.004),
    ("experiments.small.gate.threshold", 0.3),
    ("experiments.small.selfplay.games", 30),
)


def labels(output: str) -> dict[str, str]:
    """What the flow said of each stage: Ran, Restored or Unchanged."""
    return {stage: label for label, stage in re.findall(r"(Ran|Restored|Unchanged) (\S+@\S+) in ", output)}


def run_flow(project) -> dict[str, str]:
    home = project.root.parent / "prefect-home"
    return labels(project.python("-m", "flows", "run", "small", PREFECT_HOME=str(home)))


def test_flow_and_plain_repro_agree_after_every_edit(make_project):
    plain, flow = make_project("plain", generations=1), make_project("flow", generations=1)
    for edit in (None, *EDITS):
        for project in (plain, flow):
            if edit:
                project.set(*edit)
        plain.dvc("repro")
        said = run_flow(flow)
        assert "Ran" in said.values()
        assert flow.lock() == plain.lock()
        assert flow.outputs() == plain.outputs()
        assert "up to date" in flow.dvc("status")
    assert set(run_flow(plain).values()) == {"Unchanged"}
    for project in (plain, flow):
        project.set(*("experiments.small.selfplay.games", 48))
    plain.dvc("repro")
    assert run_flow(flow)["generate@small-g01"] == "Restored"
    assert flow.lock() == plain.lock()


def test_unknown_experiment_is_one_sentence(make_project):
    output = make_project(generations=1).python("-m", "flows", "run", "smal", expect=2)
    assert output.strip().startswith("UnknownName: There is no experiment 'smal'")
    assert len(output.strip().splitlines()) == 1


def test_a_user_of_the_prefect_command_gets_our_settings(make_project):
    """`prefect server start` is typed by people: what it must not send or show stands in a file of the project."""
    project = make_project(generations=1)
    home = str(project.root.parent / "prefect-home")
    shown = project.python("-m", "prefect", "config", "view", "--show-sources", PREFECT_HOME=home)
    for name in ("PREFECT_SERVER_ANALYTICS_ENABLED", "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT"):
        assert f"{name}='False' (from prefect.toml)" in shown


class Server:
    """A real Prefect server and a real worker of a process pool, on a free port, with a home of their own."""

    def __init__(self, project) -> None:
        self.project = project
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.api = f"http://127.0.0.1:{self.port}/api"
        self.settings = {
            "PREFECT_HOME": str(project.root.parent / "prefect-server"),
            "PREFECT_API_URL": self.api,
            "PREFECT_SERVER_API_PORT": str(self.port),
            "DO_NOT_TRACK": "1",
            "PREFECT_WORKER_QUERY_SECONDS": "1",
        }
        self.processes: list[subprocess.Popen] = []

    def start(self) -> None:
        self.spawn("server", "start", "--host", "127.0.0.1", "--port", str(self.port))
        self.wait_until(lambda: self.get("/health"), 120)
        self.prefect("work-pool", "create", "zeroline", "--type", "process")
        content = yaml.safe_load((self.project.root / "prefect.yaml").read_text())
        small = {**content["deployments"][0], "name": "small", "parameters": {"experiment": "small"}}
        (self.project.root / "prefect.yaml").write_text(yaml.safe_dump({**content, "deployments": [small]}))
        self.prefect("--no-prompt", "deploy", "--all")
        self.spawn("worker", "start", "--pool", "zeroline")

    def spawn(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "prefect", *arguments]
        log = (self.project.root.parent / f"{arguments[0]}.log").open("w")
        environment = self.project.environment(**self.settings)
        self.processes.append(
            subprocess.Popen(command, cwd=self.project.root, env=environment, stdout=log, stderr=log, start_new_session=True)
        )

    def prefect(self, *arguments: str) -> str:
        return self.project.python("-m", "prefect", *arguments, **self.settings)

    def get(self, path: str):
        with urllib.request.urlopen(self.api + path, timeout=10) as answer:
            return json.loads(answer.read())

    def post(self, path: str, body: dict):
        request = urllib.request.Request(self.api + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read())

    def newest_run(self) -> dict:
        runs = self.post("/flow_runs/filter", {"sort": "START_TIME_DESC", "flows": {"name": {"any_": ["pipeline"]}}})
        return runs[0] if runs else {}

    @staticmethod
    def wait_until(is_true, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                if is_true():
                    return
            except OSError:
                pass
            time.sleep(0.5)
        raise AssertionError(f"not so within {seconds} s")

    def stop(self) -> None:
        for process in reversed(self.processes):
            for child in psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []:
                child.kill()
            process.kill()
            process.wait()


@pytest.fixture
def server(make_project):
    running = Server(make_project(generations=1))
    try:
        running.start()
        yield running
    finally:
        running.stop()


def stage_processes(project) -> list[psutil.Process]:
    """Processes that a stage of this project has started."""
    found = []
    for process in psutil.process_iter(["cmdline", "cwd"]):
        line = " ".join(process.info["cmdline"] or [])
        if process.info["cwd"] == str(project.root) and ("flows.stages" in line or "multiprocessing" in line):
            found.append(process)
    return found


def test_deployment_on_a_worker_cancelled_resumed_and_completed(server):
    project = server.project
    server.prefect("deployment", "run", "pipeline/small")
    server.wait_until(lambda: any("generate" in " ".join(process.cmdline()) for process in stage_processes(project)), 240)
    run = server.newest_run()
    began = time.monotonic()
    server.prefect("flow-run", "cancel", run["id"])
    server.wait_until(lambda: not stage_processes(project), 60)
    print(f"cancelled within {time.monotonic() - began:.1f} s, the client's start included")
    server.wait_until(lambda: server.newest_run()["state"]["type"] in ("CANCELLED", "CRASHED"), 60)

    server.prefect("deployment", "run", "pipeline/small", "--watch")
    run = server.newest_run()
    assert run["state"]["type"] == "COMPLETED", run["state"]
    assert "up to date" in project.dvc("status")
    artifacts = server.post("/artifacts/filter", {"limit": 200})
    keys = {artifact["key"] for artifact in artifacts}
    assert {"stages-small", "ratings-small", "plots-small", "report-small"} <= keys
    tasks = server.post("/task_runs/filter", {"limit": 200})
    names = {task["name"] for task in tasks}
    assert {"train@small-g01", "gate@small-g01", "tournament@small"} <= names
    assert {"shard-0", "shard-1", "shard-2"} <= {name for name in names if name.startswith("shard")}
