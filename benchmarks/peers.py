"""Other people's searches at the same net shape and number of simulations, for benchmarks/search.py. Needs the extra `bench`."""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn

SIMULATIONS = 100


def openspiel_with_net(model: nn.Module, planes: int) -> Callable[[], int]:
    """OpenSpiel's Python AlphaZero search on Go 9x9: one position per call of the net, plain torch, one thread."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    class Net:
        def __init__(self) -> None:
            self.planes = torch.zeros(1, planes, 9, 9)

        def ask(self, state: "pyspiel.State") -> tuple[np.ndarray, float]:
            board = np.asarray(state.observation_tensor(), dtype=np.float32).reshape(-1, 9, 9)
            self.planes[0, : len(board)] = torch.from_numpy(board)
            with torch.inference_mode():
                logits, value, _ = model(self.planes)
            return logits[0].numpy(), float(value[0])

    game = pyspiel.load_game("go", {"board_size": 9})
    bot = mcts.MCTSBot(
        game, 1.25, SIMULATIONS, CachedEvaluator(Net()), solve=False, child_selection_fn=mcts.SearchNode.puct_value
    )

    def work() -> int:
        bot.mcts_search(game.new_initial_state())
        return SIMULATIONS

    return work


class CachedEvaluator:
    """As OpenSpiel's own AlphaZero evaluator: value and prior of a position cost one call of the net."""

    def __init__(self, inner) -> None:
        self.inner, self.key, self.answer = inner, None, None

    def remember(self, state) -> None:
        key = (state.history_str(), state.current_player())
        if key != self.key:
            self.key, self.answer = key, self.inner.ask(state)

    def evaluate(self, state):
        self.remember(state)
        value = self.answer[1] if state.current_player() == 0 else -self.answer[1]
        return [value, -value]

    def prior(self, state):
        self.remember(state)
        legal, logits = state.legal_actions(), self.answer[0]
        shares = np.exp(logits[legal] - logits[legal].max())
        return list(zip(legal, shares / shares.sum(), strict=True))


def pgx_with_mctx(blocks: int, channels: int, games: int) -> Callable[[], int]:
    """pgx rules and mctx's Gumbel search, compiled by XLA for the CPU, with a residual net of the same shape."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env = pgx.make("go_9x9")
    keys = iter(jax.random.split(jax.random.PRNGKey(0), 2 * blocks + 8))

    def kernel(size: int, inputs: int, outputs: int) -> jax.Array:
        return jax.random.normal(next(keys), (size, size, inputs, outputs)) * (2 / (size * size * inputs)) ** 0.5

    weights = {
        "stem": kernel(3, 17, channels),
        "blocks": [(kernel(3, channels, channels), kernel(3, channels, channels)) for _ in range(blocks)],
        "policy": kernel(1, channels, 2),
        "actions": jax.random.normal(next(keys), (162, 82)) * 0.05,
        "value": kernel(1, channels, 1),
        "hidden": jax.random.normal(next(keys), (81, 64)) * 0.1,
        "out": jax.random.normal(next(keys), (64, 1)) * 0.1,
    }

    def convolve(x: jax.Array, w: jax.Array) -> jax.Array:
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def net(w, x):
        x = jax.nn.relu(convolve(x.astype(jnp.float32), w["stem"]))
        for first, second in w["blocks"]:
            x = jax.nn.relu(x + convolve(jax.nn.relu(convolve(x, first)), second))
        logits = jax.nn.relu(convolve(x, w["policy"])).reshape(len(x), -1) @ w["actions"]
        value = jax.nn.relu(convolve(x, w["value"]).reshape(len(x), -1) @ w["hidden"]) @ w["out"]
        return logits, jnp.tanh(value[:, 0])

    def step(w, key, action, state):
        mover = state.current_player
        state = jax.vmap(env.step)(state, action)
        logits, value = net(w, state.observation)
        logits = jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
        reward = state.rewards[jnp.arange(games), mover]
        value = jnp.where(state.terminated, 0.0, value)
        discount = jnp.where(state.terminated, 0.0, -1.0)
        return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value), state

    @jax.jit
    def search(w, key, state):
        logits, value = net(w, state.observation)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        return mctx.gumbel_muzero_policy(
            params=w, rng_key=key, root=root, recurrent_fn=step, num_simulations=SIMULATIONS,
            invalid_actions=~state.legal_action_mask, max_num_considered_actions=16,
        ).action  # fmt: skip

    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), games))

    def work() -> int:
        search(weights, jax.random.PRNGKey(2), start).block_until_ready()
        return games * SIMULATIONS

    return work


def pyspiel_uct() -> Callable[[], int]:
    """pyspiel's C++ search on Go 9x9 with one random rollout per simulation."""
    import pyspiel

    game = pyspiel.load_game("go", {"board_size": 9})
    evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, SIMULATIONS, 256, False, 7, False, pyspiel.ChildSelectionPolicy.UCT)
    state = game.new_initial_state()

    def work() -> int:
        bot.mcts_search(state)
        return SIMULATIONS

    return work
