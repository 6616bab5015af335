"""The Clocks by counting: all 262,144 press vectors, and a single solve in which the first moves settle the rest."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from clocklab import dials
from clocklab.clocks import METRICS, MOVES, WORDS, PressVector
from clocklab.dials import NAMES, STATES, State, States

BLOCK = 4**7  # press vectors handled at once: as many as the processor's cache holds, the last two moves fixed
# Once moves 1, 2 and 3 are chosen, each clock named here is touched by one undecided move only, which it settles.
SETTLES = (("A", 4), ("B", 5), ("C", 6), ("D", 7), ("E", 9), ("G", 8))


def _turns(word: int) -> list[int]:
    """Return what 0, 1, 2 and 3 presses of a move add."""
    twice = dials.add(word, word)
    return [0, word, twice, dials.add(twice, word)]


def _solved(moves: tuple[int, ...]) -> States:
    """Return the state that each press vector of some moves (their words) solves, shape (4 ** len(moves),).

    Each further move makes four copies of the table so far, turned back by 0, 1, 2 and 3 of its presses.
    """
    table = np.zeros(1, dtype=np.int64)
    for word in moves:
        table = dials.add(np.array(_turns(dials.negate(word)))[:, None], table[None, :]).ravel()
    return table


def _blocks() -> Iterator[tuple[slice, States]]:
    """Yield all press vectors in blocks: which ones, and the state that each of them solves."""
    first, last = _solved(WORDS[:7]), _solved(WORDS[7:])
    for i, turned in enumerate(last):
        yield slice(i * BLOCK, (i + 1) * BLOCK), dials.add(first, turned)


def press_vectors() -> np.ndarray:
    """Return the press vector that solves each state, shape (262,144,), indexed by state.

    ArithmeticError if some state is solved by none: then no table could be right.
    """
    table = np.full(STATES, -1)
    presses = np.arange(STATES)
    for block, states in _blocks():
        table[states] = presses[block]
    if table.min() < 0:
        raise ArithmeticError("some state is solved by no press vector")
    return table


def distances(metric: str = "clockwise") -> np.ndarray:
    """Return the distance of every state to the solved one in a metric (uint8, shape (262,144,), by state)."""
    costs = np.zeros(1, dtype=np.uint8)
    for _ in MOVES:
        costs = np.add.outer(np.array(METRICS[metric], dtype=np.uint8), costs).ravel()
    table = np.empty(STATES, dtype=np.uint8)
    for block, states in _blocks():
        table[states] = costs[block]
    return table


TURNS = [_turns(word) for word in WORDS]


def solve(state: State) -> PressVector:
    """Return the press vector that solves a state: 64 ways to press moves 1, 2, 3 instead of 4 ** 9 for all.

    >>> from clocklab.clocks import sequence_of
    >>> sequence_of(solve(158351))
    [4, 5, 8, 9]
    """
    for chosen in product(range(4), repeat=3):
        counts, left = [*chosen] + [0] * (len(MOVES) - 3), state
        for move, count in enumerate(chosen):
            left = dials.add(left, TURNS[move][count])
        for clock, move in SETTLES:
            count = -(left >> 2 * NAMES.index(clock)) & 3
            counts[move - 1], left = count, dials.add(left, TURNS[move - 1][count])
        if left == dials.SOLVED:
            return sum(count << 2 * i for i, count in enumerate(counts))
    raise ArithmeticError(f"state {state} is solved by no press vector")
