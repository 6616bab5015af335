"""The Clocks: its nine moves, what a press does to a state, and press vectors in their three spellings.

A press vector says how often each move is pressed, 0 to 3 times; packed like a state, move 1 lies in the two
lowest bits. Source of the moves: IOI 1994, day 2, task "The Clocks" (USACO ``clocks``, POJ 1166).
"""

from collections.abc import Iterable, Sequence
from math import factorial, prod

import numpy as np

from clocklab import dials
from clocklab.dials import State, States

MOVES = ("ABDE", "ABC", "BCEF", "ADG", "BDEFH", "CFI", "DEGH", "GHI", "EFHI")  # move k+1 turns the clocks MOVES[k]
WORDS = tuple(sum(1 << 2 * dials.NAMES.index(c) for c in move) for move in MOVES)  # what one press adds to a state

# metric: what pressing one move 0, 1, 2 or 3 times costs
METRICS = {"clockwise": (0, 1, 2, 3), "quarter": (0, 1, 2, 1), "turn": (0, 1, 1, 1)}
FARTHEST = {"clockwise": 27, "quarter": 18, "turn": 9}


def press(state: State, move: int) -> State:
    """Return the state after one press of a move, 1 .. 9.

    >>> dials.unpack(press(dials.SOLVED, 1))
    (1, 1, 0, 1, 1, 0, 0, 0, 0)
    """
    return dials.add(state, WORDS[move - 1])


def replay(state: State, sequence: Iterable[int]) -> list[State]:
    """Return the states that a sequence of moves (1 .. 9) passes through, the start first."""
    states = [state]
    for move in sequence:
        states.append(press(states[-1], move))
    return states
