"""SGF: what we write others read the same, what others write we read, and games become training rows."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.core.errors import BadFile, ZerolineError
from components.data.schema import card_of
from components.data.shards import read_games, write_shard
from components.games.registry import make
from components.protocols.sgf import SgfGame, read_sgf, write_sgf
from components.protocols.sgf_games import import_games, sgf_of_actions

sgfmill = pytest.importorskip("sgfmill.sgf", reason="sgfmill, from PyPI, is the independent reader")
SGF = "(;GM[1]FF[4]SZ[5]KM[7.5]PB[A]PW[B]RE[B+R];B[cc];W[dd](;B[];W[aa])(;B[bb]))"


def test_variations_are_left_out_and_passes_read():
    game = read_sgf(SGF)
    assert game.moves == ((0, (2, 2)), (1, (3, 3)), (0, None), (1, (0, 0)))
    assert (game.side, game.komi, game.names, game.winner) == (5, 7.5, ("A", "B"), 0)


def test_odd_spellings_of_other_programs():
    game = read_sgf("junk before (; GaMe[1] SiZe[9]\nAB[aa:bb]HA[4] KoMi[0,5];White[tt]C[brackets \\] and \\\\ lines\\\njoined])")
    assert game.side == 9
    assert game.black_stones == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert game.komi == 0.5
    assert game.moves == ((1, None),)
    assert game.comments == ("brackets ] and \\ linesjoined",)
    assert game.first_mover == 1


@pytest.mark.parametrize(
    "text", ["", "no game", "(", "(;SZ[9]", "(;SZ[9:13])", "(;SZ[99])", "(;GM[2])", "(;SZ[5];B[zz])", "(;SZ[5];B[a])", "()",
             "(;SZ[5]KM[x])", "(;SZ[5];B[aa];AB[bb])", "(;B[aa]]"],
)  # fmt: skip
def test_damaged_files_are_one_sentence(text):
    with pytest.raises(BadFile):
        read_sgf(text)


@given(st.text(alphabet="();[]\\BWABSZKMabct0159 \n", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_game_or_a_sentence(text):
    with suppress(ZerolineError):
        read_sgf(text)


points = st.one_of(st.none(), st.tuples(st.integers(0, 8), st.integers(0, 8)))
words = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=20)


@given(st.lists(st.tuples(st.integers(0, 1), points), max_size=20), words, words, st.floats(-20, 20).map(lambda x: round(x, 1)))
@settings(max_examples=100, deadline=None)
def test_written_games_are_read_back_and_sgfmill_agrees(moves, black, comment, komi):
    game = SgfGame(9, komi, moves=tuple(moves), names=(black, "white"), result="W+0.5", comment=comment)
    text = write_sgf(game)
    back = read_sgf(text)
    assert (back.moves, back.komi, back.names, back.comment) == (game.moves, komi, game.names, comment)
    theirs = sgfmill.Sgf_game.from_bytes(text.encode())
    assert theirs.get_size() == 9
    assert theirs.get_winner() == "w"
    played = [node.get_move() for node in theirs.get_main_sequence()[1:]]
    # sgfmill counts rows from the bottom.
    assert played == [("bw"[colour], None if point is None else (8 - point[1], point[0])) for colour, point in moves]


def played_game(game, seed):
    """Actions of a random game."""
    generator = np.random.default_rng(seed)
    state, actions = game.start(), []
    while game.returns(state) is None:
        actions.append(int(generator.choice(game.legal(state))))
        state = game.after(state, actions[-1])
    return actions, state


def test_imported_games_are_training_rows(tmp_path):
    game = make("go-5x5")
    finals = []
    for seed in range(3):
        actions, final = played_game(game, seed)
        finals.append((actions, game.returns(final)))
        (tmp_path / f"{seed}.sgf").write_text(write_sgf(sgf_of_actions(game, actions, ("a", "b"), "")))
    (tmp_path / "8.sgf").write_text("(;GM[1]SZ[5];B[cc];W[cc])")
    (tmp_path / "9.sgf").write_text("(;GM[1]SZ[9]RE[B+R];B[cc])")
    records, refused = import_games(game, sorted(tmp_path.glob("*.sgf")))
    assert [reason.split(":")[0] for reason in refused] == ["8.sgf", "9.sgf"]
    assert [record.returns for record in records] == [tuple(map(float, returns)) for _, returns in finals]
    assert [[ply.action for ply in record.plies] for record in records] == [actions for actions, _ in finals]
    assert all(ply.policy[list(ply.actions).index(ply.action)] == 1 and ply.policy.sum() == 1 for ply in records[0].plies)
    write_shard(tmp_path / "games.parquet", game, records, card_of(game, "", "{}", 0, 0))
    assert len(read_games(tmp_path / "games.parquet", game)) == 3


def test_a_resigned_game_keeps_its_result():
    game = make("go-5x5")
    records, refused = import_games_of_text(game, "(;GM[1]SZ[5]RE[W+R];B[cc];W[dd])")
    assert not refused
    assert records[0].returns == (-1.0, 1.0)
    assert [ply.value for ply in records[0].plies] == [-1.0, 1.0]


def import_games_of_text(game, text):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.sgf"
        path.write_text(text)
        return import_games(game, [path])
