"""Matches: paired starts, sides swapped, independence of slots, resuming, failing engines."""

import json

import numpy as np
import pytest
from evaluation_fakes import AlwaysFailing, HighestAction, LowestAction, Seated, WinTaker, record_of, result_of, untimed

from components.core.errors import BadFile, BadParameter, EngineFailure, IllegalAction
from components.evaluation.ledger import Ledger
from components.evaluation.match import default_opening_plies, play_match
from components.evaluation.result import GameRecord, MatchResult, positions_of
from components.games.players import RandomPlayer
from components.games.registry import make


@pytest.fixture(scope="module")
def game():
    return make("tictactoe")


def test_both_games_of_a_pair_start_alike_and_sides_are_swapped(game):
    result = play_match(game, LowestAction(), HighestAction(), pairs=10, seed=4)
    assert (result.games, result.pairs) == (20, 10)
    for first, second in zip(result.records[::2], result.records[1::2], strict=True):
        assert (first.pair, first.side, second.pair, second.side) == (second.pair, 0, first.pair, 1)
        assert first.opening == 2
        assert first.actions[:2] == second.actions[:2]
        assert first.start == second.start
    assert len({record.actions[:2] for record in result.records}) > 5  # 10 draws from 72 openings


def test_each_player_moves_for_its_own_side(game):
    result = play_match(game, LowestAction(), HighestAction(), pairs=6, seed=1)
    for record in result.records:
        for ply, state in enumerate(positions_of(game, record)[:-1]):
            legal = game.legal(state)
            if ply >= record.opening:
                foreseen = legal[0] if int(state.mover) == record.side else legal[-1]
                assert record.actions[ply] == foreseen


def test_recorded_games_replay_to_their_returns(game):
    for record in play_match(game, WinTaker(), RandomPlayer(), pairs=10, seed=2).records:
        last = positions_of(game, record)[-1]
        assert tuple(game.returns(last)) == record.returns
        assert record.plies == int(last.ply) == record.opening + sum(record.moves)


def test_slots_do_not_matter(game):
    results = [play_match(game, WinTaker(), RandomPlayer(), pairs=12, seed=3, slots=slots) for slots in (1, 5, 64)]
    assert untimed(results[0]) == untimed(results[1]) == untimed(results[2])
    assert results[0].to_dict() == results[2].to_dict()


def test_seed_matters(game):
    results = [play_match(game, RandomPlayer(), RandomPlayer(), pairs=5, seed=seed) for seed in (0, 1)]
    assert untimed(results[0]) != untimed(results[1])


def test_more_pairs_begin_with_the_same_pairs(game):
    few, many = (play_match(game, WinTaker(), RandomPlayer(), pairs=pairs, seed=3) for pairs in (4, 9))
    assert untimed(many)[:8] == untimed(few)


def test_a_player_against_itself_scores_one_half(game):
    # Deterministic and alike: the second game of a pair repeats the first with the names exchanged.
    result = play_match(game, LowestAction(), LowestAction(), pairs=20, seed=7)
    assert result.score == 0.5
    assert result.distinct_games <= 20


def test_without_openings_deterministic_players_play_two_distinct_games(game):
    result = play_match(game, LowestAction(), HighestAction(), pairs=20, seed=0, opening_plies=0)
    assert result.games == 40
    assert result.distinct_games == 2


def test_better_player_wins(game):
    result = play_match(game, WinTaker(), RandomPlayer(), pairs=60, seed=11)
    assert result.interval[0] > 0.5
    assert result.first_player_score > 0.5


def test_openings_are_drawn_only_where_starts_are_all_alike(game):
    assert default_opening_plies(game) == 2
    assert play_match(game, LowestAction(), LowestAction(), pairs=1, seed=0).records[0].opening == 2


def test_an_opening_leaves_something_to_play(game):
    result = play_match(game, LowestAction(), HighestAction(), pairs=8, seed=0, opening_plies=9)
    assert all(sum(record.moves) >= 1 for record in result.records)


def test_draws_are_half_a_point():
    result = result_of((1, 0), (0, 0), (-1, 1))
    assert (result.wins, result.draws, result.losses) == (2, 3, 1)
    assert result.points == 3.5
    assert result.score == pytest.approx(3.5 / 6)
    assert result.pair_counts == (0, 0, 2, 1, 0)  # 1.5 points, two draws, a split
    # first movers: win, draw->half; half, half; loss, loss of the player as first = 0, win as second = 0
    assert result.first_player_score == pytest.approx((1 + 0.5 + 0.5 + 0.5 + 0 + 0) / 6)


def test_seconds_per_move_are_shared_out():
    assert result_of((1, 1)).seconds_per_move == pytest.approx((0.1, 0.3))  # 0.2 s for 2 moves, 0.3 s for 1


def test_match_dict_is_json_even_for_a_sweep():
    told = json.loads(json.dumps(result_of(*[(1, 1)] * 10).to_dict(), allow_nan=False))
    assert told["elo"] is None
    assert told["elo_interval"][0] > 0
    assert told["elo_interval"][1] is None
    assert json.dumps(MatchResult(("a", "b"), ()).to_dict(), allow_nan=False)


def test_equal_games_are_counted_once():
    records = tuple(record_of(pair, side, 1, digest="same") for pair in range(3) for side in (0, 1))
    assert MatchResult(("a", "b"), records).distinct_games == 1


def test_match_ends_when_the_pairs_so_far_suffice(game):
    played = []
    result = play_match(
        game, WinTaker(), RandomPlayer(), 50, 3, slots=4, until=lambda result: result.wins >= 5, on_game=played.append
    )
    whole = play_match(game, WinTaker(), RandomPlayer(), 50, 3)
    assert result.wins >= 5
    assert len(played) < 30
    assert untimed(result) == untimed(whole)[: result.games]


def test_early_end_does_not_depend_on_slots(game):
    results = [
        play_match(game, WinTaker(), RandomPlayer(), 50, 3, slots=slots, until=lambda result: result.wins >= 9)
        for slots in (1, 7, 100)
    ]
    assert untimed(results[0]) == untimed(results[1]) == untimed(results[2])


@pytest.mark.parametrize("lines_kept", [0, 1, 7, 19])
def test_resume_after_truncated_ledger_equals_undisturbed(game, tmp_path, lines_kept):
    path = tmp_path / "games.jsonl"
    undisturbed = play_match(game, WinTaker(), RandomPlayer(), 10, 5, slots=3, ledger=Ledger(path))
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 20
    path.write_bytes(b"".join(lines[:lines_kept]) + lines[lines_kept][:40])
    played = []
    resumed = play_match(game, WinTaker(), RandomPlayer(), 10, 5, slots=6, ledger=Ledger(path), on_game=played.append)
    assert untimed(resumed) == untimed(undisturbed)
    assert len(played) == 20 - lines_kept
    assert len(Ledger(path).records) == 20


def test_finished_match_is_not_played_again(game, tmp_path):
    path = tmp_path / "games.jsonl"
    undisturbed = play_match(game, WinTaker(), RandomPlayer(), 4, 5, ledger=Ledger(path))
    before = path.read_bytes()
    assert play_match(game, AlwaysFailing(), AlwaysFailing(), 4, 5, ledger=Ledger(path)) == undisturbed
    assert path.read_bytes() == before


def test_ledger_leaves_games_of_other_matches_alone(game, tmp_path):
    path = tmp_path / "games.jsonl"
    for names in (("a", "b"), ("a", "c")):
        play_match(game, WinTaker(), RandomPlayer(), 2, 5, ledger=Ledger(path), names=names)
    play_match(game, WinTaker(), RandomPlayer(), 2, 6, ledger=Ledger(path), names=("a", "b"))
    assert len(Ledger(path).records) == 12


def test_damaged_ledger_is_refused_with_its_line(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(f"{record_of(0, 0, 1).to_line()}\nnot a game\n{record_of(1, 0, 1).to_line()}\n")
    with pytest.raises(BadFile, match=r"line 2.*Remove that line"):
        Ledger(path)


def test_record_survives_its_line():
    record = record_of(3, 1, -1)
    assert GameRecord.from_line(record.to_line()) == record
    with pytest.raises(BadFile, match="need one JSON object"):
        GameRecord.from_line("[1]")


def test_illegal_action_of_a_player_is_told_with_the_board(game):
    class Cheat:
        def choose(self, game, states, streams):
            return np.full(len(states), 99, dtype=np.int32)

    with pytest.raises(IllegalAction, match="cheat chose action 99"):
        play_match(game, Cheat(), LowestAction(), 1, 0, names=("cheat", "honest"))


@pytest.mark.parametrize("numbers", [{"slots": 0}, {"pairs": -1}, {"seed": -1}])
def test_impossible_numbers_are_refused(game, numbers):
    with pytest.raises(BadParameter, match="at least"):
        play_match(game, LowestAction(), LowestAction(), **{"pairs": 1, "seed": 0, **numbers})


def test_hooks_bracket_the_match_and_histories_are_complete(game):
    engine = Seated()
    result = play_match(game, engine, RandomPlayer(), pairs=3, seed=1, slots=2)
    assert engine.told[0] == ("begin_games", "tictactoe", 2)
    assert engine.told[-1] == ("close",)
    assert sum(entry[0] == "begin_game" for entry in engine.told) == 6
    histories = {history for _, histories in engine.seen for history in histories}
    played = {record.actions[:ply] for record in result.records for ply in range(record.plies)}
    assert histories <= played
    assert all(0 <= table < 2 for tables, _ in engine.seen for table in tables)


def test_player_with_hooks_on_both_sides_is_told_once(game):
    engine = Seated()
    play_match(game, engine, engine, pairs=1, seed=1)
    assert [entry for entry in engine.told if entry[0] in ("begin_games", "close")] == [
        ("begin_games", "tictactoe", 2), ("close",)
    ]  # fmt: skip


def test_close_is_called_when_a_match_breaks(game):
    class Broken(LowestAction):
        def choose(self, game, states, streams):
            raise RuntimeError("a bug, not an engine")

    engine = Seated()
    with pytest.raises(RuntimeError):
        play_match(game, engine, Broken(), pairs=1, seed=1)
    assert engine.told[-1] == ("close",)


def test_failing_engine_voids_only_its_games_and_they_are_played_again(game):
    told = []
    undisturbed = play_match(game, Seated(), RandomPlayer(), pairs=4, seed=1, slots=4)
    failing = Seated({2: (1,), 5: ()})
    result = play_match(game, failing, RandomPlayer(), pairs=4, seed=1, slots=4, names=("e", "r"), on_game=told.append)
    assert untimed(result) == untimed(undisturbed)
    voids = [record for record in told if record.void]
    assert voids[0].void == "e: the engine was killed."
    assert len(voids) == 1 + len(failing.seen[4][0])  # the one named, then the whole batch
    assert result.voids == ()


def test_game_that_stays_void_takes_its_pair_out(game, tmp_path):
    path = tmp_path / "games.jsonl"
    result = play_match(game, AlwaysFailing(), LowestAction(), pairs=3, seed=0, replays=2, ledger=Ledger(path))
    assert (result.games, len(result.voids)) == (0, 6)
    assert (result.score, result.interval) == (0.5, (0.0, 1.0))
    assert len(Ledger(path).records) == 18  # three attempts at six games
    # Running again, with the engine repaired, plays the void games.
    assert play_match(game, LowestAction(), LowestAction(), pairs=3, seed=0, ledger=Ledger(path)).games == 6


class FailingAt(LowestAction):
    """Fails in the middle of the games with one opening, so many times, however often they are tried."""

    def __init__(self, unlucky, times):
        self.unlucky, self.left = unlucky, times

    def choose_seated(self, game, states, streams, tables, histories):
        rows = tuple(row for row, history in enumerate(histories) if history[:4] == self.unlucky and len(history) > 5)
        if rows and self.left > 0:
            self.left -= 1
            raise EngineFailure("the engine was killed again.", rows)
        return self.choose(game, states, streams)


@pytest.mark.parametrize(("times", "voids"), [(5, 0), (10**9, 1)])
def test_an_unlucky_game_is_tried_on_while_others_get_finished(game, times, voids):
    """And a game that can never be played does not hold up the match for ever."""
    undisturbed = play_match(game, LowestAction(), LowestAction(), pairs=8, seed=3, slots=4, opening_plies=4)
    unlucky = undisturbed.records[0].actions[:4]
    assert sum(record.actions[:4] == unlucky for record in undisturbed.records) == 2  # both games of the first pair
    result = play_match(
        game, FailingAt(unlucky, times), LowestAction(), pairs=8, seed=3, slots=4, opening_plies=4, replays=2
    )  # fmt: skip
    assert len(result.voids) == voids
    assert result.games == undisturbed.games - 2 * voids
