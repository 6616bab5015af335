"""One visual language for all figures: palette, sizes, what several of them draw, and saving with the same bytes."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from inspect import getdoc, signature
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patheffects import withStroke
from PIL import Image, PngImagePlugin

from clocklab.plumbing.output import write_whole

Point: TypeAlias = tuple[float, float]  # x and y in the units of a drawing
Look: TypeAlias = dict[str, Any]  # how an artist is to look: its keywords
Draw: TypeAlias = Callable[..., str | None]  # draws on its first argument, the axes; may say what is seen

# Okabe and Ito's palette, told apart by colour-blind readers; in grey, marker, dash or label must tell as well.
INK, BLUE, ORANGE, SKY, RED = "#222222", "#0072B2", "#E69F00", "#56B4E9", "#D55E00"
PALE, GRID = "#EEF1F4", "#C9CED4"
TEXT = {INK: INK, BLUE: BLUE, RED: "#B84F00"}  # what is written in a colour; vermilion letters need a darker one
FAINT = "#7A828C"  # a line behind others
SHADES = LinearSegmentedColormap.from_list("shades", [PALE, SKY, BLUE, "#08304F"])  # the darker the more
ARROW: Look = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}
HALO = [withStroke(linewidth=4, foreground="white")]  # keeps a line of width 2 apart from what it crosses
GAP = {"left": 4, "right": -4, "bottom": 4, "top": -4, "center": 0}  # points from an arrow to a side of its text
MIDDLE: Look = {"ha": "center", "va": "center"}
TITLE: Look = {**MIDDLE, "fontweight": "bold"}  # of a part of a figure
MARKS = ("o-", "s--", "^:")  # of three curves beside each other; the metrics in this order
FIGURES: dict[str, "Make"] = {}  # name of the file in data/figures/, without its ending: what draws it
SMALL = 9  # points, where the common 11 have no room
WIDTH, DPI = 8.0, 110  # inches, and pixels an inch: 880, the width of a page on GitHub; files hold twice as many

RC: dict[Any, Any] = {
    "figure.dpi": DPI, "savefig.dpi": 2 * DPI, "figure.facecolor": "white", "savefig.facecolor": "white",
    "figure.constrained_layout.use": True, "font.family": "DejaVu Sans", "font.size": 11, "lines.linewidth": 2,
    "axes.titlesize": 11, "axes.titlelocation": "left", "axes.titleweight": "bold", "axes.labelsize": 11,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": INK, "axes.labelcolor": INK,
    "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "svg.hashsalt": "clocklab", "svg.fonttype": "path", "pdf.fonttype": 42,
}  # fmt: skip


@contextmanager
def styled() -> Iterator[None]:
    """Set the house's style for a while, whatever the reader's settings."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(RC)
        yield


class Picture(Figure):
    """A figure that shows itself where it ends a notebook's cell: once, sharp on every screen, and with alt text.

    pyplot does not know it, so nothing shows it a second time; ``save`` or its own ``savefig`` writes it to a file.
    """

    alt = ""  # what is seen, in one sentence or two, for those who do not see it

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple[Look, Look]:
        """Return the PNG, the alt text for where no picture can be shown, and how to show it."""
        shown = {"alt": self.alt, "width": round(self.get_figwidth() * DPI)}
        return {"image/png": b64encode(content(self, "png")).decode(), "text/plain": self.alt}, {"image/png": shown}


Make: TypeAlias = Callable[..., Picture]  # makes a figure


def chart(name: str, height: float, width: float = WIDTH, **grid: Any) -> Callable[[Draw], Make]:
    """Mark what draws the figure of this name on new axes, so many inches high and wide; a caller gets the figure.

    It needs no other argument, and draws in the house's style, whatever the reader's settings. Its alt text is what
    the drawing function returns, or else its docstring.
    """

    def marked(draw: Draw) -> Make:
        @wraps(draw)
        def drawn(*args: Any, **keywords: Any) -> Picture:
            with styled():
                figure = Picture(figsize=(width, height))
                seen = draw(figure.subplots(**grid), *args, **keywords)
            figure.alt = " ".join((seen or getdoc(draw) or "").split())
            return figure

        # What help() shows: the arguments that a caller may give, so not the axes.
        vars(drawn)["__signature__"] = signature(partial(draw, None)).replace(return_annotation=Picture)
        FIGURES[name] = drawn
        return drawn

    return marked


def sheet(name: str, width: float, height: float, inches: float = WIDTH) -> Callable[[Draw], Make]:
    """Mark what draws the figure of this name on a bare sheet of width x height units, so many inches wide."""
    return chart(name, inches * height / width, inches, subplot_kw=bare(width, height))


def bare(width: float, height: float) -> Look:
    """Return what makes an axes a drawing board: equal units, x to the right and y down, no ticks, no frame."""
    return {"aspect": "equal", "xlim": (0, width), "ylim": (height, 0), "xticks": (), "yticks": (), "frame_on": False}


def part(axes: Axes, number: int, heading: str = "", below: str = "", size: float = 4.2) -> Point:
    """Write above and below a part of a sheet, and return the upper left corner of its 3 x 3 units.

    The parts of a sheet are ``size`` units wide and high, and are numbered from 0, row by row.
    """
    row, column = divmod(number, int(axes.get_xlim()[1] / size + 0.1))
    x, y = size * (column + 0.5), size * row + (0.8 if heading else 0.4)
    axes.text(x, y - 0.4, heading, **TITLE)
    axes.text(x, y + 3.3, below, ha="center", va="top")
    return x - 1.5, y


def middle(place: int, at: Point) -> Point:
    """Return the middle of one of nine places, 3 x 3 units from an upper left corner."""
    return at[0] + place % 3 + 0.5, at[1] + place // 3 + 0.5


def arrow(axes: Axes, start: Point, end: Point, text: str = "", side: str = "center bottom", **look: Any) -> None:
    """Draw an arrow with a text at its middle; ``side`` says which side of the text is there."""
    axes.annotate("", end, start, arrowprops=ARROW | look)
    ha, va = side.split()
    near: Look = {"textcoords": "offset points", "ha": ha, "va": va, "color": look.get("color", INK)}
    axes.annotate(text, np.mean((start, end), axis=0), (GAP[ha], GAP[va]), **near)


def percent(share: float, _: float = 0) -> str:
    """Write a share as the label of a tick."""
    return f"{100 * share:.0f} %"


def on(shade: float) -> str:
    """Return the colour of a text on a shade, 0 .. 1, of a contrast of 4.5 or more."""
    return "white" if shade > 0.62 else "black"


def disk(axes: Axes, centre: Point, radius: float, number: int, shade: float) -> Circle:
    """Draw a disk that says a number."""
    circle = Circle(centre, radius, facecolor=SHADES(shade), edgecolor=INK, zorder=4)
    axes.add_patch(circle)
    axes.text(*centre, str(number), color=on(shade), zorder=5, **MIDDLE)
    return circle


def tiles(axes: Axes, shades: Any, at: Point, texts: Any = "", **look: Any) -> None:
    """Draw rows of shaded squares one unit wide from an upper left corner, each with its text."""
    texts = np.broadcast_to(texts, np.shape(shades))
    for (row, column), shade in np.ndenumerate(shades):
        x, y = at[0] + column, at[1] + row
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=SHADES(shade), edgecolor="white"))
        axes.text(x + 0.5, y + 0.52, texts[row, column], color=on(shade), **MIDDLE, **look)


def heat_map(axes: Axes, shades: pd.DataFrame, texts: pd.DataFrame, **look: Any) -> None:
    """Draw a table of texts as tiles, its rows and columns named at the sides."""
    tiles(axes, shades, (-0.5, -0.5), texts, **look)
    axes.set(xlim=(-0.5, len(texts.columns) - 0.5), ylim=(len(texts) - 0.5, -0.5))
    axes.set_xticks(range(len(texts.columns)), texts.columns)
    axes.set_yticks(range(len(texts)), texts.index)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def curves(axes: Axes, labelled: Iterable[tuple[Any, str, Point]], marks: Sequence[str] = MARKS) -> None:
    """Draw how many states lie at each distance: three curves, each with a label near a point."""
    for (counts, label, place), colour, mark in zip(labelled, (BLUE, RED, INK), marks, strict=True):
        axes.plot(counts, mark, color=colour, markersize=4)
        axes.annotate(label, place, (7, 3), textcoords="offset points", color=TEXT[colour], va="bottom")
    axes.set_ylabel("states at that distance")
    axes.yaxis.set_major_formatter("{x:,.0f}")


# What each format would write of time and program, left out so that two exports are the same bytes; and where it
# has room for the alt text.
METADATA: dict[str, Look] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
DESCRIPTION = {"png": "Description", "svg": "Title", "pdf": "Subject"}


def content(figure: Figure, kind: str) -> bytes:
    """Return a figure as the bytes of a PNG, SVG or PDF file, the same at every run."""
    described = {DESCRIPTION[kind]: figure.alt} if isinstance(figure, Picture) else {}
    buffer = BytesIO()
    with styled():
        figure.savefig(buffer, format=kind, metadata=METADATA[kind] | described)
    return _fewer_colours(buffer, described) if kind == "png" else buffer.getvalue()


def _fewer_colours(png: BytesIO, described: Look) -> bytes:
    """Return a PNG in its 256 main colours: the eye sees no difference, and the file has a third of the size."""
    picture = Image.open(png).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    texts = PngImagePlugin.PngInfo()
    for key, text in described.items():
        texts.add_itxt(key, text)
    picture.save(packed := BytesIO(), "PNG", optimize=True, dpi=(2 * DPI, 2 * DPI), pnginfo=texts)
    return packed.getvalue()


def save(figure: Figure, path: Path) -> None:
    """Write a figure whole as PNG, SVG or PDF, by the path's ending; the same bytes at every run."""
    write_whole(path, content(figure, path.suffix.removeprefix(".")))
