"""Where an experiment's files lie. What DVC versions is under runs/; what only saves time after a kill is under .zeroline/."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Layout:
    """The files of one experiment. Without a root the paths are relative to the project, as dvc.yaml writes them."""

    experiment: str
    root: Path = Path()

    @property
    def folder(self) -> Path:
        return self.root / "runs" / self.experiment

    def generation(self, generation: str) -> Path:
        return self.folder / generation

    def data(self, generation: str) -> Path:
        return self.generation(generation) / "data"

    def selfplay(self, generation: str) -> Path:
        return self.generation(generation) / "selfplay.json"

    def window(self, generation: str) -> Path:
        return self.generation(generation) / "window.json"

    def candidate(self, generation: str) -> Path:
        return self.generation(generation) / "candidate.safetensors"

    def optimizer(self, generation: str) -> Path:
        """The candidate's optimiser after training, or a word that nobody wants it kept. Apart: champions stay small."""
        return self.generation(generation) / "optimizer.safetensors"

    def training(self, generation: str) -> Path:
        return self.generation(generation) / "training.json"

    def gate(self, generation: str) -> Path:
        return self.generation(generation) / "gate.json"

    def champion(self, generation: str) -> Path:
        return self.folder / "champions" / f"{generation}.safetensors"

    @property
    def tournament(self) -> Path:
        return self.folder / "tournament.json"

    @property
    def report_folder(self) -> Path:
        """Apart from the run itself, so that the report can depend on all of it."""
        return self.root / "reports" / self.experiment

    @property
    def report(self) -> Path:
        return self.report_folder / "report.json"

    @property
    def plots(self) -> Path:
        return self.report_folder / "plots"

    @property
    def page(self) -> Path:
        """The report page. It tells the times of this machine, so it is no output that two machines could share."""
        return self.report_folder / "report.html"

    def timing(self, stage: str) -> Path:
        """Seconds of a stage. Beside the versioned files: equal runs must have equal bytes, and no two take the same time."""
        return self.root / ".zeroline" / "timings" / self.experiment / f"{stage}.json"

    def work(self, digest: str) -> Path:
        """What a stage has finished so far, named by all that decides it. DVC clears outputs before a stage runs, not this."""
        return self.root / ".zeroline" / "work" / digest


def stage_names(experiment: str, generations: list[str]) -> list[str]:
    """The stages of one experiment in the order of the graph."""
    loop = [f"{stage}@{experiment}-{generation}" for generation in generations for stage in ("generate", "train", "gate")]
    return [f"start@{experiment}", *loop, f"tournament@{experiment}", f"report@{experiment}"]
