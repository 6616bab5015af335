"""Every figure of the notebooks, one function a figure, and the only place that imports matplotlib."""

from collections.abc import Callable

from matplotlib.figure import Figure

from clocklab.figures import census, clocks, front, gears, matrix, reach

# name of the file in data/figures/, without its ending: the function that draws it
FIGURES: dict[str, Callable[[], Figure]] = {
    **front.FIGURES, **clocks.FIGURES, **matrix.FIGURES, **gears.FIGURES, **reach.FIGURES, **census.FIGURES,
}  # fmt: skip
