"""Whole-turn search of the scripted GOLAD players: candidate turns, their values by running life on, best reply.

Called by players.py. A turn is (target, first, second): the pass or a kill with -1, -1, a birth with its two sacrifices. All
candidates of a position come in a fixed order with values that depend on the position only, so that a player without memory
finds its own turn again when it is asked for the sacrifices; ties are broken by the game's stream at the very end.

Positions come as plain arrays, not as records: a record's type has the board's size in it, and these kernels, the slowest to
compile, would be compiled for every size. board [2, height]; facts [FACTS] int64; rule [3] int64: see the constants.
"""

import numpy as np

from components.core.jit import kernel
from components.core.seeds import draw_below
from components.games.golad.life import NO_CELLS, count_cells, flip, has_cells, life_step, owns
from components.games.golad.rules import NONE, draw_pair, lot_of

MOVER, TARGET, FIRST, TURN, FACING = range(5)  # of a position's facts
FACTS = 5
WIDTH, IS_RANDOM, TURN_LIMIT = range(3)  # of the rule
DECIDED = 1000.0  # beats every sum of dominations
RANK_BOUND = 65  # ceil(0.5852 * (2 * 400) ** 0.7042): about 400 births for a budget of 400
RANKED = RANK_BOUND + 1  # no rank beyond can be in a birth: target rank <= 65, later sacrifice's rank - 1 <= 65
MOST_BIRTHS = 451  # triples (i, j, m) with 1 <= j <= m and i * j * m <= 65
REPLIED = 20  # turns that the two-ply player answers for the opponent


@kernel
def value_of_board(cells, width, mover, weights):
    """The mover's value of cells [2, height], which run on: weighted dominations (m - t) / (m + t), generation by generation.

    Without weights it is the plain difference m - t. A decided board counts as such; later generations only shape the sum.
    """
    mine, theirs = count_cells(cells, mover), count_cells(cells, 1 - mover)
    if mine == 0 or theirs == 0:
        return 0.0 if mine == theirs else (DECIDED if mine > 0 else -DECIDED)
    if weights.shape[0] == 0:
        return np.float64(mine - theirs)
    value = 0.0
    for generation in range(weights.shape[0]):
        if generation > 0:
            life_step(cells, width)
            mine, theirs = count_cells(cells, mover), count_cells(cells, 1 - mover)
        if mine + theirs > 0:
            value += weights[generation] * (mine - theirs) / (mine + theirs)
    return value


@kernel
def play_turn(board, width, mover, turn, after):
    """after [2, height] becomes the board after a turn and its life step. A birth without sacrifices costs nothing."""
    after[:, :] = board
    if turn[0] < width * after.shape[1]:
        owner = 1 - mover if owns(after, 1 - mover, turn[0], width) else mover
        flip(after, owner, turn[0], width)
    for index in range(1, 3):
        if turn[index] != NONE:
            flip(after, mover, turn[index], width)
    life_step(after, width)


@kernel
def add_turn(board, width, mover, target, first, second, weights, scratch, turns, values, count):
    """Append a candidate and its value to the mover after the life step; returns the new count."""
    turns[count, 0] = target
    turns[count, 1] = first
    turns[count, 2] = second
    play_turn(board, width, mover, turns[count], scratch)
    values[count] = value_of_board(scratch, width, mover, weights)
    return count + 1


@kernel
def insert_ranked(cell, value, ranked, ranked_values, count):
    """Keep ranked [RANKED] in falling order of value, earlier cells first among equals; returns the new count."""
    place = count
    while place > 0 and value > ranked_values[place - 1]:
        place -= 1
    if place == RANKED:
        return count
    count = min(count + 1, RANKED)
    for index in range(count - 1, place, -1):
        ranked[index] = ranked[index - 1]
        ranked_values[index] = ranked_values[index - 1]
    ranked[place] = cell
    ranked_values[place] = value
    return count


@kernel
def collect_turns(board, facts, salt, rule, is_by_lot, weights, scratch, ranked, ranked_values, turns, values):
    """Write the candidate turns [n, 3] with their values; returns n. A pending birth is not looked at.

    Candidates: pass, every kill, and births. By lot: one per dead cell, paid by a pair drawn for it. Otherwise by components:
    a birth is a free cell and two own kills; each part is valued alone, and triples of good ranks are combined.
    ranked, ranked_values [2, RANKED] are working space, as is scratch [2, height].
    """
    width, mover = rule[WIDTH], facts[MOVER]
    size = width * board.shape[1]
    can_birth = count_cells(board, mover) >= 2
    targets, payments, count = 0, 0, 0
    for cell in range(size + 1):  # size is the pass
        is_own = cell < size and owns(board, mover, cell, width)
        is_dead = cell < size and not (is_own or owns(board, 1 - mover, cell, width))
        first, second = NONE, NONE
        if is_dead and not can_birth:
            continue
        if is_dead and (is_by_lot or rule[IS_RANDOM]):
            first, second = pair_for(board, facts, salt, rule, cell)
        after = add_turn(board, width, mover, cell, first, second, weights, scratch, turns, values, count)
        if is_dead and first == NONE:
            # A component only, written over by the next candidate: no birth is free.
            targets = insert_ranked(cell, values[count], ranked[0], ranked_values[0], targets)
            continue
        if is_own:
            payments = insert_ranked(cell, values[count], ranked[1], ranked_values[1], payments)
        count = after
    for i in range(1, targets + 1):
        for j in range(1, min(payments, RANK_BOUND // i + 1) + 1):
            for k in range(j + 1, min(payments, RANK_BOUND // (i * j) + 1) + 1):
                target, first, second = ranked[0, i - 1], ranked[1, j - 1], ranked[1, k - 1]
                count = add_turn(board, width, mover, target, first, second, weights, scratch, turns, values, count)
    return count


@kernel
def pair_for(board, facts, salt, rule, target):
    """The pair that pays for a birth by lot: the turn's own where the rules draw it, else drawn from board and target.

    From the board, not from the stream: the player must name the same two cells in its next two plies.
    """
    width, mover = rule[WIDTH], facts[MOVER]
    if rule[IS_RANDOM]:
        return draw_pair(board, width, mover, facts[TURN], salt, facts[FACING])
    key = lot_of(NO_CELLS, target)
    for y in range(board.shape[1]):
        key = lot_of(key ^ board[0, y], 0)
        key = lot_of(key ^ board[1, y], 1)
    return draw_pair(board, width, mover, facts[TURN], key, 0)


@kernel
def continues(facts, turn):
    """Whether a turn agrees with what the mover has already chosen of it."""
    if facts[TARGET] == NONE:
        return True
    return turn[0] == facts[TARGET] and (facts[FIRST] == NONE or turn[1] == facts[FIRST] or turn[2] == facts[FIRST])


@kernel
def pick_best(facts, turns, values, count, streams, row):
    """Index of the best turn that continues the mover's, equals drawn by lot; -1 if none does."""
    best, ties = NONE, 0
    for index in range(count):
        if not continues(facts, turns[index]):
            continue
        if best == NONE or values[index] > values[best]:
            best, ties = index, 1
        elif values[index] == values[best]:
            ties += 1
            if draw_below(streams, row, ties) == 0:
                best = index
    return best


@kernel
def next_ply(board, facts, rule, turns, values, count, best):
    """The ply that comes now of turns[best].

    best is -1 in a birth that someone else began and this player would not: then the sacrifice that costs least by itself,
    which is the own kill of highest value among the candidates.
    """
    if best != NONE:
        if facts[TARGET] == NONE:
            return turns[best, 0]
        return turns[best, 2] if turns[best, 1] == facts[FIRST] else turns[best, 1]
    cheapest = NONE
    for index in range(count):
        cell = turns[index, 0]
        is_own = cell < rule[WIDTH] * board.shape[1] and owns(board, facts[MOVER], cell, rule[WIDTH])
        if is_own and cell != facts[FIRST] and (cheapest == NONE or values[index] > values[cheapest]):
            cheapest = index
    return turns[cheapest, 0]


@kernel
def keep_best(turns, values, count, most):
    """Move the best `most` candidates to the front, earlier ones first among equals; returns how many are kept."""
    kept = min(count, most)
    for place in range(kept):
        best = place
        for index in range(place + 1, count):
            if values[index] > values[best]:
                best = index
        for index in range(best, place, -1):
            for part in range(3):
                turns[index, part], turns[index - 1, part] = turns[index - 1, part], turns[index, part]
            values[index], values[index - 1] = values[index - 1], values[index]
    return kept


@kernel
def choose_turns(
    boards, facts, salts, rule, is_by_lot, has_replies, weights, scratch, after, facts_after,
    ranked, ranked_values, turns, values, replies, results, streams, chosen,
):  # fmt: skip
    """chosen[i]: the next ply of the best candidate turn in position i of boards [n, 2, height], facts [n, FACTS], salts [n].

    With replies the best REPLIED turns are valued anew: by the opponent's best reply, or by the result where they end the
    game. turns, values and replies, results are two sets of candidates; after, facts_after hold the position after a turn.
    """
    for row in range(boards.shape[0]):
        board, fact = boards[row], facts[row]
        count = collect_turns(board, fact, salts[row], rule, is_by_lot, weights, scratch, ranked, ranked_values, turns, values)
        compared = count
        if has_replies:
            compared = keep_best(turns, values, count, REPLIED)
            facts_after[:] = fact
            facts_after[MOVER] = 1 - fact[MOVER]
            facts_after[TURN] = fact[TURN] + 1
            for index in range(compared):
                play_turn(board, rule[WIDTH], fact[MOVER], turns[index], after)
                is_decided = not (has_cells(after, 0) and has_cells(after, 1))
                if is_decided or not continues(fact, turns[index]):
                    continue  # its one-ply value is the result, or it is not asked for
                if facts_after[TURN] >= rule[TURN_LIMIT]:
                    values[index] = 0.0
                    continue
                answers = collect_turns(
                    after, facts_after, salts[row], rule, is_by_lot, weights, scratch, ranked, ranked_values, replies, results
                )
                values[index] = -results[:answers].max()
        best = pick_best(fact, turns, values, compared, streams, row)
        chosen[row] = next_ply(board, fact, rule, turns, values, count, best)
