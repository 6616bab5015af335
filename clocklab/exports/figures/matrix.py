"""The figures of the move matrix: its inverse, m hours on a dial, other move sets and random ones."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from clocklab.clocks import MOVES
from clocklab.dials import NAMES
from clocklab.exports import tables
from clocklab.exports.figures import style
from clocklab.exports.figures.style import BLUE, HALO, INK, RED, TEXT, Point, middle
from clocklab.studies.puzzles import CLOCKS


@style.chart("move_matrix", height=4.1, width=style.WIDTH, ncols=2, gridspec_kw={"wspace": 0.1})
def move_matrix(panels: np.ndarray) -> None:
    """The move matrix and its inverse mod 4, side by side."""
    inverse = tables.clock_inverse().filter(like="move_").to_numpy().T
    clocks, moves = list(NAMES), range(1, 10)
    matrices = pd.DataFrame(CLOCKS.matrix, clocks, moves), pd.DataFrame(inverse, moves, clocks)
    for axes, table, title in zip(panels, matrices, ("the move matrix", "its inverse mod 4"), strict=True):
        axes.set_title(title, loc="center", pad=10)
        style.heat_map(axes, 0.75 * table / table.to_numpy().max(), table)
        axes.xaxis.set(label_position="top", ticks_position="top")
        axes.set_aspect("equal")
    panels[0].set(xlabel="move", ylabel="clock")
    panels[1].set(xlabel="clock to turn alone", ylabel="move")


@style.sheet("matrix_alone", 12.6, 12.4, inches=6.2)
def alone(axes: Axes) -> None:
    """The inverse column by column: the presses that turn one clock alone, each at the place of its move."""
    table = tables.clock_inverse()
    for i, presses in enumerate(table.filter(like="move_").to_numpy()):
        at = _grid(axes, i, presses, f"{NAMES[i]} alone: {table['clockwise'][i]} presses")
        axes.add_patch(Circle(middle(i, at), 0.4, fill=False, edgecolor=INK, linewidth=2, path_effects=HALO))


@style.sheet("matrix_left_out", 12.6, 12.4, inches=6.2)
def left_out(axes: Axes) -> None:
    """The weights of the sum that stays the same when one move is left out, one grid a move."""
    for i, weights in enumerate(tables.clock_left_out().filter(like="weight_").to_numpy()):
        _grid(axes, i, weights, f"without {i + 1}: {MOVES[i]}")


@style.sheet("matrix_five_hours", 8.4, 4.7, inches=5.5)
def five_hours(axes: Axes) -> None:
    """Why clocks with five hours lose four states of five: the quiet pattern, and the weights of what stays."""
    system = CLOCKS.system(5)
    _grid(axes, 0, system.quiet[0][0], "a quiet pattern", "presses of the nine moves:\nevery clock turns 5 hours")
    _grid(axes, 1, system.invariants[0], "weights of the clocks", "every move turns clocks\nof a total weight of 5")


def _grid(axes: Axes, part: int, numbers: Sequence[int] | np.ndarray, heading: str, below: str = "") -> Point:
    """Draw nine numbers as a part of a sheet, the darker the larger; return its upper left corner."""
    at = style.part(axes, part, heading, below)
    rows = np.reshape(numbers, (3, 3))
    style.tiles(axes, rows / 4, at, rows)
    return at


@style.chart("matrix_hours", height=4.2, width=style.WIDTH)
def hours(axes: Axes) -> None:
    """How many states each puzzle loses, by the hours on a dial, as a heat map with the numbers."""
    facts = tables.move_sets()
    table = facts.pivot(index="puzzle", columns="hours", values="reachable_one_in").loc[facts["puzzle"].unique()]
    texts = table.map(lambda lost: "all" if lost == 1 else f"{lost:,}")
    style.heat_map(axes, np.sqrt(np.log(table) / np.log(table.to_numpy().max())), texts, fontsize=style.SMALL)
    axes.set_xlabel("hours on a dial; in a square: one state in how many can be solved")


@style.chart("matrix_farthest", height=3.6)
def farthest(axes: Axes) -> str:
    """How many presses the farthest state needs, by the hours on a clock: two rising lines, one of multiples of 5."""
    facts = tables.clock_farthest().set_index("hours")["clockwise"]
    fives = facts.index % 5 == 0
    for part, look, colour, text in (
        (facts[~fives], "o-", BLUE, "others: $9m-9$"),
        (facts[fives], "s--", RED, "multiples of 5: $5m-9$"),
    ):
        axes.plot(part, look, color=colour, markersize=5)
        axes.annotate(text, (part.index[-1], part.iloc[-1]), (7, 0), textcoords="offset points", color=TEXT[colour])
    axes.set(xlabel="m, the hours on a clock", xticks=range(5, 26, 5), xlim=(1, 34), ylim=(0, 225))
    axes.set_ylabel("clockwise presses\nthat the farthest state needs")
    return f"""Two rising lines: with m hours on a clock the farthest state needs 9m - 9 presses, from
    {facts.iloc[0]} to {facts[~fives].iloc[-1]}, but with multiples of 5 only {", ".join(map(str, facts[fives]))}."""


@style.chart("matrix_lights_out", height=4.6)
def lights_out(axes: Axes) -> str:
    """How many patterns of Lights Out on 5 x 5 lights need 0, 1, ... 15 presses, as bars with their numbers."""
    facts = tables.lights_out_distances().query("n == 5").set_index("distance")["patterns"]
    axes.barh(facts.index, facts, color=BLUE)
    for distance, patterns in facts.items():
        axes.annotate(f"{patterns:,}", (patterns, distance), (5, 0), textcoords="offset points", va="center")
    axes.set(ylabel="the fewest presses\nthat switch a pattern off", yticks=facts.index, ylim=(15.6, -0.6))
    axes.set(xlabel="patterns", xlim=(0, 2.25e6), xticks=(0, 1e6, 2e6))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    return f"""Bars: how many patterns of Lights Out on 5 x 5 lights need 0, 1, ... {facts.index[-1]} presses;
    most need {facts.idxmax()}, {facts.max():,} patterns, and {facts.iloc[-1]:,} need {facts.index[-1]}."""


@style.chart("matrix_random_move_sets", height=4.2)
def random_move_sets(axes: Axes) -> str:
    """The share of random move sets that solve everything: marks for coins, dotted lines for evenly drawn entries."""
    coins = {}
    looks = {2: ("m = 2, 4, 8, …", BLUE, "o"), 3: ("m = 3, 9, …", RED, "s"), 6: ("m = 6, 12, …", INK, "^")}
    for modulus, table in tables.random_move_sets().set_index("size").groupby("modulus"):
        label, colour, mark = looks[modulus]
        coins[modulus] = table["coins"].iloc[-1]
        axes.plot(table["coins"], f"{mark}-", color=colour)
        axes.plot(table["evenly"], ":", color=colour, linewidth=1.5)
        axes.text(9.3, table["coins"].iloc[-1], label, color=TEXT[colour], va="center")
    axes.text(3, 0.585, "dotted: steps from 0 to m − 1, equally likely", color=TEXT[RED])
    axes.text(1.25, 0.49, "marks: steps of 0 or 1 by coins", color=INK)
    axes.set(xlabel="dials, and as many moves", xticks=(1, 3, 5, 7, 9), xlim=(0.7, 11))
    axes.set(ylabel="share of move sets\nthat solve every state", ylim=(0, 0.7))
    axes.yaxis.set_major_formatter(style.percent)
    return f"""Three curves of the share of random move sets that solve every state, for 1 to 9 dials: it falls to
    {coins[2]:.0%} with m = 2, 4, 8, falls and rises to {coins[3]:.0%} with m = 3, 9, and falls to {coins[6]:.0%}
    with m = 6, 12."""
