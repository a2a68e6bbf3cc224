"""Nets of one variant play in another: real matches of untrained nets, ply by ply against the rules of both variants."""

import re

import numpy as np
import pytest

from components.core.seeds import streams_of
from components.evaluation.match import play_match
from components.games.go import guest as go_guest
from components.games.golad import guest as golad_guest
from components.games.organism import guest as organism_guest
from components.games.organism.codes import CODE
from components.games.players import RandomPlayer
from components.games.record import one_row
from components.games.registry import make
from components.nets.checkpoint import IncompatibleCheckpoint, load_checkpoint, make_card, save_checkpoint
from components.nets.config import NetConfig
from components.nets.model import build_model
from components.players.guest import GuestPlayer
from components.players.registry import make_player
from components.players.search import NetPlayer, SearchPlayer
from components.protocols.match_watch import WatchedPlayer

# The game at the table, the guest's own, and the player.
GUESTS = (
    ("golad-6x6", "golad-6x6/report:planes=report", "search:{net},sims=12"),
    ("golad-6x6", "golad-6x6/report:max_rounds=20", "net:{net},temperature=1"),
    ("golad-6x6", "golad-6x6:next_generations=0", "search:{net},sims=6,mode=gumbel"),
    ("organism-3", "organism-3:turns=whole", "value:{net},sims=4"),
    ("organism-3:ply_cap=20", "organism-3:turns=whole", "search:{net},sims=4,temperature=1,temperature_plies=60"),
    ("go-5x5", "go-5x5/report-9x9", "search:{net},sims=4"),
    ("go-5x5", "go-5x5/report-13x13", "net:{net},temperature=1"),
    ("go-5x5/report-9x9", "go-5x5", "value:{net},sims=2"),
)
STRANGERS = (
    ("golad-6x6/report", "golad-6x6"),  # chooses its sacrifices where pairs are drawn
    ("organism-3:turns=whole", "organism-3"),  # small choices where whole sequences are played
    ("organism-3", "organism-3:turns=whole,eat_cap=2"),  # another game altogether
    ("golad-6x6", "golad-8x8/report"),
    ("go-5x5", "go-9x9/report-9x9"),
    ("tictactoe", "tictactoe/misere"),  # a family without an interpreter
    ("go-5x5", "tictactoe"),
)


@pytest.fixture
def net_of(tmp_path):
    def save(name):
        game, config = make(name), NetConfig(blocks=1, channels=8, pool_every=0)
        path = tmp_path / f"{re.sub('[^a-z0-9]', '-', name)}.safetensors"
        save_checkpoint(path, build_model(game.spec, config, seed=1), make_card(game, config))
        return path

    return save


def guest_of(net_of, referee, home, text):
    player = make_player(text.format(net=net_of(home)), referee)
    assert isinstance(player, GuestPlayer)
    return player


def random_positions(game, seed, plies):
    """The positions of a random game."""
    state, stream = game.start(seed), streams_of(1, seed)
    for _ in range(plies):
        yield state
        state = game.after(state, int(RandomPlayer().choose(game, one_row(game, state), stream)[0]))
        if game.returns(state) is not None:
            return


def rows_of(game, states):
    rows = game.new_states(len(states))
    rows[:] = np.array(states)
    return rows


def play_turn(game, player, state, plies):
    """The position after as many plies of a player, one question each."""
    for _ in range(plies):
        state = game.after(state, int(player.choose(game, one_row(game, state), streams_of(1, 3))[0]))
    return state


@pytest.mark.parametrize(("referee", "home", "text"), GUESTS)
def test_a_guest_plays_a_match_and_the_same_seed_gives_the_same_games(net_of, referee, home, text):
    game = make(referee)
    # play_match refuses any illegal ply. Other slots, another player object: nothing of one game may reach another.
    results = [
        play_match(game, guest_of(net_of, game, home, text), RandomPlayer(), pairs=3, seed=5, slots=slots, opening_plies=3)
        for slots in (6, 1)
    ]
    games = [[(record.digest, record.actions, record.returns) for record in result.records] for result in results]
    assert len(games[0]) == 6
    assert games[0] == games[1]


def test_two_guests_of_one_kind_share_a_match(net_of):
    game = make("organism-3")
    player = guest_of(net_of, game, "organism-3:turns=whole", "value:{net},sims=2")
    assert play_match(game, player, player, pairs=2, seed=1).games == 4
    assert not player.plans  # every plan was used


def test_a_birth_is_the_birth_of_the_guests_own_rules(net_of):
    game = make("golad-6x6")
    player = guest_of(net_of, game, "golad-6x6/report:planes=report", "net:{net},temperature=1")
    home, births = player.bridge.home, 0
    for state in random_positions(game, 1, 60):
        if state.target >= 0:
            continue
        twin = golad_guest.home_state(game, home, state, None)
        for action in home.legal(twin).tolist():
            here, plies = state, golad_guest.plies_for(game, home, state, twin, action)
            births += len(plies) == 3
            for ply in plies:
                here = game.after(here, ply)
            expected = home.after(twin, action)
            assert (here.cells == expected.cells).all()
            assert (here.turn, here.mover, here.target) == (expected.turn, expected.mover, -1)
    assert births > 50


def test_a_birth_goes_on_the_same_way_without_the_plan(net_of):
    game = make("golad-6x6")
    home = guest_of(net_of, game, "golad-6x6/report", "net:{net}").bridge.home
    state = game.start(2)
    twin = golad_guest.home_state(game, home, state, None)
    target = next(action for action in home.legal(twin).tolist() if golad_guest.is_birth(home, twin, action))
    plies = golad_guest.plies_for(game, home, state, twin, target)
    for made in (1, 2):
        state = game.after(state, plies[made - 1])
        again = golad_guest.home_state(game, home, state, None)
        assert (again.salt, again.target, again.first) == (twin.salt, -1, -1)
        assert golad_guest.plies_for(game, home, state, again, home.spec.cells) == plies[made:]


def test_different_boards_draw_different_lots(net_of):
    game = make("golad-6x6")
    home = guest_of(net_of, game, "golad-6x6/report", "net:{net}").bridge.home
    salts = {int(golad_guest.home_state(game, home, game.start(seed), None).salt) for seed in range(8)}
    assert len(salts) == 8


def test_small_choices_lead_to_the_result_of_the_sequence(net_of):
    game = make("organism-3")
    home = guest_of(net_of, game, "organism-3:turns=whole", "value:{net},sims=1").bridge.home
    checked, in_the_middle = 0, 0
    for seed in range(6):
        for state in random_positions(game, seed, 25):
            twin = organism_guest.home_state(game, home, state, None)
            legal = home.legal(twin)
            for action in legal[:: max(1, len(legal) // 4)].tolist():
                here, expected = state, home.after(twin, action)
                for ply in organism_guest.plies_for(game, home, state, twin, action):
                    here = game.after(here, ply)
                checked, in_the_middle = checked + 1, in_the_middle + int(state.has_chosen)
                assert (here.element & CODE == expected.element).all()
                for name in ("food", "tokens", "pending", "mover", "winner", "acts", "turns"):
                    assert np.array_equal(here[name], expected[name]), name
    assert checked > 200
    assert in_the_middle > 50


def organism_start(net_of):
    """(referee's game, guest, start position, {home action: its small choices})."""
    game = make("organism-3")
    player = guest_of(net_of, game, "organism-3:turns=whole", "value:{net},sims=1")
    home, state = player.bridge.home, game.start()
    twin = organism_guest.home_state(game, home, state, None)
    ways = {action: organism_guest.plies_for(game, home, state, twin, action) for action in home.legal(twin).tolist()}
    return game, player, state, ways


class Scripted:
    """A player at home whose actions are written down: one for each row of the first question, and no second question."""

    def __init__(self, actions):
        self.actions = actions

    def choose(self, game, states, streams):
        actions, self.actions = self.actions, []
        assert len(states) == len(actions), "asked again although the plies were planned"
        return np.array(actions, dtype=np.int32)


def test_a_plan_is_made_ply_by_ply_without_asking_again(net_of):
    game, player, state, ways = organism_start(net_of)
    for action, plies in ways.items():
        player.player = Scripted([action])
        after = play_turn(game, player, state, len(plies))
        assert organism_guest.is_same_result(after, player.bridge.home.after(player.bridge.home.start(), action))
        assert not player.plans


def test_equal_positions_at_two_tables_keep_their_own_plans(net_of):
    game, player, state, ways = organism_start(net_of)
    # Two sequences that begin alike: after the first ply both tables show the same position.
    one, other = next((a, b) for a in ways for b in ways if ways[a][0] == ways[b][0] and ways[a][1:2] != ways[b][1:2])
    player.player = Scripted([one, other])
    states, tables, made = [state, state], [0, 1], ([], [])
    while tables:
        rows = rows_of(game, [states[table] for table in tables])
        chosen = player.choose_seated(game, rows, streams_of(len(tables), 1), np.array(tables), [tuple(made[t]) for t in tables])
        for table, ply in zip(tables, chosen.tolist(), strict=True):
            states[table] = game.after(states[table], ply)
            made[table].append(ply)
        tables = [table for table in tables if states[table].acts == state.acts]
    assert made == (ways[one], ways[other])


def test_a_new_game_forgets_the_plans_of_its_table(net_of):
    game, player, state, ways = organism_start(net_of)
    long = next(action for action, plies in ways.items() if len(plies) > 1)
    player.player = Scripted([long, long])
    player.choose_seated(game, rows_of(game, [state, state]), streams_of(2, 1), np.array([0, 1]), [(), ()])
    player.begin_game(0)
    assert {table for table, _ in player.plans} == {1}


@pytest.mark.parametrize("knobs", ["", "introduce=true,type_order=chosen,elimination_wins=false", "resolve_timing=turn"])
def test_the_home_position_is_the_one_that_whole_sequences_lead_to(net_of, knobs):
    """Played side by side, the home form of the referee's position equals the home game's own, to the byte."""
    rules = f",{knobs}" if knobs else ""
    game, home = make(f"organism-3:turns=micro{rules}"), make(f"organism-3:turns=whole{rules}")
    state, twin, stream = game.start(), home.start(), streams_of(1, 4)
    for _ in range(12):
        shown = organism_guest.home_state(game, home, state, None)
        shown.ply = twin.ply  # an introduction is a ply, but no act
        assert shown.tobytes() == twin.tobytes()
        action = int(RandomPlayer().choose(home, one_row(home, twin), stream)[0])
        for ply in organism_guest.plies_for(game, home, state, twin, action):
            state = game.after(state, ply)
        twin = home.after(twin, action)
        if home.returns(twin) is not None:
            assert (game.returns(state) == home.returns(twin)).all()
            return


def test_a_position_in_the_middle_of_a_turn_is_finished(net_of):
    golad, organism = make("golad-6x6"), make("organism-3")
    pairs = (
        (golad, guest_of(net_of, golad, "golad-6x6/report", "search:{net},sims=4"), lambda state: state.target >= 0),
        (organism, guest_of(net_of, organism, "organism-3:turns=whole", "value:{net},sims=2"), lambda state: state.has_chosen),
    )
    for game, player, is_begun in pairs:
        begun = [state for seed in range(4) for state in random_positions(game, seed, 12) if is_begun(state)]
        assert len(begun) > 5
        states = rows_of(game, begun)
        for state, ply in zip(states, player.choose(game, states, streams_of(len(begun), 1)), strict=True):
            assert ply in game.legal(state)


def test_go_sees_the_boards_of_the_game(net_of):
    game = make("go-5x5")  # its states keep one earlier board, the guest looks at seven
    home = guest_of(net_of, game, "go-5x5/report-9x9", "net:{net}").bridge.home
    assert (home.rules.komi, home.rules.cap, home.rules.history) == (7.5, game.rules.cap, 8)
    state, twin, actions, stream = game.start(), home.start(), [], streams_of(1, 6)
    for _ in range(30):
        assert go_guest.home_state(game, home, state, tuple(actions)).tobytes() == twin.tobytes()
        without = home.encode(go_guest.home_state(game, home, state, None))
        # Without the game only this board and the last one are known: planes 0, 1 own, 8, 9 the opponent's, 16 the colour.
        assert (without[[0, 1, 8, 9, 16]] == home.encode(twin)[[0, 1, 8, 9, 16]]).all()
        assert (home.legal(twin) == game.legal(state)).all()
        actions.append(int(RandomPlayer().choose(game, one_row(game, state), stream)[0]))
        state, twin = game.after(state, actions[-1]), home.after(twin, actions[-1])
        if game.returns(state) is not None:
            break


def test_go_needs_no_history_where_the_state_keeps_enough():
    game, home = make("go-5x5/report-9x9"), make("go-5x5:komi=0.5")
    twin = home.start()
    for state in random_positions(game, 3, 30):
        if state.ply:
            twin = home.after(twin, int(state.last))
        assert go_guest.home_state(game, home, state, None).tobytes() == twin.tobytes()


def test_the_referees_rules_decide_at_home(net_of):
    game = make("go-5x5:komi=4.0,ko=simple,move_cap=30")
    home = guest_of(net_of, game, "go-5x5/report-13x13", "net:{net}").bridge.home
    assert home.knobs.model_dump() == {
        "komi": 4.0, "ko": "simple", "move_cap": 30, "resign": True, "history": 5, "extras": False,
    }  # fmt: skip


def test_a_guests_net_sees_the_referees_komi_in_its_own_planes(net_of):
    game = make("go-5x5/report-9x9")
    player = guest_of(net_of, game, "go-5x5", "net:{net}")
    home, evaluator = player.bridge.home, player.player.make_evaluator(player.bridge.home)
    evaluator.evaluate(one_row(home, home.start()), np.arange(1))
    seen = evaluator.planes.numpy()[0]
    assert (seen == home.encode(home.start())).all()
    assert seen[home.spec.plane_names.index("komi for the mover / 7.5")].max() == pytest.approx(-0.5 / 7.5)


def test_insights_are_passed_on(net_of):
    game = make("organism-3")
    player = WatchedPlayer(guest_of(net_of, game, "organism-3:turns=whole", "value:{net},sims=6"))
    facts = []
    play_match(game, player, RandomPlayer(), pairs=1, seed=2, on_game=lambda record: facts.append(player.facts_of(record)))
    assert all(found is not None and found.depth >= 1 and 0 < found.least_breadth <= 1 for found in facts)
    golad = make("golad-6x6")
    silent = guest_of(net_of, golad, "golad-6x6/report", "net:{net}")
    silent.choose(golad, one_row(golad, golad.start()), streams_of(1, 1))
    assert silent.insights == []


@pytest.mark.parametrize(("referee", "home"), STRANGERS)
def test_a_net_that_nobody_can_interpret_for_is_refused_as_before(net_of, referee, home):
    game, path = make(referee), net_of(home)
    player = make_player(f"search:{path},sims=2", game)
    assert isinstance(player, SearchPlayer)
    with pytest.raises(IncompatibleCheckpoint) as needed:
        load_checkpoint(path, game)
    with pytest.raises(IncompatibleCheckpoint) as found:
        player.choose(game, game.start_many(streams_of(1, 1)), streams_of(1, 1))
    assert str(found.value) == str(needed.value)


@pytest.mark.parametrize(("net", "game"), [("golad-6x6", "golad-6x6"), ("golad-6x6", "golad-8x8")])
def test_a_net_that_fits_is_no_guest(net_of, net, game):
    path = net_of(net)
    assert type(make_player(f"search:{path}", make(game))) is SearchPlayer
    assert type(make_player(f"net:{path}", make(game))) is NetPlayer
