"""Self-play: games depend on their keys alone, and every record can be replayed."""

import numpy as np
import pytest

from components.games.registry import make
from components.search.config import SearchConfig
from components.search.evaluators import UniformEvaluator
from components.selfplay.config import SelfplayConfig
from components.selfplay.play import ShardPlay, planned_memory
from components.selfplay.record import GameKey

SEARCHES = {
    "puct": SearchConfig(simulations=20, noise_fraction=0.25, temperature_plies=4),
    "reuse": SearchConfig(simulations=20, noise_fraction=0.25, temperature_plies=4, reuse=True),
    "leaves": SearchConfig(simulations=20, noise_fraction=0.25, temperature_plies=4, reuse=True, leaves=3, forced_playouts=2.0),
    "gumbel": SearchConfig(mode="gumbel", simulations=16, considered=4),
    "policy": SearchConfig(mode="policy", noise_fraction=0.25, noise_alpha=0.1, noise_plies=4, temperature_after=2.0),
}


def play(search, keys, **config):
    game = make("tictactoe")
    return ShardPlay(game, UniformEvaluator(game), search, SelfplayConfig(**config), keys).run()


def keys_of(*games):
    return [GameKey(1, 0, 0, game) for game in games]


def text_of(record):
    return [(ply.action, ply.is_full, list(ply.visits), round(ply.value, 5)) for ply in record.plies], record.returns


@pytest.mark.parametrize("name", SEARCHES)
def test_a_game_depends_on_its_key_only(name):
    together = play(SEARCHES[name], keys_of(*range(12)), slots=5, full_share=0.5, fast_simulations=6)
    alone = play(SEARCHES[name], keys_of(7), slots=1, full_share=0.5, fast_simulations=6)
    assert [record.key.game for record in together] == list(range(12))
    assert text_of(together[7]) == text_of(alone[0])


@pytest.mark.parametrize("name", SEARCHES)
def test_records_replay_to_their_results(name):
    game = make("tictactoe")
    for record in play(SEARCHES[name], keys_of(*range(6)), slots=4):
        state = game.start()
        for ply in record.plies:
            assert ply.state == state.tobytes()
            assert ply.mover == int(state.mover)
            assert list(ply.actions) == list(game.legal(state))
            assert ply.policy.sum() == pytest.approx(1, abs=1e-5)
            state = game.after(state, ply.action)
        assert tuple(game.returns(state)) == record.returns
        assert record.ending in ("rules", "cap")


def test_games_differ():
    records = play(SEARCHES["puct"], keys_of(*range(20)), slots=20)
    assert len({tuple(ply.action for ply in record.plies) for record in records}) > 10


def test_fast_plies_search_less():
    records = play(SEARCHES["puct"], keys_of(*range(10)), slots=10, full_share=0.3, fast_simulations=5)
    plies = [ply for record in records for ply in record.plies if len(ply.actions) > 1]
    assert {int(ply.visits.sum()) for ply in plies if ply.is_full} == {20}
    assert {int(ply.visits.sum()) for ply in plies if not ply.is_full} == {5}


def test_random_openings_are_not_recorded_but_played():
    records = play(SEARCHES["puct"], keys_of(*range(10)), slots=10, opening_plies=3)
    assert {record.plies[0].ply for record in records} == {0, 1, 2, 3}


def test_games_are_spread_evenly_over_shards():
    config = SelfplayConfig(games=10, shards=4)
    assert [config.games_of_shard(shard) for shard in range(4)] == [3, 3, 2, 2]


def test_memory_of_a_shard_is_told_beforehand():
    told = planned_memory(make("tictactoe"), SearchConfig(simulations=20), SelfplayConfig(games=10, shards=4, slots=64))
    assert told.startswith("3 trees of 22 nodes, ")  # no more slots than the longest shard has games


def test_temperature_cools_by_generation():
    config = SelfplayConfig(temperatures=((0, 1.0), (10, 0.4)))
    search = SearchConfig(temperature=0.7)
    assert [config.search_of_generation(search, g).temperature for g in (0, 9, 10, 30)] == [1.0, 1.0, 0.4, 0.4]
    assert np.isclose(SelfplayConfig().search_of_generation(search, 5).temperature, 0.7)


class Opinionated:
    """Action 0 is sixteen times as probable as any other; every position is worth 0.3 to its mover."""

    def evaluate(self, states, rows, streams):
        logits = np.zeros((len(rows), 9), dtype=np.float32)
        logits[:, 0] = np.log(16)
        return logits, np.full(len(rows), 0.3, dtype=np.float32)


def first_actions(**search):
    config = SearchConfig(mode="policy", **search)
    keys = keys_of(*range(600))
    records = ShardPlay(make("tictactoe"), Opinionated(), config, SelfplayConfig(slots=600), keys).run()
    return records, np.bincount([record.plies[0].action for record in records], minlength=9) / len(records)


def test_policy_play_samples_the_nets_policy_without_a_search():
    records, shares = first_actions(temperature_after=1.0)
    assert shares[0] == pytest.approx(16 / 24, abs=0.06)
    first = records[0].plies[0]
    assert first.policy[0] == pytest.approx(16 / 24)
    assert first.value == pytest.approx(0.3)  # the net's own word: the baseline of REINFORCE
    assert (first.visits.sum(), first.depth) == (0, 0)


def test_policy_play_takes_the_root_of_probabilities_at_temperature_two():
    assert first_actions(temperature_after=2.0)[1][0] == pytest.approx(4 / 12, abs=0.06)
    assert first_actions(temperature_after=0.0)[1][0] == 1


def test_policy_play_mixes_noise_in_on_the_first_plies_only():
    """With noise alone every first action is about as frequent as any other; later plies follow the policy."""
    noise = {"noise_fraction": 1.0, "noise_alpha": 10.0, "noise_plies": 1, "temperature_after": 0.0001}
    records, shares = first_actions(**noise)
    assert shares.max() < 0.2
    assert {record.plies[1].action for record in records if record.plies[0].action != 0} == {0}


def test_noise_ends_after_its_plies():
    assert [SearchConfig(noise_plies=4).is_noisy_at(ply) for ply in (0, 3, 4)] == [True, True, False]
    assert SearchConfig().is_noisy_at(500)


def test_a_beam_does_not_keep_trees():
    with pytest.raises(ValueError, match="the beam left out"):
        SearchConfig(beam=10, reuse=True)
