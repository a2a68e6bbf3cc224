"""What docs/results.md tells, as a list: sections, the claims of the reports, the nets, and the measurements ("rows").

Read from rows.yaml beside this file. Promises that every row belongs to a claim, every net that a player names is listed, and
that all problems of the file are told at once.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from components.config import sentence_of
from components.core.errors import BadFile, BadParameter, UnknownName
from flows.edit import experiment_name, preset_names

PLAN_FILE = Path(__file__).parent / "rows.yaml"
COMMAND = "python -m flows papers --only {}"
NET_NAME = re.compile(r"\{([a-z0-9.-]+)\}")
SIMULATIONS, CHAMPION = "{sims}", "{champion}"  # filled in by equal-time and curve; no names of nets
OWN_WORDS = {SIMULATIONS[1:-1], CHAMPION[1:-1]}


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NetSource(Frozen):
    """Where a net comes from: a committed file, or a champion of an experiment."""

    path: str = Field(default="", description="a file of the project, taken when it is there")
    experiment: str = Field(min_length=1, description="whose champions are looked at otherwise")
    champion: int = Field(default=0, ge=0, description="the n-th accepted champion; 0 is the newest")
    turns: int = Field(default=0, ge=0, description="the newest champion trained on no more game turns; 0 is any")
    minutes: int = Field(default=0, ge=0, description="the newest champion made in no more minutes; 0 is any")

    @property
    def made_by(self) -> str:
        """The command that makes it."""
        return made_by(self.experiment)

    @property
    def wanted(self) -> str:
        """What is looked for, in words."""
        which = f"accepted champion {self.champion}" if self.champion else "a champion"
        limit = f" of at most {self.turns:,} game turns".replace(",", " ") if self.turns else ""
        limit += f" made in at most {self.minutes} minutes" if self.minutes else ""
        return " or ".join(filter(None, [self.path, f"{which} of {self.experiment}{limit}"]))


def made_by(experiment: str) -> str:
    """The command that runs an experiment; a preset's name has a slash where the experiment's has a dash."""
    presets = {experiment_name(preset): preset for preset in preset_names()}
    return f"python -m flows run {presets.get(experiment, experiment)}"


class BaseRow(Frozen):
    """One measurement; its result is results/ID.json."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")
    seed: int = Field(default=1, ge=0)
    note: str = ""

    def players(self) -> list[str]:
        """The texts of all players that it may need."""
        return []

    @property
    def nets(self) -> list[str]:
        """The nets that it cannot do without."""
        found = [name for text in self.players() for name in NET_NAME.findall(text)]
        return [name for name in dict.fromkeys(found) if name not in OWN_WORDS]

    @property
    def command(self) -> str:
        return COMMAND.format(self.id)

    def wanted_games(self, override: int | None) -> int:
        """How many games it plays; 0 for one that only reads files."""
        planned = getattr(self, "games", 0)
        return override if override is not None and planned else planned

    def asked(self) -> dict[str, Any]:
        """What decides its numbers: a result of anything else is out of date. The number of games is compared apart."""
        return self.model_dump(mode="json", exclude={"games", "note"})


class GamesRow(BaseRow):
    """A row that plays games between two players; of several opponents the first that is installed is taken."""

    game: str
    player: str
    opponent: tuple[str, ...] = Field(min_length=1)
    games: int = Field(ge=2)
    slots: int = Field(default=32, ge=1, le=4096, description="games side by side; seconds per move are shares of a batch")
    opening: int | None = Field(default=None, ge=0, description="random plies first; default by game")

    @model_validator(mode="before")
    @classmethod
    def one_opponent_is_a_list(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(values.get("opponent"), str):
            return {**values, "opponent": [values["opponent"]]}
        return values

    def players(self) -> list[str]:
        return [self.player, *self.opponent]


class MatchRow(GamesRow):
    """Paired starts, sides swapped."""

    kind: Literal["match"]
    games: int = Field(ge=2, multiple_of=2)


class EqualTimeRow(GamesRow):
    """A match one game at a time whose player gets as many simulations as take the opponent's time."""

    kind: Literal["equal-time"]
    games: int = Field(ge=2, multiple_of=2)
    slots: Literal[1] = 1
    simulations: int = Field(default=100, ge=1, description="the first guess")
    pilot_games: int = Field(default=6, ge=2, multiple_of=2)

    @model_validator(mode="after")
    def has_simulations_to_find(self) -> "EqualTimeRow":
        if SIMULATIONS not in self.player:
            raise ValueError(f"the player of an equal-time row says {SIMULATIONS} where its simulations go; found {self.player}")
        return self


class OneSidedRow(GamesRow):
    """A line of the 9x9 report's tables: the player moves first in every game."""

    kind: Literal["one-sided"]
    opening: int | None = Field(default=0, ge=0)


class SelfScoreRow(BaseRow):
    """What the first player scores when an agent plays itself."""

    kind: Literal["self-score"]
    game: str
    player: str
    games: int = Field(ge=2)
    slots: int = Field(default=32, ge=1, le=4096)
    opening: int | None = Field(default=0, ge=0)

    def players(self) -> list[str]:
        return [self.player]


class TimeRow(BaseRow):
    """Seconds per move, one game at a time, against itself."""

    kind: Literal["time-per-move"]
    game: str
    player: str
    games: int = Field(ge=1)

    def players(self) -> list[str]:
        return [self.player]


class TournamentRow(BaseRow):
    """All against all under one referee; engines that are not installed are left out and told."""

    kind: Literal["tournament"]
    game: str
    entries: dict[str, str] = Field(min_length=2, description="players by the name in the table")
    anchor: str
    games: int = Field(ge=2, description="for every pairing", multiple_of=2)
    slots: int = Field(default=32, ge=1, le=4096)
    opening: int | None = Field(default=None, ge=0)

    def players(self) -> list[str]:
        return list(self.entries.values())

    @model_validator(mode="after")
    def enters_its_anchor(self) -> "TournamentRow":
        if self.anchor not in self.entries:
            raise ValueError(f"the anchor '{self.anchor}' is not entered; the entries are {', '.join(self.entries)}")
        return self


class CurveRow(BaseRow):
    """Strength over training: the champions of an experiment against fixed opponents."""

    kind: Literal["curve"]
    experiment: str
    game: str
    player: str = Field(description="of one champion, whose net is {champion}")
    opponents: tuple[str, ...] = Field(min_length=1)
    games: int = Field(ge=2, multiple_of=2, description="for every champion and opponent")
    points: int = Field(default=8, ge=2, description="champions at most, spread over the training")
    slots: int = Field(default=32, ge=1, le=4096)

    @field_validator("player")
    @classmethod
    def names_a_champion(cls, player: str) -> str:
        if CHAMPION not in player:
            raise ValueError(f"a curve's player needs {CHAMPION} in it")
        return player


class LossesRow(BaseRow):
    """The losses of an experiment by training step."""

    kind: Literal["losses"]
    experiment: str


Row = Annotated[
    MatchRow | EqualTimeRow | OneSidedRow | SelfScoreRow | TimeRow | TournamentRow | CurveRow | LossesRow,
    Field(discriminator="kind"),
]


class Claim(Frozen):
    """What a report says or asks, and the rows that answer it: by its own method, and by ours."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")
    section: str
    says: str
    report: str = Field(description="the report's figure; a dash where it gives none")
    reproduced: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[str, ...]:
        return (*self.reproduced, *self.ours)


class Section(Frozen):
    title: str
    text: str


class Plan(Frozen):
    sections: dict[str, Section]
    nets: dict[str, NetSource]
    claims: tuple[Claim, ...]
    rows: tuple[Row, ...]

    @model_validator(mode="after")
    def refuse_loose_ends(self) -> "Plan":
        rows, claimed = [row.id for row in self.rows], {row for claim in self.claims for row in claim.rows}
        problems = [f"row {name} is there twice" for name in dict.fromkeys(rows) if rows.count(name) > 1]
        problems += [
            f"claim {claim.id} is of no section: '{claim.section}'" for claim in self.claims if claim.section not in self.sections
        ]
        problems += [f"claims name the row '{name}', which is not there" for name in sorted(claimed - set(rows))]
        problems += [f"row {name} belongs to no claim" for name in rows if name not in claimed]
        problems += [
            f"row {row.id} names the net '{net}', which is not there"
            for row in self.rows
            for net in row.nets
            if net not in self.nets
        ]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def row(self, name: str) -> Row:
        return next(row for row in self.rows if row.id == name)

    def claims_of(self, section: str) -> list[Claim]:
        return [claim for claim in self.claims if claim.section == section]

    def rows_of(self, section: str) -> list[Row]:
        """In the order of the claims; a row of several claims once."""
        names = dict.fromkeys(name for claim in self.claims_of(section) for name in claim.rows)
        return [self.row(name) for name in names]

    def choose(self, words: Sequence[str]) -> list[Row]:
        """The rows that sections, claims and rows name; all of them without a word."""
        claims = {claim.id: list(claim.rows) for claim in self.claims}
        known = {section: [row.id for row in self.rows_of(section)] for section in self.sections} | claims
        known |= {row.id: [row.id] for row in self.rows}
        for word in words:
            if word not in known:
                raise UnknownName(f"There is no section, claim or row '{word}'; the sections are {', '.join(self.sections)}.")
        wanted = {name for word in words for name in known[word]}
        return [row for row in self.rows if row.id in wanted or not words]


def load_plan(path: Path = PLAN_FILE) -> Plan:
    try:
        return Plan.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError:
        raise BadFile(f"There is no list of measurements {path}; name another or check it out again.") from None
    except yaml.YAMLError as error:
        raise BadFile(f"{path} is not YAML: {' '.join(str(error).split())}. Mend the file and run the command again.") from None
    except ValidationError as error:
        raise BadParameter(f"{path.name} has {sentence_of(error)}.") from None
