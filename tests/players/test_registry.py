"""A short text names a player; everything else is one sentence."""

import numpy as np
import pytest

from components.core.errors import ZerolineError
from components.core.seeds import streams_of
from components.evaluation.match import play_match
from components.games.players import RandomPlayer
from components.games.registry import make
from components.nets.checkpoint import make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.model import build_model
from components.players.registry import make_player, nearest_size, spell_out


@pytest.fixture
def net(tmp_path):
    game = make("tictactoe")
    config = NetConfig(blocks=1, channels=8, pool_every=0)
    path = tmp_path / "champion.safetensors"
    save_checkpoint(path, build_model(game.spec, config, seed=1), make_card(game, config))
    return path


PLAYERS = (
    "search:{net},sims=12",
    "search:{net},sims=8,mode=gumbel",
    "net:{net}",
    "net:{net},temperature=1",
    "search:{net},mode=policy,temperature=2,temperature_after=2",
    "value:{net},sims=6,T=0.5",
    "uct:sims=20",
    "uct:sims=20,rule=ucb1,c=1.4",
    "random",
)


@pytest.mark.parametrize("text", PLAYERS)
def test_every_kind_plays(net, text):
    game = make("tictactoe")
    player = make_player(text.format(net=net), game)
    result = play_match(game, player, RandomPlayer(), pairs=3, seed=1, slots=4)
    assert result.games == 6


def test_same_streams_same_choices(net):
    game = make("tictactoe")
    states = game.start_many(streams_of(4, 1))
    text = f"search:{net},sims=16,temperature=1,temperature_plies=9"
    chosen = [make_player(text, game).choose(game, states, streams_of(4, 2)) for _ in range(2)]
    assert (chosen[0] == chosen[1]).all()
    alone = make_player(text, game).choose(game, states[2:3], streams_of(4, 2)[2:3])
    assert alone[0] == chosen[0][2]
    assert np.isin(chosen[0], game.legal(states[0])).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("grandmaster", "has no player 'grandmaster'"),
        ("search", "needs a net"),
        ("search:nowhere.safetensors", "There is no net nowhere.safetensors"),
        ("search:{net},sims=lots", "simulations"),
        ("search:{net},depth=3", "no option 'depth'"),
        ("search:{net},fast", "is not an option"),
        ("uct:champion.safetensors", "has no net"),
        ("net:{net},sims=3", "no option 'sim"),
        ("search:{net},precision=fp7", "no precision 'fp7'"),
        ("search:{net},sims=4,simulations=8", "says simulations twice"),
        ("search:{net},reuse=true", "searches every ply anew"),
        ("search:{net},mode=gumbel,gumbel_scale=1", "without what training explores"),
        ("search:{net},temperature=1", "Add temperature_plies=40"),
        ("search:{net},mode=uct", "mode is puct or gumbel or value-only or policy; found uct"),
        ("search:{net},c_visit=inf", "c_visit cannot be 'inf'"),
        ("search:{net},threads=nan", "need a number"),
        ("search:{net},threads=1.5", "need a whole number"),
        ("value:{net},mode=puct", "mode is value-only; found puct"),
        ("uct:mode=gumbel", "mode is uct; found gumbel"),
        ("uct:sims=4,precision=int8", "has no net; found 'precision'"),
        ("net:{net},temperature=nan", "need a number"),
    ],
)
def test_mistakes_are_sentences(net, text, words):
    game = make("tictactoe")
    with pytest.raises(ZerolineError) as caught:
        make_player(text.format(net=net), game).choose(game, game.start_many(streams_of(1, 1)), streams_of(1, 1))
    assert words in str(caught.value)


def test_a_net_without_a_policy_cannot_play_it(tmp_path):
    game = make("organism-3:turns=whole")
    config = NetConfig(blocks=1, channels=8)
    path = tmp_path / "values.safetensors"
    save_checkpoint(path, build_model(game.spec, config), make_card(game, config))
    with pytest.raises(ZerolineError, match="has no policy to play; write value:"):
        make_player(f"net:{path}", game).choose(game, game.start_many(streams_of(1, 1)), streams_of(1, 1))


def test_a_net_of_another_game_is_refused(net):
    game = make("go-5x5")
    player = make_player(f"search:{net},sims=4", game)
    with pytest.raises(ZerolineError, match="tictactoe"):
        player.choose(game, game.start_many(streams_of(1, 1)), streams_of(1, 1))


def test_champion_is_the_shipped_net_of_the_game():
    assert spell_out("champion", "golad", "6x6").startswith("search:")
    assert spell_out("champion,sims=7", "golad", "6x6").endswith("golad-6x6.safetensors,mode=gumbel,sims=7")
    assert spell_out("champion,simulations=7", "golad", "6x6").endswith("mode=gumbel,simulations=7")
    assert spell_out("greedy", "golad", "6x6") == "greedy"
    assert make_player("champion,sims=7", make("golad-6x6")).config.simulations == 7


def test_every_kind_of_player_may_use_the_champions_net():
    path = spell_out("champion", "golad", "6x6").removeprefix("search:").split(",")[0]
    assert spell_out("search:champion,sims=7", "golad", "6x6") == f"search:{path},mode=gumbel,sims=7"
    assert spell_out("net:champion", "golad", "6x6") == f"net:{path}"
    assert spell_out("value:champion,sims=7", "golad", "6x6") == f"value:{path},sims=7"
    assert spell_out("gtp:champion", "go", "9x9") == "gtp:champion"  # a program of that name


@pytest.mark.parametrize(
    ("family", "size", "nearest"),
    [("golad", "6x6", "6x6"), ("golad", "7x6", "6x6"), ("golad", "20x20", "18x16"), ("none", "3", "3")],
)
def test_the_champion_of_the_nearest_size(family, size, nearest):
    assert nearest_size(family, size) == nearest


def test_a_game_without_a_shipped_champion_says_which_there_are():
    with pytest.raises(ZerolineError, match=r"no shipped champion for tictactoe-.*golad-6x6"):
        make_player("champion", make("tictactoe"))
