"""The figure of any state of dials."""

from collections.abc import Sequence
from string import ascii_uppercase

from matplotlib.axes import Axes

from clocklab.exports.figures import style
from clocklab.exports.figures.clocks import face

SIXTEEN = (0, 3, 1, 0, 2, 2, 3, 1, 0, 3, 0, 3, 0, 0, 2, 2)  # the second sample of Algospot's CLOCKSYNC


@style.sheet("puzzle_dials", 4.4, 4.4, inches=3.6)
def dials(axes: Axes, state: Sequence[int] = SIXTEEN, hours: int = 4, columns: int = 4) -> str:
    """A state of any number of dials, so many in a row: each with its letter, or number, and one hand."""
    names = ascii_uppercase if len(state) <= len(ascii_uppercase) else [str(i + 1) for i in range(len(state))]
    for i, (hour, name) in enumerate(zip(state, names, strict=False)):
        face(axes, (i % columns + 0.7, i // columns + 0.7), 4 * hour / hours, name)
    axes.set(xlim=(0, columns + 0.4), ylim=(-(-len(state) // columns) + 0.4, 0))
    return f"{len(state)} dials of {hours} hours, {columns} in a row, at the hours {' '.join(map(str, state))}."
