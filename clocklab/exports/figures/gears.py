"""The figures of the Sawtooth Puzzle: boards with their teeth, what meshes, what a turn drives."""

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from math import ceil, cos, pi, sin
from typing import Any

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Polygon
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform

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
TOOTH = ((-HALF, -0.13), (-HALF - TALL, -0.07), (-HALF - TALL, 0.07), (-HALF, 0.13))  # at the left of a middle
SENSES = {1: (BLUE, "-"), 3: (RED, (0, (2.2, 1.1)))}  # a turn clockwise, and one the other way: colour and dashes
SHADED = "#F6D9BE"  # the faces of cells to be looked at


@style.checked
def gears(  # noqa: PLR0913, the last five say what else to show
    axes: Axes, board: Board, state: State = dials.SOLVED, at: Point = (0, 0), *, turn: int | None = None,
    part: float = 0, pictures: np.ndarray | None = None, shaded: Collection[int] = (), cells: Collection[int] = (),
) -> None:  # fmt: skip
    """Draw a board in a state, 3 x 3 units: teeth, meshed edges, and a hand in each cell that pointed up at first.

    With ``turn``, a cell, every cell it drives has an arrow, and a part of the turn, 0 .. 1, is made. With
    ``pictures``, the cells show these and no hand. Without ``cells``, those with teeth are shown, or all where there
    are none.
    """
    senses = DIALS * (0,) if turn is None else sawtooth.senses(board, state, turn)
    for edge in graphs.mesh(board, state).edges:  # a dark bar over both teeth, unless they move
        if not part or not senses[edge[0]]:
            axes.plot(*zip(*(middle(cell, at) for cell in edge), strict=True), color=INK, linewidth=5, zorder=2.5)
    for cell in cells or sawtooth.toothed(board) or range(DIALS):
        centre, quarters = middle(cell, at), (state >> 2 * cell & 3) + part * (0, 1, 0, -1)[senses[cell]]
        for side in (side for side in range(4) if board >> 4 * cell + side & 1):
            tooth: Look = {"facecolor": GRID, "edgecolor": INK, "linewidth": 1, "zorder": 2}
            corners = [(centre[0] + x, centre[1] + y) for x, y in TOOTH]
            axes.add_patch(Polygon(corners, transform=rotated(axes, centre, side + quarters), **tooth))
        colour = style.TURNED if cell == turn else SHADED if cell in shaded else "white"
        _face(axes, centre, quarters, colour, thick=cell == turn)
        if pictures is None:
            hand(axes, centre, quarters)
        else:
            _picture(axes, centre, quarters, pictures[cell])
        if senses[cell]:
            _arrow(axes, centre, senses[cell])
    style.upright(axes)


def rotated(axes: Axes, centre: Point, quarters: float) -> Transform:
    """Return the transform that turns what is drawn about a centre by quarters clockwise, where y points down."""
    return Affine2D().rotate_around(*centre, quarters * pi / 2) + axes.transData


def _face(axes: Axes, centre: Point, quarters: float, colour: str, thick: bool) -> None:
    corner, side = (centre[0] - HALF + 0.06, centre[1] - HALF + 0.06), 2 * HALF - 0.12
    look: Look = {"facecolor": colour, "edgecolor": INK, "linewidth": 2.4 if thick else 1, "zorder": 3}
    look["transform"] = rotated(axes, centre, quarters % 1)  # a square looks the same after a quarter turn
    axes.add_patch(FancyBboxPatch(corner, side, side, boxstyle="round,pad=0.06", **look))


def hand(axes: Axes, centre: Point, quarters: float, length: float = 0.2, **look: Any) -> None:
    """Draw the hand of a cell, which pointed up at first."""
    (x, y), whole = centre, {"color": INK, "linewidth": 2.4, "solid_capstyle": "round", "zorder": 4, **look}
    axes.plot([x, x], [y, y - length], transform=rotated(axes, centre, quarters), **whole)


def _picture(axes: Axes, centre: Point, quarters: float, pixels: np.ndarray) -> None:
    x, y = centre
    extent = x - HALF + 0.03, x + HALF - 0.03, y + HALF - 0.03, y - HALF + 0.03
    dark = np.where(np.rot90(pixels, -int(quarters // 1)) == "#", 1, np.nan)  # the ground of the cell shows between
    look: Look = {"cmap": "Greys", "vmin": 0, "vmax": 2.4, "zorder": 4, "interpolation": "nearest"}
    axes.imshow(dark, extent=extent, transform=rotated(axes, centre, quarters % 1), **look)


def _arrow(axes: Axes, centre: Point, sense: int, radius: float = 0.22) -> None:
    """Draw an arrow three quarters of the way round a middle: 1 quarter is clockwise, 3 the other way."""
    colour, dashes = SENSES[sense]
    angles = pi * np.linspace(-1.25, 0.25, 40)[:: 1 if sense == 1 else -1]
    points = [(centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in angles]
    look: Look = {"arrowstyle": "-|>", "mutation_scale": 9, "color": colour, "linewidth": 2, "zorder": 6}
    axes.add_patch(FancyArrowPatch(path=Path(points), linestyle=dashes, path_effects=HALO, **look))


@style.sheet("gear_meeting", 15.2, 2)
def strip(  # noqa: PLR0913, the last two are pictures for the cells
    axes: Axes, board: Board = BOARDS["two"], steps: Sequence[int] = (0, 0, 0), state: State = dials.SOLVED, *,
    pictures: np.ndarray | None = None, goal: np.ndarray | None = None,
) -> str:  # fmt: skip
    """A board before each of some steps, under the name of the cell that turns next, and after all of them.

    The cell that turns is shaded, arrows show what it drives, and dark bars what meshes.
    """
    states = sawtooth.replay(board, steps, state)
    cells = range(DIALS) if pictures is not None else sawtooth.toothed(board) or range(DIALS)
    size, high, parts = 3.8, max(cells) // 3 + 2, len(states) + (goal is not None)
    style.resize(axes, size * min(parts, 4), high * ceil(parts / 4))
    for i, (passed, turn) in enumerate(zip_longest(states, steps)):
        heading = "after all steps" if turn is None else f"step {i + 1}: {write_cell(turn)}"
        at = style.part(axes, i, heading, size=size, high=high)
        gears(axes, board, passed, at, turn=turn, pictures=pictures, cells=cells)
    if goal is not None:
        at = style.part(axes, len(states), "second picture", size=size, high=high)
        gears(axes, 0, dials.SOLVED, at, pictures=goal)
    return f"The board has {board.bit_count()} teeth, and the steps are {_named(steps) or 'none'}."


style.variant("gear_four_states", strip, BOARDS["all teeth"])


def _named(cells: Iterable[int]) -> str:
    return " ".join(map(write_cell, cells))


@style.sheet("gear_solution", 15.2, 8)
def solution(axes: Axes) -> str:
    """The judge's sample with its pictures: before each step that solves it, after all, and the second picture."""
    strip(SAMPLE, SAMPLE_STEPS, pictures=sample().first, goal=sample().second, ax=axes)
    return f"The {len(SAMPLE_STEPS)} steps: {_named(SAMPLE_STEPS)}."


@style.checked
def animation(
    board: Board, steps: Sequence[int], state: State = dials.SOLVED, pictures: np.ndarray | None = None
) -> style.Film:
    """Return an animation of the turns of some cells, 0 .. 8, on a board; it begins in a state."""
    states, turns = sawtooth.replay(board, steps, state), [*steps, None]

    def draw(axes: Axes, step: int, part: float) -> None:
        at = style.part(axes, 0, f"{step} of {len(steps)} turns", size=3.4)
        gears(axes, board, states[step], at, turn=turns[step], part=part, pictures=pictures, cells=range(DIALS))

    alt = f"A board of nine cells that turn one after the other, with what they drive: {_named(steps)}."
    return style.Film(draw, len(steps), 3.4, 4, alt)


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
    turning = [i for i, sense in enumerate(sawtooth.senses(board, state, cell)) if sense]
    return f"The turn of {write_cell(cell)} turns {_named(turning)}, neighbours in opposite ways."


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
    turned = f"{_named(orders[0])} above and {_named(orders[1])} below"
    return f"The turns are {turned}; in the end {len(differ)} of the nine cells differ."


def mesh(axes: Axes, board: Board, state: State, at: Point) -> None:
    """Draw the mesh graph of a state with networkx, its nodes black and white like a chequerboard."""
    graph = graphs.mesh(board, state)
    place = {cell: middle(cell, at) for cell in graph}
    black = [INK if colour == 0 else "white" for _, colour in graph.nodes(data="colour")]
    nx.draw_networkx_edges(graph, place, width=4, edge_color=BLUE, ax=axes)
    nx.draw_networkx_nodes(graph, place, node_size=300, node_color=black, edgecolors=INK, linewidths=1.4, ax=axes)


@style.sheet("gear_mesh_graphs", 16.4, 8.1)
def mesh_graphs(axes: Axes) -> str:
    """The mesh graph of the judge's sample at the start and after each step."""
    states = sawtooth.replay(SAMPLE, SAMPLE_STEPS)
    pieces = [nx.number_connected_components(graphs.mesh(SAMPLE, state)) for state in states]
    for i, state in enumerate(states):
        when = f"step {i}" if i else "start"
        mesh(axes, SAMPLE, state, style.part(axes, i, f"{when}: {pieces[i]} pieces", size=4.1))
    return f"Lines join those of the nine dots that mesh, in {', '.join(map(str, pieces))} pieces."


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


@style.chart("gear_coupling", height=3.6, width=style.WIDTH)
def coupling(axes: Axes) -> str:
    """How many cells one turn moves, over all states and turns of several boards, as a table of shaded shares."""
    turns = tables.sawtooth_coupling().pivot(index="board", columns="cells", values="turns").loc[list(BOARDS)]
    shares = 100 * turns / turns.iloc[0].sum()
    texts = shares.map(_per_hundred).rename(lambda name: f"{name}, {BOARDS[name].bit_count()}")
    style.heat_map(axes, np.sqrt(shares / 100), texts)
    axes.set(xlabel="cells that one turn moves, the turned one included; in a square: % of all turns")
    axes.set(ylabel="board, and its number of teeth")
    alone = ", ".join(f"{share} % ({board} teeth)" for board, share in texts[1].items() if share)
    return f"One cell alone: {alone}."


def _per_hundred(share: float) -> str:
    return "" if share == 0 else "< 0.1" if share < 0.05 else f"{share:.1f}"


@style.chart("gear_levels", height=4.4)
def levels(axes: Axes) -> str:
    """How many states lie at each distance from the start, for several boards and for The Clocks."""
    table = tables.sawtooth_levels().set_index("distance").groupby("board")["states"]
    looks = (
        ("no teeth", BLUE, "-", (15.5, 25000)),
        ("six", RED, "--", (19.8, 7000)),
        ("sample", INK, "-.", (10.5, 54000)),
    )
    texts = {"no teeth": "no teeth, and The Clocks (circles)", "six": "six teeth", "sample": "the sample's 21 teeth"}
    seen = []
    for board, colour, line, at in looks:
        counts = table.get_group(board).to_numpy()
        text = f"{texts[board]}:\n{counts.sum():,} states, farthest {len(counts) - 1}"
        seen.append(style.curve(axes, board, counts, text, (colour, line), at=at))
    circles: Look = {"color": BLUE, "markerfacecolor": "white", "markersize": 6, "label": "The Clocks"}
    axes.plot(np.bincount(enumeration.distances()), "o", **circles)
    axes.set(xlabel="distance: the fewest steps from the start", xticks=(0, 10, 18, 27, 31))
    return " ".join(seen)
