"""The figures of the Sawtooth Puzzle: boards with their teeth, what meshes, what a turn drives."""

from collections.abc import Collection, Sequence
from math import cos, pi, sin
from typing import Any

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Polygon, Rectangle
from matplotlib.path import Path
from matplotlib.patheffects import withStroke

from clocklab import dials, enumeration, graphs, sawtooth, tables
from clocklab.dials import DIALS, State
from clocklab.examples import BOARDS, SAMPLE, SAMPLE_STEPS, sample
from clocklab.figures import style
from clocklab.figures.style import ARROW, BLUE, GRID, INK, MIDDLE, RED, TITLE, Point
from clocklab.judge import write_cell
from clocklab.sawtooth import Board

HALF, TALL = 0.34, 0.12  # half a cell's side and a tooth's height, where a cell's middle is 1 from the next one's
OUT = ((-1, 0), (0, -1), (1, 0), (0, 1))  # the way out of a cell over its left, top, right and bottom edge
SENSES = {1: (BLUE, "-"), 3: (RED, (0, (2.2, 1.1)))}  # a turn clockwise, and one the other way: colour and dashes
TURNED, SHADED = "#CFE3F1", "#F6D9BE"  # the faces of the turned cell and of shaded ones
ALL, LINK = range(DIALS), 0.12  # all cells; how wide a meshed edge is drawn, narrower than the teeth


def middle(cell: int, at: Point) -> Point:
    """Return the middle of a cell on a board whose upper left corner is at a point."""
    return at[0] + cell % 3 + 0.5, at[1] + cell // 3 + 0.5


def gears(  # noqa: PLR0913, the last four say what else to show
    axes: Axes, board: Board, state: State, at: Point = (0, 0), *, turn: int | None = None,
    pictures: np.ndarray | None = None, shaded: Collection[int] = (), cells: Collection[int] = ALL,
) -> None:  # fmt: skip
    """Draw a board in a state, 3 x 3 units: teeth, meshed edges, and a hand in each cell that pointed up at first.

    With ``turn``, a cell, every cell it drives has an arrow; with ``pictures``, the cells show these and no hand.
    """
    senses = DIALS * (0,) if turn is None else sawtooth.senses(board, state, turn)
    for edge in graphs.mesh(board, state).edges:
        _link(axes, *(middle(cell, at) for cell in edge))
    for cell in cells:
        centre, orientation = middle(cell, at), state >> 2 * cell & 3
        _teeth(axes, centre, sawtooth.teeth_by_cell(board, state)[cell])
        _face(axes, centre, TURNED if cell == turn else SHADED if cell in shaded else "white", cell == turn)
        if pictures is None:
            _hand(axes, centre, orientation)
        else:
            _picture(axes, centre, np.rot90(pictures[cell], -orientation))
        if senses[cell]:
            _arrow(axes, centre, senses[cell])


def _face(axes: Axes, centre: Point, colour: str, thick: bool) -> None:
    corner = centre[0] - HALF + 0.06, centre[1] - HALF + 0.06
    look: Any = {"facecolor": colour, "edgecolor": INK, "linewidth": 2.4 if thick else 1, "zorder": 3}
    axes.add_patch(FancyBboxPatch(corner, 2 * HALF - 0.12, 2 * HALF - 0.12, boxstyle="round,pad=0.06", **look))


def _teeth(axes: Axes, centre: Point, teeth: int) -> None:
    for side, (x, y) in enumerate(OUT):
        if teeth >> side & 1:
            outline = [(HALF, -0.13), (HALF + TALL, -0.07), (HALF + TALL, 0.07), (HALF, 0.13)]  # of a right tooth
            corners = [(centre[0] + a * x - b * y, centre[1] + a * y + b * x) for a, b in outline]
            axes.add_patch(Polygon(corners, facecolor=GRID, edgecolor=INK, linewidth=1, zorder=2))


def _link(axes: Axes, one: Point, other: Point) -> None:
    """Mark two cells as meshed: a dark bar over both teeth, from one cell to the other."""
    (x, y), (width, height) = np.mean((one, other), axis=0), (1 - 2 * HALF, LINK)
    if one[0] == other[0]:  # one above the other
        width, height = height, width
    axes.add_patch(Rectangle((x - width / 2, y - height / 2), width, height, color=INK, linewidth=0, zorder=2.5))


def _hand(axes: Axes, centre: Point, orientation: int) -> None:
    x, y = OUT[(orientation + 1) % 4]
    tip = centre[0] + 0.2 * x, centre[1] + 0.2 * y
    axes.plot(*zip(centre, tip, strict=True), color=INK, linewidth=2.4, solid_capstyle="round", zorder=4)


def _picture(axes: Axes, centre: Point, pixels: np.ndarray) -> None:
    x, y = centre
    extent = x - HALF + 0.03, x + HALF - 0.03, y + HALF - 0.03, y - HALF + 0.03
    axes.imshow(pixels == "#", extent=extent, cmap="Greys", vmin=0, vmax=2.4, zorder=4, interpolation="nearest")


def _arrow(axes: Axes, centre: Point, sense: int, radius: float = 0.22) -> None:
    """Draw an arrow three quarters of the way round a middle: 1 quarter is clockwise, 3 the other way."""
    colour, dashes = SENSES[sense]
    way = 1 if sense == 1 else -1
    angles = np.linspace(-0.5 * pi - way * 0.75 * pi, -0.5 * pi + way * 0.75 * pi, 40)
    points = [(centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in angles]
    look: Any = {"arrowstyle": "-|>", "mutation_scale": 9, "color": colour, "linewidth": 2, "zorder": 6}
    halo = [withStroke(linewidth=3.2, foreground="white")]
    axes.add_patch(FancyArrowPatch(path=Path(points), linestyle=dashes, path_effects=halo, **look))


def strip(axes: Axes, board: Board, steps: Sequence[int], columns: int, **look: Any) -> None:
    """Draw the states that some steps pass through, so many in a row, each with the turn that comes next."""
    for i, state in enumerate(sawtooth.replay(board, steps)):
        x, y = 3.7 * (i % columns) + 0.3, 3.7 * (i // columns) + 0.7
        coming = steps[i] if i < len(steps) else None
        gears(axes, board, state, (x, y), turn=coming, **look)
        heading = "after all steps" if coming is None else f"step {i + 1}: {write_cell(coming)}"
        axes.text(x + 1.5, y - 0.3, heading, **MIDDLE)


@style.exported("gear_turn")
def turn(board: Board = SAMPLE, state: State = 0, cell: int = 1) -> Figure:
    """Draw one turn: the board before it, with the cells that it drives, and after it."""
    figure, axes = style.paper(9, 4.2, inches=7)
    for x, shown, turned in ((0.9, state, cell), (5.5, sawtooth.turn(board, state, cell), None)):
        gears(axes, board, shown, (x, 1.1), turn=turned)
        for i in range(3):
            axes.text(x + i + 0.5, 0.85, str(i + 1), **MIDDLE)
            axes.text(x - 0.3, i + 1.6, str(i + 1), **MIDDLE)
        heading = "after it" if turned is None else f"before the turn of {write_cell(cell)}"
        axes.text(x + 1.5, 0.3, heading, **TITLE)
    axes.annotate("", (5.0, 2.6), (4.2, 2.6), arrowprops=ARROW)
    return figure


@style.exported("gear_meeting")
def meeting(board: Board = BOARDS["two"]) -> Figure:
    """Draw three turns of one cell: at the third, its tooth has met its neighbour's and drives it."""
    figure, axes = style.paper(11, 1.85)
    for i, state in enumerate(sawtooth.replay(board, (0, 0, 0))):
        at = 2.8 * i + 0.3, 0.7
        gears(axes, board, state, at, turn=0 if i < 3 else None, cells=(0, 1))
        axes.text(at[0] + 1, 0.3, f"step {i + 1}: (1,1)" if i < 3 else "after all steps", **MIDDLE)
    return figure


@style.exported("gear_solution")
def solution() -> Figure:
    """Draw the judge's sample as its steps solve it, with its pictures."""
    figure, axes = style.paper(14.9, 7.6)
    strip(axes, SAMPLE, SAMPLE_STEPS, 4, pictures=sample().first)
    gears(axes, 0, 0, (11.4, 4.4), pictures=sample().second)
    axes.text(12.9, 4.1, "second picture", **TITLE)
    return figure


@style.exported("gear_four_states")
def four_states() -> Figure:
    """Draw the four states of the board with all teeth."""
    figure, axes = style.paper(14.9, 3.9)
    strip(axes, BOARDS["all teeth"], (0, 0, 0), 4)
    return figure


@style.exported("gear_order")
def order(board: Board = SAMPLE, one: int = 1, other: int = 2) -> Figure:
    """Draw two turns in either order, from the left to two ends; cells that differ in the ends are shaded."""
    figure, axes = style.paper(13.2, 7.6, inches=7.4)
    ends = [sawtooth.replay(board, cells)[-1] for cells in ((one, other), (other, one))]
    differ = dials.wrong(dials.add(ends[0], dials.negate(ends[1])))
    gears(axes, board, 0, (0.3, 2.3))
    for end, y, first, second in ((ends[0], 0.5, one, other), (ends[1], 4.3, other, one)):
        gears(axes, board, sawtooth.turn(board, 0, first), (5.1, y), turn=second)
        gears(axes, board, end, (9.9, y), shaded=differ)
        axes.annotate("", (4.9, y + 1.5), (3.5, 3.8), arrowprops=ARROW)
        axes.annotate("", (9.7, y + 1.5), (8.3, y + 1.5), arrowprops=ARROW)
        axes.text(4.2, y + (1.2 if y < 1 else 1.9), write_cell(first), **MIDDLE)
        axes.text(9, y + 1.15, write_cell(second), **MIDDLE)
    return figure


def mesh(axes: Axes, board: Board, state: State, at: Point) -> None:
    """Draw the mesh graph of a state with networkx, its nodes black and white like a chequerboard."""
    graph = graphs.mesh(board, state)
    place = {cell: middle(cell, at) for cell in graph}
    black = [INK if colour == 0 else "white" for _, colour in graph.nodes(data="colour")]
    nx.draw_networkx_edges(graph, place, width=4, edge_color=BLUE, ax=axes)
    nx.draw_networkx_nodes(graph, place, node_size=300, node_color=black, edgecolors=INK, linewidths=1.4, ax=axes)


@style.exported("gear_mesh_graphs")
def mesh_graphs() -> Figure:
    """Draw the mesh graph of the judge's sample before, between and after its steps."""
    figure, axes = style.paper(14.9, 7.6)
    for i, state in enumerate(sawtooth.replay(SAMPLE, SAMPLE_STEPS)):
        x, y = 3.7 * (i % 4) + 0.3, 3.7 * (i // 4) + 0.7
        mesh(axes, SAMPLE, state, (x, y))
        pieces = nx.number_connected_components(graphs.mesh(SAMPLE, state))
        axes.text(x + 1.5, y - 0.3, f"{f'after step {i}' if i else 'at the start'}: {pieces} pieces", **MIDDLE)
    style.bare(axes)
    return figure


@style.exported("gear_jam")
def jam() -> Figure:
    """Draw three gears in a ring, which jam, four, which turn, and the chequerboard of nine."""
    figure, axes = style.paper(13.4, 4.4)
    for x, number, heading in ((2.2, 3, "three in a ring jam"), (6.8, 4, "four in a ring turn")):
        angles = [2 * pi * (k - (number == 4) / 2) / number - pi / 2 for k in range(number)]
        radius = 0.8 / sin(pi / number)
        for i, angle in enumerate(angles):
            centre = x + radius * cos(angle), 2.75 + 0.2 * (number == 3) + radius * sin(angle)
            axes.add_patch(Circle(centre, 0.8, facecolor="white", edgecolor=INK, linewidth=1.2))
            if number == 4 or i < 2:
                _arrow(axes, centre, (1, 3)[i % 2], 0.45)
            else:
                axes.text(*centre, "?", fontsize=22, **MIDDLE)
        axes.text(x, 0.3, heading, **TITLE)
    mesh(axes, BOARDS["all teeth"], 0, (9.9, 1.2))
    axes.text(11.4, 0.3, "a board's rings are even", **TITLE)
    style.bare(axes)
    return figure


@style.exported("gear_coupling")
def coupling() -> Figure:
    """Draw how many cells one turn drives, itself included, over all states and turns of several boards."""
    turns = tables.sawtooth_coupling().pivot(index="board", columns="cells", values="turns").loc[list(BOARDS)]
    shares = turns / turns.iloc[0].sum() * 100
    figure, axes = style.subplots(height=3.6)
    style.heat_map(axes, np.sqrt(shares), shares.to_numpy(), _per_hundred, dark=20, vmin=0, vmax=10)
    axes.set(xlabel="cells that one turn moves, the turned one included; in a square: % of all turns")
    axes.set(xticks=range(9), xticklabels=range(1, 10))
    axes.set(ylabel="board, and its number of teeth", yticks=range(len(shares)))
    axes.set_yticklabels([f"{name}, {BOARDS[name].bit_count()}" for name in shares.index])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _per_hundred(share: float) -> str:
    return "" if share == 0 else "< 0.1" if share < 0.05 else f"{share:.1f}"


@style.exported("gear_levels")
def levels() -> Figure:
    """Draw how many states lie at each distance from the start, for several boards and for The Clocks."""
    table = tables.sawtooth_levels().set_index("distance").groupby("board")["states"]
    figure, axes = style.subplots(height=4.4)
    looks = {
        "no teeth": ("no teeth, and The Clocks (circles)", BLUE, "-", 16, 26000),
        "six": ("six teeth", RED, "--", 21.6, 7500),
        "sample": ("the sample's 21 teeth", INK, "-.", 11, 55000),
    }
    for board, (label, colour, line, x, y) in looks.items():
        counts = table.get_group(board)
        axes.plot(counts, line, color=colour)
        axes.text(x, y, f"{label}:\n{counts.sum():,} states, farthest {counts.index.max()}", color=colour)
    axes.plot(np.bincount(enumeration.distances()), "o", color=BLUE, markerfacecolor="white", markersize=6)
    axes.set(xlabel="distance: the fewest steps from the start", ylabel="states at that distance")
    axes.set(xticks=(0, 10, 18, 27, 31), yticks=range(0, 60001, 20000))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    return figure
