"""Towers in 8 bits: unsigned activations, signed weights with one scale per output, one static range per activation.

`calibrate` measures ranges and means on planes of real positions; `QuantizedTower` plays with them, by torch's oneDNN operations.
Built by evaluator.py; they are stored in the checkpoint. Promises the same call and row independence as FusedTower.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from components.nets.fused import ONE, SAME, Board, Dense, FloatHeads, cells_view, head_convolution, pool_layer, pool_squares
from components.nets.kernels import bytes_of_rows
from components.nets.layers import on_board
from components.nets.model import TowerNet

LEVELS = 255  # of an unsigned byte
ZERO_OF_SIGNED = 128  # the byte that means 0 where planes hold negative numbers
# Without VNNI a processor adds two products in 16 bits: 2 * 255 * 63 fits, 2 * 255 * 127 does not and spoils every fifth choice.
WEIGHT_LEVELS = 127 if torch.cpu._is_vnni_supported() else 63
CALIBRATION_CHUNK = 256


@dataclass(frozen=True)
class Calibration:
    """What int8 must know of a net's positions, per plane and then per layer in walking order: 1 + 2*blocks layers.

    planes [C] largest absolute entries, activations [layers] largest entries; plane_means [C] and means [layers, channels] say
    by how much rounded weights are off on average; weight_levels: how finely they were rounded where the match was played.
    """

    planes: Tensor
    plane_means: Tensor
    is_signed: bool
    activations: Tensor
    means: Tensor
    weight_levels: int

    def tensors(self) -> dict[str, Tensor]:
        """As a checkpoint stores them."""
        return {field.name: torch.as_tensor(getattr(self, field.name), dtype=torch.float32) for field in fields(self)}

    @staticmethod
    def of(tensors: Mapping[str, Tensor]) -> "Calibration | None":
        """None if there are none, or if an older version measured them."""
        if set(tensors) != {field.name for field in fields(Calibration)}:
            return None
        numbers = {"is_signed": bool(tensors["is_signed"]), "weight_levels": int(tensors["weight_levels"])}
        return Calibration(**{**tensors, **numbers})  # type: ignore[arg-type]


def calibrate(model: TowerNet, planes: Tensor) -> Calibration:
    """Measure on planes [n, C, H, W] of positions such as the net will meet; a few hundred are enough."""
    was_training = model.training
    model.eval()
    planes = planes.float()
    with torch.inference_mode():
        chunks = [layers_seen(model, chunk) for chunk in planes.split(CALIBRATION_CHUNK)]
    model.train(was_training)
    maxima, means = (torch.stack(parts) for parts in zip(*chunks, strict=True))
    # A rare plane, such as ko, need not occur here, and a net that never saw it must see it in play: 1 is the usual entry.
    ranges = planes.abs().amax((0, 2, 3)).clamp_min(1.0)
    return Calibration(ranges, planes.mean((0, 2, 3)), bool(planes.min() < 0), maxima.amax(0), means.mean(0), WEIGHT_LEVELS)


def layers_seen(model: TowerNet, planes: Tensor) -> tuple[Tensor, Tensor]:
    """[layers] the largest and [layers, channels] the mean activation after the stem and within and after each block."""
    board, cells = model.board(planes)
    layers = [on_board(F.relu(model.stem(planes)), board)]
    for block in model.residual_blocks():
        layers += block.halves(layers[-1], board, cells)
    return torch.stack([layer.max() for layer in layers]), torch.stack([layer.mean((0, 2, 3)) for layer in layers])


class QuantizedConv:
    """One convolution: bytes in, bytes (or float32) out."""

    def __init__(self, weight: Tensor, bias: Tensor, means: Tensor, scale_in: float, zero_in: int, shape: tuple[int, int, int]):
        """means [channels in]: the usual input, in the weights' units; shape: (usual batch, height, width)."""
        self.scale_in, self.zero_in = scale_in, zero_in
        self.padding = SAME if weight.shape[2] == 3 else [0, 0]
        # A kernel of zeros still needs a scale.
        self.scales = (weight.abs().amax((1, 2, 3)) / WEIGHT_LEVELS).clamp_min(1e-12).float().contiguous()
        scales = self.scales[:, None, None, None]
        rounded = (weight / scales).round()
        # Rounding errors of many weights do not cancel under inputs that are never negative: what they add on average goes.
        self.bias = (bias - (rounded * scales - weight).sum((2, 3)) @ means).float().contiguous()
        seen = [shape[0], weight.shape[1], shape[1], shape[2]]
        self.weight = torch.ops.onednn.qconv_prepack(
            rounded.to(torch.int8).contiguous(), self.scales, scale_in, zero_in, ONE, self.padding, ONE, 1, seen
        )  # fmt: skip
        self.zeros = torch.zeros(len(weight), dtype=torch.int32)

    def __call__(self, x: Tensor, scale_out: float, dtype: torch.dtype, activation: str) -> Tensor:
        """conv(x) in units of scale_out (1.0 for float32); activation: relu or none."""
        return torch.ops.onednn.qconv2d_pointwise(
            x, self.scale_in, self.zero_in, self.weight, self.scales, self.zeros, self.bias, ONE, self.padding, ONE, 1,
            scale_out, 0, dtype, activation, [], "",
        )  # fmt: skip

    def add_to(self, other: Tensor, scale_other: float, x: Tensor, scale_out: float) -> Tensor:
        """relu(other + conv(x)) in bytes of scale_out; other is used up."""
        return torch.ops.onednn.qconv2d_pointwise.binary(
            x, self.scale_in, self.zero_in, self.weight, self.scales, self.zeros, other, self.bias, ONE, self.padding, ONE, 1,
            scale_out, 0, torch.uint8, scale_other, 0, "sum", 1.0, "relu", [], "",
        )  # fmt: skip


class QuantizedTower:
    """A tower on the CPU in int8, heads' dense layers in float32."""

    def __init__(self, model: TowerNet, calibration: Calibration, shape: tuple[int, int, int]):
        """shape: (usual batch, height, width)."""
        self.board = Board(shape[1], shape[2], model.config.hexagon_board)
        scales = (calibration.activations.clamp_min(1e-6) / LEVELS).tolist()
        self.zero = ZERO_OF_SIGNED if calibration.is_signed else 0
        # Each plane gets the whole range of a byte; its share is taken back in the stem's weights. So 0 and 1 stay exact
        # beside a plane that counts to 30.
        self.levels = (LEVELS // 2 if self.zero else LEVELS) / calibration.planes[:, None, None]
        weight, bias = model.stem.folded()
        self.stem = QuantizedConv(
            weight / self.levels, bias, calibration.plane_means * self.levels.flatten(), 1.0, self.zero, shape
        )
        self.stem_scale = scales[0]
        self.blocks: list[Any] = []
        for index, block in enumerate(model.residual_blocks()):
            at = 2 * index
            scale_in, scale_hidden, scale_out = scales[at : at + 3]
            first = QuantizedConv(*block.first.folded(), calibration.means[at], scale_in, 0, shape)
            second = QuantizedConv(*block.second.folded(), calibration.means[at + 1], scale_hidden, 0, shape)
            self.blocks.append((first, second, pool_layer(block), scale_in, scale_hidden, scale_out))
        self.head = QuantizedConv(*head_convolution(model), calibration.means[-1], scales[-1], 0, shape)
        self.heads = FloatHeads(model, self.board, shape[1] * shape[2])

    def __call__(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        x = self.board.clear(self.stem(self.bytes_of(planes), self.stem_scale, torch.uint8, "relu"))
        for first, second, pool, scale_in, scale_hidden, scale_out in self.blocks:
            if pool is None:
                hidden = first(x, scale_hidden, torch.uint8, "relu")
            else:
                hidden = self.pooled(x, first, pool, scale_in, scale_hidden)
            x = self.board.clear(second.add_to(x, scale_in, self.board.clear(hidden), scale_out))
        return self.heads(self.head(x, 1.0, torch.float32, "relu"))

    def bytes_of(self, planes: Tensor) -> Tensor:
        """Planes as bytes, channels-last. Entries beyond the calibrated range are cut off."""
        # Half a level more and cutting off is rounding, in one step less.
        shifted = torch.mul(planes, self.levels).add_(self.zero + 0.5).clamp_(0, LEVELS)
        return shifted.to(torch.uint8).contiguous(memory_format=torch.channels_last)

    def pooled(self, x: Tensor, first: QuantizedConv, pool: Dense, scale_in: float, scale_hidden: float) -> Tensor:
        """The first half of a block that sees the whole board."""
        bias = pool(pool_squares(cells_view(x).numpy(), self.board.cells, scale_in))
        hidden = first(x, 1.0, torch.float32, "none")
        levels = torch.empty_like(hidden, dtype=torch.uint8)  # keeps channels-last
        bytes_of_rows(cells_view(hidden).numpy(), bias, np.float32(1 / scale_hidden), cells_view(levels).numpy())
        return levels
