"""The figures of The Clocks: the packed state, the nine moves, the state graph and the distances."""

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, product
from math import cos, pi, sin

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from clocklab import clocks, dials, enumeration
from clocklab.clocks import METRICS, MOVES, WORDS
from clocklab.dials import NAMES, State
from clocklab.exports.figures import style
from clocklab.exports.figures.matrix import distances
from clocklab.exports.figures.style import FAINT, GRID, HALO, INK, MIDDLE, RED, SHADES, SMALL, TITLE, Point, middle
from clocklab.studies import graphs, symmetry

WORKED = 158351  # the IOI's example, in hours 9 9 12 / 6 6 6 / 6 3 6
WRONG = "#FCE9D4"  # the face of a clock that is not at 12
COLUMNS = [36.9 - 3.5 * i for i in range(9)]  # where a row of a dial or a move each has them, the first at the right
CENTRE = 3.3  # of a ball, in either direction
COMPASS = np.array([(sin(2 * pi * k / 9), -cos(2 * pi * k / 9)) for k in range(9)])  # where each move points


def face(axes: Axes, centre: Point, quarters: float, name: str = "", size: float = 0.96) -> None:
    """Draw one clock in a square of ``size`` units; off 12 it has a thick coloured rim."""
    x, y = centre
    rim, fill, line = (RED, WRONG, 2.2) if quarters else (INK, "white", 1.0)
    axes.add_patch(Circle(centre, 0.4 * size, facecolor=fill, edgecolor=rim, linewidth=line))
    axes.plot([x, x], [y - 0.4 * size, y - 0.32 * size], color=rim, linewidth=1)
    tip = x + 0.25 * size * sin(quarters * pi / 2), y - 0.25 * size * cos(quarters * pi / 2)
    axes.plot(*zip(centre, tip, strict=True), color=INK, linewidth=2.6, solid_capstyle="round")
    axes.text(x - 0.42 * size, y - 0.38 * size, name, fontsize=SMALL, **MIDDLE)


def faces(axes: Axes, state: State, at: Point, names: Sequence[str] = 9 * ("",)) -> None:
    """Draw the nine clocks of a state, 3 x 3 units with the upper left corner at a point."""
    for i, quarters in enumerate(dials.unpack(state)):
        face(axes, middle(i, at), quarters, names[i])


def row(axes: Axes, y: float, label: str, texts: Iterable[object]) -> None:
    """Write a row of nine texts after its label, the first at the right."""
    axes.text(6.9, y, label, ha="right", va="center")
    for x, text in zip(COLUMNS, texts, strict=True):
        axes.text(x, y, str(text), **MIDDLE)


def lanes(axes: Axes, y: float, label: str, word: int, width: int = 2) -> None:
    """Draw a word as a row of nine lanes of so many bits, each bit a tile, a 1 dark."""
    row(axes, y, label, 9 * [""])
    for i, x in enumerate(COLUMNS):
        bits = np.array([[word >> width * i + bit & 1 for bit in reversed(range(width))]])
        style.tiles(axes, 0.75 * bits, (x - width / 2, y - 0.5), bits)


@style.sheet("clock_bits", 39, 10.6)
def bits(axes: Axes, state: State = WORKED) -> str:
    """A packed state: each clock, its hour, its quarter turns and its two bits, I at the left."""
    quarters = dials.unpack(state)
    row(axes, 0.6, "clock", NAMES)
    for x, dial in zip(COLUMNS, quarters, strict=True):
        face(axes, (x, 2.6), dial, size=3)
    row(axes, 4.7, "hour", dials.from_state(state, "hours"))
    row(axes, 5.9, "quarters past 12", quarters)
    lanes(axes, 7.3, "bits", state)
    row(axes, 8.6, "bit number", (f"{2 * i + 1} {2 * i}" for i in range(9)))
    axes.text(22.9, 10, f"the packed state, as one number: {state:,}", **TITLE)
    return f"""The nine clocks in a row, A at the right and I at the left, and below each its hour and its two bits:
    the hours {_hours(state)} from A to I, packed into the number {state:,}."""


@style.sheet("clock_lane_add", 39, 11.2)
def lane_add(axes: Axes, state: State = WORKED, move: int = 5) -> str:
    """One press as the lane-wise add, bit by bit."""
    word = WORDS[move - 1]
    carry = (state & word & dials.LOW) << 1
    for x, name in zip(COLUMNS, NAMES, strict=True):
        axes.text(x, 0.6, name, **(TITLE if name in MOVES[move - 1] else MIDDLE))
    lanes(axes, 2.1, "x: the state", state)
    lanes(axes, 4.1, f"y: press {move}", word)
    lanes(axes, 6.1, "x XOR y", state ^ word)
    lanes(axes, 8.1, "carry: (x AND y\nAND LOW) << 1", carry)
    lanes(axes, 10.1, "the new state", state ^ word ^ carry)
    return f"""Five rows of nine pairs of bits add press {move} to the state {state:,}: the state, the move's word,
    their XOR, the carries that stay inside a dial, and the new state {state ^ word ^ carry:,}."""


@style.sheet("clock_press_words", 39, 5.6)
def press_words(axes: Axes, presses: int = 0b01_11_00_00_00_01_00_11_10) -> str:
    """A press vector packed with two bits a move, and as the unary press word with three bits a move."""
    row(axes, 0.6, "move", range(1, 10))
    row(axes, 1.7, "presses", dials.unpack(presses))
    lanes(axes, 3, "packed", presses)
    lanes(axes, 4.7, "unary", clocks.unary_of(presses), width=3)
    return f"""The presses of moves 1 to 9, {" ".join(map(str, dials.unpack(presses)))}, in a row from right to left:
    as nine pairs of bits that count them, and as nine triples of bits with a 1 for each press."""


@style.sheet("clock_moves", 12.6, 12.4, inches=6.6)
def moves(axes: Axes) -> None:
    """The nine moves, each as the nine clocks after one press from 12: those of its letters stand at 3."""
    for i, word in enumerate(WORDS):
        faces(axes, word, style.part(axes, i, f"move {i + 1}: {MOVES[i]}"), NAMES)


@style.sheet("clock_readings", 16, 4.8, inches=6.6)
def readings(axes: Axes) -> str:
    """Nine 3s as either notation reads them, each with the number of presses that solves it."""
    states = {f"nine 3s read as {notation}": dials.to_state([3] * 9, notation) for notation in dials.NOTATIONS}
    presses = {name: f"{enumeration.distances()[state]} presses away" for name, state in states.items()}
    return _two_states(axes, states, presses)


def _two_states(axes: Axes, states: dict[str, State], below: dict[str, str]) -> str:
    """Draw two states by their names, with a text below each; return what is seen."""
    for i, (name, state) in enumerate(states.items()):
        faces(axes, state, style.part(axes, i, name, below[name], size=8))
    seen = (f"{name}, {below[name]}, hours {_hours(state)}" for name, state in states.items())
    return "Two pictures of the nine clocks: " + "; ".join(seen) + "."


def _hours(state: State) -> str:
    return " ".join(map(str, dials.from_state(state, "hours")))


@style.sheet("clock_strip", 25, 4.5)
def strip(axes: Axes, state: State = WORKED, sequence: Sequence[int] = (4, 5, 8, 9)) -> str:
    """A sequence of moves as a strip: the nine clocks before, between and after the presses."""
    states = clocks.replay(state, sequence)
    axes.set_xlim(0, 5 * len(states))  # where there are more of them, they are smaller
    for i, passed in enumerate(states):
        wrong = len(dials.wrong(passed))
        faces(axes, passed, style.part(axes, i, below=f"{wrong} wrong" if wrong else "solved", size=5))
    for i, move in enumerate(sequence, 1):
        style.arrow(axes, (5 * i - 0.9, 1.9), (5 * i + 0.9, 1.9), f"press {move}")
        axes.text(5 * i, 2.4, MOVES[move - 1], fontsize=SMALL, **MIDDLE)
    counts = ", ".join(str(len(dials.wrong(passed))) for passed in states)
    return f"""The nine clocks in a strip of {len(states)} pictures, an arrow with the move between each two: the
    presses {" ".join(map(str, sequence)) or "none"}. The clocks that are wrong: {counts}."""


@style.sheet("clock_commuting", 17, 9.4, inches=6.4)
def commuting(axes: Axes, state: State = WORKED, first: int = 4, second: int = 5) -> str:
    """A commuting square: two presses in either order, from the left corner to the right one."""
    faces(axes, state, (0.4, 3.2))
    faces(axes, clocks.replay(state, (first, second))[-1], (13.6, 3.2))
    for y, near, side, one, other in ((1.7, 3.9, "bottom", first, second), (7.7, 5.5, "top", second, first)):
        faces(axes, clocks.press(state, one), (7, y - 1.5))
        style.arrow(axes, (3.7, near), (6.7, y), f"press {one}", side=f"right {side}")
        style.arrow(axes, (10.3, y), (13.3, near), f"press {other}", side=f"left {side}")
    return f"""Four pictures of the nine clocks in a square: from the left one, press {first} and then {second},
    above, and press {second} and then {first}, below, lead to the same picture at the right."""


@style.sheet("clock_two_moves", 10.5, 5.6)
def two_moves(axes: Axes) -> str:
    """The 16 states that moves 4 and 5 reach, with their distances clockwise and in the quarter metric."""
    headings = {metric: f"{metric}: farthest {2 * max(METRICS[metric])}" for metric in ("clockwise", "quarter")}
    for (metric, heading), left, tip in zip(headings.items(), (1.3, 6.6), ("-|>", "-"), strict=True):
        cost = METRICS[metric]
        axes.text(left + 1.5, 0.2, heading, **TITLE)
        axes.text(left + 1.5, 0.7, "move 4", **MIDDLE)
        axes.text(left - 1, 3.3, "move 5", rotation=90, **MIDDLE)
        for i, j in product(range(4), range(5)):  # a line into each disk, and one out of the last
            start, end, look = j - 0.71, j - 0.29, {"color": FAINT, "arrowstyle": tip}
            style.arrow(axes, (left + start, i + 1.8), (left + end, i + 1.8), **look)
            style.arrow(axes, (left + i, start + 1.8), (left + i, end + 1.8), **look)
        for i, j in product(range(4), repeat=2):
            distance = cost[i] + cost[j]
            style.disk(axes, (left + i, j + 1.8), 0.28, distance, distance / 8)
    return f"""Two grids of 4 by 4 disks, a step to the right for move 4 and a step down for move 5, each disk with
    its distance from the first: {", ".join(headings.values())}. Arrows join them at the left, plain lines at the
    right."""


@style.sheet("clock_ball", 2 * CENTRE, 2 * CENTRE, inches=7)
def ball(axes: Axes, start: State = WORKED) -> str:
    """The clockwise ball of radius 2 with networkx, each state under the presses that lead to it."""
    places = draw_ball(axes, start, "clockwise", colour=FAINT, node_size=330)
    for node, place in places.items():
        presses = clocks.sequence_of(enumeration.solve(dials.add(start, dials.negate(node))))
        x, y = place
        axes.text(x, y, "".join(map(str, presses)), fontsize=SMALL, **MIDDLE)
    return f"""The {len(places)} states within two clockwise presses of the one in the middle, as disks on three rings
    that arrows join. The presses 4 and 5, in either order, are drawn thick and end in the same disk."""


@style.sheet("clock_ball_quarter", 2 * CENTRE, 2 * CENTRE, inches=7)
def ball_quarter(axes: Axes, start: State = WORKED) -> str:
    """The ball of radius 2 in the quarter metric, with the names of its four orange turns."""
    places = draw_ball(axes, start, "quarter", colour=GRID, node_size=60)
    for move, way, name in ((4, 1, "4"), (5, 1, "5"), (4, -1, "4 back"), (5, -1, "5 back")):
        x, y = CENTRE + 0.62 * way * COMPASS[move - 1]
        axes.text(x, y, name, path_effects=HALO, zorder=3, **MIDDLE)
    return f"""The {len(places)} states within two quarter turns of the one in the middle, 18 of them on a ring around
    it and the rest outside, joined by lines without heads. Moves 4 and 5, each turned either way, make four thick
    squares."""


def draw_ball(axes: Axes, start: State, metric: str, colour: str, node_size: float) -> dict[State, np.ndarray]:
    """Draw the ball of radius 2 in a metric, what moves 4 and 5 do alone in orange; return where each state lies."""
    graph = graphs.ball(start, 2, metric)
    presses = enumeration.press_vectors()[dials.add(np.array(start), dials.negate(np.array(graph)))]
    turns = np.array((0, 1, 2, -1))[dials.unpack(presses)]
    place = dict(zip(graph, spread(turns), strict=True))
    others = np.delete(turns, (3, 4), axis=1).any(axis=1)
    piece = graph.subgraph(np.array(graph)[~others].tolist())
    for edges, look in ((graph.edges, {"edge_color": colour}), (piece.edges, {"edge_color": RED, "width": 2.5})):
        nx.draw_networkx_edges(graph, place, edges, arrows=True, arrowsize=9, node_size=node_size, ax=axes, **look)
    level = list(nx.get_node_attributes(graph, "level").values())
    look = {"cmap": SHADES, "vmin": 0, "vmax": 5, "edgecolors": INK}
    nx.draw_networkx_nodes(graph, place, node_color=level, node_size=node_size, ax=axes, **look)
    return place


def spread(turns: np.ndarray) -> np.ndarray:
    """Return where to draw what one turn or two lead to: level 2 between its turns, farther out the wider apart."""
    sums = turns @ COMPASS
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    outer = 1.8 + 0.9 * np.arccos(np.clip(lengths / 2, 0, 1))  # grows with the angle between the two turns
    second = np.abs(turns).sum(axis=1, keepdims=True) == 2
    return CENTRE + np.where(second, sums / np.maximum(lengths, 0.1) * outer, sums)


@style.chart("clock_sequences", height=4.2)
def sequences(axes: Axes) -> str:
    """How many shortest sequences solve a state, against its clockwise distance; one dot a kind of state."""
    kinds = [dials.pack(counts) for counts in combinations_with_replacement(range(4), 9)]
    points = [(clocks.cost(kind, "clockwise"), float(clocks.count_sequences(kind))) for kind in kinds]
    axes.semilogy(*zip(*points, strict=True), "o", color=style.BLUE, markersize=5, alpha=0.6)
    near: style.Look = {"va": "center", "arrowprops": {**style.ARROW, "shrinkB": 5}}
    axes.annotate("the worked example:\n4 presses in 24 orders", (4, 24), (0, 3e7), **near)
    axes.annotate("the farthest state:\n27 presses", points[-1], (18, 2e20), **near)
    axes.set(xlabel="clockwise distance to the solved state", ylabel="shortest sequences that solve it")
    axes.set_xticks((0, 4, 9, 18, 27))
    return f"""A narrow band of dots that rises steadily, from one sequence for the solved state to
    {points[-1][1]:.1e} for the farthest state, {points[-1][0]} presses away; the scale is one of powers of ten."""


@style.chart("clock_distribution", height=4.4)
def distribution(axes: Axes) -> str:
    """How many states lie at each distance, in the three metrics."""
    seen = distances(axes, 4, {13: "\n$(1+x+x^2+x^3)^9$", 9: "\n$(1+2x+x^2)^9$", 7: "\n$(1+3x)^9$"})
    axes.set(xlabel="distance: the least cost of bringing all nine clocks to 12", xticks=(0, 7, 9, 13, 18, 27))
    axes.set_ylim(0, 90000)
    tops = (f"{metric} {counts.max():,} at {counts.argmax()}" for metric, counts in seen.items())
    return f"Three bell-shaped curves of the number of states at each distance, with their tops: {'; '.join(tops)}."


@style.chart("clock_wrong_clocks", height=8, width=7)
def wrong_clocks(axes: Axes) -> str:
    """How many states have so many clocks off 12 and such a clockwise distance, as a table of shaded counts."""
    wrong = (dials.unpack(np.arange(dials.STATES)) > 0).sum(axis=1)
    counts = pd.crosstab(enumeration.distances(), wrong)[::-1]
    shades = np.log(counts.where(counts > 0)) / np.log(300_000)
    style.heat_map(axes, shades, counts.map(lambda n: f"{n:,}" if n else ""), fontsize=SMALL)
    axes.set(xlabel="wrong clocks: how many do not stand at 12", ylabel="clockwise distance to the solved state")
    one = counts[1][counts[1] > 0].index
    return f"""A table of counts, shaded, by the number of wrong clocks and by the distance. Most states are in the
    middle of the column of seven wrong clocks; a state with one wrong clock is between {min(one)} and {max(one)}
    presses away, and the one state at distance {counts.index[0]} has {counts.loc[counts.index[0]].idxmax()} wrong
    clocks."""


@style.sheet("clock_farthest", 16, 4.8, inches=6.6)
def farthest(axes: Axes) -> str:
    """The farthest state clockwise and the farthest one in the quarter metric."""
    tables = {f"farthest in the {name} metric": enumeration.distances(name) for name in ("clockwise", "quarter")}
    states = {name: int(table.argmax()) for name, table in tables.items()}
    return _two_states(axes, states, {name: f"distance {table.max()}" for name, table in tables.items()})


@style.sheet("clock_symmetric", 16.8, 8.6, inches=7)
def symmetric(axes: Axes) -> str:
    """The images of the worked example under the eight symmetries of the square, each with its answer."""
    images = symmetry.images(np.array(WORKED)).tolist()
    answers = [" ".join(map(str, clocks.sequence_of(enumeration.solve(image)))) for image in images]
    for i, (image, answer) in enumerate(zip(images, answers, strict=True)):
        faces(axes, image, style.part(axes, i, below=answer))
    return f"""The nine clocks eight times: a state, turned by quarters in the upper row and flipped as well in the
    lower one, each with its answer: {", ".join(answers)}."""
