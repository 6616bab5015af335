"""One visual language for all figures: palette, sizes, small helpers, and saving with the same bytes."""

from collections.abc import Callable
from functools import wraps
from io import BytesIO
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from clocklab.output import write_whole

P = ParamSpec("P")
Point: TypeAlias = tuple[float, float]  # x and y in the units of a drawing
Look: TypeAlias = dict[str, Any]  # how an artist is to look: its keywords

# Okabe and Ito's palette, told apart by colour-blind readers; in grey, marker, dash or label must tell as well.
INK, BLUE, ORANGE, SKY, RED = "#222222", "#0072B2", "#E69F00", "#56B4E9", "#D55E00"
PALE, GRID = "#EEF1F4", "#C9CED4"
FAINT = "#7A828C"  # a line behind others
SHADES = LinearSegmentedColormap.from_list("shades", [PALE, SKY, BLUE, "#08304F"])  # the darker the more
ARROW: Look = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}
MIDDLE: Look = {"ha": "center", "va": "center"}
TITLE: Look = {**MIDDLE, "fontweight": "bold"}  # of a part of a figure
CURVES = (BLUE, "o-"), (RED, "s--"), (INK, "^:")  # three beside each other; the metrics in this order
FIGURES: dict[str, Callable[..., Figure]] = {}  # name of the file in data/figures/, without its ending: what draws it
SMALL = 9  # points, where the common 11 have no room
WIDTH = 8.0  # inches; 880 pixels at the dots per inch below, the width of a page on GitHub

RC: dict[Any, Any] = {
    "figure.dpi": 110, "savefig.dpi": 110, "figure.facecolor": "white", "savefig.facecolor": "white",
    "figure.constrained_layout.use": True, "font.family": "DejaVu Sans", "font.size": 11,
    "axes.titlesize": 11, "axes.titlelocation": "left", "axes.titleweight": "bold", "axes.labelsize": 11,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": INK, "axes.labelcolor": INK,
    "axes.axisbelow": True, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "legend.frameon": False, "lines.linewidth": 2, "grid.color": GRID, "grid.linewidth": 0.8,
    "svg.hashsalt": "clocklab", "svg.fonttype": "path", "pdf.fonttype": 42,
}  # fmt: skip


def exported(name: str) -> Callable[[Callable[P, Figure]], Callable[P, Figure]]:
    """Mark a function that needs no argument as the one that draws the figure of this name.

    It draws in the house's style, whatever the reader's settings.
    """

    def styled(draw: Callable[P, Figure]) -> Callable[P, Figure]:
        @wraps(draw)
        def drawn(*args: P.args, **keywords: P.kwargs) -> Figure:
            with mpl.rc_context():
                mpl.rcdefaults()
                mpl.rcParams.update(RC)
                return draw(*args, **keywords)

        FIGURES[name] = drawn
        return drawn

    return styled


def subplots(rows: int = 1, columns: int = 1, height: float = 3.6, **keywords: Any) -> tuple[Figure, Any]:
    """Return a figure of the common width and the given height in inches, and its axes."""
    return plt.subplots(rows, columns, figsize=(keywords.pop("width", WIDTH), height), **keywords)


def bare(axes: Axes) -> Axes:
    """Turn an axes into a drawing board: equal units, no ticks, no frame."""
    axes.set_aspect("equal")
    axes.axis("off")
    return axes


def paper(width: float, height: float, inches: float = WIDTH) -> tuple[Figure, Axes]:
    """Return a drawing board of width x height units, x to the right and y down, that is so many inches wide."""
    figure, axes = subplots(width=inches, height=inches * height / width)
    bare(axes).set(xlim=(0, width), ylim=(height, 0))
    return figure, axes


def percent(share: float, _: int = 0) -> str:
    """Write a share as the label of a tick."""
    return f"{100 * share:.0f} %"


def heat_map(
    axes: Axes, shades: np.ndarray, numbers: np.ndarray, write: Callable[[float], str], dark: float, **look: Any
) -> None:
    """Draw shaded squares, darker for more, each with the text of its number, in white where it is above ``dark``."""
    size = look.pop("fontsize", None)
    axes.imshow(shades, cmap=SHADES, aspect="auto", **look)
    for (y, x), number in np.ndenumerate(numbers):
        axes.text(x, y, write(number), fontsize=size, color="white" if number > dark else INK, **MIDDLE)


# What each format would write of time and program, left out so that two exports are the same bytes.
METADATA = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}


def save(figure: Figure, path: Path) -> None:
    """Write a figure whole as PNG, SVG or PDF, by the path's ending; the same bytes at every run."""
    kind = path.suffix.removeprefix(".")
    buffer = BytesIO()
    with mpl.rc_context(RC):
        figure.savefig(buffer, format=kind, metadata=METADATA[kind])
    write_whole(path, buffer.getvalue())
