"""The four reports' nets, layer by layer, fully connected heads included. Each plays one board size.

Built by model.py for `architecture: report-*`. Promises the printed layers and parameter counts; where a report's code and
text differ, the text is built and the difference is noted at the class.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from components.core.errors import BadParameter
from components.games.contract import Spec
from components.nets.config import NetConfig
from components.nets.layers import ConvNorm, ResidualBlock

Outputs = tuple[Tensor, Tensor, dict[str, Tensor]]


class ResidualReportNet(nn.Module):
    """What three of the reports share: stem, residual blocks, a flattened policy head and a flattened value head."""

    def __init__(self, spec: Spec, channels: int, blocks: int, head_kernel: int, value_hidden: int, unused_actions: int):
        super().__init__()
        self.has_policy = spec.has_policy
        self.actions = spec.actions
        self.stem = ConvNorm(spec.planes, channels, 3)
        self.blocks = nn.ModuleList(ResidualBlock(channels) for _ in range(blocks))
        self.policy_features = ConvNorm(channels, 2, head_kernel)
        self.policy = nn.Linear(2 * spec.cells, spec.actions + unused_actions)
        self.value_features: nn.Module = ConvNorm(channels, 1, head_kernel)
        self.hidden = nn.Linear(spec.cells, value_hidden)
        self.value = nn.Linear(value_hidden, 1)

    def forward(self, planes: Tensor) -> Outputs:
        x = F.relu(self.stem(planes))
        for block in self.blocks:
            x = block(x)
        # A report's resign output exists for the shape's sake: our games have no such action.
        logits = self.policy(F.relu(self.policy_features(x)).flatten(1))[:, : self.actions]
        hidden = F.relu(self.hidden(F.relu(self.value_features(x)).flatten(1)))
        return logits, torch.tanh(self.value(hidden)[:, 0]), {}


class RectifiedBeforeNorm(nn.Module):
    """Convolution, ReLU, then batch norm: the order of the 9x9 report's value head."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 1)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(F.relu(self.conv(x)))


class GoReport9x9(ResidualReportNet):
    """9 blocks of 32 filters (the report's Table 5 draws 1+7+1), batch norm of the policy head without scale and centre."""

    def __init__(self, spec: Spec):
        super().__init__(spec, channels=32, blocks=9, head_kernel=1, value_hidden=128, unused_actions=1)
        self.policy_features = ConvNorm(32, 2, 1, affine=False)
        self.value_features = RectifiedBeforeNorm(32, 1)


class GoReport13x13(ResidualReportNet):
    """10 blocks of 256 filters; the heads' convolutions are 3x3 as in the listing."""

    def __init__(self, spec: Spec):
        super().__init__(spec, channels=256, blocks=10, head_kernel=3, value_hidden=256, unused_actions=1)


class GoladReport(ResidualReportNet):
    """First convolution and 3 blocks of 256 filters as printed; the report's code built 2 blocks."""

    def __init__(self, spec: Spec):
        super().__init__(spec, channels=256, blocks=3, head_kernel=1, value_hidden=256, unused_actions=0)


class OrganismReport(nn.Module):
    """Four hexagonal convolutions of 512 filters (sides N, N, N-2, N-4), then 1024 and 512 units; a value, no policy.

    Batch norm and ReLU after every layer but the last; cells off the board are not masked again, as in the report.
    """

    DROPOUT = 0.3

    def __init__(self, spec: Spec):
        super().__init__()
        self.has_policy = False
        sides = [spec.planes, 512, 512, 512, 512]
        self.convolutions = nn.ModuleList(
            ConvNorm(sides[layer], sides[layer + 1], 3, padded=layer < 2, hexagonal=True) for layer in range(4)
        )
        flat = 512 * (spec.height - 4) * (spec.width - 4)
        self.dense = nn.ModuleList([nn.Linear(flat, 1024), nn.Linear(1024, 512)])
        self.norms = nn.ModuleList([nn.BatchNorm1d(1024), nn.BatchNorm1d(512)])
        self.value = nn.Linear(512, 1)

    def forward(self, planes: Tensor) -> Outputs:
        x = planes
        for convolution in self.convolutions:
            x = F.relu(convolution(x))
        x = x.flatten(1)
        for dense, norm in zip(self.dense, self.norms, strict=True):
            x = F.dropout(F.relu(norm(dense(x))), self.DROPOUT, self.training)
        return planes.new_zeros(len(planes), 0), torch.tanh(self.value(x)[:, 0]), {}


REPORTS = {
    "report-go-9x9": GoReport9x9,
    "report-go-13x13": GoReport13x13,
    "report-golad": GoladReport,
    "report-organism": OrganismReport,
}


def build_report(spec: Spec, config: NetConfig) -> nn.Module:
    """The net of a report for a game's planes, board and actions."""
    if config.architecture == "report-organism" and min(spec.height, spec.width) < 5:
        raise BadParameter(f"report-organism needs a board of at least 5x5, this is {spec.width}x{spec.height}. Choose tower.")
    if config.architecture != "report-organism" and not spec.has_policy:
        raise BadParameter(f"{config.architecture} has a policy head, and this game has no fixed actions. Choose tower.")
    return REPORTS[config.architecture](spec)
