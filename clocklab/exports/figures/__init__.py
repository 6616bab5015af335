"""Every figure of the notebooks, one function a figure, and the only place that imports matplotlib."""

from clocklab.exports.figures import census, clocks, gears, matrix, puzzles, reach
from clocklab.exports.figures.style import FIGURES, FILMS, save  # the two are filled by the modules above

__all__ = ["FIGURES", "FILMS", "census", "clocks", "gears", "matrix", "puzzles", "reach", "save"]
