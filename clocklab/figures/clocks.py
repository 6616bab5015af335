"""The figures of The Clocks."""

from collections.abc import Callable

from matplotlib.figure import Figure

FIGURES: dict[str, Callable[[], Figure]] = {}
