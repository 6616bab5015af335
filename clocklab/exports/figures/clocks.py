"""The figures of The Clocks: the packed state, the nine moves, the state graph and the distances."""

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, product
from math import ceil, cos, pi, sin

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from clocklab import clocks, dials, enumeration
from clocklab.clocks import METRICS, MOVES, WORDS
from clocklab.dials import NAMES, State
from clocklab.exports.figures import style
from clocklab.exports.figures.style import FAINT, GRID, HALO, INK, MIDDLE, RED, SHADES, SMALL, TITLE, Point, middle
from clocklab.studies import graphs, symmetry
from clocklab.studies.puzzles import CLOCKS

WORKED, ANSWER = 158351, (4, 5, 8, 9)  # the IOI's example, in hours 9 9 12 / 6 6 6 / 6 3 6
COLUMNS = [36.9 - 3.5 * i for i in range(9)]  # where a row of a dial or a move each has them, the first at the right
CENTRE = 3.3  # of a ball, in either direction
COMPASS = np.array([(sin(2 * pi * k / 9), -cos(2 * pi * k / 9)) for k in range(9)])  # where each move points
WAYS = {1: "", -1: " back"}  # a quarter turn clockwise, and one back
# hours on a dial -> how many states lie at each distance, as the coefficients of a polynomial in each metric
FORMULAS = {
    4: ("(1+x+x^2+x^3)^9", "(1+2x+x^2)^9", "(1+3x)^9"),
    12: (r"(1+x+\cdots+x^{11})^9", r"(1+2x+\cdots+2x^5+x^6)^9", "(1+11x)^9"),
}


def face(axes: Axes, centre: Point, quarters: float, name: str = "", size: float = 0.96) -> None:
    """Draw one clock in a square of ``size`` units; off 12 it has a thick coloured rim."""
    x, y = centre
    rim, fill, line = (RED, style.WRONG, 2.2) if quarters % 4 else (INK, "white", 1.0)
    axes.add_patch(Circle(centre, 0.4 * size, facecolor=fill, edgecolor=rim, linewidth=line))
    axes.plot([x, x], [y - 0.4 * size, y - 0.32 * size], color=rim, linewidth=1)
    tip = x + 0.25 * size * sin(quarters * pi / 2), y - 0.25 * size * cos(quarters * pi / 2)
    axes.plot(*zip(centre, tip, strict=True), color=INK, linewidth=2.6, solid_capstyle="round")
    axes.text(x - 0.46 * size, y - 0.43 * size, name, fontsize=8, **MIDDLE)


@style.checked
def faces(  # noqa: PLR0913, the last three say what else to show
    axes: Axes, state: State, at: Point = (0, 0), *, names: str = "", turn: int = 0, part: float = 0
) -> None:
    """Draw the nine clocks of a state, 3 x 3 units with the upper left corner at a point.

    ``turn`` is a word of which a part, 0 .. 1, has been added already, for a picture of clocks that move.
    """
    for i, (quarters, more) in enumerate(zip(dials.unpack(state), dials.unpack(turn), strict=True)):
        face(axes, middle(i, at), quarters + part * more, names[i : i + 1])
    style.upright(axes)


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
    quarters, hours = dials.unpack(state), dials.from_state(state, "hours")
    row(axes, 0.6, "clock", NAMES)
    for x, dial in zip(COLUMNS, quarters, strict=True):
        face(axes, (x, 2.6), dial, size=3)
    row(axes, 4.7, "hour", hours)
    row(axes, 5.9, "quarters past 12", quarters)
    lanes(axes, 7.3, "bits", state)
    row(axes, 8.6, "bit number", (f"{2 * i + 1} {2 * i}" for i in range(9)))
    axes.text(22.9, 10, f"the packed state, as one number: {state:,}", **TITLE)
    return f"The hours from A to I are {_spaced(hours)}, and the whole word is the number {state:,}."


@style.sheet("clock_lane_add", 39, 11.2)
def lane_add(axes: Axes, state: State = WORKED, move: int = 5) -> str:
    """One press as the lane-wise add, bit by bit: the state, the move, their XOR, the carry and the new state."""
    after = clocks.press(state, move)
    word = WORDS[move - 1]
    carry = (state & word & dials.LOW) << 1
    for x, name in zip(COLUMNS, NAMES, strict=True):
        axes.text(x, 0.6, name, **(TITLE if name in MOVES[move - 1] else MIDDLE))
    lanes(axes, 2.1, "x: the state", state)
    lanes(axes, 4.1, f"y: press {move}", word)
    lanes(axes, 6.1, "x XOR y", state ^ word)
    lanes(axes, 8.1, "carry: (x AND y\nAND LOW) << 1", carry)
    lanes(axes, 10.1, "the new state", state ^ word ^ carry)
    return f"Press {move} leads from the state {state:,} to {after:,}."


@style.sheet("clock_press_words", 39, 5.6)
def press_words(axes: Axes, presses: int = 0b01_11_00_00_00_01_00_11_10) -> str:
    """A press vector packed with two bits a move, and as the unary press word with three bits a move."""
    row(axes, 0.6, "move", range(1, 10))
    row(axes, 1.7, "presses", dials.unpack(presses))
    lanes(axes, 3, "packed", presses)
    lanes(axes, 4.7, "unary", clocks.unary_of(presses), width=3)
    return f"The presses of moves 1 to 9 are {_spaced(dials.unpack(presses))}."


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


@style.sheet("clock_moves", 12.6, 12.4, inches=6.6)
def moves(axes: Axes) -> None:
    """The nine moves, each as the nine clocks after one press from 12: those of its letters stand at 3."""
    for i, word in enumerate(WORDS):
        faces(axes, word, style.part(axes, i, f"move {i + 1}: {MOVES[i]}"), names=NAMES)


@style.sheet("clock_readings", 16, 4.8, inches=6.6)
def readings(axes: Axes) -> str:
    """Nine 3s as either notation reads them, each with the number of presses that solves it."""
    states = {f"nine 3s read as {notation}": dials.to_state([3] * 9, notation) for notation in dials.NOTATIONS}
    return _side_by_side(axes, states, [f"{enumeration.distances()[s]} presses away" for s in states.values()])


@style.sheet("clock_farthest", 16, 4.8, inches=6.6)
def farthest(axes: Axes) -> str:
    """The farthest state clockwise and the farthest one in the quarter metric."""
    tables = {
        f"farthest in the {metric} metric": enumeration.distances(metric) for metric in ("clockwise", "quarter")
    }
    states = {heading: int(table.argmax()) for heading, table in tables.items()}
    return _side_by_side(axes, states, [f"distance {table.max()}" for table in tables.values()])


def _side_by_side(axes: Axes, states: dict[str, State], below: Sequence[str]) -> str:
    """Draw two states under their headings, with a text below each; return what is seen."""
    seen = []
    for i, (heading, state) in enumerate(states.items()):
        faces(axes, state, style.part(axes, i, heading, below[i], size=8))
        seen.append(f"{heading.capitalize()}: {_spaced(dials.from_state(state, 'hours'))} in hours, {below[i]}.")
    return " ".join(seen)


@style.sheet("clock_strip", 27, 4.7)
def strip(axes: Axes, state: State = WORKED, sequence: Sequence[int] = ANSWER) -> str:
    """A sequence of moves as a strip: the nine clocks before, between and after the presses, in rows of five."""
    states, size = clocks.replay(state, sequence), 5.4
    rows = ceil(len(states) / 5)
    style.resize(axes, size * min(len(states), 5) + (rows > 1), size * rows - 0.7)
    wrong = [len(dials.wrong(passed)) for passed in states]
    for i, passed in enumerate(states):
        at = style.part(axes, i, below=f"{wrong[i]} wrong" if wrong[i] else "solved", size=size)
        faces(axes, passed, at, names=NAMES)
        if i < len(sequence):
            x, y = at[0] + 4.1, at[1] + 1.5
            style.arrow(axes, (x - 0.9, y), (x + 0.8, y), f"press {sequence[i]}")
            axes.text(x, y + 0.5, MOVES[sequence[i] - 1], fontsize=SMALL, **MIDDLE)
    return f"The presses are {_spaced(sequence) or 'none'}, and the wrong clocks {_spaced(wrong)}."


@style.checked
def animation(state: State = WORKED, sequence: Sequence[int] = ANSWER) -> style.Film:
    """Return an animation of the nine clocks of a state that a sequence of moves, 1 .. 9, turns."""
    states = clocks.replay(state, sequence)
    turns = [WORDS[move - 1] for move in sequence] + [0]

    def draw(axes: Axes, step: int, part: float) -> None:
        heading = f"press {sequence[step]}" if step < len(sequence) else "solved" * (states[-1] == dials.SOLVED)
        faces(axes, states[step], style.part(axes, 0, heading, size=3.6), names=NAMES, turn=turns[step], part=part)

    hours = _spaced(dials.from_state(state, "hours"))
    alt = f"The nine clocks, at first at {hours}, as the presses {_spaced(sequence)} turn them."
    return style.Film(draw, len(sequence), 3.6, 4.1, alt)


@style.sheet("clock_commuting", 17, 9.4, inches=6.4)
def commuting(axes: Axes, state: State = WORKED, first: int = 4, second: int = 5) -> str:
    """A commuting square: two presses in either order, from the left corner to the same state at the right."""
    faces(axes, state, (0.4, 3.2), names=NAMES)
    faces(axes, clocks.replay(state, (first, second))[-1], (13.6, 3.2), names=NAMES)
    for y, near, side, one, other in ((1.7, 3.9, "bottom", first, second), (7.7, 5.5, "top", second, first)):
        faces(axes, clocks.press(state, one), (7, y - 1.5), names=NAMES)
        style.arrow(axes, (3.7, near), (6.5, y), f"press {one}", side=f"right {side}")
        style.arrow(axes, (10.3, y), (13.1, near), f"press {other}", side=f"left {side}")
    return f"Above, press {first} and then {second}; below, press {second} and then {first}."


@style.sheet("clock_two_moves", 10.5, 5.6)
def two_moves(axes: Axes) -> str:
    """The 16 states that moves 4 and 5 reach, as two grids of disks with their distances, clockwise and quarter."""
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
    return f"{'; '.join(headings.values())}.".capitalize()


@style.sheet("clock_ball", 2 * CENTRE, 2 * CENTRE, inches=7)
def ball(axes: Axes, start: State = WORKED, metric: str = "clockwise") -> str:
    """A ball of radius 2 in the state graph: the state in the middle, one step around it, two steps outside.

    What moves 4 and 5 do alone is drawn thick; turned in either order, they lead to the same disk.
    """
    if metric not in ("clockwise", "quarter"):
        raise ValueError(f"expected the clockwise or the quarter metric, got {metric!r}")
    graph = graphs.ball(start, 2, metric)
    presses = enumeration.press_vectors()[dials.add(np.array(start), dials.negate(np.array(graph)))]
    turns = np.array((0, 1, 2, -1 if metric == "quarter" else 3))[dials.unpack(presses)]
    place = dict(zip(graph, _spread(turns), strict=True))
    alone = np.array(graph)[~np.delete(turns, (3, 4), axis=1).any(axis=1)].tolist()
    colour, size = (FAINT, 330) if metric == "clockwise" else (GRID, 60)
    for edges, look in (
        (graph.edges, {"edge_color": colour, "width": 1}),
        (graph.subgraph(alone).edges, {"edge_color": RED, "width": 2.5}),
    ):
        nx.draw_networkx_edges(graph, place, edges, arrows=True, arrowsize=9, node_size=size, ax=axes, **look)
    level = list(nx.get_node_attributes(graph, "level").values())
    shades: style.Look = {"cmap": SHADES, "vmin": 0, "vmax": 5, "edgecolors": INK}
    nx.draw_networkx_nodes(graph, place, node_color=level, node_size=size, ax=axes, **shades)
    if metric == "clockwise":
        for node, vector in zip(graph, presses.tolist(), strict=True):
            x, y = place[node]
            axes.text(x, y, "".join(map(str, clocks.sequence_of(vector))), fontsize=SMALL, **MIDDLE)
    else:
        for move, way in product((4, 5), WAYS):
            x, y = CENTRE + 0.62 * way * COMPASS[move - 1]
            axes.text(x, y, f"{move}{WAYS[way]}", path_effects=HALO, zorder=3, **MIDDLE)
    return f"In the {metric} metric it has {len(level)} states, {level.count(1)} of them one step away."


style.variant("clock_ball_quarter", ball, metric="quarter")


def _spread(turns: np.ndarray) -> np.ndarray:
    """Return where to draw what one turn or two lead to: level 2 between its turns, farther out the wider apart."""
    sums = turns @ COMPASS
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    outer = 1.8 + 0.9 * np.arccos(np.clip(lengths / 2, 0, 1))  # grows with the angle between the two turns
    second = np.abs(turns).sum(axis=1, keepdims=True) == 2
    return CENTRE + np.where(second, sums / np.maximum(lengths, 0.1) * outer, sums)


@style.chart("clock_sequences", height=4.2)
def sequences(axes: Axes) -> str:
    """How many shortest sequences solve a state, against its clockwise distance: a narrow, rising band of dots."""
    kinds = [dials.pack(counts) for counts in combinations_with_replacement(range(4), 9)]
    points = [(clocks.cost(kind, "clockwise"), float(clocks.count_sequences(kind))) for kind in kinds]
    axes.semilogy(*zip(*points, strict=True), "o", color=style.BLUE, markersize=5, alpha=0.6)
    near: style.Look = {"va": "center", "arrowprops": {**style.ARROW, "shrinkB": 5}}
    axes.annotate("the worked example:\n4 presses in 24 orders", (4, 24), (0, 3e7), **near)
    axes.annotate("the farthest state:\n27 presses", points[-1], (18, 2e20), **near)
    axes.set(xlabel="clockwise distance to the solved state", ylabel="shortest sequences that solve it")
    axes.set_xticks((0, 4, 9, 18, 27))
    return f"It ends at distance {points[-1][0]}, with {points[-1][1]:.1e} sequences."


@style.chart("clock_distribution", height=4.4)
def distribution(axes: Axes, hours: int = 4, metric: str | None = None) -> str:
    """How many states of clocks lie at each distance, a curve for each metric, or for one alone."""
    if metric not in (None, *METRICS):
        raise ValueError(f"expected a metric, {', '.join(METRICS)}, got {metric!r}")
    places = {(12, "clockwise"): {"at": (64, 1.3e8)}}  # where a top has no room for a text
    seen, ticks = [], {0}
    for name, look, formula in zip(METRICS, style.CURVES, FORMULAS.get(hours, 3 * ("",)), strict=True):
        if metric in (None, name):
            counts = np.array(CLOCKS.system(hours).distribution(name))
            text = f"{name}, farthest {len(counts) - 1}" + (f"\n${formula}$" if formula else "")
            seen.append(style.curve(axes, name, counts, text, look, **places.get((hours, name), {})))
            ticks |= {int(counts.argmax()), len(counts) - 1}
    axes.set(xlabel="distance: the least cost of solving all nine clocks", xticks=sorted(ticks))
    axes.set_ylim(0, 1.15 * axes.dataLim.y1)
    if hours == 12:
        axes.set(yscale="log", ylim=(0.7, 3e11), yticks=(1, 1e3, 1e6, 1e9))
        axes.minorticks_off()
    return " ".join(seen)


style.variant("clock_distribution_5_hours", distribution, 5)
style.variant("clock_distribution_12_hours", distribution, 12)


@style.chart("clock_wrong_clocks", height=8, width=7)
def wrong_clocks(axes: Axes, metric: str = "clockwise") -> str:
    """How many states have so many clocks off 12 and such a distance, as a table of shaded counts."""
    wrong = (dials.unpack(np.arange(dials.STATES)) > 0).sum(axis=1)
    counts = pd.crosstab(enumeration.distances(metric), wrong)[::-1]
    shades = np.log(counts.where(counts > 0)) / np.log(300_000)
    style.heat_map(axes, shades, counts.map(lambda n: f"{n:,}" if n else ""), fontsize=SMALL)
    axes.set(xlabel="wrong clocks: how many do not stand at 12", ylabel=f"{metric} distance to the solved state")
    one, top = counts.index[counts[1] > 0], counts.index[0]
    farthest = f"at distance {top} there are {counts.loc[top].idxmax()}"
    return f"With one wrong clock the distance is {min(one)} to {max(one)}; {farthest}."


@style.sheet("clock_symmetric", 16.8, 8.6, inches=7)
def symmetric(axes: Axes) -> str:
    """The worked example turned by quarters in the upper row, and flipped as well in the lower one, with answers."""
    images = symmetry.images(np.array(WORKED)).tolist()
    answers = [_spaced(clocks.sequence_of(enumeration.solve(image))) for image in images]
    for i, (image, answer) in enumerate(zip(images, answers, strict=True)):
        faces(axes, image, style.part(axes, i, below=answer))
    return f"The answers: {', '.join(answers)}."
