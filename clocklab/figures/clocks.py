"""The figures of The Clocks: the packed state, the nine moves, the state graph and the distances."""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import cos, pi, sin
from typing import Any

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from clocklab import clocks, dials, enumeration, graphs, symmetry, tables
from clocklab.clocks import MOVES, WORDS
from clocklab.dials import NAMES, State
from clocklab.figures import style
from clocklab.figures.style import ARROW, BLUE, CURVES, FAINT, GRID, INK, MIDDLE, PALE, RED, SHADES, SMALL, TITLE

WORKED = 158351  # the IOI's example, in hours 9 9 12 / 6 6 6 / 6 3 6
WRONG = "#FCE9D4"  # the face of a clock that is not at 12
COMPASS = np.array([(sin(2 * pi * k / 9), cos(2 * pi * k / 9)) for k in range(9)])  # where each move points


def face(axes: Axes, centre: style.Point, quarters: int, name: str = "", size: float = 0.96) -> None:
    """Draw one clock in a square of ``size`` units; off 12 it has a thick coloured rim."""
    x, y = centre
    rim, fill, line = (RED, WRONG, 2.2) if quarters else (INK, "white", 1.0)
    axes.add_patch(Circle(centre, 0.4 * size, facecolor=fill, edgecolor=rim, linewidth=line))
    axes.plot([x, x], [y - 0.4 * size, y - 0.32 * size], color=rim, linewidth=1)
    tip = x + 0.25 * size * sin(quarters * pi / 2), y - 0.25 * size * cos(quarters * pi / 2)
    axes.plot(*zip(centre, tip, strict=True), color=INK, linewidth=2.6, solid_capstyle="round")
    axes.text(x - 0.42 * size, y - 0.38 * size, name, fontsize=SMALL, **MIDDLE)


def faces(axes: Axes, state: State, x: float, y: float, names: Sequence[str] = 9 * ("",)) -> None:
    """Draw the nine clocks of a state, 3 x 3 units with the upper left corner at (x, y)."""
    for i, quarters in enumerate(dials.unpack(state)):
        face(axes, (x + i % 3 + 0.5, y + i // 3 + 0.5), quarters, names[i])


def pair(*states: tuple[str, State, str]) -> Figure:
    """Draw two states side by side, each between its heading and a line below."""
    figure, axes = style.paper(16, 4.8, inches=6.6)
    for x, (heading, state, below) in zip((2.5, 10.5), states, strict=True):
        axes.text(x + 1.5, 0.4, heading, **TITLE)
        faces(axes, state, x, 0.9)
        axes.text(x + 1.5, 4.4, below, **MIDDLE)
    return figure


def lane(axes: Axes, bits: str, x: float, y: float) -> None:
    """Draw a few bits as cells one unit wide, a set bit dark."""
    for i, bit in enumerate(bits):
        axes.add_patch(Rectangle((x + i, y), 0.93, 0.93, facecolor=BLUE if bit == "1" else PALE))
        axes.text(x + i + 0.46, y + 0.49, bit, color="white" if bit == "1" else INK, **MIDDLE)


def lanes(axes: Axes, word: int, x: float, y: float) -> None:
    """Draw a packed word as nine lanes of two bits, dial I at the left."""
    for i, dial in enumerate(dials.unpack(word)):
        lane(axes, f"{dial:02b}", x + 2.4 * (8 - i), y)


def labels(axes: Axes, x: float, rows: dict[str, float]) -> None:
    """Write a label before each row, ending at x."""
    for label, y in rows.items():
        axes.text(x, y, label, ha="right", va="center")


@style.exported("clock_bits")
def bits(state: State = WORKED) -> Figure:
    """Draw a packed state: each clock, its quarter turns and its two bits, I at the left."""
    figure, axes = style.paper(26.6, 7.6)
    labels(axes, 4.9, {"clock": 1.1, "hour": 2.75, "quarters past 12": 3.75, "bits": 5.06, "bit number": 6.2})
    for i, quarters in enumerate(dials.unpack(state)):
        x = 6.36 + 2.4 * (8 - i)
        face(axes, (x, 1.2), quarters, NAMES[i], size=2.1)
        axes.text(x, 2.75, str(dials.NOTATIONS["hours"][quarters]), **MIDDLE)
        axes.text(x, 3.75, str(quarters), **MIDDLE)
        axes.text(x, 6.2, f"{2 * i + 1:2}   {2 * i:2}", fontsize=SMALL, **MIDDLE)
    lanes(axes, state, 5.4, 4.6)
    axes.text(16, 7.2, f"the packed state, as one number: {state:,}", **TITLE)
    return figure


@style.exported("clock_lane_add")
def lane_add(state: State = WORKED, move: int = 5) -> Figure:
    """Draw one press as the lane-wise add, bit by bit."""
    figure, axes = style.paper(28.4, 8.6)
    word = WORDS[move - 1]
    carry = (state & word & dials.LOW) << 1
    names = "x: the state", f"y: press {move}", "x XOR y", "carry: (x AND y\nAND LOW) << 1", "the new state"
    labels(axes, 6.7, {name: 1.56 + 1.5 * row for row, name in enumerate(names)})
    for row, value in enumerate((state, word, state ^ word, carry, state ^ word ^ carry)):
        lanes(axes, value, 7.2, 1.1 + 1.5 * row)
    for i, name in enumerate(NAMES):
        turned = name in MOVES[move - 1]
        axes.text(8.16 + 2.4 * (8 - i), 0.5, name, fontweight="bold" if turned else "normal", **MIDDLE)
    return figure


@style.exported("clock_press_words")
def press_words(presses: int = 0b01_11_00_00_00_01_00_11_10) -> Figure:
    """Draw a press vector packed with two bits a move, and as the unary press word with three bits a move."""
    figure, axes = style.paper(39, 5.6)
    labels(axes, 6.9, {"move": 0.6, "presses": 1.7, "packed": 2.96, "unary": 4.66})
    unary = clocks.unary_of(presses)
    for i, count in enumerate(dials.unpack(presses)):
        x = 7.4 + 3.5 * (8 - i)
        axes.text(x + 1.46, 0.6, str(i + 1), **MIDDLE)
        axes.text(x + 1.46, 1.7, str(count), **TITLE)
        lane(axes, f"{count:02b}", x + 0.5, 2.5)
        lane(axes, f"{unary >> 3 * i & 7:03b}", x, 4.2)
    return figure


@style.exported("clock_moves")
def moves() -> Figure:
    """Draw the nine moves: what one press of each does to the solved state."""
    figure, axes = style.paper(12.4, 12.2, inches=6.6)
    for i, word in enumerate(WORDS):
        x, y = 0.5 + 4.2 * (i % 3), 0.8 + 4.1 * (i // 3)
        faces(axes, word, x, y, NAMES)
        axes.text(x + 1.5, y - 0.35, f"move {i + 1}: {MOVES[i]}", **TITLE)
    return figure


@style.exported("clock_readings")
def readings() -> Figure:
    """Draw nine 3s as either notation reads them, each with the number of presses that solves it."""
    states = {notation: dials.to_state([3] * 9, notation) for notation in dials.NOTATIONS}
    distances = enumeration.distances()
    return pair(*((f"nine 3s read as {n}", s, f"{distances[s]} presses away") for n, s in states.items()))


@style.exported("clock_strip")
def strip(state: State = WORKED, sequence: Sequence[int] = (4, 5, 8, 9)) -> Figure:
    """Draw a sequence of moves as a strip: the nine clocks before, between and after the presses."""
    states = clocks.replay(state, sequence)
    figure, axes = style.paper(5 * len(states) - 1.4, 4.4)
    for i, passed in enumerate(states):
        faces(axes, passed, 5 * i + 0.3, 0.3)
        wrong = len(dials.wrong(passed))
        axes.text(5 * i + 1.8, 3.9, f"{wrong} wrong" if wrong else "solved", **MIDDLE)
    for i, move in enumerate(sequence):
        axes.annotate("", (5 * i + 5.2, 1.8), (5 * i + 3.4, 1.8), arrowprops=ARROW)
        axes.text(5 * i + 4.3, 1.3, f"press {move}", **MIDDLE)
        axes.text(5 * i + 4.3, 2.3, MOVES[move - 1], fontsize=SMALL, **MIDDLE)
    return figure


@style.exported("clock_commuting")
def commuting(state: State = WORKED, first: int = 4, second: int = 5) -> Figure:
    """Draw a commuting square: two presses in either order, from the left corner to the right one."""
    figure, axes = style.paper(17, 9.4, inches=6.4)
    both = clocks.replay(state, (first, second))[-1]
    upper, lower = clocks.press(state, first), clocks.press(state, second)
    for x, y, corner in ((0.4, 3.2, state), (7, 0.2, upper), (7, 6.2, lower), (13.6, 3.2, both)):
        faces(axes, corner, x, y)
    for sign, moves_in_order in ((-1, (first, second)), (1, (second, first))):
        near, far = 4.7 + 0.8 * sign, 4.7 + 2.8 * sign
        for x, y, end, move in ((3.7, near, far, moves_in_order[0]), (10.3, far, near, moves_in_order[1])):
            axes.annotate("", (x + 3, end), (x, y), arrowprops=ARROW)
            axes.text(x + 1.5, 4.7 + 2.8 * sign, f"press {move}", **MIDDLE)
    return figure


@style.exported("clock_two_moves")
def two_moves() -> Figure:
    """Draw the 16 states that moves 4 and 5 reach, with their distances clockwise and in the quarter metric."""
    figure, panels = style.subplots(1, 2, height=4.4)
    for axes, metric in zip(panels, ("clockwise", "quarter"), strict=True):
        cost = clocks.METRICS[metric]
        style.bare(axes).set(xlim=(-1.1, 3.8), ylim=(3.8, -1.1), title=f"{metric}: farthest {2 * max(cost)}")
        arrow = {**ARROW, "color": FAINT, "arrowstyle": "-|>" if metric == "clockwise" else "-"}
        for i in range(4):
            for a, b in ((-0.75, -0.29), (0.29, 0.71), (1.29, 1.71), (2.29, 2.71), (3.29, 3.75)):
                axes.annotate("", (b, i), (a, i), arrowprops=arrow)
                axes.annotate("", (i, b), (i, a), arrowprops=arrow)
            for j in range(4):
                disk(axes, (i, j), cost[i] + cost[j])
        axes.text(1.5, -0.95, "move 4", **MIDDLE)
        axes.text(-0.95, 1.5, "move 5", rotation=90, **MIDDLE)
    return figure


def disk(axes: Axes, centre: style.Point, distance: int) -> None:
    """Draw a state as a disk that says its distance, the darker the farther."""
    axes.add_patch(Circle(centre, 0.28, facecolor=SHADES(distance / 8), edgecolor=INK, zorder=3))
    axes.text(*centre, str(distance), color="white" if distance > 3 else INK, zorder=4, **MIDDLE)


@style.exported("clock_ball")
def ball(start: State = WORKED) -> Figure:
    """Draw the clockwise ball of radius 2 with networkx, each state under the presses that lead to it."""
    graph = graphs.ball(start, 2)
    presses = presses_from(start, graph)
    names = {node: "".join(map(str, clocks.sequence_of(int(p)))) for node, p in zip(graph, presses, strict=True)}
    figure, axes = style.subplots(width=7, height=7)
    place = draw_ball(axes, graph, dials.unpack(presses), colour=FAINT, node_size=330)
    nx.draw_networkx_labels(graph, place, names, font_size=SMALL, font_color=INK, ax=axes)
    return figure


@style.exported("clock_ball_quarter")
def ball_quarter(start: State = WORKED) -> Figure:
    """Draw the ball of radius 2 in the quarter metric."""
    graph = graphs.ball(start, 2, "quarter")
    turns = np.array((0, 1, 2, -1))[dials.unpack(presses_from(start, graph))]
    figure, axes = style.subplots(width=7, height=7)
    draw_ball(axes, graph, turns, colour=GRID, node_size=60)
    return figure


def presses_from(start: State, graph: nx.Graph) -> np.ndarray:
    """Return the press vector that leads from a start to each node of a graph."""
    return enumeration.press_vectors()[dials.add(np.array(start), dials.negate(np.array(graph)))]


def places(turns: np.ndarray) -> np.ndarray:
    """Return where to draw what one turn or two lead to: level 2 between its turns, farther out the wider apart."""
    sums = turns @ COMPASS
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    outer = 1.8 + 0.9 * np.arccos(np.clip(lengths / 2, 0, 1))  # grows with the angle between the two turns
    return np.where(np.abs(turns).sum(axis=1, keepdims=True) == 2, sums / np.maximum(lengths, 0.1) * outer, sums)


def draw_ball(axes: Axes, graph: nx.Graph, turns: np.ndarray, colour: str, node_size: float) -> dict[State, Any]:
    """Draw a ball whose nodes are so many turns of each move away, moves 4 and 5 in orange; return their places."""
    place = dict(zip(graph, places(turns), strict=True))
    piece = graph.subgraph(node for node, row in zip(graph, turns, strict=True) if not np.delete(row, (3, 4)).any())
    for edges, look in ((graph.edges, {"edge_color": colour}), (piece.edges, {"edge_color": RED, "width": 2.5})):
        nx.draw_networkx_edges(graph, place, edges, arrows=True, arrowsize=9, node_size=node_size, ax=axes, **look)
    level = list(nx.get_node_attributes(graph, "level").values())
    look = {"cmap": SHADES, "vmin": 0, "vmax": 5, "edgecolors": INK}
    nx.draw_networkx_nodes(graph, place, node_color=level, node_size=node_size, ax=axes, **look)
    style.bare(axes).margins(0.01)
    return place


@style.exported("clock_sequences")
def sequences() -> Figure:
    """Draw how many shortest sequences solve a state, against its clockwise distance; one dot a kind of state."""
    figure, axes = style.subplots(height=4.2)
    kinds = [dials.pack(counts) for counts in combinations_with_replacement(range(4), 9)]
    points = [(clocks.cost(kind, "clockwise"), float(clocks.count_sequences(kind))) for kind in kinds]
    axes.semilogy(*zip(*points, strict=True), "o", color=BLUE, markersize=5, alpha=0.6)
    near = {"va": "center", "arrowprops": {**ARROW, "shrinkB": 5}}
    axes.annotate("the worked example:\n4 presses in 24 orders", (4, 24), (0, 3e7), **near)
    axes.annotate("the farthest state:\n27 presses", points[-1], (18, 2e20), **near)
    axes.set(xlabel="clockwise distance to the solved state", ylabel="shortest sequences that solve it")
    axes.set(xticks=(0, 4, 9, 18, 27))
    return figure


@style.exported("clock_distribution")
def distribution() -> Figure:
    """Draw how many states lie at each distance, in the three metrics."""
    figure, axes = style.subplots(height=4.4)
    table = tables.clock_distribution().set_index("distance")
    generating = "$(1+x+x^2+x^3)^9$", "$(1+2x+x^2)^9$", "$(1+3x)^9$"
    for metric, (colour, line), function in zip(clocks.METRICS, CURVES, generating, strict=True):
        counts = table[metric][table[metric] > 0]
        axes.plot(counts, line, color=colour, markersize=5)
        axes.text(counts.idxmax() + 0.7, counts.max(), f"{metric}\n{function}", color=colour, va="bottom")
    axes.set(xlabel="distance: the least cost of bringing all nine clocks to 12", ylabel="states at that distance")
    axes.set(xticks=(0, 7, 9, 13, 18, 27), ylim=(0, 90000), yticks=range(0, 80001, 20000))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    return figure


@style.exported("clock_wrong_clocks")
def wrong_clocks() -> Figure:
    """Draw how many states have so many clocks off 12 and such a clockwise distance: counts on a heat map."""
    wrong = (dials.unpack(np.arange(dials.STATES)) > 0).sum(axis=1)
    counts = np.zeros((28, 10))
    np.add.at(counts, (enumeration.distances(), wrong), 1)
    figure, axes = style.subplots(width=7, height=8)
    look = {"norm": LogNorm(1, 300_000), "origin": "lower", "fontsize": SMALL}
    shades = np.where(counts, counts, np.nan)
    style.heat_map(axes, shades, counts, lambda count: f"{count:,.0f}" if count else "", dark=350, **look)
    axes.set(xlabel="wrong clocks: how many do not stand at 12", ylabel="clockwise distance to the solved state")
    axes.set(xticks=range(10), yticks=range(0, 28, 3))
    return figure


@style.exported("clock_farthest")
def farthest() -> Figure:
    """Draw the farthest state clockwise and the farthest one in the quarter metric."""
    distances = ((metric, enumeration.distances(metric)) for metric in ("clockwise", "quarter"))
    return pair(*((f"farthest in the {m} metric", int(t.argmax()), f"distance {t.max()}") for m, t in distances))


@style.exported("clock_symmetric")
def symmetric(state: State = WORKED) -> Figure:
    """Draw the images of a state under the eight symmetries of the square, each with its answer."""
    figure, axes = style.paper(16.6, 8.8, inches=7)
    for k, image in enumerate(symmetry.images(np.array(state)).tolist()):
        x, y = 0.5 + 4.2 * (k % 4), 0.2 + 4.5 * (k // 4)
        faces(axes, image, x, y)
        answer = clocks.sequence_of(enumeration.solve(image))
        axes.text(x + 1.5, y + 3.5, " ".join(map(str, answer)), **MIDDLE)
    return figure
