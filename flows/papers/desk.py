"""Where measurements are made: the plan, the nets at hand, the folder for games in progress, and the players of a row."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from components.core.errors import BadParameter
from components.core.files import digest_of
from components.layout import Layout
from flows.papers.nets import Entrant, Net, NoNet, champions_of, enter, find_net
from flows.papers.plan import BaseRow, CurveRow, LossesRow, Plan, made_by

if TYPE_CHECKING:
    from components.games.contract import Game, Player


@dataclass(frozen=True)
class Desk:
    plan: Plan
    root: Path = Path()
    others: tuple[Path, ...] = ()  # other copies of the project, whose runs count too
    games: int | None = None  # instead of every row's own number, for a quick look
    _nets: dict[str, Net] = field(default_factory=dict)

    @cached_property
    def projects(self) -> tuple[Path, ...]:
        return (self.root, *self.others)

    def folder(self, row: BaseRow) -> Path:
        """Games so far; a killed measurement goes on from here."""
        return self.root / ".zeroline" / "papers" / row.id

    def wanted_games(self, row: BaseRow) -> int:
        return row.wanted_games(self.games)

    def nets(self, row: BaseRow) -> dict[str, Net]:
        """The row's nets by name; one that is not here is NoNet."""
        for name in row.nets:
            if name not in self._nets:
                self._nets[name] = find_net(name, self.plan.nets[name], self.projects)
        return {name: self._nets[name] for name in row.nets}

    def run_project(self, row: CurveRow | LossesRow) -> Path:
        """The first project in which the row's experiment was run."""
        for project in self.projects:
            if any(Layout(row.experiment, project).folder.glob("g*/training.json")):
                return project
        raise NoNet(f"needs the run of {row.experiment}, made by `{made_by(row.experiment)}`")

    def sources(self, row: BaseRow) -> dict[str, str]:
        """Digests of all that the row's numbers come from, by name: when one changes, they are out of date."""
        if isinstance(row, CurveRow | LossesRow):
            champions = champions_of(self.run_project(row), row.experiment)
            return {row.experiment: digest_of("".join(champion.digest for champion in champions).encode())}
        return {name: net.facts["digest"] for name, net in self.nets(row).items()}

    def enter(self, text: str, row: BaseRow) -> Entrant:
        return enter(text, self.nets(row))


def first_present(entrants: Sequence[Entrant], game: "Game") -> tuple[Entrant, "Player"]:
    """The first player that can be made here, for example Pachi if it is installed and GNU Go else."""
    from components.protocols.ladders import try_player

    reasons = []
    for entrant in entrants:
        player, why = try_player(entrant.text, game)
        if player is not None:
            return entrant, player
        reasons.append(why)
    raise BadParameter(" ".join(reasons))
