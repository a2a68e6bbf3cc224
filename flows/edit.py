"""Edit params.yaml and keep its comments: `zeroline add PRESET [--scale S]`, `zeroline extend EXPERIMENT --to N`.

The file is checked as a whole before it is written, and written whole: a wrong edit leaves the old file as it was.
"""

import io
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from components.config import PARAMS_FILE, START, load_params, parse_params, source_of
from components.core.errors import BadFile, BadParameter, UnknownName, first_line
from components.core.files import write_text

PRESETS = Path(__file__).parent / "presets"
FIRST_GENERATIONS = 3  # what a preset starts with when neither it nor the user says
MOST_GENERATIONS = 9999
GENERATIONS = "generations"  # a preset's own key for that; it is no part of the experiment
# What --scale shrinks: how much is played, kept and learned. Search, net, gate and epochs are the method and stay as they are.
SCALED = (("selfplay", "games"), ("window", "max_rows"), ("train", "steps"), ("tournament", "pairs"))


def round_trip() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True  # a player such as 'uct:sims=100' is no plain scalar to every reader
    yaml.width = 200
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def preset_names() -> list[str]:
    """Every preset: papers/... are the reports' own settings."""
    return sorted(str(path.relative_to(PRESETS).with_suffix("")) for path in PRESETS.rglob("*.yaml"))


def experiment_name(preset: str) -> str:
    """An experiment's name is part of file and stage names: no slash."""
    return preset.replace("/", "-")


def load_preset(name: str) -> CommentedMap:
    """A preset's block, as it stands in params.yaml once it is added."""
    content = read_preset(name)
    content.pop(GENERATIONS, None)
    return content


def read_preset(name: str) -> CommentedMap:
    if name not in preset_names():
        raise UnknownName(f"There is no preset '{name}'; the presets are {', '.join(preset_names())}.")
    content: CommentedMap = round_trip().load((PRESETS / f"{name}.yaml").read_text(encoding="utf-8"))
    return content


def preset_generations(name: str) -> int:
    """How many generations a preset begins with: none where nothing is learned."""
    return int(read_preset(name).get(GENERATIONS, FIRST_GENERATIONS))


def find_experiment(root: Path, name: str) -> str:
    """An experiment of params.yaml, or a preset, which is added."""
    params = load_params(root)
    if experiment_name(name) in params.experiments:
        return experiment_name(name)
    if name not in preset_names():
        params.experiment(name)  # says what there is
    return add_preset(root, name)


def add_preset(root: Path, preset: str, generations: int | None = None, scale: float = 1.0) -> str:
    """Add a preset's block, shrunk by `scale`, and its first generations; returns the experiment's name.

    A preset that starts from another preset's champion brings that one along.
    """
    content = load_file(root)
    name = experiment_name(preset)
    if name in content["experiments"]:
        raise BadParameter(f"{PARAMS_FILE} has the experiment '{name}' already; 'zeroline extend {name} --to N' lengthens it.")
    add_block(content, preset, preset_generations(preset) if generations is None else generations, scale)
    save(root, content)
    return name


def add_block(content: Any, preset: str, generations: int, scale: float) -> None:
    name, block = experiment_name(preset), shrunk(load_preset(preset), scale)
    source = source_of(block["start"])
    presets = {experiment_name(one): one for one in preset_names()}
    if source and source[0] in presets and source[0] not in content["experiments"]:
        add_block(content, presets[source[0]], preset_generations(presets[source[0]]), scale)
    content["experiments"][name] = block
    if generations:
        append_generations(content, name, generations)


def shrunk(block: CommentedMap, scale: float) -> CommentedMap:
    """The block with its SCALED numbers already multiplied: the file shows what is run, and `scale` that it was shrunk."""
    if not 0 < scale <= 1:
        raise BadParameter(f"Found --scale {scale:g}; need a number above 0, at most 1.")
    if scale == 1:
        return block
    for section, number in SCALED:
        if number in block.get(section, {}):
            block[section][number] = max(1, round(scale * block[section][number]))
    selfplay = block["selfplay"]
    if "shards" in selfplay:
        selfplay["shards"] = min(selfplay["shards"], selfplay["games"])  # a shard without a game is none
    block.insert(list(block).index("seed") + 1, "scale", scale)
    return block


def extend(root: Path, experiment: str, to: int) -> list[str]:
    """Lengthen an experiment's main line to generation `to`; returns the new entries."""
    content = load_file(root)
    if experiment not in content["experiments"]:
        raise UnknownName(f"There is no experiment '{experiment}' in {PARAMS_FILE}; it has {', '.join(content['experiments'])}.")
    added = append_generations(content, experiment, to)
    if not added:
        raise BadParameter(f"{experiment} has generation {label(to)} already; name a higher one with --to.")
    save(root, content)
    return added


def append_generations(content: Any, experiment: str, to: int) -> list[str]:
    if not 1 <= to <= MOST_GENERATIONS:
        raise BadParameter(f"Found generation {to}; need a number from 1 to {MOST_GENERATIONS}.")
    added = []
    for number in range(1, to + 1):
        key = f"{experiment}-{label(number)}"
        if key in content["generations"]:
            continue
        entry = CommentedMap(
            experiment=experiment,
            family=content["experiments"][experiment]["family"],
            generation=label(number),
            parent=label(number - 1) if number > 1 else START,
        )
        entry.fa.set_flow_style()
        content["generations"][key] = entry
        added.append(key)
    return added


def label(number: int) -> str:
    return f"g{number:02d}"


def load_file(root: Path) -> Any:
    load_params(root)  # whatever is wrong with the file is told before it is edited
    path = root / PARAMS_FILE
    try:
        return round_trip().load(path.read_text(encoding="utf-8"))
    except YAMLError as error:  # stricter than the reader of the stages, as DVC is: a key may stand there once only
        problem = getattr(error, "problem", None) or first_line(error)
        raise BadFile(f"{path} cannot be edited: {problem}. Mend it and run the same command again.") from None


def save(root: Path, content: Any) -> None:
    parse_params(plain(content), PARAMS_FILE)
    text = io.StringIO()
    round_trip().dump(content, text)
    write_text(root / PARAMS_FILE, text.getvalue())


def plain(value: Any) -> Any:
    """The same content without ruamel's own types."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    # Its numbers and texts remember how they were written; a bool is an int to Python and stays what it is.
    own = next((kind for kind in (bool, int, float, str) if isinstance(value, kind)), None)
    return own(value) if own else value
