"""Nets on disk: one safetensors file with the weights, a card that says what they are for and, if measured, int8 ranges.

Called by training (save), evaluators and players (load). Promises: never pickle; files are born whole; equal weights and
cards give equal bytes; a net that does not fit the game at hand is refused with a sentence, before any weight is used.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from components.core.errors import BadFile, ZerolineError, first_line
from components.core.files import write_bytes
from components.games.contract import Game, Spec
from components.nets.config import NetConfig
from components.nets.model import build_model

FORMAT = 1
CARD_KEY = "zeroline"  # the only metadata entry: safetensors writes several in random order
WEIGHTS = "net."
RANGES = "int8."
REMAKE = "Delete it and make it again, or take another copy."


class IncompatibleCheckpoint(ZerolineError):
    """A sound checkpoint of another game, variant, rules version or board."""


class Card(BaseModel):
    """What a checkpoint is for and where it comes from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    game: str  # canonical name
    family: str
    variant: str
    knobs: dict[str, Any]
    knobs_digest: str
    rules_version: int
    plane_names: tuple[str, ...]
    height: int
    width: int
    policy_planes: int
    policy_extras: int
    net: NetConfig
    parameters_digest: str = ""  # SHA-256 of the weights; filled in by save_checkpoint
    parent: str | None = None  # parameters digest of the net that training started from
    generation: int | None = None
    note: str = ""
    int8_accepted: bool = False  # a match showed int8 not weaker than fp32


def make_card(game: Game, config: NetConfig, parent: str | None = None, generation: int | None = None, note: str = "") -> Card:
    """The card of a net for a game."""
    spec, knobs = game.spec, game.knobs.model_dump(mode="json")
    return Card(
        game=game.name,
        family=game.family,
        variant=game.variant,
        knobs=knobs,
        knobs_digest=knobs_digest(knobs),
        rules_version=spec.rules_version,
        plane_names=spec.plane_names,
        height=spec.height,
        width=spec.width,
        policy_planes=spec.policy_planes,
        policy_extras=spec.policy_extras,
        net=config,
        parent=parent,
        generation=generation,
        note=note,
    )


def knobs_digest(knobs: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(knobs, sort_keys=True).encode()).hexdigest()


def parameters_digest(model: nn.Module) -> str:
    """SHA-256 over names, shapes and bytes of all weights and statistics."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def save_checkpoint(path: Path | str, model: nn.Module, card: Card, ranges: Mapping[str, Tensor] | None = None) -> Card:
    """Write weights, card and int8 ranges (Calibration.tensors) as one file; returns the card with the digest filled in."""
    finished = card.model_copy(update={"parameters_digest": parameters_digest(model)})
    tensors = {f"{WEIGHTS}{name}": tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
    tensors |= {f"{RANGES}{name}": tensor.contiguous() for name, tensor in (ranges or {}).items()}
    metadata = {CARD_KEY: json.dumps(finished.model_dump(mode="json"), sort_keys=True)}
    write_bytes(Path(path), save(tensors, metadata))
    return finished


def load_checkpoint(path: Path | str, game: Game | None = None) -> tuple[nn.Module, Card]:
    """(net in evaluation mode, card). With a game, a net that was not trained for it is refused."""
    card, weights, _ = read_checkpoint(path)
    if game is not None:
        check_fits(path, card, game)
    model = build_model(spec_of(card) if game is None else game.spec, card.net)
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        raise BadFile(
            f"{path}: its weights do not have the shapes its card promises ({first_line(error, 2)}). {REMAKE}"
        ) from None
    if parameters_digest(model) != card.parameters_digest:
        raise BadFile(f"{path}: its weights are not the ones its card was written for (other SHA-256). {REMAKE}")
    return model.eval(), card


def load_ranges(path: Path | str) -> dict[str, Tensor]:
    """The int8 ranges in a checkpoint, for Calibration.of; empty if none were measured."""
    return read_checkpoint(path)[2]


def read_card(path: Path | str) -> Card:
    """Only the card, without reading the weights."""
    with open_safely(path) as opened:
        return card_in(path, opened.metadata())


def read_checkpoint(path: Path | str) -> tuple[Card, dict[str, Tensor], dict[str, Tensor]]:
    """(card, weights by name, int8 ranges by name); everything that is no checkpoint of ours is a sentence."""
    with open_safely(path) as opened:
        card = card_in(path, opened.metadata())
        try:
            tensors = {name: opened.get_tensor(name) for name in sorted(opened.keys())}
        except (SafetensorError, RuntimeError, OSError) as error:
            raise BadFile(f"{path} is damaged ({first_line(error)}). {REMAKE}") from None
    weights = {name.removeprefix(WEIGHTS): tensor for name, tensor in tensors.items() if name.startswith(WEIGHTS)}
    ranges = {name.removeprefix(RANGES): tensor for name, tensor in tensors.items() if name.startswith(RANGES)}
    return card, weights, ranges


def open_safely(path: Path | str) -> Any:
    try:
        return safe_open(str(path), framework="pt", device="cpu")
    except FileNotFoundError:
        raise BadFile(f"There is no checkpoint {path}. Name a .safetensors file that training wrote.") from None
    except (SafetensorError, OSError) as error:
        raise BadFile(f"{path} is not a whole safetensors file ({first_line(error)}). {REMAKE}") from None


def card_in(path: Path | str, metadata: Mapping[str, str] | None) -> Card:
    text = (metadata or {}).get(CARD_KEY)
    if text is None:
        raise BadFile(f"{path} is a safetensors file without our card: need one that Zeroline's training wrote.")
    try:
        values = json.loads(text)
        if isinstance(values, dict) and values.get("format") != FORMAT:
            raise BadFile(f"{path} has checkpoint format {values.get('format')}, need {FORMAT}. Use the version that wrote it.")
        return Card(**values)
    except (ValueError, TypeError, ValidationError) as error:
        raise BadFile(f"{path}: its card is damaged ({first_line(error, 2)}). {REMAKE}") from None


def check_fits(path: Path | str, card: Card, game: Game) -> None:
    """Refuse a net of another game, rules version, variant, encoding or, if its heads are fully connected, board."""
    check_rules(path, card, game)
    if (card.height, card.width) != (game.spec.height, game.spec.width) and not card.net.plays_every_size:
        refuse(
            path,
            f"{card.game}, and {card.net.architecture} plays one board size only",
            game.name,
            "Train a tower for other sizes.",
        )


def check_rules(path: Path | str, card: Card, game: Game) -> None:
    """Refuse a net of another game, rules version, variant or encoding, whatever the board."""
    spec = game.spec
    if card.family != game.family:
        refuse(path, card.game, game.name, f"Name a checkpoint of {game.family}.")
    if card.rules_version != spec.rules_version:
        have, need = (
            f"{name} rules {version}" for name, version in ((card.game, card.rules_version), (game.name, spec.rules_version))
        )
        refuse(path, have, need, "Retrain or check out the matching commit.")
    knobs = game.knobs.model_dump(mode="json")
    # A knob younger than the net was at its default: by contract that leaves the rules as they were.
    trained = {**type(game.knobs)().model_dump(mode="json"), **card.knobs}
    if knobs_digest(trained) != knobs_digest(knobs):
        refuse(
            path,
            f"{card.game} ({differences(trained, knobs)})",
            game.name,
            f"Play {card.game}, retrain, or transfer its tower.",
        )
    if card.plane_names != spec.plane_names or layout(card) != layout(spec):
        have, need = (f"{len(planes)} planes and actions {actions}" for planes, actions in (
            (card.plane_names, layout(card)), (spec.plane_names, layout(spec))))  # fmt: skip
        refuse(path, f"{card.game} with {have}", need, "Retrain or check out the matching commit.")


def refuse(path: Path | str, have: str, need: str, advice: str) -> None:
    raise IncompatibleCheckpoint(f"{path} was trained for {have}; this is {need}. {advice}")


def differences(have: Mapping[str, Any], need: Mapping[str, Any]) -> str:
    names = sorted({*have, *need})
    return ", ".join(f"{name}={have.get(name)}, here {need.get(name)}" for name in names if have.get(name) != need.get(name))


def layout(shape: Card | Spec) -> str:
    return f"{shape.policy_planes} per cell + {shape.policy_extras}"


def spec_of(card: Card) -> Spec:
    """As much of a spec as shapes a net; the game itself is not needed to open its checkpoint."""
    cells = card.height * card.width
    return Spec(
        rules_version=card.rules_version, height=card.height, width=card.width, plane_names=card.plane_names,
        policy_planes=card.policy_planes, policy_extras=card.policy_extras,
        max_legal=max(1, card.policy_planes * cells + card.policy_extras), max_plies=1, draws=0,
        cell_maps=np.arange(cells, dtype=np.int32)[None],
    )  # fmt: skip


def transfer_tower(source: Path | str, spec: Spec, config: NetConfig, seed: int = 0) -> tuple[nn.Module, str]:
    """(a new net for a game, what it took over): every weight of the source that has its place and shape in the new net.

    Another board size takes everything; other planes leave out the stem; another depth or width takes what is left.
    """
    _, weights, _ = read_checkpoint(source)
    model = build_model(spec, config, seed)
    own = model.state_dict()
    taken = {name: tensor for name, tensor in weights.items() if name in own and own[name].shape == tensor.shape}
    model.load_state_dict({**own, **taken})
    return model, transfer_report(source, list(own), set(taken))


def transfer_report(source: Path | str, names: list[str], taken: set[str]) -> str:
    missing = sorted({part_of(name) for name in names if name not in taken})
    rest = f"; new from the start: {', '.join(missing)}" if missing else ""
    return f"Took {len(taken)} of {len(names)} tensors from {source}{rest}."


def part_of(name: str) -> str:
    """blocks.3.first.weight -> blocks.3, policy_maps.bias -> policy_maps."""
    pieces = name.split(".")
    return ".".join(pieces[:2]) if pieces[0] in ("blocks", "auxiliary") else pieces[0]


def record_int8(source: Path | str, target: Path | str, ranges: Mapping[str, Tensor], accepted: bool) -> Card:
    """Write a checkpoint again with int8 ranges and the verdict of the match against fp32; weights and digest stay."""
    model, card = load_checkpoint(source)
    return save_checkpoint(target, model, card.model_copy(update={"int8_accepted": accepted}), ranges)
