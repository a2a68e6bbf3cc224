"""How a gate decides and how a tournament spends its games, as frozen, range-checked parameters.

Part of an experiment's parameters; read by gate.py and tournament.py. Promises to be instant: no game, no net is loaded.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class GateConfig(BaseModel):
    """When a candidate replaces the champion.

    `sequential` plays until the evidence suffices, `fixed` compares the score of a fixed number of games with a threshold,
    `none` promotes every candidate unseen.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["sequential", "fixed", "none"] = "sequential"
    games: int = Field(default=40, ge=2, le=100_000, multiple_of=2, description="fixed: games, half of them with each side")
    threshold: float = Field(default=0.60, gt=0, lt=1, description="fixed: the score to reach")
    strict: bool = Field(default=True, description="fixed: the score must be above the threshold, not just equal to it")
    draws: Literal["half", "ignored"] = Field(default="half", description="fixed: half a point, or left out of the score")
    elo0: float = Field(default=0.0, ge=-1000, le=1000, description="sequential: a candidate no better than this is rejected")
    elo1: float = Field(default=50.0, ge=-1000, le=1000, description="sequential: a candidate this much better is promoted")
    alpha: float = Field(default=0.05, gt=0, lt=0.5, description="sequential: risk of promoting a candidate of elo0")
    beta: float = Field(default=0.05, gt=0, lt=0.5, description="sequential: risk of rejecting a candidate of elo1")
    max_games: int = Field(default=400, ge=2, le=1_000_000, multiple_of=2, description="sequential: inconclusive after so many")
    simulations: int = Field(default=100, ge=1, le=1_000_000, description="leaves that both searches look at per ply")
    slots: int = Field(default=64, ge=1, le=4096, description="games played side by side")
    opening_plies: int | None = Field(
        default=None, ge=0, le=100, description="random plies first; default: where starts are all alike"
    )
    replays: int = Field(default=3, ge=0, le=100, description="how often a void game is played again")

    @model_validator(mode="after")
    def refuse_contradictions(self) -> "GateConfig":
        if self.elo1 <= self.elo0:
            raise ValueError(f"elo1 ({self.elo1:g}) must be above elo0 ({self.elo0:g})")
        return self

    @property
    def planned_games(self) -> int:
        """The most games that a verdict may take."""
        return {"sequential": self.max_games, "fixed": self.games, "none": 0}[self.kind]


GATE_PRESETS = {
    "sequential": GateConfig(),
    "fixed-60": GateConfig(kind="fixed", threshold=0.60),
    "fixed-55": GateConfig(kind="fixed", threshold=0.55),
    # The report prints "> 60 %"; its code accepts at exactly 60 % too and leaves draws out.
    "report-organism": GateConfig(kind="fixed", threshold=0.60, strict=False, draws="ignored"),
    "none": GateConfig(kind="none"),
}


class TournamentConfig(BaseModel):
    """How many games a tournament plays and which of them are fixed before anything is known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pairs: int = Field(default=400, ge=1, le=1_000_000, description="pairs of games in all")
    min_pairs: int = Field(
        default=2,
        ge=0,
        le=10_000,
        description="pairs for every pairing (or, on a small budget, for the anchor's) before uncertainty decides",
    )
    batch_pairs: int = Field(default=4, ge=1, le=10_000, description="pairs played between two looks at the ratings")
    anchor: str = Field(default="random", min_length=1, description="the player rated 0")
    slots: int = Field(default=64, ge=1, le=4096, description="games played side by side")
    opening_plies: int | None = Field(
        default=None, ge=0, le=100, description="random plies first; default: where starts are all alike"
    )
    replays: int = Field(default=3, ge=0, le=100, description="how often a void game is played again")
