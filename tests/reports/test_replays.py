"""Three games, always the same three, drawn turn by turn."""

from tiny_line import NAME

from components.games.registry import make
from components.layout import Layout
from components.reports.replays import draw_games, pick_games


def test_a_win_for_each_side_and_a_draw_are_picked():
    games = [(9, 0.0), (5, 1.0), (7, 1.0), (8, 1.0), (6, -1.0)]
    assert pick_games(games) == [2, 4, 0]


def test_without_draws_the_longest_game_is_third():
    assert pick_games([(5, 1.0), (9, 1.0), (6, -1.0), (7, 1.0)]) == [3, 2, 1]


def test_fewer_games_than_three_are_all_shown():
    assert pick_games([(5, 1.0)]) == [0]
    assert pick_games([]) == []


def test_drawn_games_replay_the_shard(line):
    game = make("tictactoe")
    drawn = draw_games(Layout(NAME, line).data("g02"), game)
    assert drawn == draw_games(Layout(NAME, line).data("g02"), game)
    assert len(drawn) == 3
    for one in drawn:
        assert one.start == game.text.draw(game, game.start())
        assert [turn.mover for turn in one.turns] == [number % 2 for number in range(len(one.turns))]
        assert f"after {len(one.turns)} plies" in one.title
        last = game.text.parse(game, one.turns[-1].drawing)
        returns = game.returns(last)
        assert returns is not None
        expected = {1: "First player wins", -1: "Second player wins", 0: "A draw"}[int(returns[0])]
        assert one.title.startswith(expected)
        assert one.to_text().count("to move") == len(one.turns) + 1


def test_no_data_no_games(tmp_path):
    assert draw_games(tmp_path, make("tictactoe")) == []
