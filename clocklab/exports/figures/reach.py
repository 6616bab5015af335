"""The figures of what gears can reach: a one-way step, components, many boards, and the hardest one."""

from itertools import zip_longest
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from clocklab import dials, enumeration, sawtooth
from clocklab.dials import DIALS, State
from clocklab.exports import tables
from clocklab.exports.figures import style
from clocklab.exports.figures.clocks import faces
from clocklab.exports.figures.gears import animation, gears, hand
from clocklab.exports.figures.style import BLUE, FAINT, GRID, INK, MIDDLE, PALE, RED, TEXT, TITLE, Look, Point, middle
from clocklab.sawtooth import Board
from clocklab.studies import graphs, reach
from clocklab.studies.examples import SAMPLE, SPLIT, STAIRS, TRAPDOOR

TEETH, TICKS = "teeth on the board, 36 at most", (0, 4, 8, 12, 16, 20, 24, 29, 36)
# by what a turn adds to a cell's orientation, the colours of its face and its hand
FACES = {0: ("white", INK), 1: (BLUE, "white"), 3: (style.ORANGE, INK)}


@style.sheet("reach_one_way", 13.2, 7.2)
def one_way(axes: Axes) -> None:
    """What either cell's turn makes of the trapdoor's start, then the four turns that might lead back to it.

    Twice the other cell is driven away, twice it is not driven back.
    """
    for y, heading in ((0.4, "from the start"), (2.7, "to the start: the only turns that might lead there")):
        axes.text(0.2, y, heading, fontweight="bold", va="center")
    for x, cell in ((0.2, 0), (7, 1)):
        _turn(axes, (x, 0.9), dials.SOLVED, cell)
        for y, other in ((3.3, 0), (5.4, 1)):
            _turn(axes, (x, y), 3 << 2 * cell | other << 2 * (1 - cell), cell)
            driven = "the other cell is driven away" if other == 0 else "the other cell is not driven back"
            axes.text(x + 3, y + 1.4, driven, **MIDDLE)


def _turn(axes: Axes, at: Point, before: State, cell: int) -> None:
    """Draw a turn of one of the trapdoor's two cells: the state before it, and the state after."""
    x, y = at
    gears(axes, TRAPDOOR, before, at, turn=cell)
    style.arrow(axes, (x + 2.4, y + 0.5), (x + 3.6, y + 0.5))
    gears(axes, TRAPDOOR, sawtooth.turn(TRAPDOOR, before, cell), (x + 4, y))


@style.sheet("reach_stairs", 17.6, 9.2)
def stairs(axes: Axes) -> str:
    """A board of four cells with teeth, and the condensation of its states: disks that arrows join, left to right."""
    graph = graphs.condensation(STAIRS)
    gears(axes, STAIRS, 0, (0.2, 3.2))
    axes.text(1.2, 5.8, "the start", **MIDDLE)
    disks = {}
    for node, place in _places(graph).items():
        states = graph.nodes[node]["states"]
        radius, shade = (0.3, 0.1) if states == 1 else (0.42, 0.35) if states < 100 else (1.2, 0.8)
        disks[node] = style.disk(axes, place, radius, states, shade)
    disks[graph.graph["start"]].set(facecolor=style.ORANGE, linewidth=2.5)
    needed = nx.transitive_reduction(graph).edges
    for colour, edges in ((GRID, graph.edges - needed), (INK, needed)):
        for one, other in ((disks[a], disks[b]) for a, b in edges):
            look: Look = {"color": colour, "linewidth": 1.2, "mutation_scale": 11, "patchA": one, "patchB": other}
            style.arrow(axes, one.center, other.center, **look)
    sizes = sorted(states for _, states in graph.nodes(data="states"))
    return (
        f"The {len(sizes)} disks hold {sum(sizes)} states, the last {sizes[-1]}; no arrow leads to that of the start."
    )


def _places(graph: nx.DiGraph) -> dict[int, Point]:
    """Return a place for each node: layers from left to right, each node near the middle of those it is joined to."""
    layers = [sorted(layer) for layer in nx.topological_generations(graph)]
    height = {node: float(i) for layer in layers for i, node in enumerate(layer)}

    def among_joined(node: int) -> Point:
        return float(np.mean([height[joined] for joined in nx.all_neighbors(graph, node)])), height[node]

    for layer in 8 * layers:  # eight rounds settle it
        layer.sort(key=among_joined)
        height |= {node: 1.12 * (i - (len(layer) - 1) / 2) for i, node in enumerate(layer)}
    return {node: (4 + 2.45 * x, 4.6 + height[node]) for x, layer in enumerate(layers) for node in layer}


@style.chart("reach_shares", height=4.6)
def shares(axes: Axes) -> str:
    """What random boards reach on average, and how many reach everything, against their number of teeth."""
    table = tables.sawtooth_reach().set_index("teeth")
    axes.axvspan(24, 29, color=PALE)
    sampled(axes, table, "share", "o", markersize=5, color=BLUE)
    sampled(axes, table, "everything", "s", markersize=5, color=RED, markerfacecolor="white")
    axes.text(21, 0.77, "mean share\nof the states\nreached", color=BLUE, ha="right", va="center")
    axes.text(13.6, 0.4, "share of boards that\nreach every state", color=TEXT[RED], ha="right", va="center")
    sample = f"{table.boards[0]} random boards of\neach number of teeth;\nbars: 95 % confidence"
    axes.text(0, 0.12, sample, va="center")
    axes.set(xlabel=TEETH, xticks=TICKS, ylabel="share of the states, or of the boards")
    seen = (f"{teeth} teeth {style.percent(table.share[teeth])}" for teeth in (16, 24, 29))
    return f"Both fall as the teeth grow; the mean share reached: {', '.join(seen)}."


def sampled(axes: Axes, table: pd.DataFrame, column: str, mark: str, **look: Any) -> None:
    """Draw a share among random boards against their number of teeth, the index, with its confidence interval."""
    axes.vlines(table.index, table[f"{column}_low"], table[f"{column}_high"], color=look["color"], linewidth=1.6)
    axes.plot(table[column], mark, **look)
    axes.set_yticks((0, 0.25, 0.5, 0.75, 1))
    axes.yaxis.set_major_formatter(style.percent)


@style.chart("reach_boards", height=7.6, nrows=2, sharex=True)
def boards(panels: np.ndarray) -> str:
    """The surveyed boards by number of teeth, as disks: above, the states they reach; below, how far these are."""
    rows, (upper, lower) = tables.sawtooth_survey(), panels
    powers = np.log2(rows.reachable).round() / 2  # of 4, to the nearest half
    for axes, values in ((upper, powers), (lower, rows.farthest)):
        counts = values.groupby([rows.teeth, values]).size()
        teeth, levels = (counts.index.get_level_values(level) for level in (0, 1))
        axes.scatter(teeth, levels, s=3 + 0.4 * counts, c=np.where(levels > 27, RED, BLUE), linewidth=0)
    for y, count in ((3, 1), (2, 30), (1, 300)):
        upper.scatter(0.5, y, s=3 + 0.4 * count, color=BLUE, linewidth=0)
        upper.text(1.5, y, f"{count} boards" if count > 1 else "one board", va="center")
    upper.set(ylabel="states reached from the start", yticks=range(1, 10), xticks=TICKS)
    upper.set_yticklabels([f"$4^{n}$" for n in range(1, 10)])
    lower.axhline(27, color=INK, linewidth=1)
    lower.text(0, 34, "above the line: farther than\nany state of The Clocks", va="center")
    lower.set(ylabel="steps to the farthest of them", yticks=(2, 9, 18, 27, 35, 42), xlabel=TEETH)
    far = rows.farthest[rows.farthest > 27]
    return f"On {far.size} boards the farthest state is more than 27 steps away, at most {far.max()}."


def hardest_board() -> tuple[Board, list[int]]:
    """Return the hardest board that was found, and the steps to its farthest state as cells 0 .. 8."""
    row = tables.sawtooth_hardest().iloc[0]
    return sawtooth.board_of(row.board), [int(cell) - 1 for cell in row.sequence]


@style.sheet("reach_hardest", 9.6, 4, inches=6.6)
def hardest(axes: Axes) -> str:
    """The hardest board found, at its start and in the state that is farthest from there."""
    board, steps = hardest_board()
    gears(axes, board, dials.SOLVED, style.part(axes, 0, "the start", size=4.8))
    gears(axes, board, sawtooth.replay(board, steps)[-1], style.part(axes, 1, f"{len(steps)} steps away", size=4.8))
    return f"It has {board.bit_count()} teeth, and that state is {len(steps)} steps away."


@style.sheet("reach_hardest_steps", 9 * 3.3, 4 * 4.2)
def hardest_steps(axes: Axes) -> str:
    """The way to the farthest state of the hardest board without its second and third round of 13 steps."""
    board, steps = hardest_board()
    way = list(zip_longest(sawtooth.replay(board, steps), steps))
    for place, i in enumerate((*range(17), None, *range(42, len(way)))):
        x, y = 3.3 * (place % 9) + 0.15, 4.2 * (place // 9) + 1
        if i is None:
            axes.text(x + 1.5, y + 1.5, "two more\nrounds:\n16 to 42", **MIDDLE)
        else:
            small_gears(axes, board, way[i][0], (x, y), way[i][1])
            axes.text(x + 1.5, y - 0.4, str(i), **MIDDLE)
    return f"Boards numbered 0 to 16 and 42 to {len(steps)}; colours show what the next turn moves, and which way."


def small_gears(axes: Axes, board: Board, state: State, at: Point, turn: int | None) -> None:
    """Draw a board in little room: a line for each tooth, and faces coloured by the way they turn next."""
    senses = DIALS * (0,) if turn is None else sawtooth.senses(board, state, turn)
    for cell, quarters in enumerate(dials.unpack(state)):
        centre, (face, colour), rim = middle(cell, at), FACES[senses[cell]], 2.2 if cell == turn else 0.7
        for side in (side for side in range(4) if board >> 4 * cell + side & 1):
            hand(axes, centre, side + quarters - 1, 0.5, color=FAINT, linewidth=2, zorder=1)
        look: Look = {"facecolor": face, "edgecolor": INK, "linewidth": rim, "zorder": 2 + rim / 10}
        axes.add_patch(Rectangle((centre[0] - 0.4, centre[1] - 0.4), 0.8, 0.8, **look))
        hand(axes, centre, quarters, 0.28, color=colour, linewidth=1.8)


@style.sheet("front", 18, 3.95)
def front(axes: Axes) -> str:
    """For the front page, the farthest state of The Clocks and the farthest found of gears."""
    distances, (board, steps) = enumeration.distances(), hardest_board()
    axes.text(4.3, 0.3, "The Clocks", **TITLE)
    axes.text(13.6, 0.3, "The Sawtooth Puzzle", **TITLE)
    style.arrow(axes, (3.4, 2.4), (5.2, 2.4), f"{distances.max()} presses")
    style.arrow(axes, (12.7, 2.4), (14.5, 2.4), f"{len(steps)} turns")
    faces(axes, int(distances.argmax()), (0.1, 0.9))
    faces(axes, dials.SOLVED, (5.5, 0.9))
    gears(axes, board, dials.SOLVED, (9.4, 0.9))
    gears(axes, board, sawtooth.replay(board, steps)[-1], (14.8, 0.9))
    return f"The former is {distances.max()} presses from solved, the latter {len(steps)} turns from the start."


def hardest_turns() -> style.Film:
    """The hardest board found as it turns, step by step, into its farthest state."""
    return animation(*hardest_board())


style.FILMS["hardest_turns"] = hardest_turns


@style.chart("reach_without_lock", height=4)
def without_lock(axes: Axes) -> str:
    """What random boards of many teeth reach on average: all of them, and those without a lock."""
    table = tables.sawtooth_reach().set_index("teeth").loc[20:32]
    axes.plot(table.bound, ":", color=INK)
    sampled(axes, table, "share", "o", markersize=5, color=BLUE)
    few = table[table.without_lock >= 10]
    sampled(axes, few, "share_without_lock", "s", markersize=6, color=RED, markerfacecolor="white")
    axes.text(24.2, 0.88, "the most that locks leave", va="center")
    axes.text(28.3, 0.5, "mean share of the\nstates reached on\nboards without a lock", color=TEXT[RED], va="center")
    axes.text(23.8, 0.4, "the same\non all boards", color=BLUE, ha="right", va="center")
    axes.set(xlabel="teeth on the board", xticks=table.index, ylabel="share of the states")
    all_boards, without = (table[column].map(style.percent) for column in ("share", "share_without_lock"))
    seen = (f"{teeth} teeth {all_boards[teeth]} and {without[teeth]}" for teeth in (24, 29))
    return f"Both fall as the teeth grow: {', '.join(seen)}."


@style.sheet("reach_cluster", 16.8, 4.2)
def cluster(axes: Axes) -> str:
    """Four cells of a board that hang together for ever, at the start and after one, two and three turns."""
    largest = max(graphs.clusters(SPLIT, dials.SOLVED), key=len)
    for turns, state in enumerate(sawtooth.replay(SPLIT, 3 * [min(largest)])):
        heading = ("the start", "one turn", "two turns", "three turns")[turns]
        gears(axes, SPLIT, state, style.part(axes, turns, heading), shaded=largest)
    return f"Each time dark bars join the {len(largest)} shaded cells into one piece, not always the same bars."


@style.chart("reach_time", height=4)
def time(axes: Axes) -> str:
    """How much of the time random turns of the sample's cells spend in the states where they are most often."""
    share = np.sort(reach.time_spent(reach.arcs(SAMPLE)))[::-1].cumsum()
    states = np.arange(1, share.size + 1) / share.size
    half = int(np.argmax(share >= 0.5))
    axes.plot(states[::64], share[::64], color=BLUE)
    axes.plot([0, 1], [0, 1], ":", color=INK)
    axes.plot(states[half], share[half], "o", color=BLUE, markersize=8)
    text = f"half of the time\nin {100 * states[half]:.1f} %\nof the states"
    axes.text(states[half] + 0.02, 0.52, text, color=BLUE, va="top")
    axes.text(0.36, 0.79, "the judge's sample", color=BLUE)
    axes.text(0.66, 0.6, "The Clocks", va="top")
    axes.set(xlabel="share of the states, those visited most often first", ylabel="share of the time spent there")
    axes.xaxis.set_major_formatter(style.percent)
    axes.yaxis.set_major_formatter(style.percent)
    return f"It rises steeply: half of the time in {100 * states[half]:.1f} % of the states. Dotted: The Clocks."
