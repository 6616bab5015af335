"""The eight symmetries of the square act on where the clocks stand, and every hand keeps its hour.

A real mirror would turn clockwise into counterclockwise; here the clocks only change places, so the nine moves
are mapped to themselves and every distance stays.
"""

import numpy as np

from clocklab import dials
from clocklab.dials import STATES, States


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
