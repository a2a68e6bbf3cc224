"""What a served net answers: a position in, the policy over its legal actions and the value for its mover out. No MLflow here.

Called by served.py inside `mlflow models serve`. A request is untrusted: what is no position is refused with a sentence before
any kernel reads it.
"""

import base64
import binascii
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.core.errors import BadFile, ZerolineError
from components.games.contract import PLAYERS, Game, State
from components.games.registry import make

HEX = re.compile(r"[0-9a-fA-F]+")


class NetAnswers:
    """A net and its game, ready to judge positions."""

    def __init__(self, net: Path | str, prior_temperature: float) -> None:
        from components.nets.checkpoint import read_card
        from components.nets.evaluator import NetEvaluator
        from components.search.value_only import ValueOnlyEvaluator

        self.game = make(read_card(net).game)
        values = NetEvaluator(net, self.game, precision="fp32", device="cpu")
        # A net without a policy head judges the successors: the policy that its search starts from.
        self.evaluator: Any = values if values.outputs else ValueOnlyEvaluator(self.game, values, prior_temperature)

    def answer(self, texts: Sequence[str]) -> list[tuple[str, float]]:
        """(policy as JSON: action name -> probability, value for the mover) of each position, the most probable action first."""
        states = self.game.new_states(len(texts))
        for row, text in enumerate(texts):
            states[row] = read_state(text, self.game)
        results = [self.game.returns(state) for state in states]
        going_on = np.array([row for row, result in enumerate(results) if result is None], dtype=np.int64)
        answers = {row: ("{}", float(result[states[row].mover])) for row, result in enumerate(results) if result is not None}
        if len(going_on):
            logits, values = self.evaluator.evaluate(states, going_on, np.zeros(len(states), dtype=np.uint64))
            for place, row in enumerate(going_on):
                answers[int(row)] = (self.policy(states[row], logits[place]), float(values[place]))
        return [answers[row] for row in range(len(texts))]

    def policy(self, state: State, logits: NDArray[np.float32]) -> str:
        legal = self.game.legal(state)
        weights = np.exp(logits[legal].astype(np.float64) - logits[legal].max())
        shares = weights / weights.sum()
        order = np.argsort(-shares, kind="stable")
        return json.dumps({self.game.text.action_name(self.game, state, int(legal[i])): float(shares[i]) for i in order})


def read_state(text: str, game: Game) -> State:
    """A position from its drawing, or from the bytes of a shard's `state` column as hex or base64."""
    content = state_bytes(text.strip(), game.state_dtype.itemsize)
    if content is None:
        return game.text.parse(game, text)
    states = game.new_states(1)
    states[:] = np.frombuffer(content, dtype=game.state_dtype)
    refuse_nonsense(states[0], game)
    return states[0]


def state_bytes(text: str, size: int) -> bytes | None:
    """The bytes that a text spells, if they are as many as a state has."""
    if len(text) == 2 * size and HEX.fullmatch(text):
        return bytes.fromhex(text)
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return content if len(content) == size else None


def refuse_nonsense(state: State, game: Game) -> None:
    """Refuse bytes that are no position: kernels check no bounds, so the drawing, which does, has to come out and go in again."""
    try:
        is_sound = 0 <= state.mover < PLAYERS and 0 <= state.ply <= game.spec.max_plies
        if is_sound:
            game.text.parse(game, game.text.draw(game, state))
    except (ZerolineError, IndexError, ValueError, KeyError):
        is_sound = False
    if not is_sound:
        raise BadFile(f"These bytes are no position of {game.name}. Send a shard's state column as hex or base64, or a drawing.")
