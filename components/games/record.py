"""One game told in words: the drawn game of `play` and the golden playthroughs of the contract tests."""

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np

from components.core.seeds import stream_of
from components.games.contract import Game, Player, State
from components.games.players import RandomPlayer

PLAYTHROUGH_SEED = 1
PLAYTHROUGH_PLIES_DRAWN = 12  # the rest of a long game is told by its actions alone


def play_game(game: Game, players: Sequence[Player], names: Sequence[str], seed: int, is_drawn: bool) -> Iterator[str]:
    """Play one game and tell it line by line, ending with the result."""
    state = game.start(seed)
    stream = np.array([stream_of(seed, 1)], dtype=np.uint64)
    if is_drawn:
        yield game.text.draw(game, state)
    while game.returns(state) is None:
        mover = int(state.mover)
        action = int(players[mover].choose(game, one_row(game, state), stream)[0])
        yield f"{int(state.ply) + 1}. {names[mover]} (player {mover + 1}): {game.text.action_name(game, state, action)}"
        state = game.after(state, action)
        if is_drawn:
            yield game.text.draw(game, state)
    yield result_line(game, state, names)


def one_row(game: Game, state: State) -> np.ndarray:
    rows = game.new_states(1)
    rows[0] = state
    return rows


def result_line(game: Game, state: State, names: Sequence[str]) -> str:
    returns = game.returns(state)
    assert returns is not None
    plies = int(state.ply)
    if returns[0] == returns[1]:
        return f"Draw after {plies} plies."
    winner = int(np.argmax(returns))
    return f"{names[winner]} (player {winner + 1}) wins after {plies} plies."


def playthrough(game: Game) -> str:
    """A whole random game as text: every position's drawing at first, legal actions, planes digest, then the result."""
    lines = [
        f"game: {game.name}",
        f"rules_version: {game.spec.rules_version}",
        f"state_bytes: {game.state_dtype.itemsize}",
    ]
    state = game.start(PLAYTHROUGH_SEED)
    stream = np.array([stream_of(PLAYTHROUGH_SEED, 1)], dtype=np.uint64)
    while game.returns(state) is None:
        legal = game.legal(state)
        if state.ply < PLAYTHROUGH_PLIES_DRAWN:
            lines += ["", game.text.draw(game, state)]
        action = int(RandomPlayer().choose(game, one_row(game, state), stream)[0])
        digest = hashlib.sha256(game.encode(state).tobytes()).hexdigest()[:12]
        name = game.text.action_name(game, state, action)
        lines.append(f"ply {int(state.ply)} mover {int(state.mover)} legal {len(legal)} planes {digest} -> {action} {name}")
        state = game.after(state, action)
    lines += ["", game.text.draw(game, state), f"returns: {[float(value) for value in game.returns(state)]}"]  # type: ignore[union-attr]
    return "\n".join(lines) + "\n"
