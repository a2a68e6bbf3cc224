"""Organism as scalar kernels on one state: set-up, legal actions, plies, returns. Both forms of play, chosen by the knob `turns`.

Called through kernels.py. Micro-ply games read their legal actions from the state, where the last ply left them; whole-sequence
games list all results of a ply and play the one with the action's number.
"""

import numpy as np

from components.core.jit import kernel
from components.games.organism import places as at
from components.games.organism.codes import (
    CURRENT_ROW,
    DRAWN,
    FIRST_ROW,
    FIRST_WINS,
    GOES_ON,
    HAS_CHOSEN,
    MICRO,
    MOVER,
    NONE,
    ONE,
    POLICY_EXTRAS,
    POLICY_PLANES,
    REPEAT_DRAWS,
    STUCK_LOSES,
    TOKENS,
    WHOLE,
    fixed,
)
from components.games.organism.groups import has_other_pending
from components.games.organism.listing import PASS_ROW, list_results, take_result
from components.games.organism.micro import follow, settle
from components.games.organism.offers import EXTRA
from components.games.organism.planes import encode
from components.games.organism.tables import FIRST, NEEDS_ROOM, NEXT, POSITION, hash_row, new_boards, new_table
from components.games.organism.turns import begin_turn, place_all, put
from components.games.organism.workspace import load, store

__all__ = ["apply", "encode", "legal", "returns", "setup", "turn_start"]

FEW_ROWS = fixed(1024)  # enough for nearly every look-ahead; one that fails for want of room is repeated with all there is
REPEATS_THAT_DRAW = 3
START, REOPEN = fixed(-1), fixed(-2)  # what `play_choice` gets instead of an action


@kernel
def setup(rules, state, draws):
    """Make a zeroed state the start position."""
    for cell in range(state.home.shape[0]):
        state.home[cell] = rules.home[cell]
        state.food[cell] = rules.free_food[cell]
    play_choice(rules, state, START)


@kernel
def start_game(knobs, near, boards, is_order_chosen):
    """Place the elements on the homes unless they are introduced, and open the first turn."""
    if not knobs[at.introduce]:
        place_all(knobs, boards, NONE)
        place_all(knobs, boards, ONE)
    boards[CURRENT_ROW, TOKENS, 1] = knobs[at.head_start_tokens]
    put(boards, MOVER, knobs[at.first_mover] - 1)
    begin_turn(knobs, near, boards, is_order_chosen)


@kernel
def play_choice(rules, state, action):
    """Open the first turn (START), note the options of a parsed state again (REOPEN), or play a micro-ply action.

    Whatever is forced after it is played too. Whole-sequence games only START here.
    """
    knobs, near, cells, squares = rules.knobs[:], rules.near[:], state.element.shape[0], rules.cell_of.shape[0]
    rows = FEW_ROWS
    while True:
        boards, levels = new_boards(cells, rows), new_table(FIRST_ROW, rows)
        load(rules, state, boards)
        if action == START:
            start_game(knobs, near, boards, rules.is_order_chosen)
        elif action != REOPEN:
            put(boards, HAS_CHOSEN, ONE)
            is_extra = action >= POLICY_PLANES * squares
            plane = EXTRA if is_extra else action // squares
            place = action - POLICY_PLANES * squares if is_extra else np.int64(rules.cell_of[action % squares])
            follow(knobs, near, boards, plane, place, rules.is_order_chosen)
        if knobs[at.turns] == MICRO:
            settle(knobs, near, boards, levels, rules.is_order_chosen)
        if levels[NEEDS_ROOM] == 0 or rows == rules.level_rows:
            break
        rows = rules.level_rows
    store(boards, state)


@kernel
def legal(rules, state, out):
    """Write the legal actions to out in ascending order and return how many there are; 0 when the game is over."""
    if state.winner != GOES_ON:
        return 0
    count = 0
    if rules.knobs[at.turns] == WHOLE:
        _, results, _ = list_results(rules, state, rules.max_results + 1)
        count = max(1, results[NEXT] - results[FIRST])  # without any result action 0 is PASS
        for action in range(count):
            out[action] = action
        return count
    squares = rules.cell_of.shape[0]
    for plane in range(POLICY_PLANES):
        for square in range(squares):
            cell = rules.cell_of[square]
            if cell >= 0 and state.options[cell] >> plane & 1:
                out[count] = plane * squares + square
                count += 1
    for extra in range(POLICY_EXTRAS):
        if state.extras >> extra & 1:
            out[count] = POLICY_PLANES * squares + extra
            count += 1
    return count


@kernel
def apply(rules, state, action):
    """Play a legal action."""
    if rules.knobs[at.turns] == WHOLE:
        boards, results, _ = list_results(rules, state, action + 1)
        play_result(rules, state, boards, results[FIRST] + action if results[NEXT] > results[FIRST] else PASS_ROW)
    else:
        acts = state.acts
        play_choice(rules, state, action)
        state.ply += 1
        if state.acts > acts:
            note_repetition(rules, state)


@kernel
def play_result(rules, state, boards, row):
    """One ply of a whole-sequence game, to a listed row."""
    acts = state.acts
    take_result(rules, state, boards, row)
    state.ply += 1
    if state.acts > acts:
        note_repetition(rules, state)
    if rules.knobs[at.stuck_player] == STUCK_LOSES and state.winner == GOES_ON and is_stuck(rules, state):
        state.winner = FIRST_WINS + 1 - state.mover


@kernel
def is_stuck(rules, state):
    """Whether the mover has organisms to act with, and none can."""
    boards, results, _ = list_results(rules, state, ONE)
    return results[NEXT] == results[FIRST] and has_other_pending(boards, CURRENT_ROW, NONE)


@kernel
def note_repetition(rules, state):
    """Write the position into the history; where the rules say so, the third time is a draw."""
    if rules.knobs[at.repetition] != REPEAT_DRAWS or state.winner != GOES_ON:
        return
    boards = new_boards(state.element.shape[0], NONE)
    load(rules, state, boards)
    digest = hash_row(boards, CURRENT_ROW, POSITION) ^ np.uint64(state.mover)
    state.history[state.acts - 1] = digest
    times = 0
    for act in range(state.acts):
        times += state.history[act] == digest
    if times >= REPEATS_THAT_DRAW:
        state.winner = DRAWN
        state.extras = 0
        for cell in range(state.options.shape[0]):
            state.options[cell] = 0


@kernel
def returns(rules, state, out):
    """Write each player's result to out [2] and say whether the game is over; 0 for both while it is not."""
    out[0] = 0.0
    out[1] = 0.0
    if state.winner != GOES_ON and state.winner != DRAWN:
        out[state.winner - FIRST_WINS] = 1.0
        out[FIRST_WINS + 1 - state.winner] = -1.0
    return state.winner != GOES_ON


@kernel
def turn_start(rules, state, cell_map):
    """Turn a start position by a symmetry of the square's cells."""
    state.frame = turned_frame(rules, state.frame, cell_map)
    for cell in range(state.home.shape[0]):
        image = rules.cell_of[cell_map[rules.square_of[cell]]]
        state.home[image] = rules.home[cell]
        state.food[image] = rules.free_food[cell]
        state.element[cell] = 0
    state.tokens[0] = 0
    state.acting = 0
    play_choice(rules, state, START)


@kernel
def turned_frame(rules, frame, cell_map):
    """The symmetry whose attackers' order is this frame's order turned by cell_map."""
    for candidate in range(rules.rank.shape[0]):
        is_match = True
        for cell in range(rules.rank.shape[1]):
            image = rules.cell_of[cell_map[rules.square_of[cell]]]
            is_match = is_match and rules.rank[candidate, image] == rules.rank[frame, cell]
        if is_match:
            return candidate
    return np.int64(frame)
