"""Every figure of the notebooks, one function a figure, and the only place that imports matplotlib."""

from clocklab.exports.figures import census, clocks, gears, matrix, puzzles, reach
from clocklab.exports.figures.style import FIGURES  # filled by the modules above

__all__ = ["FIGURES", "census", "clocks", "gears", "matrix", "puzzles", "reach"]
