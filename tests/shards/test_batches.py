"""Batches: every row once an epoch, the same batch for the same number, and turned rows that are true games."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from shard_samples import play_games, write_games

from components.core.errors import BadFile, BadParameter
from components.core.files import file_digest
from components.data.batches import BatchSource, Targets, is_held_out, split_rows
from components.data.rows import load_rows
from components.data.shards import CARD_KEY, entry_of
from components.data.window import Window
from components.games.registry import make

TICTACTOE = make("tictactoe")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("window")


@pytest.fixture(scope="module")
def window(folder):
    return Window(tuple(write_games(folder, 25, generation, full_share=0.5) for generation in (0, 1)))


@pytest.fixture(scope="module")
def rows(window, folder):
    return load_rows(window, TICTACTOE, folder)


def plain_targets(rows, is_action_played=False):
    return Targets(rows.returns_for_mover, rows.is_full.astype(np.float32), is_action_played)


def source(rows, batch_size=16, seed=5, **choices):
    return BatchSource(rows, plain_targets(rows, choices.pop("is_action_played", False)), TICTACTOE, batch_size, seed, **choices)


def test_rows_are_the_games_that_were_played(rows):
    row = 0
    for generation in (0, 1):
        for record in play_games(25, generation=generation, full_share=0.5):
            for ply in record.plies:
                entries = slice(rows.offsets[row], rows.offsets[row + 1])
                assert rows.states[row].tobytes() == ply.state
                assert list(rows.actions[entries]) == list(ply.actions)
                assert np.array_equal(rows.policy[entries], ply.policy)
                assert rows.returns_for_mover[row] == record.returns[ply.mover]
                assert rows.value_for_mover[row] == np.float32(ply.value)
                assert (rows.action[row], rows.is_full[row], rows.generation[row]) == (ply.action, ply.is_full, generation)
                assert rows.game_ids[rows.game[row]] == str(record.key)
                row += 1
    assert row == len(rows)


def test_finals_are_how_games_ended(rows):
    for game, final in enumerate(rows.finals):
        last = np.flatnonzero(rows.game == game)[-1]
        returns = TICTACTOE.returns(final)
        assert returns is not None
        assert returns[rows.states[last].mover] == rows.returns_for_mover[last]


def test_window_may_end_inside_a_game(window, folder, rows):
    first, second = window.shards
    cut = load_rows(Window((type(first)(**{**first.__dict__, "taken": 7}), second)), TICTACTOE, folder)
    assert len(cut) == 7 + second.rows
    assert np.array_equal(cut.states[7:], rows.states[first.rows :])
    assert np.array_equal(cut.game_ids, rows.game_ids)
    assert np.array_equal(cut.game_ids[cut.game[7:]], rows.game_ids[rows.game[first.rows :]])
    assert all(TICTACTOE.returns(final) is not None for final in cut.finals)
    row, entries = 9, slice(cut.offsets[9], cut.offsets[10])
    assert list(cut.actions[entries]) == list(TICTACTOE.legal(cut.states[row]))


def test_every_row_once_an_epoch(rows):
    deal = source(rows, batch_size=16)
    count = len(deal.train_rows)
    assert count == len(rows)
    for epoch in (0, 1, 7):
        order, _ = deal.order(epoch)
        assert sorted(order) == list(range(count))
    assert not np.array_equal(deal.order(0)[0], deal.order(1)[0])


def test_batches_cross_epochs_without_losing_a_row(rows):
    deal = source(rows, batch_size=50, is_turned=False)
    batches = -(-3 * len(rows) // 50)
    dealt = np.concatenate([deal.batch(index).value for index in range(batches)])[: 3 * len(rows)]
    assert all(len(deal.batch(index)) == 50 for index in range(batches))
    # Three epochs hold every row's result three times, in whatever order.
    assert np.array_equal(np.sort(dealt), np.sort(np.repeat(rows.returns_for_mover, 3)))


def test_batch_larger_than_the_window(rows):
    deal = source(rows, batch_size=2 * len(rows) + 3, is_turned=False)
    assert np.array_equal(np.sort(deal.batch(0).value[: len(rows)]), np.sort(rows.returns_for_mover))


def test_a_batch_depends_on_its_number_only(rows):
    in_order = [source(rows).batch(index) for index in range(40)]
    deal = source(rows)
    for index in (39, 3, 17, 0):
        for name in ("planes", "policy", "legal", "policy_weight", "value"):
            assert np.array_equal(getattr(deal.batch(index), name), getattr(in_order[index], name))
    assert not np.array_equal(source(rows, seed=6).batch(0).planes, in_order[0].planes)


def test_position_is_epoch_and_row(rows):
    deal = source(rows, batch_size=16)
    assert deal.position(0) == (0, 0)
    per_epoch = len(rows) / 16
    assert deal.position(int(per_epoch) + 1) == (1, 16 * (int(per_epoch) + 1) - len(rows))


def test_turned_rows_equal_the_turned_game(rows):
    """Encoding, policy and legal actions of a turned row are those of the game played on the turned board."""
    deal = source(rows)
    spec = TICTACTOE.spec
    for symmetry in range(spec.symmetries):
        picked = np.arange(len(rows))
        batch = deal.assemble(picked, np.full(len(rows), symmetry))
        for row in picked:
            state = TICTACTOE.start()
            path = np.flatnonzero(rows.game == rows.game[row])
            for earlier in path[path < row]:
                state = TICTACTOE.after(state, int(spec.action_maps[symmetry, rows.action[earlier]]))
            assert np.array_equal(batch.planes[row], TICTACTOE.encode(state))
            assert list(np.flatnonzero(batch.legal[row])) == list(TICTACTOE.legal(state))
            entries = slice(rows.offsets[row], rows.offsets[row + 1])
            assert np.array_equal(batch.policy[row][spec.action_maps[symmetry][rows.actions[entries]]], rows.policy[entries])


def test_all_symmetries_are_drawn_alike(rows):
    deal = source(rows)
    drawn = np.concatenate([deal.order(epoch)[1] for epoch in range(40)])
    counts = np.bincount(drawn, minlength=8)
    assert len(counts) == 8
    assert np.abs(counts / len(drawn) - 1 / 8).max() < 0.01
    assert not source(rows, is_turned=False).order(0)[1].any()


def test_policy_of_the_action_played(rows):
    batch = source(rows, is_action_played=True).assemble(np.arange(len(rows)), np.zeros(len(rows), dtype=np.int64))
    assert np.array_equal(batch.policy.argmax(axis=1), rows.action)
    assert np.array_equal(batch.policy.sum(axis=1), np.ones(len(rows)))


def test_held_out_by_game_not_by_row(rows):
    train, held = split_rows(rows, 0.3)
    assert sorted([*train, *held]) == list(range(len(rows)))
    assert not set(rows.game[train]) & set(rows.game[held])
    assert 0 < len(held) < len(rows)
    deal = source(rows, held_out=0.3)
    assert set(deal.order(0)[0]) == set(train)
    assert sum(len(batch) for batch in deal.held_out_batches(10_000)) == len(held)
    assert sum(len(batch) for batch in deal.held_out_batches(20)) == 20


def test_a_game_stays_held_out_in_every_window():
    names = [f"1-g{generation:02d}-s000-{game:05d}" for generation in range(20) for game in range(200)]
    held = [is_held_out(name, 0.1) for name in names]
    assert np.mean(held) == pytest.approx(0.1, abs=0.015)
    assert all(is_held_out(name, 0.2) for name, is_out in zip(names, held, strict=True) if is_out)


def test_all_games_held_out_is_a_sentence(rows):
    with pytest.raises(BadParameter, match=r"All 50 games .* Lower held_out"):
        split_rows(rows, 1.0)


def test_auxiliary_target_comes_from_the_game_and_turns_with_the_board(rows, monkeypatch):
    def fill(rules, states, picked, finals, games, out):
        for i, row in enumerate(picked):
            out[i] = (finals[games[row]].board == states[row].mover + 1).reshape(3, 3)

    offered = {"ownership": (lambda spec: (spec.height, spec.width), fill)}
    monkeypatch.setattr(TICTACTOE.kernels, "AUXILIARY", offered, raising=False)
    deal = source(rows, auxiliary=("ownership",))
    picked, symmetry = np.arange(len(rows)), 3
    plain = deal.assemble(picked, np.zeros(len(rows), dtype=np.int64)).auxiliary["ownership"]
    turned = deal.assemble(picked, np.full(len(rows), symmetry)).auxiliary["ownership"]
    cells = TICTACTOE.spec.cell_maps[symmetry]
    assert np.array_equal(turned.reshape(-1, 9)[:, cells], plain.reshape(-1, 9))
    assert plain[0].sum() == (rows.finals[0].board == 1).sum()


def test_unknown_auxiliary_target_is_a_sentence(rows):
    with pytest.raises(BadParameter, match="tictactoe offers no auxiliary target 'margin'; it offers none"):
        source(rows, auxiliary=("margin",))


def test_value_only_game_has_no_policy(rows):
    """A game without a policy head: its actions are indices of results, which no net predicts."""
    spec = SimpleNamespace(
        has_policy=False, actions=9, planes=2, height=3, width=3, cells=9, symmetries=8, cell_maps=TICTACTOE.spec.cell_maps
    )
    game = SimpleNamespace(spec=spec, kernels=TICTACTOE.kernels, rules=TICTACTOE.rules, family="tictactoe")
    batch = BatchSource(rows, plain_targets(rows), game, 16, 1).batch(0)
    assert batch.policy.shape == batch.legal.shape == (16, 0)
    assert batch.planes.shape == (16, 2, 3, 3)


def spoiled(folder, column, change):
    """A shard whose column was changed by `change`, with a digest that fits."""
    entry = write_games(folder, 5, generation=3)
    path = folder / entry.path
    table = pq.read_table(path)
    values = change(table[column].to_pylist())
    field = table.schema.field(column)
    place = table.schema.names.index(column)
    table = table.set_column(place, field, pa.array(values, field.type))
    pq.write_table(table.replace_schema_metadata({CARD_KEY: pq.ParquetFile(path).metadata.metadata[CARD_KEY]}), path)
    fresh = entry_of(path, folder)
    assert fresh.digest == file_digest(path)
    return Window((fresh,))


@pytest.mark.parametrize(
    ("column", "change", "sentence"),
    [
        ("action", lambda values: [99, *values[1:]], r"an action outside 0 \.\. 8"),
        ("action", lambda values: [*values[:1], values[0], *values[2:]], "a played action that was not legal"),
        ("root_value", lambda values: [float("nan"), *values[1:]], "a value outside"),
        ("returns_first", lambda values: [2.0 for _ in values], "a result outside"),
        ("mover", lambda values: [1 - value for value in values], "a mover other"),
        ("policy", lambda values: [[0.0] * len(row) for row in values], "does not sum to 1"),
        ("policy", lambda values: [values[0][:-1], *values[1:]], "another length than its actions"),
    ],
)
def test_numbers_that_no_self_play_writes_are_refused(tmp_path, column, change, sentence):
    with pytest.raises(BadFile, match=f"{sentence}.*Delete it and run the same command again"):
        load_rows(spoiled(tmp_path, column, change), TICTACTOE, tmp_path)


def test_empty_window_is_a_sentence(tmp_path):
    with pytest.raises(BadFile, match="names no shard"):
        load_rows(Window(()), TICTACTOE, tmp_path)
