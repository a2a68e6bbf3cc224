"""Nets as they play: batch norm folded into the convolutions, weights packed once, nothing that only training needs.

Built by evaluator.py. `FusedTower` is the fast path on CPUs, by the oneDNN operations that torch's compiler emits; `PlainNet`
runs any net on any device. Both promise net(planes [n, C, H, W] float32) -> (logits [n, actions], values [n]), float32.
"""

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from components.nets.kernels import dense_rows, finish_rows, map_rows, pool_rows
from components.nets.layers import ConvNorm, hexagon_cells
from components.nets.model import TowerNet

Rows = NDArray[Any]  # one row a position
ONE, SAME = [1, 1], [1, 1]  # stride and dilation; padding of a 3x3 kernel that keeps the board's size


class PlainNet:
    """Any net by torch's ordinary modules. Low precision is for the tower only: last layers stay float32."""

    def __init__(self, model: nn.Module, dtype: torch.dtype, device: torch.device):
        folded = copy.deepcopy(model).eval()
        for name, module in list(folded.named_modules()):
            if isinstance(module, (ConvNorm, nn.Conv2d, nn.Linear)):
                parent, _, attribute = name.rpartition(".")
                setattr(folded.get_submodule(parent), attribute, Cast.of(module, dtype))
        if isinstance(folded, TowerNet):
            folded.auxiliary = nn.ModuleDict()
        self.device = device
        self.net = folded.to(device=device)
        self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def __call__(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        placed = planes.to(device=self.device).contiguous(memory_format=torch.channels_last)
        logits, values, _ = self.net(placed)
        return logits.float().cpu(), values.float().cpu()


class Cast(nn.Module):
    """A layer that brings its input to its own precision."""

    def __init__(self, layer: nn.Module, dtype: torch.dtype):
        super().__init__()
        self.layer = layer.to(dtype)
        self.dtype = dtype

    @staticmethod
    def of(module: nn.Module, dtype: torch.dtype) -> "Cast":
        if isinstance(module, ConvNorm):
            weight, bias = module.folded()
            layer = nn.Conv2d(weight.shape[1], weight.shape[0], weight.shape[2], padding=module.padding)
            layer.weight, layer.bias = nn.Parameter(weight), nn.Parameter(bias)
            return Cast(layer, dtype)
        return Cast(module, torch.float32)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x.to(self.dtype))


class FusedConv:
    """Convolution + bias (+ residual) (+ ReLU) as one operation, weights in the order that the CPU wants."""

    def __init__(self, weight: Tensor, bias: Tensor, dtype: torch.dtype, shape: tuple[int, int, int]):
        """shape: (batch, height, width) that the packing is chosen for; other shapes work too."""
        self.padding = SAME if weight.shape[2] == 3 else [0, 0]
        batch, height, width = shape
        seen = [batch, weight.shape[1], height, width]
        pack: Any = torch._C._nn.mkldnn_reorder_conv2d_weight  # its stub knows fewer arguments than it takes
        plain = weight.detach().to(dtype).contiguous().to_mkldnn()
        self.weight = pack(plain, self.padding, ONE, ONE, 1, seen)
        self.bias = bias.detach().to(dtype)

    def __call__(self, x: Tensor, activation: str) -> Tensor:
        """activation: relu or none."""
        return torch.ops.mkldnn._convolution_pointwise(
            x, self.weight, self.bias, self.padding, ONE, ONE, 1, activation, [], ""
        )  # fmt: skip

    def add_to(self, other: Tensor, x: Tensor) -> Tensor:
        """relu(other + conv(x)), written over other."""
        return torch.ops.mkldnn._convolution_pointwise_.binary(
            other, x, self.weight, self.bias, self.padding, ONE, ONE, 1, "add", 1.0, "relu", [], ""
        )  # fmt: skip


def cells_view(x: Tensor) -> Tensor:
    """[n, cells, channels] the same memory of a channels-last [n, channels, H, W]."""
    return x.permute(0, 2, 3, 1).flatten(1, 2)


class Board:
    """Which cells of the square are the board: all, or the hexagon inside."""

    def __init__(self, height: int, width: int, is_hexagon: bool):
        mask = hexagon_cells(height, width).flatten() > 0 if is_hexagon else torch.ones(height * width, dtype=torch.bool)
        self.cells = int(mask.sum())
        self.outside = torch.nonzero(~mask)[:, 0]

    def clear(self, x: Tensor) -> Tensor:
        """x with the cells off the board set to zero, in place."""
        if len(self.outside):
            cells_view(x).index_fill_(1, self.outside, 0)
        return x


class Dense:
    """A dense layer whose rows do not depend on each other, bit by bit."""

    def __init__(self, layers: list[nn.Linear]):
        """layers: with the same inputs; their outputs come one after the other."""
        self.weights = np.ascontiguousarray(torch.cat([layer.weight for layer in layers]).detach().float().numpy().T)
        self.bias = torch.cat([layer.bias for layer in layers]).detach().float().numpy().copy()

    def __call__(self, inputs: Rows, rectified: bool = False) -> Rows:
        out = np.empty((len(inputs), len(self.bias)), dtype=np.float32)
        dense_rows(inputs, self.weights, self.bias, rectified, out)
        return out


def pool_squares(flat: Rows, cells: int, scale: float = 1.0) -> Rows:
    """[n, 2*channels] pool_board of flat [n, squares, channels], in units of scale."""
    out = np.empty((len(flat), 2, flat.shape[2]), dtype=np.float32)
    pool_rows(flat, np.float32(scale), np.float32(cells), out)
    return out.reshape(len(flat), 2 * flat.shape[2])


class FloatHeads:
    """Policy and value from the head features, in float32 at every precision of the tower."""

    def __init__(self, model: TowerNet, board: Board, squares: int):
        self.board = board
        self.first_extra = model.policy_planes * squares
        self.actions = self.first_extra + model.policy_extras
        self.hidden = Dense([model.hidden])
        # Value and actions without a cell share one product; its first column is the value.
        self.last = Dense([layer for layer in (model.value, model.extras) if layer is not None])
        self.map_weights = np.zeros((0, 0), dtype=np.float32)
        self.map_bias = np.zeros(0, dtype=np.float32)
        if model.policy_maps is not None and model.policy_maps.bias is not None:
            self.map_weights = model.policy_maps.weight.detach()[:, :, 0, 0].contiguous().numpy().copy()
            self.map_bias = model.policy_maps.bias.detach().numpy().copy()

    def __call__(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """features [n, policy + value channels, H, W] float32, channels-last, after ReLU."""
        flat = cells_view(self.board.clear(features)).numpy()
        logits = np.empty((len(flat), self.actions), dtype=np.float32)
        values = np.empty(len(flat), dtype=np.float32)
        hidden = self.hidden(pool_squares(flat, self.board.cells), rectified=True)
        finish_rows(self.last(hidden), self.first_extra, logits, values)
        map_rows(flat, self.map_weights, self.map_bias, logits)
        return torch.from_numpy(logits), torch.from_numpy(values)


def head_convolution(model: TowerNet) -> tuple[Tensor, Tensor]:
    """(weight, bias) of the policy and the value features as one convolution."""
    units = [unit.folded() for unit in (model.policy_features, model.value_features) if unit is not None]
    return torch.cat([weight for weight, _ in units]), torch.cat([bias for _, bias in units])


class FusedTower:
    """A tower on the CPU in float32 or bfloat16."""

    def __init__(self, model: TowerNet, dtype: torch.dtype, shape: tuple[int, int, int]):
        """shape: (usual batch, height, width); other batches work too, other boards do not."""

        def packed(unit: ConvNorm) -> FusedConv:
            return FusedConv(*unit.folded(), dtype, shape)

        self.dtype = dtype
        self.board = Board(shape[1], shape[2], model.config.hexagon_board)
        self.stem = packed(model.stem)
        self.blocks: list[Any] = [
            (packed(block.first), packed(block.second), pool_layer(block)) for block in model.residual_blocks()
        ]
        self.head = FusedConv(*head_convolution(model), dtype, shape)
        self.heads = FloatHeads(model, self.board, shape[1] * shape[2])

    def __call__(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        # Two steps: narrowing first halves what the slow change of layout has to move.
        x = planes.to(self.dtype).contiguous(memory_format=torch.channels_last)
        x = self.board.clear(self.stem(x, "relu"))
        for first, second, pool in self.blocks:
            hidden = first(x, "relu") if pool is None else self.pooled(x, first, pool)
            x = self.board.clear(second.add_to(x, self.board.clear(hidden)))
        return self.heads(self.head(x, "relu").float())

    def pooled(self, x: Tensor, first: FusedConv, pool: Dense) -> Tensor:
        """The first half of a block that sees the whole board."""
        bias = pool(pool_squares(cells_view(x).float().numpy(), self.board.cells))
        return first(x, "none").add_(torch.from_numpy(bias).to(self.dtype)[:, :, None, None]).relu_()


def pool_layer(block: Any) -> Dense | None:
    """The dense layer of a block's pooling branch, if it has one."""
    return None if block.pool is None else Dense([block.pool.dense])
