"""Helpers of the Organism tests: games by their knobs, positions as drawings, what a ply can lead to.

The three-ring board, by cell numbers:

        11  10   9
      12   3   2   8
    13   4   0   1   7
      14   5   6  18
        15  16  17
"""

import re
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.organism_reference import state_from_text, text_of
from components.games.organism import board
from components.games.organism.actions import Replay
from components.games.organism.check import result_strings
from components.games.organism.notation import DIGITS, parse_state, state_string
from components.games.organism.rules import REOPEN, play_choice
from components.games.registry import make

START = "........EMG...emg../3222222111111111111/1/0,0/8,9,10"


def game_of(knobs="", turns="whole", name="organism-3"):
    return make(f"{name}:turns={turns}" + (f",{knobs}" if knobs else ""))


def start_text(knobs, name="organism-3"):
    game = game_of(knobs, name=name)
    return state_string(game, game.start())


def drawn(drawing, mover=1, tokens=(0, 0)):
    """The state string of a drawn board: a letter and the food of each cell, all organisms of the mover pending.

    What follows three spaces on a line is a remark.
    """
    pieces = [piece for line in drawing.splitlines() for piece in re.split(r"\s{3,}", line.strip())[0].split()]
    rings = {board.cell_count(rings): rings for rings in range(3, 7)}[len(pieces)]
    cells = sorted(range(len(pieces)), key=lambda cell: board.square_of_cells(rings)[cell])
    elements = {cell: piece[0] for cell, piece in zip(cells, pieces, strict=True) if piece[0] != "."}
    food = [0] * len(pieces)
    for cell, piece in zip(cells, pieces, strict=True):
        food[cell] = DIGITS.index(piece[1])
    own = [cell for cell, letter in elements.items() if letter.isupper() == (mover == 1)]
    return text_of(elements, tuple(food), mover, tokens, own)


def fed(text, food):
    """The same position with other food on some cells {cell: food}."""
    parts = text.split("/")
    digits = [DIGITS[food.get(cell, DIGITS.index(digit))] for cell, digit in enumerate(parts[1])]
    return "/".join([parts[0], "".join(digits), *parts[2:]])


def state_of(game, text):
    """A state in play: its choices are open."""
    state = parse_state(game, text, "test")
    if game.spec.has_policy:
        play_choice(game.rules, state, REOPEN)
    return state


def results(knobs, text):
    """What a ply can lead to: (elements {cell: letter}, food, mover, tokens, pending) of each result."""
    game = game_of(knobs)
    return [state_from_text(result) for result in result_strings(game, state_of(game, text))]


def can(knobs, text, is_wanted):
    """Whether a ply can lead to a position (elements, food) that is_wanted."""
    return any(is_wanted(elements, food) for elements, food, *_ in results(knobs, text))


def resolved(knobs, text):
    """(after conflicts, after integrity), each as (elements, food, tokens), for a board whose mover has just acted."""
    game = game_of(knobs)
    replay = Replay(game, state_of(game, text))
    replay.resolve_on_trial()
    stages = [replay.resolved[name].split("/") for name in ("after_conflict", "after_integrity")]
    return [
        (
            {cell: letter for cell, letter in enumerate(letters) if letter != "."},
            [DIGITS.index(digit) for digit in food],
            [int(count) for count in tokens.split(",")],
        )
        for letters, food, tokens in stages
    ]


def played(game, text, organism, kind, *subs):
    """(state string, winner) after a written action."""
    replay = Replay(game, state_of(game, text))
    replay.play({"organism": organism, "type": kind, "subs": list(subs)}, "test")
    return replay.after(), replay.winner()


def problem_of(knobs, text, organism, kind, *subs):
    """What our rules have against a written action; nothing if it is legal."""
    game = game_of(knobs)
    replay = Replay(game, state_of(game, text))
    replay.play({"organism": organism, "type": kind, "subs": list(subs)}, "test")
    return replay.problem


def reachable(game, start):
    """Every position, as a state string, that small choices can reach in the present ply."""
    found, seen, open_states = set(), set(), [start]
    while open_states:
        state = open_states.pop()
        legal = game.legal(state)
        assert len(legal) > 0, game.text.draw(game, state)
        for action in legal:
            child = game.copy(state)
            game.kernels.apply(game.rules, child, int(action))
            is_done = child.acts > start.acts or (start.phase == 6 and child.phase != 6)
            child.ply = 0
            if is_done:
                found.add(state_string(game, child))
            elif child.tobytes() not in seen:
                seen.add(child.tobytes())
                open_states.append(child)
    return found


def whole_results(game, state):
    """The same by listing whole sequences. game has the same rules with turns=whole; state may be of the micro-ply game."""
    out = game.new_states(game.spec.max_legal)
    twin = parse_state(game, state_string(game, state), "test")
    for name in ("pending", "home", "introduced", "acts", "turns", "frame"):
        twin[name] = state[name]
    twin.phase = state.phase if state.phase == 6 else 0
    count = game.kernels.successors(game.rules, twin, np.zeros(game.spec.max_legal, dtype=np.int32), out)
    return {state_string(game, out[row]) for row in range(count)}
