"""A game as self-play tells it: plain values, one entry a ply. data/schema.py turns these into Parquet rows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class GameKey:
    """Names a game and seeds it: the same key always plays the same game with the same net and parameters."""

    seed: int
    generation: int
    shard: int
    game: int

    def __str__(self) -> str:
        return f"{self.seed}-g{self.generation:02d}-s{self.shard:03d}-{self.game:05d}"


@dataclass(frozen=True)
class PlyRecord:
    """One decision: the position, what the search found, what was played."""

    ply: int
    mover: int
    state: bytes
    actions: NDArray[np.int32]  # [legal] the legal actions, ascending
    visits: NDArray[np.int32]  # [legal] counts, not probabilities: the playing temperature must not leak into the target
    policy: NDArray[np.float32]  # [legal] the search's target: pruned visits or the improved policy; sums to 1
    value: float  # for the mover, mean over the search
    prior_entropy: float
    depth: int
    breadth: float
    action: int
    is_full: bool  # a full search, whose policy is a training target; fast searches only carry the game on


@dataclass(frozen=True)
class GameRecord:
    key: GameKey
    plies: list[PlyRecord]
    returns: tuple[float, float]  # for player 0 and player 1
    ending: str  # "rules", or "cap" when the ply cap ended it
