"""The picture of the front page: the farthest that either puzzle has to offer."""

from matplotlib.figure import Figure

from clocklab import enumeration, sawtooth
from clocklab.dials import SOLVED
from clocklab.figures import style
from clocklab.figures.clocks import faces
from clocklab.figures.gears import gears
from clocklab.figures.reach import hardest_board
from clocklab.figures.style import ARROW, MIDDLE, TITLE


@style.exported("front")
def front() -> Figure:
    """Draw the farthest state of The Clocks and the farthest found of gears, each with its number of moves."""
    distances, (board, steps) = enumeration.distances(), hardest_board()
    figure, axes = style.paper(18, 3.95)
    titles = {0.1: ("The Clocks", f"{distances.max()} presses"), 9.4: ("The Sawtooth Puzzle", f"{len(steps)} turns")}
    for x, (puzzle, moves) in titles.items():
        axes.text(x + 4.2, 0.3, puzzle, **TITLE)
        axes.text(x + 4.2, 1.9, moves, **MIDDLE)
        axes.annotate("", (x + 5.1, 2.4), (x + 3.3, 2.4), arrowprops=ARROW)
    faces(axes, int(distances.argmax()), 0.1, 0.9)
    faces(axes, SOLVED, 5.5, 0.9)
    gears(axes, board, SOLVED, (9.4, 0.9))
    gears(axes, board, sawtooth.replay(board, steps)[-1], (14.8, 0.9))
    return figure
