"""Three solvers of The Clocks, under one face.

They share the packed state and the move set alone. *search* knows nothing but where moves lead, *enumeration* lets
every press vector name the state it solves, *algebra* multiplies by the inverse of the move matrix mod 4. Where they
agree, each vouches for the others.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import NamedTuple, TypeAlias

import numpy as np

from clocklab import clocks, dials, enumeration, search
from clocklab.clocks import MOVES, PressVector
from clocklab.dials import LOW, NAMES, SHIFTS, SOLVED, STATES, State

Goal: TypeAlias = Sequence[int | None]  # nine quarters; None where any will do


class Solver(NamedTuple):
    """One way to solve The Clocks: a single state, all of them, and all distances in a metric."""

    solve: Callable[[State], list[int]]
    press_vectors: Callable[[], np.ndarray]
    distances: Callable[[str], np.ndarray]


def solve(state: State, method: str = "enumeration", goals: Sequence[Goal] = ()) -> list[int]:
    """Return the lexicographically first shortest sequence of moves (1 .. 9) that brings a state to one of the goals.

    It is found by one of the ``SOLVERS``; without goals it brings all clocks to 12. ValueError for what is no state,
    0 .. 262,143.

    >>> [solve(158351, method) for method in SOLVERS]
    [[4, 5, 8, 9], [4, 5, 8, 9], [4, 5, 8, 9]]
    >>> solve(158351, goals=[[0, None, None, None, 0, None, None, None, 0]])
    [1, 6, 9]
    """
    state = dials.checked_one(state)
    return clocks.sequence_of(int(press_vectors(method, goals)[state])) if goals else SOLVERS[method].solve(state)


def press_vectors(method: str = "enumeration", goals: Sequence[Goal] = ()) -> np.ndarray:
    """Return the press vector that brings each state to a goal, shape (262,144,), indexed by state.

    A way to a goal is a way to 12 from as far before 12. Of several ways the cheapest counts, and of equally cheap
    ones the one that presses the first moves most, as its sequence is the lexicographically first.
    """
    presses = SOLVERS[method].press_vectors()
    if not goals:
        return presses
    states, backwards = np.arange(STATES), dials.unpack(presses) @ 4 ** np.arange(8, -1, -1)
    ranks = (clocks.cost(presses, "clockwise").astype(np.int64) << 18) - backwards
    best = np.min([_nearest(ranks, states, goal) for goal in goals], axis=0)
    return dials.pack(-best[:, None] >> SHIFTS[::-1])


def _nearest(ranks: np.ndarray, states: np.ndarray, goal: Goal) -> np.ndarray:
    """Return the least of the ranks of the ways that lead from each state to a goal."""
    before: State = dials.negate(dials.pack([quarters or 0 for quarters in goal]))
    ranks = ranks[dials.add(states, np.array(before))]
    for shift, quarters in zip(SHIFTS.tolist(), goal, strict=True):
        if quarters is None:
            ranks = np.min([ranks[dials.add(states, np.array(turned << shift))] for turned in range(4)], axis=0)
    return ranks


def distance_table(method: str = "enumeration", metric: str = "clockwise") -> np.ndarray:
    """Return the distance of every state to the solved one in a metric (uint8, shape (262,144,), by state)."""
    return SOLVERS[method].distances(metric)


def _search_solve(state: State) -> list[int]:
    steps = search.shortest(state, np.array([SOLVED]), clocks.neighbours)
    return [step + 1 for step in steps or ()]


def _search_press_vectors() -> np.ndarray:
    """Press, level by level away from the solved state, a move that leads one level nearer."""
    distances = search.unreached()
    table = np.zeros(STATES, dtype=np.int64)
    for level in search.walk(SOLVED, clocks.reverse_neighbours, distances):
        for i, states in enumerate(clocks.neighbours(level)):  # moves commute, so any that leads nearer will do
            nearer = distances[states] < distances[level]
            table[level[nearer]] = table[states[nearer]] + (1 << 2 * i)
    return table


def _search_distances(metric: str) -> np.ndarray:
    return search.distances(SOLVED, partial(clocks.reverse_neighbours, metric=metric))


def _enumeration_solve(state: State) -> list[int]:
    return clocks.sequence_of(enumeration.solve(state))


@cache
def _remedies() -> list[PressVector]:
    """Return for each clock the press vector that turns it back by one quarter and leaves the others alone."""
    from clocklab.algebra import inverse_mod

    inverse = inverse_mod([[int(clock in move) for move in MOVES] for clock in NAMES], 4)
    return [dials.pack([-presses for presses in column]) for column in zip(*inverse, strict=True)]


def _algebra_solve(state: State) -> list[int]:
    counts = np.array(dials.unpack(state)) @ dials.unpack(np.array(_remedies())) % 4
    return [move for move, count in enumerate(counts, 1) for _ in range(count)]


def _algebra_press_vectors() -> np.ndarray:
    """Add up the remedies of all states at once: each further clock makes four copies of the table so far."""
    table = np.zeros(1, dtype=np.int64)
    for once in _remedies():
        twice = dials.add(once, once)
        table = dials.add(np.array([0, once, twice, dials.add(twice, once)])[:, None], table[None, :]).ravel()
    return table


def _algebra_distances(metric: str) -> np.ndarray:
    presses = _algebra_press_vectors()
    odd, upper = presses & LOW, presses >> 1 & LOW  # 1 or 3 presses of a move; 2 or 3
    costs = {
        "clockwise": lambda: np.bitwise_count(odd) + 2 * np.bitwise_count(upper),
        "quarter": lambda: np.bitwise_count(odd) + 2 * np.bitwise_count(upper & ~odd),
        "turn": lambda: np.bitwise_count(odd | upper),
    }
    return costs[metric]()


SOLVERS = {
    "search": Solver(_search_solve, _search_press_vectors, _search_distances),
    "enumeration": Solver(_enumeration_solve, enumeration.press_vectors, enumeration.distances),
    "algebra": Solver(_algebra_solve, _algebra_press_vectors, _algebra_distances),
}
