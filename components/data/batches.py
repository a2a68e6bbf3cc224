"""From the window's rows to training batches: seeded shuffle, held-out games, symmetries and encoding on the fly.

Called by the trainer. Promises that batch number i is a pure function of (rows, targets, seed, i): training can stop after any
batch and go on in another process. Rows are dealt like cards: every row once per epoch, and a batch may span two epochs.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadParameter
from components.core.jit import kernel
from components.data.rows import WindowRows
from components.games.contract import Game

SHUFFLE, TURN = 1, 2  # what a random stream is for, so that no two uses share one


@dataclass(frozen=True)
class Targets:
    """What a training method wants of each row of the window."""

    value: NDArray[np.float32]  # [rows] for the mover
    policy_weight: NDArray[np.float32]  # [rows] 0 where a row has no policy target
    is_action_played: bool  # the policy target is the action played (one-hot) instead of the search's policy


@dataclass(frozen=True)
class Batch:
    """n rows as a net wants them. Value-only games have no policy: their policy and legal are [n, 0]."""

    planes: NDArray[np.float32]  # [n, planes, height, width] from the mover's side
    policy: NDArray[np.float32]  # [n, actions]
    legal: NDArray[np.bool_]  # [n, actions]
    policy_weight: NDArray[np.float32]  # [n]
    value: NDArray[np.float32]  # [n] for the mover
    auxiliary: dict[str, NDArray[np.float32]] = field(default_factory=dict)  # name -> [n, ...]

    def __len__(self) -> int:
        return len(self.value)


@kernel
def turn_planes(planes, cell_maps, symmetries, out):
    """out[i, :, map[c]] = planes[i, :, c] with the map of symmetries[i]. planes and out [n, planes, cells]."""
    for i in range(planes.shape[0]):
        cell_map = cell_maps[symmetries[i]]
        for plane in range(planes.shape[1]):
            for cell in range(planes.shape[2]):
                out[i, plane, cell_map[cell]] = planes[i, plane, cell]


@kernel
def scatter_policy(picked, offsets, actions, policy, played, is_action_played, action_maps, symmetries, out, legal):
    """Fill out and legal [n, actions], already zero, with the turned policy target and legal actions of each picked row."""
    for i in range(picked.shape[0]):
        row = picked[i]
        action_map = action_maps[symmetries[i]]
        for entry in range(offsets[row], offsets[row + 1]):
            turned = action_map[actions[entry]]
            legal[i, turned] = True
            if not is_action_played:
                out[i, turned] = policy[entry]
        if is_action_played:
            out[i, action_map[played[row]]] = 1.0


def is_held_out(game_id: str, share: float) -> bool:
    """Whether a game is kept for validation. By its name alone: it stays so in every window that it is part of."""
    digest = hashlib.sha256(game_id.encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2.0**64


def split_rows(rows: WindowRows, share: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(rows to train on, rows held out). By game, not by row: neighbouring plies of one game are nearly the same row."""
    held_games = np.array([is_held_out(str(game_id), share) for game_id in rows.game_ids], dtype=np.bool_)
    held = held_games[rows.game]
    if held.all():
        raise BadParameter(
            f"All {len(rows.game_ids)} games of the window are held out (share {share}), none is left to train on."
            " Lower held_out or play more games."
        )
    return np.flatnonzero(~held), np.flatnonzero(held)


class BatchSource:
    """Deals batches of one window for ever; `batch(i)` may be asked in any order and by any process."""

    def __init__(
        self,
        rows: WindowRows,
        targets: Targets,
        game: Game,
        batch_size: int,
        seed: int,
        held_out: float = 0.0,
        is_turned: bool = True,
        auxiliary: tuple[str, ...] = (),
    ) -> None:
        self.rows, self.targets, self.game = rows, targets, game
        self.batch_size, self.seed, self.is_turned = batch_size, seed, is_turned
        self.auxiliary = {name: auxiliary_filler(game, name) for name in auxiliary}
        self.train_rows, self.held_rows = split_rows(rows, held_out)
        self.orders: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}  # of the epoch at hand and its neighbour

    @property
    def new_train_rows(self) -> int:
        """Rows to train on that no net has seen yet: those of the newest generation."""
        generation = self.rows.generation
        return int((generation[self.train_rows] == generation.max()).sum())

    def position(self, index: int) -> tuple[int, int]:
        """(epoch, row within the epoch's order) at which batch `index` begins."""
        return divmod(index * self.batch_size, len(self.train_rows))

    def batch(self, index: int) -> Batch:
        """The index-th batch, always full."""
        epoch, start = self.position(index)
        picked, symmetries, missing = [], [], self.batch_size
        while missing > 0:
            order, turns = self.order(epoch)
            picked.append(order[start : start + missing])
            symmetries.append(turns[start : start + missing])
            missing -= len(picked[-1])
            epoch, start = epoch + 1, 0
        return self.assemble(np.concatenate(picked), np.concatenate(symmetries))

    def order(self, epoch: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(row numbers, symmetries) of an epoch: every training row once."""
        if epoch not in self.orders:
            count, symmetries = len(self.train_rows), self.game.spec.symmetries if self.is_turned else 1
            shuffled = np.random.default_rng([self.seed, SHUFFLE, epoch]).permutation(self.train_rows)
            turns = np.random.default_rng([self.seed, TURN, epoch]).integers(symmetries, size=count)
            self.orders = {key: order for key, order in self.orders.items() if abs(key - epoch) <= 1}
            self.orders[epoch] = (shuffled, turns)
        return self.orders[epoch]

    def held_out_batches(self, most_rows: int) -> Iterator[Batch]:
        """Rows of held-out games in their own order, unturned, evenly spread if there are more than most_rows."""
        count = min(most_rows, len(self.held_rows))
        chosen = self.held_rows[np.arange(count) * len(self.held_rows) // max(1, count)]
        for start in range(0, count, self.batch_size):
            picked = chosen[start : start + self.batch_size]
            yield self.assemble(picked, np.zeros(len(picked), dtype=np.int64))

    def assemble(self, picked: NDArray[np.int64], symmetries: NDArray[np.int64]) -> Batch:
        """The picked rows [n], each turned by its symmetry [n]."""
        spec, rows = self.game.spec, self.rows
        width = spec.actions if spec.has_policy else 0
        policy, legal = np.zeros((len(picked), width), dtype=np.float32), np.zeros((len(picked), width), dtype=np.bool_)
        if spec.has_policy:
            scatter_policy(
                picked, rows.offsets, rows.actions, rows.policy, rows.action, self.targets.is_action_played,
                spec.action_maps, symmetries, policy, legal,
            )  # fmt: skip
        return Batch(
            planes=self.turned(self.encoded(picked), symmetries),
            policy=policy,
            legal=legal,
            policy_weight=self.targets.policy_weight[picked],
            value=self.targets.value[picked],
            auxiliary={name: self.auxiliary_target(name, picked, symmetries) for name in self.auxiliary},
        )

    def encoded(self, picked: NDArray[np.int64]) -> NDArray[np.float32]:
        spec = self.game.spec
        planes = np.empty((len(picked), spec.planes, spec.height, spec.width), dtype=np.float32)
        self.game.kernels.encode_many(self.game.rules, self.rows.states, picked, planes)
        return planes

    def turned(self, boards: NDArray[np.float32], symmetries: NDArray[np.int64]) -> NDArray[np.float32]:
        """boards [n, any, height, width], each turned by its symmetry."""
        flat = boards.reshape(len(boards), -1, self.game.spec.cells)
        out = np.empty_like(flat)
        turn_planes(flat, self.game.spec.cell_maps, symmetries, out)
        return out.reshape(boards.shape)

    def auxiliary_target(self, name: str, picked: NDArray[np.int64], symmetries: NDArray[np.int64]) -> NDArray[np.float32]:
        """[n, ...] a further target; one that covers the board is turned with it."""
        shape, fill = self.auxiliary[name]
        out = np.zeros((len(picked), *shape), dtype=np.float32)
        fill(self.game.rules, self.rows.states, picked, self.rows.finals, self.rows.game, out)
        on_board = shape[-2:] == (self.game.spec.height, self.game.spec.width)
        return self.turned(out, symmetries) if on_board else out


def auxiliary_filler(game: Game, name: str) -> tuple[tuple[int, ...], Callable[..., None]]:
    """(shape of one row's target, kernel that fills it), as the game's kernels.py offers them.

    A game offers `AUXILIARY = {"ownership": (shape_of, fill)}`: shape_of(spec) is the shape of one row, and
    fill(rules, states, rows, finals, games, out [n, ...]) writes each row's target from its mover's side to out, which is
    zero; finals[games[row]] is how the row's game ended.
    """
    offered = getattr(game.kernels, "AUXILIARY", {})
    if name not in offered:
        known = ", ".join(offered) or "none"
        raise BadParameter(f"{game.family} offers no auxiliary target '{name}'; it offers {known}. Leave it out of the weights.")
    shape_of, fill = offered[name]
    return shape_of(game.spec), fill
