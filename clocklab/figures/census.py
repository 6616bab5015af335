"""The figures of the census: what the 2 ** 36 boards are reduced to, the exact shares, and extreme boards."""

from collections import Counter
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from clocklab import census, dials, sawtooth, tables
from clocklab.census import BOARD, Shape
from clocklab.examples import TRAPDOOR
from clocklab.figures import style
from clocklab.figures.gears import gears
from clocklab.figures.style import ARROW, BLUE, GRID, INK, MIDDLE, PALE, RED, SHADES, TITLE

BLANK = np.full((9, 8, 8), ".")  # pictures that stand in for hands
TWO_PARTS = (0b000_001_011, 0b100_100_000)  # shapes that do not touch
WHIRL = sawtooth.board_of("0001 1000 0000  0010 0100 0000  0000 0000 0000")
HELPLESS = sawtooth.board_of("1001 0100 0000  0110 0000 0000  0000 0000 0000")
HELPED = sawtooth.board_of("0000 0001 1001  0000 0000 0110  0000 0000 0000")
LOOKS = {  # fact: colour, line, label and where it stands
    "strongly_connected": (BLUE, "o-", "every state can\nreach every other", (21, 1e-4)),
    "no_orphans": (RED, "s--", "no state\nis an orphan", (26.6, 0.4)),
    "all_turns_permute": (INK, "^:", "no turn merges\ntwo states", (6, 1e-5)),
}


def cells(axes: Axes, shape: Shape, x: float, y: float, colour: Any = BLUE) -> None:
    """Draw a set of cells on the 3 x 3 grid, one unit a cell, with the upper left corner at (x, y)."""
    for i in range(9):
        face, rim, order = (colour, INK, 2) if shape >> i & 1 else ("white", GRID, 1)
        axes.add_patch(Rectangle((x + i % 3, y + i // 3), 1, 1, facecolor=face, edgecolor=rim, zorder=order))


@style.exported("census_patterns")
def patterns() -> Figure:
    """Draw the sixteen fillings of a cell, a column for each of the six patterns, and how many each stands for."""
    figure, axes = style.paper(12, 5.8)
    for column, (pattern, name) in enumerate(zip((0, *census.PATTERNS), ("no tooth", *census.NAMES), strict=True)):
        orientations = {sawtooth.turned(pattern, q): q for q in (3, 2, 1, 0)}
        for orientation in orientations.values():
            gears(axes, pattern, orientation, at=(2 * column + 0.5, 1.15 * orientation), cells=(0,))
        axes.text(2 * column + 1, 5, name, **TITLE)
        axes.text(2 * column + 1, 5.45, f"× {len(orientations)}", **MIDDLE)
    return figure


@style.exported("census_shapes")
def shapes() -> Figure:
    """Draw the 46 connected shapes, a row for each number of cells, and how often each lies on the board."""
    places = Counter(census.standard(s)[0] for s in range(1, BOARD + 1) if len(census.parts(s)) == 1)
    return _all_shapes({shape: (BLUE, str(places[shape])) for shape in census.shapes()})


@style.exported("census_shapes_shares")
def shapes_shares() -> Figure:
    """Draw the 46 shapes, the darker the more of their fillings are strongly connected, with that share."""
    looks: dict[Shape, tuple[Any, str]] = {}
    for shape, flags in census.load(census.STORED).items():
        every, connected = (census.polynomial(shape, flags, fact).sum() for fact in (None, 0))
        looks[shape] = SHADES(0.75 * connected / every), f"{100 * connected / every:.1f} %"
    return _all_shapes(looks)


def _all_shapes(looks: dict[Shape, tuple[Any, str]]) -> Figure:
    """Draw every shape in a colour and with a text below, a row for each number of cells."""
    figure, axes = style.paper(52, 43.5)
    for size in range(1, 10):
        y = 4.8 * (size - 1) + 0.4
        axes.text(1, y + 1.5, str(size), **TITLE)
        for column, shape in enumerate(s for s in census.shapes() if s.bit_count() == size):
            x = 3 + 4.1 * column
            colour, text = looks[shape]
            cells(axes, shape, x, y, colour)
            axes.text(x + 1.5, y + 3.7, text, fontsize=style.SMALL, **MIDDLE)
    return figure


@style.exported("census_product")
def product() -> Figure:
    """Draw how two parts multiply: their fillings by teeth, and those of the board on which both lie."""
    every, connected = _multiplied(None), _multiplied(0)
    figure, panels = style.subplots(2, 3, height=4.4, height_ratios=(1, 2), width_ratios=(2, 2, 3))
    columns = (*TWO_PARTS, sum(TWO_PARTS)), every, connected
    for picture, axes, shape, of, counts in zip(*panels, *columns, strict=True):
        style.bare(picture).set(xlim=(0, 3), ylim=(3, 0))
        cells(picture, shape, 0, 0)
        teeth = np.flatnonzero(of)
        for heights, colour in ((of, PALE), (counts, BLUE)):
            axes.bar(teeth, heights[teeth], color=colour, edgecolor=INK, linewidth=0.8)
        axes.set(xticks=(teeth[0], teeth[-1]), yticks=(0, of.max()), xlabel="teeth")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.set_title(f"{counts.sum():,} of {of.sum():,}", loc="center")
    for x, sign in ((0.29, "×"), (0.6, "=")):
        figure.text(x, 0.86, sign, fontsize=22, **MIDDLE)
    panels[1, 0].set_ylabel("fillings")
    return figure


def _multiplied(fact: int | None) -> tuple[np.ndarray, ...]:
    """Return how many fillings of each of the two parts have 0, 1, ... teeth and a fact, and of both together."""
    results = census.load(census.STORED)
    first, second = (census.polynomial(s, results[s], fact) for s, _ in map(census.standard, TWO_PARTS))
    return first, second, np.convolve(first, second)


@style.exported("census_outlines")
def outlines() -> Figure:
    """Draw the four outlines of a cell with four teeth beside one with a single tooth, and where each turn leads."""
    figure, axes = style.paper(11, 6.6, inches=7)
    for orientation, (x, y) in enumerate(((2.7, 1.7), (8.3, 1.7), (8.3, 4.9), (2.7, 4.9))):
        axes.add_patch(Rectangle((x - 1.2, y - 0.75), 2.4, 1.5, facecolor="white", edgecolor=GRID))
        for cell, pictures in ((0, BLANK), (1, None)):
            state = orientation << 2
            gears(axes, 0b0001_1111, state, at=(x - 1, y - 0.5), cells=(cell,), pictures=pictures)
    for turning, start, end, bend, shift, place in (
        ("right", (3.9, 1.7), (7.1, 1.7), 0, "−1", (5.5, 1.4)),
        ("right", (8.3, 2.45), (8.3, 4.15), 0, "0", (7.7, 3.3)),
        ("right", (7.1, 4.9), (3.9, 4.9), 0, "0", (5.5, 4.6)),
        ("right", (2.95, 4.15), (2.95, 2.45), 0, "0", (3.5, 3.3)),
        ("left", (2.45, 2.45), (2.45, 4.15), 0, "+1", (1.8, 3.3)),
        ("left", (8.6, 0.95), (9.5, 1.6), -1.6, "+1", (10.35, 0.75)),
        ("left", (9.5, 5), (8.6, 5.65), -1.6, "+1", (10.35, 5.85)),
        ("left", (2.4, 5.65), (1.5, 5), -1.6, "+1", (0.65, 5.85)),
    ):
        colour, line = (INK, "-") if turning == "right" else (BLUE, "--")
        look = {**ARROW, "connectionstyle": f"arc3,rad={bend}", "color": colour, "linestyle": line, "linewidth": 2}
        axes.annotate("", end, start, arrowprops=look)
        axes.text(place[0], place[1], f"left {shift}", color=colour, **MIDDLE)
    return figure


@style.exported("census_shares")
def shares() -> Figure:
    """Draw the exact share of boards with each fact against their teeth, and the survey's sample with its spread."""
    table = tables.sawtooth_census().set_index("teeth")
    share = table.div(table["boards"], axis=0).astype(float)
    sample = tables.sawtooth_reach().set_index("teeth").filter(like="strongly_connected")
    middle, low, high = (sample[column] for column in sample)
    figure, panels = style.subplots(2, 1, height=7.4, sharex=True, gridspec_kw={"height_ratios": (1, 1.1)})
    for axes in panels:
        for fact, (colour, line, _, _) in LOOKS.items():
            axes.plot(share[fact][share[fact] > 0], line, color=colour, markersize=4)
    panels[0].vlines(sample.index, low, high, color=INK, linewidth=1)
    panels[0].plot(middle, "D", color="white", markeredgecolor=INK, markersize=4)
    panels[0].set(yticks=(0, 0.25, 0.5, 0.75, 1), ylabel="share of the boards")
    panels[0].yaxis.set_major_formatter(style.percent)
    for colour, _, label, place in LOOKS.values():
        panels[1].text(*place, label, color=colour, **MIDDLE)
    panels[1].set(yscale="log", ylabel="the same, in powers of ten", xticks=(0, 4, 9, 18, 27, 36))
    panels[1].set_xlabel("teeth: how many of the 36 places for a tooth have one")
    panels[1].minorticks_off()
    return figure


@style.exported("census_spoilers")
def spoilers() -> Figure:
    """Draw the two ways in which four teeth spoil a board: an orphan, and two turns that fail to lead to it."""
    figure, axes = style.paper(11.2, 5.8, inches=7.4)
    looks = ("nothing leads here", 0, None), ("one cell turned?", 0b00_11, 0), ("two at once?", 0b01_11, 0)
    for column, (title, state, turn) in enumerate(looks):
        x = 0.3 + 4.1 * column
        axes.text(x + 1, 0.4, title, **TITLE)
        for y, board, toothed in ((0.8, TRAPDOOR, (0, 1)), (3.1, WHIRL, (0, 1, 3, 4))):
            gears(axes, board, state, at=(x, y), turn=turn, cells=toothed)
    for x, text in ((5.4, "they mesh:\nthe other turns too"), (9.5, "they do not mesh:\nthe other stays")):
        axes.text(x, 2.2, text, **MIDDLE)
        axes.text(x, 5.5, text, **MIDDLE)
    return figure


@style.exported("census_mirrored")
def mirrored() -> Figure:
    """Draw a board of five teeth above its mirror image, and what its third cell can do for one and not the other."""
    figure, axes = style.paper(11.2, 5.9, inches=7.4)
    for x, title in ((1.3, "to be reached"), (5.4, "the third cell turns"), (9.5, "where that leads")):
        axes.text(x, 0.4, title, **TITLE)
    before = dials.pack([1, 3, 1, 0, 0, 0, 0, 0, 0])  # the corner a quarter too far, the third cell a quarter back
    rows = (0.8, HELPLESS, (0, 1, 3), "another state"), (3.4, HELPED, (1, 2, 5), "the state to be reached")
    for y, board, toothed, text in rows:
        left = min(toothed)
        gears(axes, board, 0, at=(0.3 - left, y), cells=toothed)
        gears(axes, board, before, at=(4.4 - left, y), turn=1, cells=toothed)
        gears(axes, board, sawtooth.turn(board, before, 1), at=(8.5 - left, y), cells=toothed)
        axes.text(9.5, y + 2.2, text, **MIDDLE)
    return figure


@style.exported("census_fullest")
def fullest() -> Figure:
    """Draw the strongly connected boards with most teeth, one of each class up to whole turns."""
    figure, axes = style.paper(12, 7.4, inches=7)
    for i, board in enumerate(census.fullest(census.load(census.STORED))):
        gears(axes, board, 0, at=(0.5 + 4 * (i % 3), 0.3 + 3.8 * (i // 3)))
    return figure
