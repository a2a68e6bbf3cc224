"""Batched inference: states in, logits and values out, at the fastest precision that is safe.

Called by search, players and self-play through `evaluate`. The one place that decides threads, device and precision. Promises
that a row never depends on its neighbours; on x86 CPUs a tower does not even depend on the size of the batch (else: pad_to).
"""

import platform
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from components.core.errors import BadParameter
from components.core.memory import keep_freed_memory
from components.games.contract import Game, States
from components.nets.checkpoint import Card, load_checkpoint, load_ranges
from components.nets.fused import FusedTower, PlainNet
from components.nets.model import TowerNet
from components.nets.quantize import WEIGHT_LEVELS, Calibration, QuantizedTower, calibrate

Precision = Literal["fp32", "bf16", "int8"]
PRECISIONS = ("auto", "fp32", "bf16", "int8")
Net = Callable[[Tensor], tuple[Tensor, Tensor]]
Judgement = tuple[NDArray[np.float32], NDArray[np.float32]]
PROBE_TOLERANCE = 1e-3  # of a fused float32 net against the plain one: far above rounding, far below any wrong weight


def set_threads(threads: int) -> None:
    """How many cores torch may use in this process. One per worker is best: see the benchmark of search."""
    if threads < 1:
        raise BadParameter(f"threads is {threads}; need at least 1.")
    torch.set_num_threads(threads)


def choose_device(requested: str) -> torch.device:
    """auto: CUDA, else Apple's MPS, else the CPU."""
    if requested != "auto":
        try:
            return torch.device(requested)
        except RuntimeError:
            raise BadParameter(f"There is no device '{requested}'; write auto, cpu, cuda or mps.") from None
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def has_bf16(device: torch.device) -> bool:
    """Whether bfloat16 is computed by the hardware, so that it is fast."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    return device.type == "cpu" and has_onednn() and torch.ops.mkldnn._is_mkldnn_bf16_supported()


def has_onednn() -> bool:
    return torch.backends.mkldnn.is_available() and platform.machine() in ("x86_64", "AMD64")


def choose_precision(requested: str, device: torch.device, is_tower: bool = True, int8_passed: bool = False) -> Precision:
    """The precision to play with. auto: int8 if it passed its match and its ranges are known, else bf16 if fast, else fp32."""
    if requested not in PRECISIONS:
        raise BadParameter(f"There is no precision '{requested}'; write one of {', '.join(PRECISIONS)}.")
    int8_possible = device.type == "cpu" and has_onednn() and is_tower
    if requested == "int8" and not int8_possible:
        have = f"this machine plays nets on {device.type} ({platform.machine()})" if is_tower else "this net is a report's"
        raise BadParameter(f"int8 needs a tower net on an x86 CPU, {have}. Write precision auto.")
    if requested == "auto":
        return "int8" if int8_possible and int8_passed else "bf16" if has_bf16(device) else "fp32"
    return requested  # type: ignore[return-value]


def fast_net(model: nn.Module, dtype: torch.dtype, device: torch.device, shape: tuple[int, int, int]) -> Net:
    """The fused tower where it exists and agrees with the plain net, else the plain net."""
    plain = PlainNet(model, dtype, device)
    if device.type != "cpu" or not has_onednn() or not isinstance(model, TowerNet):
        return plain
    # The fused operations are torch's own but not its public interface: another version may lack or change them.
    try:
        with torch.inference_mode():
            probe = torch.arange(2 * model.planes * shape[1] * shape[2]).remainder(3).reshape(2, -1, *shape[1:]) / 2
            pairs = zip(
                FusedTower(model, torch.float32, shape)(probe), PlainNet(model, torch.float32, device)(probe), strict=True
            )
            agrees = all(torch.allclose(fused, exact, atol=PROBE_TOLERANCE, rtol=PROBE_TOLERANCE) for fused, exact in pairs)
            return FusedTower(model, dtype, shape) if agrees else plain
    except (AttributeError, RuntimeError, TypeError):
        return plain


class NetEvaluator:
    """A net that judges positions of one game.

    precision: auto, fp32, bf16 or int8 (which needs ranges: from the checkpoint, or by `calibrate`).
    pad_to: fill every batch up to a multiple of this many rows, for hardware whose answers depend on the batch's size.
    """

    def __init__(
        self,
        net: nn.Module | Path | str,
        game: Game,
        precision: str = "auto",
        threads: int = 1,
        max_batch: int = 256,
        device: str = "auto",
        pad_to: int = 1,
    ):
        set_threads(threads)
        keep_freed_memory()
        self.game, self.max_batch, self.pad_to = game, max_batch, pad_to
        self.card: Card | None = None
        self.calibration: Calibration | None = None
        if isinstance(net, nn.Module):
            self.model = net
        else:
            self.model, self.card = load_checkpoint(net, game)
            self.calibration = Calibration.of(load_ranges(net))
        self.outputs = game.spec.actions if getattr(self.model, "has_policy", True) else 0
        self.device = choose_device(device)
        self.precision = choose_precision(precision, self.device, isinstance(self.model, TowerNet), self.int8_passed)
        rows = max_batch + -max_batch % pad_to
        self.planes = torch.zeros(rows, game.spec.planes, game.spec.height, game.spec.width)
        self.net: Net | None = None
        self.refresh()

    @property
    def int8_passed(self) -> bool:
        """Whether a match showed int8 not weaker here: not on another board, nor with finer weights than this machine's."""
        if self.card is None or self.calibration is None or self.calibration.weight_levels > WEIGHT_LEVELS:
            return False
        is_own_board = (self.card.height, self.card.width) == (self.game.spec.height, self.game.spec.width)
        return is_own_board and self.card.int8_accepted

    def refresh(self) -> None:
        """Take over the model's weights as they are now."""
        shape = (self.max_batch, self.game.spec.height, self.game.spec.width)
        if self.precision != "int8":
            dtype = torch.bfloat16 if self.precision == "bf16" else torch.float32
            self.net = fast_net(self.model, dtype, self.device, shape)
        elif self.calibration is not None:
            assert isinstance(self.model, TowerNet)
            self.net = QuantizedTower(self.model, self.calibration, shape)

    def calibrate(self, planes: NDArray[np.float32]) -> Calibration:
        """Measure int8 ranges on planes [n, C, H, W] of real positions; an int8 evaluator plays with them from now on."""
        if not isinstance(self.model, TowerNet):
            raise BadParameter("int8 ranges are for tower nets; a report's net plays in fp32 or bf16.")
        self.calibration = calibrate(self.model, torch.from_numpy(planes))
        self.refresh()
        return self.calibration

    def evaluate(self, states: States, rows: NDArray[np.int64], streams: NDArray[np.uint64] | None = None) -> Judgement:
        """(logits [n, actions], value for each mover [n]) of states[rows]. Draws nothing: streams are left alone.

        A net without a policy gives every action the logit 0.
        """

        def fill(batch: slice, buffer: NDArray[np.float32]) -> None:
            self.game.kernels.encode_many(self.game.rules, states, rows[batch], buffer)

        logits, values = self._run_batches(len(rows), fill)
        return logits if self.outputs else np.zeros((len(rows), self.game.spec.actions), dtype=np.float32), values

    def evaluate_planes(self, planes: NDArray[np.float32]) -> Judgement:
        """(logits [n, actions], or [n, 0] without a policy, and values [n]) of planes [n, C, H, W]."""

        def fill(batch: slice, buffer: NDArray[np.float32]) -> None:
            buffer[:] = planes[batch]

        return self._run_batches(len(planes), fill)

    def _run_batches(self, count: int, fill: Callable[[slice, NDArray[np.float32]], None]) -> Judgement:
        """The net on count rows that fill writes into the buffer, a slice of them at a time."""
        answers = []
        for start in range(0, count, self.max_batch):
            batch = slice(start, min(start + self.max_batch, count))
            fill(batch, self.planes.numpy()[: batch.stop - start])
            answers.append(self.run(batch.stop - start))
        if len(answers) == 1:  # the usual case, which a search must not pay a copy for
            return answers[0]
        answers.append((np.zeros((0, self.outputs), dtype=np.float32), np.zeros(0, dtype=np.float32)))  # there may be none
        return np.concatenate([logits for logits, _ in answers]), np.concatenate([values for _, values in answers])

    def run(self, count: int) -> Judgement:
        """The net on the first count rows of the buffer."""
        if self.net is None:
            raise BadParameter(
                "int8 needs ranges and this net has none. 'zeroline quantize NET --game GAME' measures them;"
                " precision auto does without."
            )
        padded = count + -count % self.pad_to
        self.planes[count:padded] = 0.0
        with torch.inference_mode():
            logits, values = self.net(self.planes[:padded])
        return logits[:count].numpy(), values[:count].numpy()
