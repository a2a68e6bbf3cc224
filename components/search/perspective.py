"""The only place where a value changes its sign.

A value is always somebody's. Inside a tree it travels as *the first player's* (player 0's); an edge keeps it as *its
mover's*. A turn of several plies by one mover therefore needs no special case: nobody changed, so no sign changes.
"""

from components.core.jit import kernel


@kernel
def for_first(value_for_mover, mover):
    """The first player's value of what the mover values so."""
    return value_for_mover if mover == 0 else -value_for_mover


@kernel
def for_mover(value_for_first, mover):
    """The mover's value of what the first player values so."""
    return value_for_first if mover == 0 else -value_for_first
