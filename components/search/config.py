"""How a search thinks, as parameters: one frozen model, checked once, and its twin record for the kernels."""

from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

RULES = ("puct", "ucb1", "gumbel")  # the index is what kernels compare
FPU_MODES = ("zero", "parent")
# Spread over the legal actions, as KataGo does: 10.83 / 361 points gives AlphaGo Zero's 0.03.
DIRICHLET_TOTAL = 10.83


class SearchConfig(BaseModel):
    """Every knob of the search. The mode picks where priors and values come from, the rule picks the edge to follow."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    mode: Literal["puct", "gumbel", "uct", "value-only", "policy"] = Field(
        default="puct", description="where priors and values come from; policy: sample the net's own, no search"
    )
    simulations: int = Field(default=100, ge=1, le=1_000_000, description="leaves looked at per ply")
    c: float = Field(default=1.25, ge=0, le=100, description="weight of exploration")
    rule: Literal["puct", "ucb1"] = Field(default="puct", description="PUCT, or UCB1 as the 9x9 report prints it")
    fpu: Literal["zero", "parent"] = Field(
        default="parent", description="value of an unfollowed edge: 0, or the parent's less a reduction"
    )
    fpu_reduction: float = Field(default=0.2, ge=0, le=2, description="fpu parent: times the root of the followed priors' sum")
    noise_fraction: float = Field(default=0.0, ge=0, le=1, description="share of Dirichlet noise in the root's priors")
    noise_total: float = Field(default=DIRICHLET_TOTAL, gt=0, le=1000, description="concentration, spread over the legal actions")
    noise_alpha: float = Field(default=0.0, ge=0, le=100, description="fixed concentration per action; 0 spreads noise_total")
    noise_plies: int = Field(default=0, ge=0, description="plies of the game with noise; 0: all")
    forced_playouts: float = Field(default=0.0, ge=0, le=10, description="k of KataGo's forced playouts; 0 is off")
    beam: int = Field(default=0, ge=0, description="below the root only the most probable actions are kept; 0 keeps all")
    leaves: int = Field(default=1, ge=1, le=64, description="leaves per tree and round, kept apart by virtual losses")
    virtual_loss: float = Field(default=1.0, ge=0, le=10, description="losses that a simulation under way counts as")
    considered: int | None = Field(
        default=None,
        ge=1,
        le=1024,
        description="actions of a Gumbel root; none: a quarter of the simulations, 2 to 16",
    )
    gumbel_scale: float = Field(default=1.0, ge=0, le=10, description="1 while training, 0 for the strongest play")
    c_visit: float = Field(default=50.0, ge=0, description="Gumbel: weight of values, to which the most visits are added")
    c_scale: float = Field(default=1.0, ge=0, description="Gumbel: factor of that weight")
    prior_temperature: float = Field(default=0.5, gt=0, le=10, description="T of value-only priors exp(value/T)")
    rollout: Literal["default", "uniform-pass"] = Field(
        default="default", description="rollout policy of UCT: the game's own, or the 9x9 Go report's"
    )
    temperature: float = Field(
        default=1.0, ge=0, le=10, description="sampling visits (policy: probabilities)^(1/temperature); 0 plays the most visited"
    )
    temperature_plies: int = Field(default=0, ge=0, description="plies of the game with that temperature")
    temperature_after: float = Field(default=0.0, ge=0, le=10, description="temperature of the plies after those")
    pass_last: bool = Field(default=False, description="policy: no action without a cell while two with one are legal")
    reuse: bool = Field(default=False, description="keep the followed subtree for the next ply")
    cache_entries: int = Field(default=0, ge=0, le=10_000_000, description="evaluations remembered by position; 0 is off")

    @model_validator(mode="after")
    def refuse_contradictions(self) -> "SearchConfig":
        if self.mode == "gumbel" and self.reuse:
            raise ValueError("a Gumbel root counts visits from zero; set reuse to false or mode to puct")
        if self.mode == "gumbel" and self.noise_fraction:
            raise ValueError("a Gumbel root brings its own noise; set noise_fraction to 0")
        if self.beam and self.reuse:
            raise ValueError("a kept root would lack the actions that the beam left out; set reuse to false or beam to 0")
        return self

    def root_actions(self, simulations: int) -> int:
        """How many actions a Gumbel root looks at when it is given so many simulations.

        With one visit each, the net's noisy value outweighs its policy: at 16 simulations on Go 9x9 a root of 16 actions scored
        0.335 against PUCT in 200 games (`zeroline match`), a root of 4 scored 0.560.
        """
        return self.considered if self.considered is not None else min(16, max(2, simulations // 4))

    def for_match(self, simulations: int) -> "SearchConfig":
        """The search as it plays matches: strongest play, nothing explored for the sake of training, a fresh tree every ply."""
        explores_nothing = {"noise_fraction": 0.0, "gumbel_scale": 0.0, "forced_playouts": 0.0, "temperature_plies": 0}
        return self.model_copy(update={"simulations": simulations, "reuse": False, **explores_nothing})

    def is_noisy_at(self, ply: int) -> bool:
        return self.noise_plies == 0 or ply < self.noise_plies

    def temperature_at(self, ply: int) -> float:
        return self.temperature if ply < self.temperature_plies else self.temperature_after


SETTINGS_DTYPE = np.dtype(
    (
        np.record,
        [
            ("rule", "i4"), ("fpu", "i4"), ("c", "f4"), ("fpu_reduction", "f4"), ("forced", "f4"), ("virtual_loss", "f4"),
            ("c_visit", "f4"), ("c_scale", "f4"), ("beam", "i4"), ("leaves", "i4"), ("noise_fraction", "f8"),
            ("noise_alpha", "f8"), ("noise_total", "f8"), ("gumbel_scale", "f8"), ("is_policy_alone", "i4"),
        ],
    )
)  # fmt: skip


def settings_of(config: SearchConfig) -> Any:
    """The record that search kernels read."""
    rule = "gumbel" if config.mode == "gumbel" else config.rule
    settings = np.zeros(1, dtype=SETTINGS_DTYPE)[0]
    settings.rule, settings.fpu = RULES.index(rule), FPU_MODES.index(config.fpu)
    settings.c, settings.fpu_reduction = config.c, config.fpu_reduction
    settings.forced, settings.virtual_loss = config.forced_playouts, config.virtual_loss
    settings.c_visit, settings.c_scale = config.c_visit, config.c_scale
    settings.beam, settings.leaves = config.beam, config.leaves
    settings.noise_fraction, settings.noise_alpha = config.noise_fraction, config.noise_alpha or 0.0
    settings.noise_total, settings.gumbel_scale = config.noise_total, config.gumbel_scale
    settings.is_policy_alone = config.mode == "policy"
    return settings
