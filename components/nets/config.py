"""Which net to build: a frozen, range-checked description, part of every checkpoint and of the experiment's parameters.

Read by model.py and checkpoint.py. Promises to be instant (no torch) and that equal configurations build equal nets.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Architecture = Literal["tower", "report-golad", "report-go-9x9", "report-go-13x13", "report-organism"]
Auxiliary = Literal["ownership", "margin", "next_generation"]


class NetConfig(BaseModel):
    """A residual tower by default; a `report-*` architecture is fixed as printed and takes no further choices.

    No weight of a tower depends on the board's size, so one net plays every size of its game. A report's net has fully
    connected heads and plays one size only.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    architecture: Architecture = "tower"
    blocks: int = Field(default=5, ge=1, le=60, description="residual blocks")
    channels: int = Field(default=32, ge=8, le=1024, multiple_of=8, description="feature maps of the tower")
    pool_every: int = Field(default=3, ge=0, le=60, description="every n-th block sees the whole board; 0 = none does")
    policy_channels: int = Field(default=16, ge=1, le=512, description="feature maps of the policy head")
    value_channels: int = Field(default=16, ge=1, le=512, description="feature maps of the value head")
    value_hidden: int = Field(default=64, ge=1, le=4096, description="units behind value, margin and actions without a cell")
    hexagonal: bool = Field(default=False, description="kernels see six neighbours: two corners of each 3x3 stay zero")
    hexagon_board: bool = Field(default=False, description="the board is the hexagon inside the square; cells outside stay zero")
    auxiliary: tuple[Auxiliary, ...] = Field(default=(), description="further targets, trained along and left out in play")

    @model_validator(mode="after")
    def check_combinations(self) -> "NetConfig":
        if len(set(self.auxiliary)) != len(self.auxiliary):
            raise ValueError(f"auxiliary names a head twice: {', '.join(self.auxiliary)}")
        if self.hexagon_board and not self.hexagonal:
            raise ValueError("hexagon_board needs hexagonal: true, for a hexagon's cells have six neighbours")
        changed = self.model_dump(exclude_defaults=True, exclude={"architecture"})
        if self.is_report and changed:
            raise ValueError(f"{self.architecture} is fixed as printed; leave out {', '.join(changed)} or choose tower")
        return self

    @property
    def is_report(self) -> bool:
        return self.architecture != "tower"

    @property
    def plays_every_size(self) -> bool:
        """Whether the weights fit every board size of the game."""
        return not self.is_report

    def is_pooled(self, block: int) -> bool:
        """Whether the block of this index, counted from 0, gets a global pooling branch."""
        return self.pool_every > 0 and (block + 1) % self.pool_every == 0
