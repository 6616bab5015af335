"""The figures of the move matrix: its inverse, m hours on a dial, other move tables and random ones."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patheffects import withStroke

from clocklab import tables
from clocklab.algebra import System
from clocklab.clocks import METRICS, MOVES
from clocklab.dials import NAMES
from clocklab.figures import style
from clocklab.figures.style import CURVES, INK, MIDDLE, PALE, SHADES, TITLE
from clocklab.movetables import CLOCKS


def grid(axes: Axes, numbers: np.ndarray, x: float, y: float, top: int) -> None:
    """Draw a matrix of numbers up to ``top`` as squares one unit wide, larger ones darker, the first at (x, y)."""
    for (row, column), number in np.ndenumerate(numbers):
        shade = SHADES(0.75 * number / top) if number else PALE
        axes.add_patch(Rectangle((x + column, y + row), 0.94, 0.94, facecolor=shade))
        colour = "white" if number == top else INK
        axes.text(x + column + 0.47, y + row + 0.5, number, color=colour, **MIDDLE)


@style.exported("move_matrix")
def move_matrix() -> Figure:
    """Draw the move matrix and its inverse mod 4, side by side."""
    figure, axes = style.paper(25, 11.8)
    inverse = tables.clock_inverse().filter(like="move_").to_numpy().T
    clocks, moves = ("clock", NAMES), ("move", "123456789")
    for x, numbers, rows, columns, title in (
        (1.7, np.array(CLOCKS.matrix), clocks, moves, "the move matrix"),
        (15.2, inverse, moves, ("clock to turn alone", NAMES), "its inverse mod 4"),
    ):
        grid(axes, numbers, x, 2.6, numbers.max())
        axes.text(x + 4.5, 0.4, title, **TITLE)
        axes.text(x + 4.5, 1.3, columns[0], **MIDDLE)
        axes.text(x - 1.3, 7.1, rows[0], rotation=90, **MIDDLE)
        for i in range(9):
            axes.text(x - 0.5, i + 3.1, rows[1][i], **MIDDLE)
            axes.text(x + i + 0.47, 2.15, columns[1][i], **MIDDLE)
    return figure


@style.exported("matrix_alone")
def alone() -> Figure:
    """Draw the inverse column by column: the presses that turn one clock alone, each at the place of its move."""
    table = tables.clock_inverse()
    titles = [f"{clock} alone: {cost} presses" for clock, cost in zip(NAMES, table["clockwise"], strict=True)]
    return _nine(table.filter(like="move_").to_numpy(), titles, ring=True)


@style.exported("matrix_left_out")
def left_out() -> Figure:
    """Draw the weights of the sum that stays the same when one move is left out, one grid a move."""
    titles = [f"without {i}: {move}" for i, move in enumerate(MOVES, 1)]
    return _nine(tables.clock_left_out().filter(like="weight_").to_numpy(), titles, ring=False)


def _nine(numbers: np.ndarray, titles: list[str], ring: bool) -> Figure:
    """Draw nine numbers a row as nine 3 x 3 grids; the ring marks the i-th place of the i-th grid."""
    figure, axes = style.paper(13.2, 12.9, inches=6.2)
    for i, (row, title) in enumerate(zip(numbers, titles, strict=True)):
        x, y = 0.9 + 4.2 * (i % 3), 0.9 + 4.2 * (i // 3)
        grid(axes, row.reshape(3, 3), x, y, numbers.max())
        axes.text(x + 1.47, y - 0.4, title, **TITLE)
        if ring:
            at = (x + i % 3 + 0.47, y + i // 3 + 0.47)
            halo = [withStroke(linewidth=4.8, foreground="white")]
            axes.add_patch(Circle(at, 0.4, fill=False, edgecolor=INK, linewidth=2, path_effects=halo))
    return figure


@style.exported("matrix_five_hours")
def five_hours() -> Figure:
    """Draw why clocks with five hours lose four states of five: the quiet pattern, and the weights of what stays."""
    figure, axes = style.paper(16, 6, inches=7)
    system = CLOCKS.system(5)
    for x, numbers, title, below in (
        (2.2, system.quiet[0][0], "a quiet pattern", "presses of the nine moves:\nevery clock turns 5 hours"),
        (10.8, system.invariants[0], "weights of the clocks", "every move turns clocks\nof a total weight of 5"),
    ):
        grid(axes, np.reshape(numbers, (3, 3)), x, 1, max(numbers))
        axes.text(x + 1.47, 0.5, title, **TITLE)
        axes.text(x + 1.47, 5, below, linespacing=1.4, **MIDDLE)
    return figure


@style.exported("matrix_hours")
def hours() -> Figure:
    """Draw how many states each named table loses, by the hours on a dial, as a heat map with the numbers."""
    facts = tables.move_tables()
    table = facts.pivot(index="table", columns="hours", values="reachable_one_in").loc[facts["table"].unique()]
    figure, axes = style.subplots(height=4.2)
    lost, shades = table.to_numpy(), np.sqrt(np.log(table.to_numpy(float)))
    style.heat_map(axes, shades, lost, lambda lost: "all" if lost == 1 else f"{lost:,}", dark=9, fontsize=style.SMALL)
    axes.set_xticks(range(table.shape[1]), table.columns)
    axes.set_yticks(range(len(table)), table.index)
    axes.set_xlabel("hours on a dial; in a square: one state in how many can be solved")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _curves(axes: Axes, system: System, labels: dict[int, str]) -> None:
    """Draw one curve a metric; the labels, one a metric, are keyed by the distance at which they stand."""
    for metric, (colour, line), (at, formula) in zip(METRICS, CURVES, labels.items(), strict=True):
        counts = system.distribution(metric)
        axes.plot(counts, line, color=colour, markersize=4)
        label = f"{metric}, farthest {len(counts) - 1}{formula}"
        axes.annotate(label, (at, counts[at]), (7, 3), textcoords="offset points", color=colour, va="bottom")


@style.exported("matrix_five_hours_distances")
def five_hours_distances() -> Figure:
    """Draw how far the reachable states of clocks with five hours are, in the three metrics."""
    figure, axes = style.subplots(height=3.8)
    _curves(axes, CLOCKS.system(5), {13: "", 8: "", 6: ""})
    axes.set(xlabel="distance: the least cost among the five solutions of a state", ylabel="states at that distance")
    axes.set(xticks=(0, 7, 10, 13, 16), xlim=(-0.4, 18))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    return figure


@style.exported("matrix_twelve_hours")
def twelve_hours() -> Figure:
    """Draw how many of the 12^9 states of clocks with twelve hours lie at each distance, in the three metrics."""
    figure, axes = style.subplots(height=4.2)
    formulas = "\n$(1+x+\\cdots+x^{11})^9$", "\n$(1+2x+\\cdots+2x^5+x^6)^9$", "\n$(1+11x)^9$"
    _curves(axes, CLOCKS.system(12), dict(zip((64, 27, 9), formulas, strict=True)))
    axes.set(xlabel="distance: the least cost of bringing all nine clocks to 12", ylabel="states at that distance")
    axes.set(yscale="log", xticks=(0, 9, 27, 49, 54, 99), ylim=(0.7, 3e11), yticks=(1, 1e3, 1e6, 1e9))
    axes.minorticks_off()
    return figure


@style.exported("matrix_random_tables")
def random_tables() -> Figure:
    """Draw the share of random move tables that solve everything: the exact product and a sample with its spread."""
    figure, axes = style.subplots(height=4)
    labels = {2: "m = 2, 4, 8, …", 3: "m = 3, 9, …", 6: "m = 6, 12, …"}
    tables_of = tables.random_tables().set_index("size").groupby("modulus")
    for (modulus, label), (colour, line) in zip(labels.items(), CURVES, strict=True):
        table = tables_of.get_group(modulus)
        spread = 2 * np.sqrt(table["exact"] * (1 - table["exact"]) / table["samples"])
        axes.plot(table["exact"], line[1:], color=colour)
        axes.errorbar(table.index, table["sampled"], yerr=spread, fmt=line[0], color=colour, capsize=3, linewidth=1)
        axes.text(9.3, table["exact"].iloc[-1], label, color=colour, va="center")
    axes.set(xlabel="dials, and as many moves", ylabel="share of tables that solve every state", ylim=(0, 0.75))
    axes.set(xticks=(1, 3, 5, 7, 9), xlim=(0.7, 11))
    axes.yaxis.set_major_formatter(style.percent)
    return figure
