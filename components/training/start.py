"""The net that training starts from: the parent's, a new one, or one transferred from another size.

Called by trainer.py, and by whoever needs a line's first net before any training. Promises that a seed decides new weights.
"""

from dataclasses import dataclass
from pathlib import Path

from torch import nn

from components.core.errors import BadParameter
from components.core.files import file_digest
from components.core.seeds import stream_of
from components.games.contract import Game
from components.nets.checkpoint import load_checkpoint, transfer_tower
from components.nets.config import NetConfig
from components.nets.model import build_model
from components.training.config import NEW

FIRST_WEIGHTS = 3  # what the random stream is for


@dataclass(frozen=True)
class Start:
    """A net before its first step."""

    model: nn.Module
    note: str  # where it is from, for the checkpoint's card
    parent: Path | None = None  # the checkpoint that it continues
    digest: str | None = None  # of that checkpoint's weights


def first_net(game: Game, net: NetConfig, start: str, seed: int) -> Start:
    """The net that a line begins with: new weights, or transferred ones if `start` is the path of a checkpoint."""
    own_seed = stream_of(seed, FIRST_WEIGHTS)
    if start in (NEW, "parent", "scratch"):
        return Start(build_model(game.spec, net, own_seed), "new weights")
    return Start(*transfer_tower(start, game.spec, net, own_seed))


def starting_net(game: Game, net: NetConfig, start: str, parent: Path | None, seed: int) -> Start:
    """The parent's net, unless there is none yet or `start` is scratch. So a transfer happens once in a line."""
    if parent is None or start == "scratch":
        return first_net(game, net, start, seed)
    model, card = load_checkpoint(parent, game)
    if card.net != net:
        raise BadParameter(
            f"{parent} has the net {card.net.model_dump(exclude_defaults=True)}, the parameters ask for"
            f" {net.model_dump(exclude_defaults=True)}. Begin a new experiment with start: {parent}, or with start: scratch."
        )
    return Start(model, "the parent's weights", parent, card.parameters_digest)


def source_digests(start: str, parent: Path | None, optimizer: Path | None) -> dict[str, str]:
    """Digests of every file that the first weights and moments come from."""
    sources = [path for path in (parent, optimizer) if path]
    if start not in ("parent", "scratch"):
        sources.append(Path(start))
    return {str(index): file_digest(path) for index, path in enumerate(sources) if path.exists()}
