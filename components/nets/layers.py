"""The pieces nets are made of: convolution + batch norm as one unit, hexagonal kernels, pooling over the board, blocks.

Used by model.py and reports.py for training and folded by fused.py for play. Promises that every unit can tell the one
convolution (weight, bias) it amounts to in evaluation mode.
"""

from functools import lru_cache

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class ConvNorm(nn.Module):
    """A square convolution without bias, then batch norm. Hexagonal kernels keep two opposite corners at zero."""

    def __init__(self, inputs: int, outputs: int, size: int, padded: bool = True, hexagonal: bool = False, affine: bool = True):
        super().__init__()
        self.padding = size // 2 if padded else 0
        self.weight = nn.Parameter(torch.empty(outputs, inputs, size, size))
        self.norm = nn.BatchNorm2d(outputs, affine=affine)
        nn.init.kaiming_normal_(self.weight, nonlinearity="relu")
        self.kernel_mask: Tensor | None
        self.register_buffer("kernel_mask", hexagonal_mask(size) if hexagonal else None, persistent=False)

    def kernel(self) -> Tensor:
        # Masked on every use, not once: an optimiser with momentum or decay would move the corners otherwise.
        return self.weight if self.kernel_mask is None else self.weight * self.kernel_mask

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(F.conv2d(x, self.kernel(), padding=self.padding))

    def folded(self) -> tuple[Tensor, Tensor]:
        """(weight, bias) of the one convolution that this unit is in evaluation mode."""
        assert self.norm.running_var is not None
        assert self.norm.running_mean is not None
        scale = torch.rsqrt(self.norm.running_var + self.norm.eps)
        shift = -self.norm.running_mean * scale
        if self.norm.affine:
            scale, shift = scale * self.norm.weight, shift * self.norm.weight + self.norm.bias
        return (self.kernel() * scale[:, None, None, None]).detach().clone(), shift.detach().clone()


def hexagonal_mask(size: int) -> Tensor:
    """[size, size] 1 where a hexagonal kernel has a weight: |row + column - (size - 1)| <= size // 2."""
    steps = torch.arange(size)
    return ((steps[:, None] + steps[None, :] - (size - 1)).abs() <= size // 2).float()


@lru_cache(maxsize=64)
def hexagon_cells(height: int, width: int) -> Tensor:
    """[height, width] 1 on the cells of the hexagon inside the square, 0 in the two cut-off corners."""
    # Kept for training too: a tensor made in inference mode could not be.
    with torch.inference_mode(False):
        rows, columns = torch.arange(height), torch.arange(width)
        return ((rows[:, None] + columns[None, :] - (height + width - 2) // 2).abs() <= min(height, width) // 2).float()


def pool_board(x: Tensor, cells: int) -> Tensor:
    """[n, 2*channels] the mean over the board's cells and the maximum of every feature map.

    x is not negative and zero off the board, so its sum over the square is the sum over the board.
    """
    flat = x.flatten(2)
    return torch.cat([flat.sum(2) / cells, flat.amax(2)], dim=1)


class PoolBias(nn.Module):
    """What the whole board says to every cell: pooled features, dense, one bias per feature map (as KataGo does)."""

    def __init__(self, channels: int):
        super().__init__()
        self.dense = nn.Linear(2 * channels, channels)
        nn.init.zeros_(self.dense.bias)
        nn.init.normal_(self.dense.weight, std=0.5 / (2 * channels) ** 0.5)

    def forward(self, x: Tensor, cells: int) -> Tensor:
        return self.dense(pool_board(x, cells))[:, :, None, None]


class ResidualBlock(nn.Module):
    """relu(x + conv(relu(conv(x) [+ bias from the whole board]))), batch norm after each convolution."""

    def __init__(self, channels: int, hexagonal: bool = False, pooled: bool = False):
        super().__init__()
        self.first = ConvNorm(channels, channels, 3, hexagonal=hexagonal)
        self.second = ConvNorm(channels, channels, 3, hexagonal=hexagonal)
        self.pool = PoolBias(channels) if pooled else None
        # The block starts as the identity: deep towers learn from the first step and an untrained net stays calm.
        nn.init.zeros_(self.second.norm.weight)

    def forward(self, x: Tensor, board: Tensor | None = None, cells: int = 1) -> Tensor:
        return self.halves(x, board, cells)[1]

    def halves(self, x: Tensor, board: Tensor | None, cells: int) -> tuple[Tensor, Tensor]:
        """(what is between the convolutions, what comes out)."""
        hidden = self.first(x)
        if self.pool is not None:
            hidden = hidden + self.pool(x, cells)
        hidden = on_board(F.relu(hidden), board)
        return hidden, on_board(F.relu(x + self.second(hidden)), board)


def on_board(x: Tensor, board: Tensor | None) -> Tensor:
    """x with the cells off the board back at zero."""
    return x if board is None else x * board
