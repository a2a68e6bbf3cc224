"""Tic-tac-toe games by a real search with rollouts, and shards of them: what the tests of data and training read."""

from components.data.schema import card_of
from components.data.shards import entry_of, write_shard
from components.games.registry import make
from components.search.config import SearchConfig
from components.search.uct import RolloutEvaluator
from components.selfplay.config import SelfplayConfig
from components.selfplay.play import ShardPlay
from components.selfplay.record import GameKey

SEARCH = SearchConfig(mode="uct", simulations=40, temperature_plies=9)


def play_games(count, seed=1, generation=0, shard=0, full_share=1.0):
    game = make("tictactoe")
    keys = [GameKey(seed, generation, shard, index) for index in range(count)]
    config = SelfplayConfig(slots=32, full_share=full_share, fast_simulations=8)
    return ShardPlay(game, RolloutEvaluator(game), SEARCH, config, keys).run()


def write_games(root, count, generation=0, shard=0, full_share=1.0):
    """A shard below root; returns its window entry."""
    game = make("tictactoe")
    path = root / f"g{generation:02d}" / f"shard-{shard:03d}.parquet"
    card = card_of(game, "net", SEARCH.model_dump_json(), generation, shard)
    write_shard(path, game, play_games(count, generation=generation, shard=shard, full_share=full_share), card)
    return entry_of(path, root)
