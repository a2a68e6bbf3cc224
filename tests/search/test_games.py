"""Search on the real games: problems with known answers, and every mode beats chance on every game."""

import numpy as np
import pytest

from components.core.seeds import streams_of
from components.evaluation.match import play_match
from components.games.go.position import position_from_rows
from components.games.golad.text import position
from components.games.players import RandomPlayer
from components.games.registry import make
from components.players.search import SearchPlayer
from components.search.config import SearchConfig
from components.search.evaluators import UniformEvaluator
from components.search.forest import Forest
from components.search.modes import evaluator_of
from components.search.uct import RolloutEvaluator


def best_action(game, state, config, seed=1) -> int:
    forest = Forest(game, evaluator_of(game, config, UniformEvaluator(game)), config, 1)
    states = game.new_states(1)
    states[0] = state
    forest.search(states, streams_of(1, seed))
    return forest.action_of(0, forest.choose(0, 0.0))


# Three kos on one board: each side takes one after the other until the first would come again, at C2.
TRIPLE_KO = [1, 2, 9, 12, 19, 20, 6, 7, 14, 17, 24, 25, 55, 56, 63, 66, 73, 74, 11, 15, 65, 10, 16, 64, 11, 15]
UCT = SearchConfig(mode="uct", simulations=2000, c=1.0, fpu="zero")


def test_go_finishes_a_chain_in_atari():
    game = make("go-5x5:komi=0.5")
    state = position_from_rows(
        game,
        """
        . . . . .
        . X X X .
        X O O O X
        . X X . .
        . . . . .
        """,
    )
    assert game.text.action_name(game, state, best_action(game, state, UCT)) == "D2"


def test_go_takes_the_last_liberty_of_a_cornered_chain():
    game = make("go-5x5:komi=0.5")
    state = position_from_rows(
        game,
        """
        . . . . .
        . . X . .
        . X O . .
        . X O X .
        . . X . .
        """,
    )
    assert game.text.action_name(game, state, best_action(game, state, UCT)) == "D3"


def chain_of(game, state, point: int) -> tuple[set[int], set[int]]:
    """A chain's stones and its liberties, told apart from the kernels that the search uses."""
    chain, liberties, waiting = {point}, set(), [point]
    while waiting:
        row, column = divmod(waiting.pop(), game.spec.width)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < game.spec.height and 0 <= c < game.spec.width:
                near = r * game.spec.width + c
                if state.board[near] == 0:
                    liberties.add(near)
                elif state.board[near] == state.board[point] and near not in chain:
                    chain.add(near)
                    waiting.append(near)
    return chain, liberties


def catching_moves(game, state, prey: int, replies: int) -> set[int]:
    """The moves that take a chain, or put it in atari such that after every reply one of them is there again."""
    _, liberties = chain_of(game, state, prey)
    tries = liberties & set(game.legal(state).tolist()) if len(liberties) <= 2 else set()
    return {move for move in tries if is_caught(game, game.after(state, move), prey, replies)}


def is_caught(game, state, prey: int, replies: int) -> bool:
    if state.board[prey] == 0:
        return True
    if replies == 0 or len(chain_of(game, state, prey)[1]) != 1:
        return False
    return all(catching_moves(game, game.after(state, int(reply)), prey, replies - 1) for reply in game.legal(state)[:-1])


LADDERS = {  # a board, and the replies that the right atari has an answer to
    "along the top": (["X..XO", "...OO", "..XOO", "X.X.X", "X..X."], 2),
    "into the open": (["....X", ".X..X", "..OXX", "XOOX.", "OOOXX"], 2),
    "and round a stone": (["...XX", "XXXX.", "..OOX", "XXOOO", "...OO"], 3),
}


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("name", LADDERS)
def test_go_starts_a_ladder_on_the_side_that_catches(name, is_turned):
    """One of two ataris lets the chain out, the other one never; the chain decides the game."""
    game, (lines, replies) = make("go-5x5:komi=0.5"), LADDERS[name]
    if is_turned:
        lines = ["".join(column) for column in zip(*lines, strict=True)]
    state = position_from_rows(game, "\n".join(" ".join(line) for line in lines))
    prey = "".join(lines).index("O")
    assert len(chain_of(game, state, prey)[1]) == 2
    assert not catching_moves(game, state, prey, replies - 1)
    (answer,) = catching_moves(game, state, prey, replies)
    assert best_action(game, state, UCT) == answer


def golad_board(text: str) -> str:
    return "".join(text.split())


MODES = {
    "puct": SearchConfig(simulations=300),
    "gumbel": SearchConfig(mode="gumbel", simulations=200, considered=37, gumbel_scale=0.0),
    "uct": SearchConfig(mode="uct", simulations=600, c=1.0, fpu="zero"),
}


@pytest.mark.parametrize("mode", MODES)
def test_golad_kills_the_last_enemy_cell(mode):
    """Player 0 lives on in its block; player 1 has a block with one cell less: any kill that leaves two ends the game."""
    game = make("golad-6x6")
    board = golad_board("""
        0 0 . . . .
        0 0 . . . .
        . . . . . .
        . . . . . 1
        . . . . 1 1
        . . . . . .
    """)
    state = position(game, board)
    child = game.after(state, best_action(game, state, MODES[mode]))
    assert game.returns(child) is not None
    assert game.returns(child)[0] == 1


def whole_turns(game, state) -> list:
    """Every position after a complete turn of the mover."""
    found, open_states = {}, [state]
    while open_states:
        here = open_states.pop()
        for action in game.legal(here):
            child = game.after(here, int(action))
            if int(child.turn) == int(state.turn):
                open_states.append(child)
            else:
                found[child.tobytes()] = child
    return list(found.values())


def wins_now(game, state) -> bool:
    returns = game.returns(state)
    return returns is not None and returns[0] == 1


def test_golad_sees_a_win_in_two_turns():
    """No single turn of player 0 wins, but some leave every reply with a winning answer; the search must find one of them."""
    game = make("golad-4x4")
    state = position(game, golad_board("0 . . .   1 . . .   . 1 0 0   . 0 1 ."))
    assert not any(wins_now(game, child) for child in whole_turns(game, state))
    player = SearchPlayer(SearchConfig(mode="uct", simulations=4000, c=1.0, fpu="zero"), lambda game: RolloutEvaluator(game))
    stream, turn = streams_of(1, 4), int(state.turn)
    while int(state.turn) == turn:
        states = game.new_states(1)
        states[0] = state
        state = game.after(state, int(player.choose(game, states, stream)[0]))
    for reply in whole_turns(game, state):
        assert wins_now(game, reply) or any(wins_now(game, child) for child in whole_turns(game, reply))


def winning_results(game, state) -> set[int]:
    """The actions after which the mover has won at once."""
    mover = int(state.mover)
    children = {int(action): game.returns(game.after(state, int(action))) for action in game.legal(state)}
    return {action for action, returns in children.items() if returns is not None and returns[mover] == 1}


def positions_with_a_win(game, wanted: int) -> list:
    """Positions of random games in which few of many results win at once."""
    found = []
    for seed in range(400):
        state, stream = game.start(seed), streams_of(1, seed)
        while game.returns(state) is None and len(found) < wanted:
            wins = winning_results(game, state)
            if wins and len(wins) * 3 < len(game.legal(state)):
                found.append((state, wins))
            row = game.new_states(1)
            row[0] = state
            state = game.after(state, int(RandomPlayer().choose(game, row, stream)[0]))
    return found


def test_organism_wins_in_one_turn_are_found():
    """Value-only search knows nothing here but true results; each winning sequence must be found among dozens."""
    game = make("organism-3:turns=whole")
    found = positions_with_a_win(game, 6)
    assert len(found) == 6
    config = SearchConfig(mode="value-only", simulations=30)
    for state, wins in found:
        assert best_action(game, state, config) in wins, game.text.draw(game, state)


def can_force(game, state, player: int, turns: int) -> bool:
    """Whether the player, who moves here, wins against every reply within so many of its turns, this one counted."""
    returns = game.returns(state)
    if returns is not None:
        return returns[player] == 1
    children = [game.after(state, int(action)) for action in game.legal(state)]
    if int(state.mover) != player:
        return turns > 0 and all(can_force(game, child, player, turns) for child in children)
    left = [turns if int(child.mover) == player else turns - 1 for child in children]
    return any(can_force(game, child, player, count) for child, count in zip(children, left, strict=True))


def played_at_random(game, seed: int, ply: int):
    state, stream = game.start(seed), streams_of(1, seed)
    while int(state.ply) < ply:
        row = game.new_states(1)
        row[0] = state
        state = game.after(state, int(RandomPlayer().choose(game, row, stream)[0]))
    return state


@pytest.mark.parametrize(("seed", "ply"), [(5, 10), (10, 17), (10, 18), (38, 6), (38, 10)])
def test_organism_wins_in_two_turns_are_found(seed, ply):
    """About twenty choices a ply, some hundred positions to a proof: the search must choose one that still forces the win."""
    game = make("organism-3:turns=whole")
    state = played_at_random(game, seed, ply)
    player = int(state.mover)
    assert not can_force(game, state, player, 1)
    child = game.after(state, best_action(game, state, SearchConfig(mode="value-only", simulations=200)))
    assert can_force(game, child, player, 2 if int(child.mover) == player else 1), game.text.draw(game, state)


def test_search_knows_superko():
    """No filter at the root: the state itself knows every board of the game, so a third ko taken too early is no action."""
    game = make("go-9x9")
    state = game.start()
    for move in TRIPLE_KO:
        state = game.after(state, move)
    banned = game.text.action_of(game, game.start(), "C2")
    for rules, is_legal in (("go-9x9", False), ("go-9x9:ko=simple", True)):
        judge, states = make(rules), game.new_states(1)
        states[0] = state
        forest = Forest(judge, UniformEvaluator(judge), SearchConfig(simulations=100), 1)
        forest.search(states, streams_of(1, 1))
        assert (banned in forest.insight(0).actions) == is_legal


SMALL_GAMES = ["tictactoe", "golad-6x6", "golad-6x6/report", "go-5x5", "organism-3", "organism-3:turns=whole"]
SANITY = {
    "uct": SearchConfig(mode="uct", simulations=60, c=1.0, fpu="zero"),
    "ucb1": SearchConfig(mode="uct", rule="ucb1", simulations=120, c=0.7),
}


@pytest.mark.parametrize("name", SMALL_GAMES)
@pytest.mark.parametrize("mode", SANITY)
def test_rollout_search_beats_chance(name, mode):
    game = make(name)
    config = SANITY[mode]
    player = SearchPlayer(config, lambda game: RolloutEvaluator(game))
    result = play_match(game, player, RandomPlayer(), pairs=15, seed=1, slots=30)
    assert result.score > 0.6, result.to_dict()


@pytest.mark.parametrize("name", SMALL_GAMES)
@pytest.mark.parametrize("mode", ["puct", "gumbel", "value-only"])
def test_search_without_knowledge_is_no_worse_than_chance(name, mode):
    """No net, no rollouts: only finished games teach anything, and they must teach the right side."""
    game = make(name)
    config = SearchConfig(mode=mode, simulations=40, gumbel_scale=0.0)
    player = SearchPlayer(config, lambda game: evaluator_of(game, config, UniformEvaluator(game)))
    result = play_match(game, player, RandomPlayer(), pairs=12, seed=2, slots=24)
    assert result.score >= 0.4, result.to_dict()


def test_multi_ply_turns_are_searched_as_one_players_plan():
    """A birth is three plies of one mover: along the most visited line the mover changes only after the turn is complete."""
    game = make("golad-6x6")
    forest = Forest(game, UniformEvaluator(game), SearchConfig(simulations=400), 1)
    forest.search(game.start_many(streams_of(1, 5)), streams_of(1, 6))
    nodes = forest.arrays.nodes[0, : forest.arrays.trees[0].nodes]
    for at, node in enumerate(nodes[1:], start=1):
        state, parent = forest.arrays.states[at], forest.arrays.states[int(node.parent)]
        assert int(node.mover) == int(state.mover)
        is_mid_turn = int(state.turn) == int(parent.turn)
        assert (int(state.mover) == int(parent.mover)) == is_mid_turn
    assert np.isfinite(forest.arrays.edges["value_sum"]).all()
