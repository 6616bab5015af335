"""The figures of the Sawtooth Puzzle: boards with their teeth, what meshes, what a turn drives."""

from collections.abc import Collection, Sequence
from itertools import zip_longest
from math import cos, pi, sin
from typing import Any

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Polygon
from matplotlib.path import Path

from clocklab import dials, enumeration, sawtooth
from clocklab.dials import DIALS, State
from clocklab.exports import tables
from clocklab.exports.figures import style
from clocklab.exports.figures.style import BLUE, GRID, HALO, INK, MIDDLE, RED, Look, Point, middle
from clocklab.judge import write_cell
from clocklab.sawtooth import Board
from clocklab.studies import graphs
from clocklab.studies.examples import BOARDS, SAMPLE, SAMPLE_STEPS, sample

HALF, TALL = 0.34, 0.12  # half a cell's side and a tooth's height, where a cell's middle is 1 from the next one's
OUT = ((-1, 0), (0, -1), (1, 0), (0, 1))  # the way out of a cell over its left, top, right and bottom edge
SENSES = {1: (BLUE, "-"), 3: (RED, (0, (2.2, 1.1)))}  # a turn clockwise, and one the other way: colour and dashes
TURNED, SHADED = "#CFE3F1", "#F6D9BE"  # the faces of the turned cell and of shaded ones


def gears(  # noqa: PLR0913, the last four say what else to show
    axes: Axes, board: Board, state: State, at: Point = (0, 0), *, turn: int | None = None,
    pictures: np.ndarray | None = None, shaded: Collection[int] = (), cells: Collection[int] = (),
) -> None:  # fmt: skip
    """Draw a board in a state, 3 x 3 units: teeth, meshed edges, and a hand in each cell that pointed up at first.

    With ``turn``, a cell, every cell it drives has an arrow; with ``pictures``, the cells show these and no hand.
    Without ``cells``, those with teeth are shown, or all where none has any.
    """
    senses = DIALS * (0,) if turn is None else sawtooth.senses(board, state, turn)
    for edge in graphs.mesh(board, state).edges:  # a dark bar over both teeth
        axes.plot(*zip(*(middle(cell, at) for cell in edge), strict=True), color=INK, linewidth=5, zorder=2.5)
    for cell in cells or sawtooth.toothed(board) or range(DIALS):
        centre, orientation = middle(cell, at), state >> 2 * cell & 3
        _teeth(axes, centre, sawtooth.teeth_by_cell(board, state)[cell])
        colour = TURNED if cell == turn else SHADED if cell in shaded else "white"
        _face(axes, centre, colour, thick=cell == turn)
        if pictures is None:
            hand(axes, centre, orientation)
        else:
            _picture(axes, centre, np.rot90(pictures[cell], -orientation))
        if senses[cell]:
            _arrow(axes, centre, senses[cell])


def _face(axes: Axes, centre: Point, colour: str, thick: bool) -> None:
    corner, side = (centre[0] - HALF + 0.06, centre[1] - HALF + 0.06), 2 * HALF - 0.12
    look: Look = {"facecolor": colour, "edgecolor": INK, "linewidth": 2.4 if thick else 1, "zorder": 3}
    axes.add_patch(FancyBboxPatch(corner, side, side, boxstyle="round,pad=0.06", **look))


def hand(axes: Axes, centre: Point, orientation: int) -> None:
    """Draw the hand of a cell, which pointed up at first."""
    x, y = OUT[(orientation + 1) % 4]
    tip = centre[0] + 0.2 * x, centre[1] + 0.2 * y
    axes.plot(*zip(centre, tip, strict=True), color=INK, linewidth=2.4, solid_capstyle="round", zorder=4)


def _teeth(axes: Axes, centre: Point, teeth: int) -> None:
    for side, (x, y) in enumerate(OUT):
        if teeth >> side & 1:
            outline = [(HALF, -0.13), (HALF + TALL, -0.07), (HALF + TALL, 0.07), (HALF, 0.13)]  # of a right tooth
            corners = [(centre[0] + a * x - b * y, centre[1] + a * y + b * x) for a, b in outline]
            axes.add_patch(Polygon(corners, facecolor=GRID, edgecolor=INK, linewidth=1, zorder=2))


def _picture(axes: Axes, centre: Point, pixels: np.ndarray) -> None:
    x, y = centre
    extent = x - HALF + 0.03, x + HALF - 0.03, y + HALF - 0.03, y - HALF + 0.03
    dark = np.where(pixels == "#", 1, np.nan)  # the ground of the cell shows between
    axes.imshow(dark, extent=extent, cmap="Greys", vmin=0, vmax=2.4, zorder=4, interpolation="nearest")


def _arrow(axes: Axes, centre: Point, sense: int, radius: float = 0.22) -> None:
    """Draw an arrow three quarters of the way round a middle: 1 quarter is clockwise, 3 the other way."""
    colour, dashes = SENSES[sense]
    angles = pi * np.linspace(-1.25, 0.25, 40)[:: 1 if sense == 1 else -1]
    points = [(centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in angles]
    look: Look = {"arrowstyle": "-|>", "mutation_scale": 9, "color": colour, "linewidth": 2, "zorder": 6}
    axes.add_patch(FancyArrowPatch(path=Path(points), linestyle=dashes, path_effects=HALO, **look))


def strip(axes: Axes, board: Board, steps: Sequence[int], size: float = 3.7, left: float = 0, **look: Any) -> None:
    """Draw the states that some steps pass through, each with the turn that comes next."""
    for i, (state, turn) in enumerate(zip_longest(sawtooth.replay(board, steps), steps)):
        heading = "after all steps" if turn is None else f"step {i + 1}: {write_cell(turn)}"
        x, y = style.part(axes, i, heading, size=size)
        gears(axes, board, state, (x + left, y), turn=turn, **look)


@style.sheet("gear_turn", 9.6, 4.1, inches=7)
def turn(axes: Axes, board: Board = SAMPLE, state: State = 0, cell: int = 1) -> str:
    """One turn: the board before it, with the cells that it drives, and after it."""
    before = f"before the turn of {write_cell(cell)}", state, cell
    after = "after it", sawtooth.turn(board, state, cell), None
    for part, (below, shown, turned) in enumerate((before, after)):
        x, y = style.part(axes, part, below=below, size=4.8)
        gears(axes, board, shown, (x, y), turn=turned)
        for i in range(3):
            axes.text(x + i + 0.5, y - 0.25, str(i + 1), **MIDDLE)
            axes.text(x - 0.3, y + i + 0.5, str(i + 1), **MIDDLE)
    style.arrow(axes, (4.2, 1.9), (5.1, 1.9))
    driven = ", ".join(map(write_cell, np.flatnonzero(sawtooth.senses(board, state, cell)).tolist()))
    return f"""A board of {board.bit_count()} teeth before and after the turn of {write_cell(cell)}. Arrows show the
    cells that turn, neighbours in opposite ways: {driven}."""


@style.sheet("gear_meeting", 12, 2)
def meeting(axes: Axes, board: Board = BOARDS["two"]) -> None:
    """Three turns of one cell: at the third, its tooth has met its neighbour's and drives it."""
    strip(axes, board, (0, 0, 0), size=3, left=0.5)


@style.sheet("gear_solution", 16.4, 8.1)
def solution(axes: Axes) -> str:
    """The judge's sample as its steps solve it, with its pictures."""
    strip(axes, SAMPLE, SAMPLE_STEPS, size=4.1, pictures=sample().first)
    gears(axes, 0, 0, style.part(axes, 7, "second picture", size=4.1), pictures=sample().second)
    return f"""The judge's board of nine cells with pictures, before each of the {len(SAMPLE_STEPS)} steps
    {" ".join(map(write_cell, SAMPLE_STEPS))}, after all of them, and the second picture, which is the same."""


@style.sheet("gear_four_states", 14.8, 3.9)
def four_states(axes: Axes) -> None:
    """The four states of the board with all teeth: a turn moves all nine cells, neighbours in opposite ways."""
    strip(axes, BOARDS["all teeth"], (0, 0, 0))


@style.sheet("gear_order", 13.2, 7.6, inches=7.4)
def order(axes: Axes, board: Board = SAMPLE) -> str:
    """Two turns in either order, from the left to two ends; cells that differ in the ends are shaded."""
    orders = (1, 2), (2, 1)
    ways = [sawtooth.replay(board, cells) for cells in orders]
    differ = dials.wrong(dials.add(ways[0][-1], dials.negate(ways[1][-1])))
    gears(axes, board, 0, (0.3, 2.3))
    for y, side, (first, second), (_, between, end) in zip((0.5, 4.3), ("bottom", "top"), orders, ways, strict=True):
        gears(axes, board, between, (5.1, y), turn=second)
        gears(axes, board, end, (9.9, y), shaded=differ)
        style.arrow(axes, (3.5, 3.8), (4.9, y + 1.5), write_cell(first), side=f"right {side}")
        style.arrow(axes, (8.3, y + 1.5), (9.7, y + 1.5), write_cell(second))
    return f"""A board at the left, and two rows to the right of it: the turns of (1,2) and (1,3) above, of (1,3) and
    (1,2) below. In the two boards at the end {len(differ)} of the nine cells differ; they are shaded."""


def mesh(axes: Axes, board: Board, state: State, at: Point) -> None:
    """Draw the mesh graph of a state with networkx, its nodes black and white like a chequerboard."""
    graph = graphs.mesh(board, state)
    place = {cell: middle(cell, at) for cell in graph}
    black = [INK if colour == 0 else "white" for _, colour in graph.nodes(data="colour")]
    nx.draw_networkx_edges(graph, place, width=4, edge_color=BLUE, ax=axes)
    nx.draw_networkx_nodes(graph, place, node_size=300, node_color=black, edgecolors=INK, linewidths=1.4, ax=axes)


@style.sheet("gear_mesh_graphs", 16.4, 8.1)
def mesh_graphs(axes: Axes) -> str:
    """The mesh graph of the judge's sample before, between and after its steps."""
    states = sawtooth.replay(SAMPLE, SAMPLE_STEPS)
    pieces = [nx.number_connected_components(graphs.mesh(SAMPLE, state)) for state in states]
    for i, state in enumerate(states):
        when = f"step {i}" if i else "start"
        mesh(axes, SAMPLE, state, style.part(axes, i, f"{when}: {pieces[i]} pieces", size=4.1))
    return f"""The mesh graph of the judge's board at the start and after each step, nine black and white dots like a
    chequerboard with lines that join those that mesh. The number of pieces: {", ".join(map(str, pieces))}."""


@style.sheet("gear_jam", 13.5, 4.2)
def jam(axes: Axes) -> None:
    """Three gears in a ring, which jam, four, which turn, and the chequerboard of nine.

    In the ring of four, neighbours turn in opposite ways; on the chequerboard every line joins black and white.
    """
    three = (1.5, 0.9, 1), (2.3, 2.29, 3), (0.7, 2.29, 0)  # x, y and the sense in which a gear turns
    four = (0.7, 0.8, 1), (2.3, 0.8, 3), (2.3, 2.4, 1), (0.7, 2.4, 3)
    for i, (heading, ring) in enumerate((("three in a ring jam", three), ("four in a ring turn", four))):
        left, top = style.part(axes, i, heading, size=4.5)
        for x, y, sense in ring:
            centre = left + x, top + y
            axes.add_patch(Circle(centre, 0.8, facecolor="white", edgecolor=INK, linewidth=1.2))
            if sense:
                _arrow(axes, centre, sense, radius=0.45)
            else:
                axes.text(*centre, "?", fontsize=22, **MIDDLE)
    mesh(axes, BOARDS["all teeth"], 0, style.part(axes, 2, "a board's rings are even", size=4.5))


@style.chart("gear_coupling", height=3.6)
def coupling(axes: Axes) -> str:
    """How many cells one turn drives, itself included, over all states and turns of several boards."""
    turns = tables.sawtooth_coupling().pivot(index="board", columns="cells", values="turns").loc[list(BOARDS)]
    shares = 100 * turns / turns.iloc[0].sum()
    texts = shares.map(_per_hundred).rename(lambda name: f"{name}, {BOARDS[name].bit_count()}")
    style.heat_map(axes, np.sqrt(shares / 100), texts)
    axes.set(xlabel="cells that one turn moves, the turned one included; in a square: % of all turns")
    axes.set(ylabel="board, and its number of teeth")
    alone = ", ".join(f"{share} % ({board} teeth)" for board, share in texts[1].items() if share)
    return f"A table of shares, shaded, by board and by how many cells one turn moves. One cell alone: {alone}."


def _per_hundred(share: float) -> str:
    return "" if share == 0 else "< 0.1" if share < 0.05 else f"{share:.1f}"


@style.chart("gear_levels", height=4.4)
def levels(axes: Axes) -> str:
    """How many states lie at each distance from the start, for several boards and for The Clocks."""
    table = tables.sawtooth_levels().set_index("distance").groupby("board")["states"]
    boards = {"no teeth": "no teeth, and The Clocks (circles)", "six": "six teeth", "sample": "the sample's 21 teeth"}
    counts = {label: table.get_group(board) for board, label in boards.items()}
    labels = [f"{label}:\n{n.sum():,} states, farthest {len(n) - 1}" for label, n in counts.items()]
    places = (15.5, 25000), (21, 7000), (10.5, 54000)
    style.curves(axes, zip(counts.values(), labels, places, strict=True), marks=("-", "--", "-."))
    axes.plot(np.bincount(enumeration.distances()), "o", color=BLUE, markerfacecolor="white", markersize=6)
    axes.set(xlabel="distance: the fewest steps from the start", xticks=(0, 10, 18, 27, 31))
    return f"Three bell-shaped curves of the number of states at each distance: {'; '.join(labels)}."
