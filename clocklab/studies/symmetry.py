"""The eight symmetries of the square act on where the clocks stand, and every hand keeps its hour.

A real mirror would turn clockwise into counterclockwise; here the clocks only change places, so the nine moves
are mapped to themselves and every distance stays.
"""

from itertools import islice

import numpy as np

from clocklab import dials
from clocklab.dials import STATES, States

MOST = 10_000  # symmetries of a move set


def symmetries() -> np.ndarray:
    """Return the symmetries, shape (8, 9): row k says from which place each place takes its clock.

    Rows 0 .. 3 turn the square by that many quarters counterclockwise; rows 4 .. 7 then flip it along the
    diagonal A E I.

    >>> "".join(dials.NAMES[i] for i in symmetries()[1])
    'CFIBEHADG'
    """
    square = np.arange(dials.DIALS).reshape(3, 3)
    turned = [np.rot90(square, quarters) for quarters in range(4)]
    return np.array([picture.ravel() for picture in turned + [picture.T for picture in turned]])


def images(states: States) -> np.ndarray:
    """Return the eight images of each state: states of shape (...) become shape (8, ...).

    >>> images(np.array(0b01)).tolist()  # a lone quarter turn at A visits the four corners, twice each
    [1, 4096, 65536, 16, 1, 16, 65536, 4096]
    """
    return np.stack([sum((states >> 2 * source & 3) << 2 * i for i, source in enumerate(s)) for s in symmetries()])


def classes() -> tuple[States, np.ndarray]:
    """Return the lowest state of every class of states that are images of each other, and the size of each."""
    return np.unique(images(np.arange(STATES)).min(axis=0), return_counts=True)


def automorphisms(matrix: np.ndarray, together: bool = False) -> np.ndarray:
    """Return the permutations of the dials of a move matrix that carry moves to moves: where each dial goes.

    With ``together`` each move belongs to the dial of its number, as a button to its light, and goes where that goes.
    ValueError for more than 10,000 permutations.

    >>> automorphisms(np.array([[1, 0], [1, 1], [0, 1]])).tolist()
    [[0, 1, 2], [2, 1, 0]]
    """
    from networkx import DiGraph
    from networkx.algorithms.isomorphism import DiGraphMatcher, categorical_edge_match, categorical_node_match

    dials, moves = np.nonzero(matrix)
    graph = DiGraph()
    graph.add_nodes_from(range(len(matrix)), kind="dial")
    if not together:
        moves += len(matrix)
        graph.add_nodes_from(range(len(matrix), sum(matrix.shape)), kind="move")
    graph.add_weighted_edges_from(zip(dials.tolist(), moves.tolist(), matrix[matrix != 0].tolist(), strict=True))
    same = categorical_node_match("kind", ""), categorical_edge_match("weight", 0)
    found = islice(DiGraphMatcher(graph, graph, *same).isomorphisms_iter(), MOST + 1)
    images = {tuple(image[dial] for dial in range(len(matrix))) for image in found}
    if len(images) > MOST:
        raise ValueError(f"expected at most {MOST} symmetries, got more")
    return np.array(sorted(images))


def count_classes(permutations: np.ndarray, hours: int) -> int:
    """Return how many classes of states a group of permutations makes: the average number that one leaves alone."""
    from sympy.combinatorics import Permutation

    return sum(hours ** Permutation(row).cycles for row in permutations.tolist()) // len(permutations)
