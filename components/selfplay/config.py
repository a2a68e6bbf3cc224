"""How a generation plays itself, as parameters."""

from pydantic import BaseModel, ConfigDict, Field

from components.search.config import SearchConfig


class SelfplayConfig(BaseModel):
    """Games per generation and how each of their plies is searched."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    games: int = Field(default=512, ge=1, description="games per generation")
    shards: int = Field(default=4, ge=1, le=10_000, description="Parquet files per generation: the unit of work")
    slots: int = Field(default=64, ge=1, le=4096, description="games in lock-step inside a shard")
    full_share: float = Field(default=1.0, gt=0, le=1, description="share of plies searched in full; the rest only play on")
    fast_simulations: int = Field(default=16, ge=1, description="simulations of the other plies")
    opening_plies: int = Field(default=0, ge=0, description="uniform random plies before the search begins, up to this many")
    temperatures: tuple[tuple[int, float], ...] = Field(default=(), description="(from generation, temperature), ascending")
    players: str = Field(
        default="", description="who plays both sides instead of the champion, for example gnugo-1; opening_plies are then exact"
    )
    precision: str = Field(default="auto", pattern="^(auto|fp32|bf16|int8)$", description="how the net is computed")

    def games_of_shard(self, shard: int) -> int:
        """Games are spread over the shards as evenly as can be."""
        return self.games // self.shards + (shard < self.games % self.shards)

    def budgets_of(self, search: SearchConfig) -> tuple[int, int]:
        """Simulations of a full search and of a fast one."""
        return search.simulations, self.fast_simulations

    def search_of_generation(self, search: SearchConfig, generation: int) -> SearchConfig:
        """The search with the temperature of this generation, as the 13x13 report cools it over its episodes."""
        reached = [temperature for start, temperature in self.temperatures if generation >= start]
        return search.model_copy(update={"temperature": reached[-1]}) if reached else search
