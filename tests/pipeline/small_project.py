"""A small real project in a folder of its own: our sources, a git and DVC repository, tic-tac-toe experiments of seconds."""

import os
import shutil
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
SMALL = {
    "game": "tictactoe",
    "family": "tictactoe",
    "seed": 1,
    "start": "new",
    "net": {"blocks": 1, "channels": 8, "pool_every": 0},
    "search": {"mode": "puct", "simulations": 8, "noise_fraction": 0.25, "temperature_plies": 4},
    "selfplay": {"games": 48, "shards": 3, "slots": 16, "precision": "fp32"},
    "window": {"generations": 2},
    "train": {"batch_size": 32, "uses_per_row": 2, "learning_rate": 0.002, "threads": 1, "checkpoint_steps": 3},
    "gate": {"kind": "fixed", "games": 8, "threshold": 0.55, "simulations": 4},
    "tournament": {"pairs": 8, "min_pairs": 1},
    "ladder": ["random"],
}


class Project:
    """A checkout that tests may edit and run."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str, expect: int | None = 0, **extra: str) -> str:
        answer = subprocess.run(
            command, cwd=self.root, env=self.environment(**extra), capture_output=True, text=True, check=False, timeout=600
        )
        output = answer.stdout + answer.stderr
        assert expect is None or answer.returncode == expect, f"{' '.join(command)} gave {answer.returncode}:\n{output}"
        return output

    def python(self, *arguments: str, expect: int | None = 0, **extra: str) -> str:
        return self.run(sys.executable, *arguments, expect=expect, **extra)

    def dvc(self, *arguments: str, expect: int | None = 0, **extra: str) -> str:
        return self.python("-m", "dvc", *arguments, expect=expect, **extra)

    def environment(self, **extra: str) -> dict[str, str]:
        paths = [str(Path(sys.executable).parent), os.environ["PATH"]]
        settings = {
            "PATH": os.pathsep.join(paths),
            "PYTHONPATH": str(self.root),
            "DVC_NO_ANALYTICS": "1",
            "MLFLOW_DISABLE_TELEMETRY": "true",
            "GIT_CONFIG_GLOBAL": "/dev/null",
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "MLFLOW_"))}
        return {**kept, **settings, **extra}

    def commit(self, message: str) -> None:
        self.run("git", "add", "-A")
        self.run("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", message)

    def params(self) -> dict:
        return yaml.safe_load((self.root / "params.yaml").read_text())

    def set(self, dotted: str, value: object) -> None:
        """Change one parameter, for example experiments.small.train.learning_rate."""
        content = self.params()
        *way, last = dotted.split(".")
        place = content
        for name in way:
            place = place.setdefault(name, {})
        place[last] = value
        self.write_params(content)

    def write_params(self, content: dict) -> None:
        (self.root / "params.yaml").write_text(yaml.safe_dump(content, sort_keys=False))

    def outputs(self) -> dict[str, bytes]:
        """Every versioned file with its bytes, and dvc.lock as parsed content."""
        folders = [self.root / "runs", self.root / "reports"]
        files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".html"]
        return {str(path.relative_to(self.root)): path.read_bytes() for path in files if path.name != ".gitignore"}

    def lock(self) -> dict:
        return yaml.safe_load((self.root / "dvc.lock").read_text())["stages"]


def small_params(generations: int, **changes: object) -> dict:
    names = [f"g{number:02d}" for number in range(generations + 1)]
    return {
        "experiments": {"small": {**SMALL, **changes}},
        "generations": {
            f"small-{name}": {"experiment": "small", "family": "tictactoe", "generation": name, "parent": parent}
            for parent, name in pairwise(names)
        },
    }


def make_project(root: Path, generations: int = 2, **changes: object) -> Project:
    """A fresh checkout at root, committed, with so many generations of the small experiment."""
    for folder in ("components", "flows"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("dvc.yaml", "prefect.yaml", "prefect.toml", "new", ".dvcignore", ".gitignore"):
        shutil.copy(ROOT / file, root / file)
    project = Project(root)
    project.write_params(small_params(generations, **changes))
    project.run("git", "init", "-q", "-b", "main")
    project.dvc("init", "-q")
    project.commit("start")
    return project


def kill_after(project: Project, seconds: float) -> bool:
    """kill -9 of the whole line at some moment; False if it had ended before."""
    process = subprocess.Popen(
        [sys.executable, "-m", "flows", "repro"], cwd=project.root, env=project.environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
