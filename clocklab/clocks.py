"""The Clocks: its nine moves, what a press does to a state, and the spellings of a press vector.

A press vector says how often each move is pressed, 0 to 3 times. Packed like a state, move 1 lies in its two
lowest bits. Source of the moves: IOI 1994, day 2, "The Clocks" (USACO training ``clocks``, POJ 1166).
"""

from collections.abc import Iterable, Iterator
from math import factorial, prod
from typing import Any, TypeAlias

import numpy as np

from clocklab import dials
from clocklab.dials import State, States

PressVector: TypeAlias = int  # nine counts of presses, packed like a state
MOVES = ("ABDE", "ABC", "BCEF", "ADG", "BDEFH", "CFI", "DEGH", "GHI", "EFHI")  # move k turns the clocks MOVES[k - 1]
WORDS = tuple(sum(1 << 2 * dials.NAMES.index(clock) for clock in move) for move in MOVES)  # what a press adds

# metric -> what pressing one move 0, 1, 2 or 3 times costs: each press clockwise, each press either way, each move
METRICS = {"clockwise": (0, 1, 2, 3), "quarter": (0, 1, 2, 1), "turn": (0, 1, 1, 1)}
UNARY = (0b000, 0b001, 0b011, 0b111)  # k presses as k bits set


def press(state: State, move: int) -> State:
    """Return the state, or states, after one press of a move, 1 .. 9; ValueError for any other move.

    >>> dials.unpack(press(dials.SOLVED, 1))
    (1, 1, 0, 1, 1, 0, 0, 0, 0)
    """
    return dials.add(dials.checked(state), WORDS[_place(move)])


def _place(move: int) -> int:
    """Return where a move stands in the tables; 0 or less would silently count from their end."""
    if not 1 <= move <= len(MOVES):
        raise ValueError(f"expected a move from 1 to {len(MOVES)}, got {move}")
    return move - 1


def replay(state: State, sequence: Iterable[int]) -> list[State]:
    """Return the states that a sequence of moves (1 .. 9) passes through, the start first."""
    states = [dials.checked(state)]
    for move in sequence:
        states.append(press(states[-1], move))
    return states


def steps(metric: str) -> np.ndarray:
    """Return the words that one step of a metric may add, move by move: 9 clockwise, 18 quarter or 27 turn."""
    once = np.array(WORDS)
    back = dials.negate(once)
    turns = {"clockwise": [once], "quarter": [once, back], "turn": [once, dials.add(once, once), back]}
    return np.stack(turns[metric], axis=1).ravel()


def neighbours(states: States, metric: str = "clockwise") -> Iterator[States]:
    """Yield, step by step in the order of ``steps``, the states to which it leads from each of the given ones."""
    return (dials.add(states, word) for word in steps(metric))


def reverse_neighbours(states: States, metric: str = "clockwise") -> Iterator[States]:
    """Yield, step by step in the order of ``steps``, the states from which it leads to each of the given ones."""
    return (dials.add(states, word) for word in dials.negate(steps(metric)))


def sequence_of(presses: PressVector) -> list[int]:
    """Return the lowest sequence of moves (1 .. 9) that makes these presses: each move as often, in order.

    >>> sequence_of(presses_of([8, 4, 9, 5, 4]))
    [4, 4, 5, 8, 9]
    """
    return [move for move, count in enumerate(dials.unpack(presses), 1) for _ in range(count)]


def presses_of(sequence: Iterable[int]) -> PressVector:
    """Return the press vector of a sequence of moves (1 .. 9, else ValueError); four presses of one cancel."""
    counts = [0] * len(MOVES)
    for move in sequence:
        counts[_place(move)] += 1
    return dials.pack(counts)


def unary_of(presses: PressVector) -> int:
    """Return the 27-bit unary press word: move k owns bits 3(k-1) .. 3(k-1)+2 and k presses set the lowest k.

    Its number of set bits is the clockwise cost.

    >>> f"{unary_of(presses_of([1, 2, 2, 2])):06b}"
    '111001'
    """
    return sum(UNARY[count] << 3 * i for i, count in enumerate(dials.unpack(presses)))


def presses_of_unary(word: int) -> PressVector:
    """Return the press vector of a 27-bit press word, any three bits of a move standing for their number.

    >>> sequence_of(presses_of_unary(0b101_001))
    [1, 2, 2]
    """
    return dials.pack([(word >> 3 * i & 0b111).bit_count() for i in range(len(MOVES))])


def cost(presses: Any, metric: str) -> Any:
    """Return what a press vector costs in a metric; press vectors of shape (...) give uint8 costs of shape (...).

    >>> [cost(presses_of([1, 1, 1, 2, 2]), metric) for metric in METRICS]
    [5, 3, 2]
    """
    if isinstance(presses, np.ndarray):
        return sum(np.array(METRICS[metric], dtype=np.uint8)[presses >> shift & 3] for shift in dials.SHIFTS)
    return sum(METRICS[metric][count] for count in dials.unpack(presses))


def count_sequences(presses: PressVector, metric: str = "clockwise") -> int:
    """Return how many shortest sequences make exactly these presses, as an exact int.

    Steps of one move are alike, so it is a multinomial coefficient of the steps of each move; in the quarter
    metric two presses may be made either way round, which doubles the number for each such move.

    >>> count_sequences(presses_of([4, 5, 8, 9]))
    24
    """
    counts = dials.unpack(presses)
    steps_of = [METRICS[metric][count] for count in counts]
    ways = 2 ** counts.count(2) if metric == "quarter" else 1
    return ways * factorial(sum(steps_of)) // prod(factorial(k) for k in steps_of)
