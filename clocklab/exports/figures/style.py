"""One visual language for all figures: palette, sizes, what several of them draw, and files with the same bytes."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, update_wrapper, wraps
from inspect import Parameter, Signature, getdoc, signature
from io import BytesIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patheffects import withStroke
from PIL import Image, PngImagePlugin

from clocklab import dials, sawtooth
from clocklab.dials import State
from clocklab.plumbing.output import write_whole

Point: TypeAlias = tuple[float, float]  # x and y in the units of a drawing
Look: TypeAlias = dict[str, Any]  # how an artist is to look: its keywords
Draw: TypeAlias = Callable[..., Any]  # draws on its first argument, the axes; may return more of the alt text
Make: TypeAlias = Callable[..., "Picture"]  # makes a figure

# Okabe and Ito's palette, told apart by colour-blind readers; in grey, marker, dash or label must tell as well.
INK, BLUE, ORANGE, SKY, RED = "#222222", "#0072B2", "#E69F00", "#56B4E9", "#D55E00"
PALE, GRID = "#EEF1F4", "#C9CED4"
TURNED, WRONG = "#CFE3F1", "#FCE9D4"  # the faces of the cell that is turned, and of a clock that is not at 12
TEXT = {INK: INK, BLUE: BLUE, RED: "#B84F00"}  # what is written in a colour; vermilion letters need a darker one
FAINT = "#7A828C"  # a line behind others
SHADES = LinearSegmentedColormap.from_list("shades", [PALE, SKY, BLUE, "#08304F"])  # the darker the more
ARROW: Look = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}
HALO = [withStroke(linewidth=4, foreground="white")]  # keeps a line of width 2 apart from what it crosses
GAP = {"left": 4, "right": -4, "bottom": 4, "top": -4, "center": 0}  # points from an arrow to a side of its text
MIDDLE: Look = {"ha": "center", "va": "center"}
TITLE: Look = {**MIDDLE, "fontweight": "bold"}  # of a part of a figure
CURVES = ((BLUE, "o-"), (RED, "s--"), (INK, "^:"))  # three curves beside each other; the metrics in this order
FIGURES: dict[str, Make] = {}  # name of the file in data/figures/, without its ending: what draws it
FILMS: dict[str, Callable[..., "Film"]] = {}  # the same for the animations there
SMALL = 9  # points, where the common 11 have no room
WIDTH, DPI = 8.0, 110  # inches, and pixels an inch: 880, the width of a page on GitHub; files hold twice as many
FILM, FPS = 2.9, 10  # of an animation: inches, and frames a second
PARTS = (0, 0, 1 / 3, 2 / 3)  # how much of a step each of its frames shows: all stand still, then they turn

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

    alt = ""  # what is seen, for those who do not see it

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple[Look, Look]:
        return shown("image/png", content(self, "png"), self)


class _FewColours(PillowWriter):
    _frames: list[Image.Image]

    def finish(self) -> None:
        """Write all frames in the palette's lines on its grounds and what lies between: a third of the size."""
        pairs = product(map(to_rgb, (INK, BLUE, RED)), map(to_rgb, ("white", GRID, TURNED, WRONG)))
        ramps = np.concatenate([np.linspace(line, ground, 4) for line, ground in pairs])
        (palette := Image.new("P", (1, 1))).putpalette((255 * ramps).round().astype(np.uint8).tobytes())
        self._frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self._frames]
        super().finish()


class Film(FuncAnimation):
    """A sheet drawn again for every frame; in a notebook it shows itself as a GIF.

    ``draw`` gets the axes, the number of a step, and how much of that step is made, 0 .. 1; at the end it gets how
    many steps there are, and 0. matplotlib's ``to_jshtml`` shows it with buttons.
    """

    def __init__(self, draw: Draw, steps: int, width: float, height: float, alt: str) -> None:
        """Take how many steps there are, the units of the sheet, and what is seen."""
        self.picture = Picture(figsize=(FILM, FILM * height / width))
        self.picture.set_layout_engine("none")
        self.picture.alt = alt
        axes = self.picture.subplots()

        def redraw(frame: tuple[int, float]) -> None:
            with styled():
                axes.clear()
                axes.set(position=(0, 0, 1, 1), **bare(width, height))
                draw(axes, *frame)

        frames = [(step, part) for step in range(steps) for part in PARTS] + 2 * FPS * [(steps, 0)]
        super().__init__(self.picture, redraw, frames, lambda: None, interval=1000 / FPS, cache_frame_data=False)

    def gif(self) -> bytes:
        """Return the bytes of a GIF without end, the same at every run."""
        with TemporaryDirectory() as folder, styled():
            self.save(path := f"{folder}/film.gif", _FewColours(FPS), dpi=DPI)
            return Path(path).read_bytes()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple[Look, Look]:
        return shown("image/gif", self.gif(), self.picture)


def shown(kind: str, content: bytes, figure: Picture) -> tuple[Look, Look]:
    """Return what a notebook keeps of a picture: its bytes and its alt text, then how to show it."""
    look = {"alt": figure.alt, "width": round(figure.get_figwidth() * DPI)}
    return {kind: b64encode(content).decode(), "text/plain": figure.alt}, {kind: look}


# what an argument of this name has to pass
DOORS = {"state": dials.checked_one, "start": dials.checked_one, "board": sawtooth.checked_board}


def checked(draw: Draw) -> Draw:
    """Let a drawing function take a ``Dials`` for a state, and refuse what is no state or board by a ValueError."""
    taken = signature(draw).parameters
    doors = {name: door for name, door in DOORS.items() if name in taken and taken[name].annotation is State}

    @wraps(draw)
    def drawn(*args: Any, **keywords: Any) -> Any:
        given = signature(draw).bind(*args, **keywords)
        for name in doors.keys() & given.arguments.keys():
            given.arguments[name] = doors[name](given.arguments[name])
        return draw(*given.args, **given.kwargs)

    return drawn


def chart(name: str, height: float, width: float = 7, **grid: Any) -> Callable[[Draw], Make]:
    """Mark what draws the figure of this name on new axes, so many inches high and wide; a caller gets the figure.

    It needs no other argument, and draws in the house's style, whatever the reader's settings. Its alt text is its
    docstring and what the drawing function returns. A caller may give a ``title``, and ``ax``, the axes to draw on
    (an array of them where there are panels), and gets these back.
    """

    def marked(draw: Draw) -> Make:
        draw = checked(draw)

        @wraps(draw)
        def drawn(*args: Any, ax: Any = None, title: str = "", **keywords: Any) -> Any:
            with styled():
                figure = Picture(figsize=(width, height))
                axes = figure.subplots(**grid) if ax is None else ax
                first = np.ravel(axes)[0]
                first.set(**grid.get("subplot_kw", {}))
                seen = draw(axes, *args, **keywords)
                first.set(**{"title": title} if title else {})
            figure.alt = " ".join(f"{getdoc(draw)} {seen or ''}".split())
            return figure if ax is None else ax

        # What help() shows: the arguments that a caller may give, so not the axes.
        more = [Parameter(key, Parameter.KEYWORD_ONLY, default=value) for key, value in (("ax", None), ("title", ""))]
        own = [*signature(draw).parameters.values()][1:]
        vars(drawn)["__signature__"] = Signature([*own, *more], return_annotation=Picture)
        FIGURES[name] = drawn
        return drawn

    return marked


def sheet(name: str, width: float, height: float, inches: float = WIDTH) -> Callable[[Draw], Make]:
    """Mark what draws the figure of this name on a bare sheet of width x height units, so many inches wide."""
    return chart(name, inches * height / width, inches, subplot_kw=bare(width, height))


def variant(name: str, make: Make, *args: Any, **keywords: Any) -> None:
    """Give a name of its own to the figure that some arguments make."""
    FIGURES[name] = update_wrapper(partial(make, *args, **keywords), make)


def bare(width: float, height: float) -> Look:
    """Return what makes an axes a drawing board: equal units, x to the right and y down, no ticks, no frame."""
    return {"aspect": "equal", "xlim": (0, width), "ylim": (height, 0), "xticks": (), "yticks": (), "frame_on": False}


def resize(axes: Axes, width: float, height: float) -> None:
    """Give a bare sheet other units, and a figure of ours the size that goes with them."""
    if isinstance(figure := axes.figure, Picture):
        inches = min(WIDTH, width * figure.get_figwidth() / axes.get_xlim()[1])
        figure.set_size_inches(inches, inches * height / width)
    axes.set(**bare(width, height))


def upright(axes: Axes) -> None:
    """Turn the axes, which may be a reader's own, as the drawings are meant: equal units, y down, all inside."""
    axes.set_aspect("equal")
    axes.yaxis.set_inverted(True)
    axes.autoscale_view()


def part(  # noqa: PLR0913, the last two are the same for all parts
    axes: Axes, number: int, heading: str = "", below: str = "", *, size: float = 4.2, high: float | None = None
) -> Point:
    """Write above and below a part of a sheet, and return the upper left corner of its 3 x 3 units.

    The parts of a sheet are ``size`` units wide, ``high`` or else as high, and are numbered from 0, row by row.
    """
    row, column = divmod(number, int(axes.get_xlim()[1] / size + 0.1))
    x, y = size * (column + 0.5), (high or size) * row + (0.8 if heading else 0.4)
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
    """Draw rows of shaded squares one unit wide from an upper left corner, each with its text; none where NaN."""
    texts = np.broadcast_to(texts, np.shape(shades))
    edge = look.pop("edgecolor", "white")
    for row, column in np.argwhere(~np.isnan(shades := np.asarray(shades, dtype=float))).tolist():
        x, y, shade = at[0] + column, at[1] + row, shades[row, column]
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=SHADES(shade), edgecolor=edge, clip_on=False))
        axes.text(x + 0.5, y + 0.52, texts[row, column], color=on(shade), **MIDDLE, **look)


def heat_map(axes: Axes, shades: pd.DataFrame, texts: pd.DataFrame, **look: Any) -> None:
    """Draw a table of texts as tiles, its rows and columns named at the sides."""
    tiles(axes, shades, (-0.5, -0.5), texts, **look)
    axes.set(xlim=(-0.5, len(texts.columns) - 0.5), ylim=(len(texts) - 0.5, -0.5))
    axes.set_xticks(range(len(texts.columns)), texts.columns)
    axes.set_yticks(range(len(texts)), texts.index)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def curve(axes: Axes, name: str, counts: Any, text: str, look: tuple[str, str], **place: Point) -> str:
    """Draw how many states lie at each distance, and a text at the top or else ``at`` a point; return what is seen.

    The curve's name is its label, by which a reader's own code finds it.
    """
    top, (colour, mark) = int(np.argmax(counts)), look
    axes.plot(counts, mark, color=colour, markersize=4, label=name)
    near: Look = {"textcoords": "offset points", "color": TEXT[colour], "va": "bottom"}
    axes.annotate(text, place.get("at", (top, counts[top])), (7, 3), **near)
    axes.set_ylabel("states at that distance")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    return f"The curve {name!r} is highest at distance {top}, with {counts[top]:,}, and ends at {len(counts) - 1}."


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


def save(figure: Figure | Film, path: str | Path) -> None:
    """Write a figure whole as PNG, SVG or PDF, by its ending, or an animation as GIF; always the same bytes."""
    path = Path(path)
    write_whole(path, figure.gif() if isinstance(figure, Film) else content(figure, path.suffix.removeprefix(".")))
