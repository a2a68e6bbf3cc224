"""One small tic-tac-toe net trained on perfect play, shared by the tests of this folder."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from components.games.registry import make
from components.nets.config import NetConfig
from components.nets.model import build_model


@pytest.fixture(scope="session")
def tictactoe():
    return make("tictactoe")


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def solve(board, mark, solved):
    """Value for mark, who moves, by full search; every open position goes into solved: (board, mark) -> (value, best cells)."""
    if any(board[a] == board[b] == board[c] == 3 - mark for a, b, c in LINES):
        return -1.0
    if 0 not in board:
        return 0.0
    if (board, mark) not in solved:
        empty = [cell for cell in range(9) if board[cell] == 0]
        values = {cell: -solve((*board[:cell], mark, *board[cell + 1 :]), 3 - mark, solved) for cell in empty}
        best = max(values.values())
        solved[board, mark] = (best, [cell for cell, value in values.items() if value == best])
    return solved[board, mark][0]


@pytest.fixture(scope="session")
def solved_positions(tictactoe):
    """(states [n], planes [n, 2, 3, 3], policy [n, 9] even over the best actions, value [n] for the mover): every position."""
    solved = {}
    solve((0,) * 9, 1, solved)
    states = tictactoe.new_states(len(solved))
    policy, value = np.zeros((len(solved), 9), np.float32), np.zeros(len(solved), np.float32)
    for row, ((board, mark), (worth, cells)) in enumerate(solved.items()):
        states.board[row], states.mover[row], states.ply[row] = board, mark - 1, 9 - board.count(0)
        policy[row, cells] = 1 / len(cells)
        value[row] = worth
    planes = np.empty((len(states), 2, 3, 3), np.float32)
    tictactoe.kernels.encode_many(tictactoe.rules, states, np.arange(len(states)), planes)
    return states, planes, policy, value


@pytest.fixture(scope="session")
def trained(tictactoe, solved_positions):
    """A small tower after a few seconds of training on perfect play."""
    torch.set_num_threads(1)
    planes, policy, value = (torch.from_numpy(part) for part in solved_positions[1:])
    model = build_model(tictactoe.spec, NetConfig(blocks=3, channels=32), seed=3)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    generator = torch.Generator().manual_seed(0)
    for _ in range(250):
        rows = torch.randint(len(planes), (128,), generator=generator)
        logits, values, _ = model(planes[rows])
        loss = F.cross_entropy(logits, policy[rows]) + F.mse_loss(values, value[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()
