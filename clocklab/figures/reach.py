"""The figures of what gears can reach: a one-way step, components, many boards, and the hardest one."""

from itertools import zip_longest
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from clocklab import dials, graphs, sawtooth, tables
from clocklab.dials import DIALS, State
from clocklab.examples import STAIRS, TRAPDOOR
from clocklab.figures import style
from clocklab.figures.gears import OUT, gears, middle
from clocklab.figures.style import ARROW, BLUE, FAINT, GRID, INK, MIDDLE, ORANGE, PALE, RED, SHADES, TITLE, Point
from clocklab.sawtooth import Board

PAIR = (0, 1)  # the cells of the trapdoor
TEETH, TICKS = "teeth on the board, 36 at most", (0, 4, 8, 12, 16, 20, 24, 29, 36)
# by what a turn adds to a cell's orientation, the colours of its face and its hand
FACES = {0: ("white", INK), 1: (BLUE, "white"), 3: ("#F7C46C", INK)}


@style.exported("reach_one_way")
def one_way() -> Figure:
    """Draw what either cell's turn makes of the trapdoor's start, then the four turns that might lead back to it."""
    figure, axes = style.paper(13.2, 7.2)
    for y, heading in ((0.4, "from the start"), (2.7, "to the start: the only turns that might lead there")):
        axes.text(0.2, y, heading, fontweight="bold", va="center")
    for x, cell in zip((0.2, 7), PAIR, strict=True):
        _turn(axes, (x, 0.9), dials.SOLVED, cell)
        for y, other in ((3.3, 0), (5.4, 1)):
            before = 3 << 2 * cell | other << 2 * (1 - cell)
            _turn(axes, (x, y), before, cell)
            driven = "the other cell is driven away" if other == 0 else "the other cell is not driven back"
            axes.text(x + 3, y + 1.4, driven, **MIDDLE)
    return figure


def _turn(axes: Axes, at: Point, before: State, cell: int) -> None:
    """Draw a turn of one of the trapdoor's two cells: the state before it, and the state after."""
    gears(axes, TRAPDOOR, before, at, turn=cell, cells=PAIR)
    axes.annotate("", (at[0] + 3.6, at[1] + 0.5), (at[0] + 2.4, at[1] + 0.5), arrowprops=ARROW)
    gears(axes, TRAPDOOR, sawtooth.turn(TRAPDOOR, before, cell), (at[0] + 4, at[1]), cells=PAIR)


@style.exported("reach_stairs")
def stairs() -> Figure:
    """Draw a board of four cells with teeth and the condensation of its states: 23 components, and no way back."""
    graph = graphs.condensation(STAIRS)
    figure, axes = style.paper(17.6, 9.2)
    gears(axes, STAIRS, 0, (0.2, 3.2), cells=(0, 1, 3, 4))
    axes.text(1.2, 5.8, "the start", **MIDDLE)
    disks = {n: _component(axes, place, len(graph.nodes[n]["members"])) for n, place in _places(graph).items()}
    disks[graph.graph["mapping"][dials.SOLVED]].set(facecolor=ORANGE, linewidth=2.5)
    needed = nx.transitive_reduction(graph).edges
    for colour, edges in ((GRID, graph.edges - needed), (INK, needed)):
        for one, other in ((disks[a], disks[b]) for a, b in edges):
            look = ARROW | {"color": colour, "linewidth": 1.2, "mutation_scale": 11, "patchA": one, "patchB": other}
            axes.add_patch(FancyArrowPatch(one.center, other.center, **look))
    return figure


def _component(axes: Axes, place: Point, states: int) -> Circle:
    """Draw a component as a disk that says how many states it has."""
    radius, shade = (0.3, 0.1) if states == 1 else (0.42, 0.35) if states < 100 else (1.2, 0.8)
    disk = Circle(place, radius, facecolor=SHADES(shade), edgecolor=INK, zorder=3)
    axes.add_patch(disk)
    axes.text(*place, str(states), zorder=4, color="white" if states > 100 else INK, **MIDDLE)
    return disk


def _places(graph: nx.DiGraph) -> dict[int, Point]:
    """Return a place for each node: layers from left to right, each node near the middle of those it is joined to."""
    layers = [sorted(layer) for layer in nx.topological_generations(graph)]
    height = {node: float(i) for layer in layers for i, node in enumerate(layer)}

    def middle(node: int) -> Point:
        return float(np.mean([height[joined] for joined in nx.all_neighbors(graph, node)])), height[node]

    for layer in 8 * layers:  # eight rounds settle it
        layer.sort(key=middle)
        height |= {node: 1.12 * (i - (len(layer) - 1) / 2) for i, node in enumerate(layer)}
    return {node: (4 + 2.45 * x, 4.6 + height[node]) for x, layer in enumerate(layers) for node in layer}


@style.exported("reach_shares")
def shares() -> Figure:
    """Draw what random boards reach on average, and how many reach everything, against their number of teeth."""
    table = tables.sawtooth_reach().set_index("teeth")
    figure, axes = style.subplots(height=4.6)
    axes.axvspan(24, 29, color=PALE)
    axes.plot(table.bound, ":", color=INK, linewidth=1.6)
    for column, colour, mark, fill in (("share", BLUE, "o", BLUE), ("everything", RED, "s", "white")):
        axes.vlines(table.index, table[f"{column}_low"], table[f"{column}_high"], color=colour, linewidth=1.6)
        axes.plot(table[column], mark, color=colour, markersize=5, markerfacecolor=fill)
    axes.text(25.6, 0.78, "the most that\nlocks leave", va="center")
    axes.text(21, 0.77, "mean share of the\nstates reached", color=BLUE, ha="right", va="center")
    axes.text(13.6, 0.4, "share of boards that\nreach every state", color=RED, ha="right", va="center")
    sample = f"{table.boards[0]} random boards of\neach number of teeth;\nbars: 95 % confidence"
    axes.text(0, 0.12, sample, va="center")
    axes.set(xlabel=TEETH, xticks=TICKS, yticks=(0, 0.25, 0.5, 0.75, 1))
    axes.set_ylabel("share of the states, or of the boards")
    axes.yaxis.set_major_formatter(style.percent)
    return figure


@style.exported("reach_boards")
def boards() -> Figure:
    """Draw the surveyed boards by number of teeth: how many states each reaches, and how far the farthest is."""
    rows = tables.sawtooth_survey()
    figure, (upper, lower) = style.subplots(2, 1, height=7.6, sharex=True)
    _bubbles(upper, rows.teeth, (np.log2(rows.reachable).round() / 2))
    _bubbles(lower, rows.teeth, rows.farthest, RED, 27)
    upper.set(ylabel="states reached from the start", yticks=range(1, 10), xticks=TICKS)
    upper.set_yticklabels([f"$4^{n}$" for n in range(1, 10)])
    for y, count in ((3, 1), (2, 30), (1, 300)):
        upper.scatter(0.5, y, s=_area(count), color=BLUE, linewidth=0)
        upper.text(1.5, y, f"{count} boards" if count > 1 else "one board", va="center")
    lower.axhline(27, color=INK, linewidth=1)
    lower.text(0, 34, "above the line: farther than\nany state of The Clocks", va="center")
    lower.set(ylabel="steps to the farthest of them", yticks=(2, 9, 18, 27, 35, 42), xlabel=TEETH)
    return figure


def _bubbles(axes: Axes, teeth: pd.Series, values: pd.Series, above: str = BLUE, limit: int = 99) -> None:
    """Draw how many boards have each value, as an area; those over a limit in another colour."""
    counts = pd.DataFrame({"teeth": teeth, "value": values}).value_counts()
    x, y = counts.index.to_frame().to_numpy().T
    axes.scatter(x, y, s=_area(counts), c=np.where(y > limit, above, BLUE), linewidth=0)


def _area(boards: Any) -> Any:
    return 3 + 0.4 * boards


def hardest_board() -> tuple[Board, list[int]]:
    """Return the hardest board that was found, and the steps to its farthest state as cells 0 .. 8."""
    row = tables.sawtooth_hardest().iloc[0]
    return sawtooth.board_of(row.board), [int(cell) - 1 for cell in row.sequence]


@style.exported("reach_hardest")
def hardest() -> Figure:
    """Draw the hardest board found, at its start and in the state that is farthest from there."""
    board, steps = hardest_board()
    figure, axes = style.paper(9, 3.9, inches=6.6)
    for x, heading, shown in ((0.6, "the start", 0), (5.4, f"{len(steps)} steps away", len(steps))):
        gears(axes, board, sawtooth.replay(board, steps)[shown], (x, 0.8))
        axes.text(x + 1.5, 0.4, heading, **TITLE)
    return figure


@style.exported("reach_hardest_steps")
def hardest_steps(before: int = 3, period: int = 13) -> Figure:
    """Draw the way to the farthest state of the hardest board, ``before`` steps and then a row for each round."""
    board, steps = hardest_board()
    rows = -(-(len(steps) + 1 - before) // period) + 1
    figure, axes = style.paper(3.3 * period, 4.4 * rows)
    for i, (state, turn) in enumerate(zip_longest(sawtooth.replay(board, steps), steps)):
        row, column = divmod(i - before + period, period)
        x, y = 3.3 * (column if row else i) + 0.15, 4.4 * row + 1.1
        small_gears(axes, board, state, (x, y), turn)
        axes.text(x + 1.5, y - 0.5, str(i), fontsize=style.SMALL, **MIDDLE)
    return figure


def small_gears(axes: Axes, board: Board, state: State, at: Point, turn: int | None) -> None:
    """Draw a board in little room: a line for each tooth, and faces coloured by the way they turn next."""
    senses = DIALS * (0,) if turn is None else sawtooth.senses(board, state, turn)
    for cell, teeth in enumerate(sawtooth.teeth_by_cell(board, state)):
        (x, y), orientation = middle(cell, at), state >> 2 * cell & 0b11
        for a, b in (way for side, way in enumerate(OUT) if teeth >> side & 1):
            axes.plot([x + 0.36 * a, x + 0.5 * a], [y + 0.36 * b, y + 0.5 * b], color=FAINT, linewidth=2, zorder=1)
        face, hand = FACES[senses[cell]]
        width, top = (2.2, 3) if cell == turn else (0.7, 2)
        corner = (x - 0.36, y - 0.36)
        axes.add_patch(Rectangle(corner, 0.72, 0.72, facecolor=face, edgecolor=INK, linewidth=width, zorder=top))
        a, b = OUT[(orientation + 1) % 4]
        axes.plot([x, x + 0.24 * a], [y, y + 0.24 * b], color=hand, linewidth=1.8, zorder=4)
