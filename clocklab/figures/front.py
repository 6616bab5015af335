"""The picture of the front page: the farthest that either puzzle has to offer."""

from matplotlib.axes import Axes

from clocklab import enumeration, sawtooth
from clocklab.dials import SOLVED
from clocklab.figures import style
from clocklab.figures.clocks import faces
from clocklab.figures.gears import gears
from clocklab.figures.reach import hardest_board


@style.sheet("front", 18, 3.95)
def front(axes: Axes) -> None:
    """Draw the farthest state of The Clocks and the farthest found of gears, each with its number of moves."""
    distances, (board, steps) = enumeration.distances(), hardest_board()
    axes.text(4.3, 0.3, "The Clocks", **style.TITLE)
    axes.text(13.6, 0.3, "The Sawtooth Puzzle", **style.TITLE)
    style.arrow(axes, (3.4, 2.4), (5.2, 2.4), f"{distances.max()} presses")
    style.arrow(axes, (12.7, 2.4), (14.5, 2.4), f"{len(steps)} turns")
    faces(axes, int(distances.argmax()), (0.1, 0.9))
    faces(axes, SOLVED, (5.5, 0.9))
    gears(axes, board, SOLVED, (9.4, 0.9))
    gears(axes, board, sawtooth.replay(board, steps)[-1], (14.8, 0.9))
