"""What the figures of the move matrix draw is what enumeration and the letters of the moves say."""

from math import hypot
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from clocklab.algebra import COSTS
from clocklab.clocks import MOVES
from clocklab.exports.figures import clocks, matrix, puzzles
from clocklab.studies.puzzles import CLOCKS

mpl.use("agg")
DATA = Path(__file__).parents[1] / "data"


def texts_by_place(axes):
    """The texts of a drawing by the place of their middle, rounded to whole columns and rows."""
    return {(round(text.get_position()[0]), round(text.get_position()[1])): text.get_text() for text in axes.texts}


def nines(figure):
    """The headings of the parts of a sheet, each with its nine numbers, row by row."""
    texts = [text.get_text() for text in figure.axes[0].texts if text.get_text()]
    starts = [i for i, text in enumerate(texts) if not text.isdecimal() and texts[i + 1 : i + 2] and "\n" not in text]
    return {texts[i]: [int(t) for t in texts[i + 1 :] if t.isdecimal()][:9] for i in starts}


def test_the_move_matrix_stands_as_the_letters_say():
    left, right = matrix.move_matrix().axes
    cells = texts_by_place(left)
    for column, move in enumerate(MOVES):
        assert "".join("ABCDEFGHI"[row] for row in range(9) if cells[column, row] == "1") == move
    inverse = np.array([[int(texts_by_place(right)[column, row]) for column in range(9)] for row in range(9)])
    assert (inverse @ CLOCKS.matrix % 4 == np.eye(9)).all()


def test_the_grids_turn_one_clock_alone_and_weigh_what_stays():
    alone = list(nines(matrix.alone()).values())
    assert ((CLOCKS.matrix @ np.array(alone).T) % 4 == np.eye(9)).all()
    for move, weights in enumerate(nines(matrix.left_out()).values()):
        kept = np.array(weights) @ CLOCKS.matrix % 4 == 0
        assert kept.tolist() == [other != move for other in range(9)]


def test_five_hours_shows_a_quiet_pattern_and_weights_that_stay():
    quiet, weights = (np.array(numbers) for numbers in list(nines(matrix.five_hours()).values())[:2])
    assert quiet.any() and not (CLOCKS.matrix @ quiet % 5).any()
    assert weights.any() and not (weights @ CLOCKS.matrix % 5).any()


def test_the_heat_map_says_one_state_in_how_many():
    axes = matrix.hours().axes[0]
    columns = [int(label.get_text()) for label in axes.get_xticklabels()]
    rows = [label.get_text() for label in axes.get_yticklabels()]
    facts = pd.read_csv(DATA / "move_sets.csv").set_index(["puzzle", "hours"])["reachable_one_in"]
    for (column, row), text in texts_by_place(axes).items():
        assert int(text.replace(",", "").replace("all", "1")) == facts[rows[row], columns[column]]
    assert len(texts_by_place(axes)) == len(facts)


@pytest.mark.parametrize("hours", [5, 12])
def test_curves_of_distances_are_the_distributions(hours):
    curves = [line.get_ydata().tolist() for line in clocks.distribution(hours).axes[0].get_lines()]
    assert curves == [list(CLOCKS.system(hours).distribution(metric)) for metric in COSTS]


def test_the_farthest_states_stand_on_their_formulas():
    others, fives = ({int(m): int(y) for m, y in zip(*line.get_data(), strict=True)}
                     for line in matrix.farthest().axes[0].get_lines())  # fmt: skip
    assert sorted([*others, *fives]) == list(range(2, 26))
    assert all(y == 9 * m - 9 for m, y in others.items())
    assert {m: 5 * m - 9 for m in (5, 10, 15, 20, 25)} == fives


def test_bars_of_lights_out_are_as_long_as_their_numbers():
    axes = matrix.lights_out().axes[0]
    lengths = [round(bar.get_width()) for bar in axes.patches]
    assert lengths == [int(text.get_text().replace(",", "")) for text in axes.texts]
    assert (len(lengths), sum(lengths), lengths[7]) == (16, 2**23, 467_104)


def test_marks_of_random_move_sets_are_shares_of_coins():
    lines = matrix.random_move_sets().axes[0].get_lines()
    for coins, evenly, m in zip(lines[::2], lines[1::2], (2, 3, 6), strict=True):
        assert coins.get_ydata()[:2].tolist() == [1 / 2, 6 / 16]  # of 2 and of 16 matrices of zeros and ones
        assert evenly.get_ydata()[0] == pytest.approx({2: 1 / 2, 3: 2 / 3, 6: 1 / 3}[m])


@pytest.mark.parametrize(("state", "hours", "columns"), [((0, 3, 1, 2, 2), 4, 3), ((0, 5, 11, 6, 1, 2), 12, 2)])
def test_hands_of_dials_point_to_their_hours(state, hours, columns):
    axes = puzzles.dials(state, hours, columns).axes[0]
    hands = [line for line in axes.get_lines() if line.get_linewidth() > 2]
    for i, (hand, hour) in enumerate(zip(hands, state, strict=True)):
        (x, y), (tip_x, tip_y) = hand.get_xydata()
        assert (int(x), int(y)) == (i % columns, i // columns)
        length = hypot(tip_x - x, tip_y - y)
        right, up = np.sin(2 * np.pi * hour / hours), np.cos(2 * np.pi * hour / hours)
        assert ((tip_x - x) / length, (y - tip_y) / length) == pytest.approx((right, up))
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # y grows downwards, so that up is up
