"""The tower: residual blocks with global pooling and convolutional heads, and the one function that builds any net.

Called by training, checkpoints and evaluators. Promises forward(planes [n, C, H, W]) -> (policy logits [n, actions], value
for the mover [n] in [-1, 1], auxiliary outputs by name), and that a seed decides the weights without touching global seeds.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from components.games.contract import Spec
from components.nets.config import NetConfig
from components.nets.layers import ConvNorm, ResidualBlock, hexagon_cells, on_board, pool_board
from components.nets.reports import build_report

HEAD_SPREAD = 0.01  # standard deviation of last layers: an untrained net prefers no action and no side
NEXT_GENERATION_CLASSES = 3  # empty, the mover's, the opponent's

Outputs = tuple[Tensor, Tensor, dict[str, Tensor]]


class TowerNet(nn.Module):
    """Stem, blocks, heads. No weight depends on height or width.

    Auxiliary outputs: ownership [n, H, W] in [-1, 1] for the mover, margin [n] as a share of the board for the mover,
    next_generation [n, 3, H, W] logits of empty, mover's, opponent's.
    """

    def __init__(self, spec: Spec, config: NetConfig):
        super().__init__()
        self.config = config
        self.planes, self.policy_planes, self.policy_extras = spec.planes, spec.policy_planes, spec.policy_extras
        width = config.channels
        self.stem = ConvNorm(spec.planes, width, 3, hexagonal=config.hexagonal)
        self.blocks = nn.ModuleList(ResidualBlock(width, config.hexagonal, config.is_pooled(at)) for at in range(config.blocks))
        policy_width = config.policy_channels if spec.has_policy else 0
        self.policy_features = ConvNorm(width, policy_width, 1) if spec.has_policy else None
        self.value_features = ConvNorm(width, config.value_channels, 1)
        self.hidden = nn.Linear(2 * (policy_width + config.value_channels), config.value_hidden)
        self.policy_maps = small(nn.Conv2d(policy_width, spec.policy_planes, 1)) if spec.policy_planes else None
        self.extras = small(nn.Linear(config.value_hidden, spec.policy_extras)) if spec.policy_extras else None
        self.value = small(nn.Linear(config.value_hidden, 1))
        self.auxiliary = nn.ModuleDict({name: auxiliary_head(name, config) for name in config.auxiliary})

    @property
    def has_policy(self) -> bool:
        return self.policy_features is not None

    def residual_blocks(self) -> list[ResidualBlock]:
        return [block for block in self.blocks if isinstance(block, ResidualBlock)]

    def board(self, x: Tensor) -> tuple[Tensor | None, int]:
        """(mask of the board's cells or None for all, how many they are)."""
        if not self.config.hexagon_board:
            return None, x.shape[2] * x.shape[3]
        mask = hexagon_cells(x.shape[2], x.shape[3])
        return mask.to(x), int(mask.sum())

    def tower(self, planes: Tensor) -> Tensor:
        board, cells = self.board(planes)
        x = on_board(F.relu(self.stem(planes)), board)
        for block in self.blocks:
            x = block(x, board, cells)
        return x

    def forward(self, planes: Tensor) -> Outputs:
        x = self.tower(planes)
        board, cells = self.board(x)
        units = [unit for unit in (self.policy_features, self.value_features) if unit is not None]
        features = [on_board(F.relu(unit(x)), board) for unit in units]
        hidden = F.relu(self.hidden(pool_board(torch.cat(features, dim=1), cells)))
        pieces = [planes.new_zeros(len(planes), 0)]
        if self.policy_maps is not None:
            pieces.append(self.policy_maps(features[0]).flatten(1))
        if self.extras is not None:
            pieces.append(self.extras(hidden))
        value = torch.tanh(self.value(hidden)[:, 0])
        return torch.cat(pieces, dim=1), value, {name: self.look(name, x, hidden) for name in self.auxiliary}

    def look(self, name: str, x: Tensor, hidden: Tensor) -> Tensor:
        """One auxiliary output."""
        head = self.auxiliary[name]
        if name == "ownership":
            return torch.tanh(head(x)[:, 0])
        return head(hidden)[:, 0] if name == "margin" else head(x)


def small(layer: Any) -> Any:
    """A last layer that starts near zero."""
    nn.init.normal_(layer.weight, std=HEAD_SPREAD)
    nn.init.zeros_(layer.bias)
    return layer


def auxiliary_head(name: str, config: NetConfig) -> nn.Module:
    if name == "margin":
        return small(nn.Linear(config.value_hidden, 1))
    return small(nn.Conv2d(config.channels, NEXT_GENERATION_CLASSES if name == "next_generation" else 1, 1))


def build_model(spec: Spec, config: NetConfig, seed: int = 0) -> nn.Module:
    """A new net for a game, its weights decided by the seed alone; in training mode, on the CPU."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return build_report(spec, config) if config.is_report else TowerNet(spec, config)


def count_parameters(model: nn.Module) -> int:
    """Trainable numbers; the masked corners of hexagonal kernels count, as they do in the reports."""
    return sum(weights.numel() for weights in model.parameters())
