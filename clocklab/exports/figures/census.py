"""The figures of the census: what the 2 ** 36 boards are reduced to, the exact shares, and extreme boards."""

from collections import Counter

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from clocklab import dials, sawtooth
from clocklab.exports import tables
from clocklab.exports.figures import style
from clocklab.exports.figures.gears import gears, hand
from clocklab.exports.figures.reach import sampled
from clocklab.exports.figures.style import BLUE, GRID, INK, MIDDLE, PALE, RED, TEXT, TITLE, Look, Point
from clocklab.studies import census
from clocklab.studies.census import BOARD, Shape
from clocklab.studies.examples import HELPED, HELPLESS, TRAPDOOR, WHIRL

BLANK = np.full((9, 8, 8), ".")  # pictures that stand in for hands
TWO_PARTS = (0b000_001_011, 0b100_100_000)  # shapes that do not touch
LOOKS = {  # fact: colour, line, label and where it stands
    "strongly_connected": (BLUE, "o-", "every state can\nreach every other", (21, 1e-4)),
    "no_orphans": (RED, "s--", "no state\nis an orphan", (26.6, 0.4)),
    "all_turns_permute": (INK, "^:", "no turn merges\ntwo states", (6, 1e-5)),
}


def cells(axes: Axes, shape: Shape, at: Point, shade: float) -> None:
    """Draw a set of cells on the 3 x 3 grid, shaded and with dark edges."""
    style.tiles(axes, np.zeros((3, 3)), at)
    inside = np.reshape([shape >> cell & 1 for cell in range(9)], (3, 3))
    style.tiles(axes, np.where(inside, shade, np.nan), at, edgecolor=INK)


@style.sheet("census_patterns", 12, 5.8)
def patterns(axes: Axes) -> None:
    """The sixteen fillings of a cell with teeth, a column for each of the six patterns, with its name and size."""
    names = {0: "no tooth"} | dict(zip(census.PATTERNS, census.PATTERN_NAMES, strict=True))
    for column, (pattern, name) in enumerate(names.items()):
        orientations = {sawtooth.turned(pattern, q): q for q in (3, 2, 1, 0)}
        for orientation in orientations.values():
            gears(axes, pattern, orientation, (2 * column + 0.5, 1.15 * orientation), cells=(0,))
        axes.text(2 * column + 1, 5, name, **TITLE)
        axes.text(2 * column + 1, 5.45, f"× {len(orientations)}", **MIDDLE)


@style.sheet("census_shapes", 52, 43.5)
def shapes(axes: Axes) -> None:
    """The 46 connected shapes, a row for each number of cells; below each, how many places of the board it fits."""
    places = Counter(census.standard(s)[0] for s in range(1, BOARD + 1) if len(census.parts(s)) == 1)
    _all_shapes(axes, {shape: (0.75, str(places[shape])) for shape in census.shapes()})


@style.sheet("census_shapes_shares", 52, 43.5)
def shapes_shares(axes: Axes) -> str:
    """The 46 connected shapes, the darker the more of their fillings are strongly connected, with these shares."""
    looks = {}
    for shape, flags in census.load().items():
        every, connected = (census.polynomial(shape, flags, fact).sum() for fact in (None, 0))
        looks[shape] = 0.2 + 0.6 * connected / every, f"{100 * connected / every:.1f} %"
    _all_shapes(axes, looks)
    return f"They are from {looks[1][1]} for a single cell to {looks[BOARD][1]} for the whole board."


def _all_shapes(axes: Axes, looks: dict[Shape, tuple[float, str]]) -> None:
    """Draw every shape in a shade and with a text below, a row for each number of cells."""
    for size in range(1, 10):
        y = 4.8 * (size - 1) + 0.4
        axes.text(1, y + 1.5, str(size), **TITLE)
        for column, shape in enumerate(s for s in census.shapes() if s.bit_count() == size):
            x = 3 + 4.1 * column
            shade, text = looks[shape]
            cells(axes, shape, (x, y), shade)
            axes.text(x + 1.5, y + 3.7, text, fontsize=style.SMALL, **MIDDLE)


@style.chart(
    "census_product", height=4.4, width=style.WIDTH, nrows=2, ncols=3, height_ratios=(1, 2), width_ratios=(2, 2, 3)
)
def product(panels: np.ndarray) -> str:
    """How two parts multiply: bars of their fillings by teeth, and of those of the board on which both lie."""
    columns = (*TWO_PARTS, sum(TWO_PARTS)), _multiplied(None), _multiplied(0)
    for picture, axes, shape, of, counts in zip(*panels, *columns, strict=True):
        picture.set(**style.bare(3, 3))
        cells(picture, shape, (0, 0), 0.75)
        teeth = np.flatnonzero(of)
        for heights, colour in ((of, PALE), (counts, BLUE)):
            axes.bar(teeth, heights[teeth], color=colour, edgecolor=INK, linewidth=0.8)
        axes.set(xticks=(teeth[0], teeth[-1]), yticks=(0, of.max()), xlabel="teeth")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.set_title(f"{counts.sum():,} of {of.sum():,}", loc="center")
    for x, sign in ((0.316, "×"), (0.638, "=")):
        panels[0, 0].figure.text(x, 0.86, sign, fontsize=22, **MIDDLE)
    panels[1, 0].set_ylabel("fillings")
    shares = [f"{counts.sum():,} of {of.sum():,}" for of, counts in zip(*columns[1:], strict=True)]
    return f"Strongly connected are {' times '.join(shares[:2])}, which is {shares[2]}."


def _multiplied(fact: int | None) -> tuple[np.ndarray, ...]:
    """Return how many fillings of each of the two parts have 0, 1, ... teeth and a fact, and of both together."""
    results = census.load()
    first, second = (census.polynomial(s, results[s], fact) for s, _ in map(census.standard, TWO_PARTS))
    return first, second, np.convolve(first, second)


@style.sheet("census_outlines", 11, 6.6, inches=7)
def outlines(axes: Axes) -> None:
    """The four outlines of a cell with four teeth beside one with a single tooth, an arrow for every turn.

    The right cell's turns lead around a circle, the left cell's turns change the first outline only.
    """
    for orientation, (x, y) in enumerate(((2.7, 1.7), (8.3, 1.7), (8.3, 4.9), (2.7, 4.9))):
        axes.add_patch(Rectangle((x - 1.2, y - 0.75), 2.4, 1.5, facecolor="white", edgecolor=GRID))
        gears(axes, 0b0001_1111, orientation << 2, (x - 1, y - 0.5), pictures=BLANK)
        hand(axes, (x + 0.5, y), orientation)
    left: Look = {"linewidth": 2, "linestyle": "--"}  # an arrow where the left cell is turned
    style.arrow(axes, (3.9, 1.7), (7.1, 1.7), "left −1", linewidth=2)
    style.arrow(axes, (8.3, 2.45), (8.3, 4.15), "left 0", side="right center", linewidth=2)
    style.arrow(axes, (7.1, 4.9), (3.9, 4.9), "left 0", linewidth=2)
    style.arrow(axes, (2.95, 4.15), (2.95, 2.45), "left 0", side="left center", linewidth=2)
    style.arrow(axes, (2.45, 2.45), (2.45, 4.15), "left +1", side="right center", **left)
    loops = ((8.6, 0.95), (9.5, 1.6)), ((9.5, 5), (8.6, 5.65)), ((2.4, 5.65), (1.5, 5))
    for (start, end), place in zip(loops, ((10.35, 0.75), (10.35, 5.85), (0.65, 5.85)), strict=True):
        style.arrow(axes, start, end, connectionstyle="arc3,rad=-1.6", **left)
        axes.text(*place, "left +1", **MIDDLE)


@style.chart("census_shares", height=7.4, nrows=2, sharex=True, height_ratios=(1, 1.1))
def shares(panels: np.ndarray) -> str:
    """The exact share of boards with each fact by number of teeth, and the survey's sample with its spread."""
    table = tables.sawtooth_census().set_index("teeth")
    upper, lower = panels
    for fact, (colour, line, label, place) in LOOKS.items():
        share = (table[fact] / table["boards"]).astype(float)
        for axes in panels:
            axes.plot(share[share > 0], line, color=colour, markersize=4)
        lower.text(*place, label, color=TEXT[colour], **MIDDLE)
    survey = tables.sawtooth_reach().set_index("teeth")
    sampled(upper, survey, "strongly_connected", "D", color=INK, markersize=4, markerfacecolor="white")
    upper.set(ylabel="share of the boards")
    lower.set(yscale="log", ylabel="the same, in powers of ten", xticks=(0, 4, 9, 18, 27, 36))
    lower.set_xlabel("teeth: how many of the 36 places for a tooth have one")
    lower.minorticks_off()
    last = table.index[table.strongly_connected > 0].max()
    return f"The share with every state within reach of every other falls from all to none beyond {last} teeth."


@style.sheet("census_spoilers", 12.6, 5.8, inches=7.4)
def spoilers(axes: Axes) -> None:
    """The two ways in which four teeth spoil a board, one above the other: an orphan, and why no turn leads to it.

    Of the two turns that might, arrows show that one moves the other cell as well, and the other fails to move it.
    """
    columns = (
        ("nothing leads here", "", 0, None),
        ("one cell turned?", "they mesh:\nthe other turns too", 0b00_11, 0),
        ("two at once?", "they do not mesh:\nthe other stays", 0b01_11, 0),
    )
    for column, (heading, text, state, turn) in enumerate(columns):
        x, y = style.part(axes, column, heading)
        gears(axes, TRAPDOOR, state, (x + 0.5, y), turn=turn)
        gears(axes, WHIRL, state, (x + 0.5, y + 2.3), turn=turn)
        axes.text(x + 1.5, y + 1.4, text, **MIDDLE)
        axes.text(x + 1.5, y + 4.7, text, **MIDDLE)


@style.sheet("census_mirrored", 12.6, 5.9, inches=7.4)
def mirrored(axes: Axes) -> None:
    """A board of five teeth above its mirror image, and what its third cell can do for one and not the other.

    In the upper row the cell turns alone; in the lower row it drives the corner cell back to its place.
    """
    before = dials.pack([1, 3, 1, 0, 0, 0, 0, 0, 0])  # the corner a quarter too far, the third cell a quarter back
    headings = "to be reached", "the third cell turns", "where that leads"
    (goal, _), (turning, _), (end, _) = (style.part(axes, i, heading) for i, heading in enumerate(headings))
    rows = (0.8, HELPLESS, 0.5, "another state"), (3.4, HELPED, -0.5, "the state to be reached")
    for y, board, left, text in rows:
        gears(axes, board, 0, (goal + left, y))
        gears(axes, board, before, (turning + left, y), turn=1)
        gears(axes, board, sawtooth.turn(board, before, 1), (end + left, y))
        axes.text(end + 1.5, y + 2.2, text, **MIDDLE)


@style.sheet("census_fullest", 12.6, 7.9, inches=7)
def fullest(axes: Axes) -> None:
    """The strongly connected boards with the most teeth, one of each class up to whole turns.

    All have four teeth on every corner cell.
    """
    for i, board in enumerate(census.fullest(census.load())):
        gears(axes, board, 0, style.part(axes, i), cells=range(9))
