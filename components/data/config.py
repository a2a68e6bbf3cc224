"""Which rows train the next net, as parameters: one frozen model, checked once. No Parquet, no NumPy: instant to import."""

import math
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

Positive = Annotated[int, Field(ge=1)]


class WindowConfig(BaseModel):
    """How far back training looks: the newest generations, then the newest rows among them.

    `max_rows` with `replace_share` is the GOLAD report's buffer: N samples, a share of which every generation replaces,
    so no generation may give more than its share and old ones stay until they are replaced.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    generations: int = Field(default=8, ge=1, le=10_000, description="newest generations that train the next net")
    growth: float = Field(default=0.0, ge=0, le=1, description="further generations per generation played: the window grows")
    max_rows: Positive | None = Field(default=None, description="newest rows that train the next net; none = all")
    min_rows: int = Field(default=1, ge=1, description="training refuses to start with fewer")
    replace_share: float | None = Field(default=None, gt=0, le=1, description="share of max_rows that one generation may fill")

    @model_validator(mode="after")
    def refuse_contradictions(self) -> "WindowConfig":
        if self.max_rows is not None and self.min_rows > self.max_rows:
            raise ValueError(f"min_rows {self.min_rows} is above max_rows {self.max_rows}: training could never start")
        if self.replace_share is not None and self.max_rows is None:
            raise ValueError("replace_share is a share of max_rows; set max_rows too")
        return self

    def generations_at(self, generation: int) -> int:
        """How many generations train the net that follows this one. Never grows faster than games are played."""
        return self.generations + math.floor(self.growth * generation)

    @property
    def rows_per_generation(self) -> int | None:
        """The most rows that one generation may give, or None for all it has."""
        if self.replace_share is None or self.max_rows is None:
            return None
        return max(1, round(self.replace_share * self.max_rows))
