"""Breadth-first search by levels over packed states, for any ``neighbours`` function.

``neighbours`` takes an array of n states and yields one array of n states a move: where that move leads from each.
A level is an array of states, the distances are one uint8 array indexed by state; no nodes, no dicts.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from clocklab.dials import STATES, State, States, checked

UNREACHED = 255  # the distance of a state that no sequence of moves reaches
Neighbours: TypeAlias = Callable[[States], Iterable[States]]


def unreached(size: int = STATES) -> np.ndarray:
    """Return distances of so many states, none of them reached yet: uint8 of shape (size,)."""
    return np.full(size, UNREACHED, dtype=np.uint8)


def walk(start: Any, neighbours: Neighbours, distances: np.ndarray | None = None) -> Iterator[States]:
    """Yield the levels around a state (or around several, all at distance 0), nearest first, in rising states.

    ``distances``, an array of UNREACHED as long as there are states, is filled as the levels come. Move by move the
    reached states are only marked, and one pass over the table then finds the new ones: doubles cost nothing, and
    one move's states fit the cache where all moves' would not. When first asked for a level: ValueError for a start
    that is no state; later OverflowError where a state is UNREACHED moves away or farther.
    """
    distances = unreached() if distances is None else distances
    reached = np.zeros(distances.size, dtype=bool)
    reached[checked(start, reached.size)] = True
    level = np.flatnonzero(reached)
    distance = 0
    while level.size:
        if distance == UNREACHED:
            raise OverflowError(f"distances from {UNREACHED} on do not fit")
        distances[level] = distance
        yield level
        for row in neighbours(level):
            reached[row] = True
        level = np.flatnonzero(reached & (distances == UNREACHED))
        distance += 1


def distances(start: Any, neighbours: Neighbours) -> np.ndarray:
    """Return the distance of every state from a start (uint8, shape (262,144,), UNREACHED where none leads).

    With the reversed neighbours these are the distances to it.
    """
    table = unreached()
    for _ in walk(start, neighbours, table):
        pass
    return table


def levels(distances: np.ndarray) -> np.ndarray:
    """Return how many states lie at each distance 0 .. farthest, unreached ones left out."""
    return np.bincount(distances[distances != UNREACHED])


def ball(start: Any, neighbours: Neighbours, radius: int) -> list[States]:
    """Return the levels 0 .. radius around a state, each an array of states in rising order."""
    return list(islice(walk(start, neighbours), radius + 1))


def descend(state: State, distances_to: np.ndarray, neighbours: Neighbours) -> list[int]:
    """Return the lowest shortest sequence of moves (0, 1, ...) along falling distances to a goal.

    ``state`` must be one that reaches the goal: ValueError where it is unreached.
    """
    state = checked(state, distances_to.size)
    if distances_to[state] == UNREACHED:
        raise ValueError(f"no sequence of moves leads from state {state} to the goal")
    sequence = []
    while distances_to[state]:
        successors = [int(row[0]) for row in neighbours(np.array([state]))]
        move = [int(distances_to[s]) for s in successors].index(int(distances_to[state]) - 1)
        sequence.append(move)
        state = successors[move]
    return sequence


def levels_to(start: State, goals: States, neighbours: Neighbours) -> list[States] | None:
    """Return the levels from a start up to the first one that holds a goal, or None if no goal is reached.

    The nearest goal's distance is one less than their number.
    """
    is_goal = np.zeros(STATES, dtype=bool)
    is_goal[checked(goals)] = True
    passed = []
    for level in walk(start, neighbours):
        passed.append(level)
        if is_goal[level].any():
            return passed
    return None


def shortest(start: State, goals: States, neighbours: Neighbours) -> list[int] | None:
    """Return the lowest shortest sequence of moves (0, 1, ...) from a start to any of the goals, or None.

    Going back through the levels, it marks how near to a goal the states on a shortest way are; then it descends.
    """
    passed = levels_to(start, goals, neighbours)
    if passed is None:
        return None
    near = unreached()
    near[goals] = 0
    for distance, level in enumerate(reversed(passed[:-1])):
        leads = np.logical_or.reduce([near[row] == distance for row in neighbours(level)])
        near[level[leads]] = distance + 1
    return descend(start, near, neighbours)
