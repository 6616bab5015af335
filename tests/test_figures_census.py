"""What the figures of the census draw is what they say: shapes and places, products, boards that four teeth spoil."""

import re
from collections import Counter

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch, Polygon
from test_figures_data import hands

from clocklab import dials, sawtooth
from clocklab.exports import tables
from clocklab.exports.figures import census as figures
from clocklab.exports.figures import style
from clocklab.studies import census, examples, graphs, reach

mpl.use("agg")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def shown(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts if text.get_text()]


def test_the_shapes_lie_on_218_places():
    numbers = [int(text) for text in shown(figures.shapes())]
    assert sum(numbers) - sum(range(1, 10)) == 218
    assert len(numbers) - 9 == len(census.shapes()) == 46


def test_the_numbers_above_the_parts_multiply():
    titles = [axes.get_title("center").replace(",", "") for axes in figures.product().axes[3:]]
    first, second, product = ([int(n) for n in re.findall(r"\d+", title)] for title in titles)
    assert [a * b for a, b in zip(first, second, strict=True)] == product


@pytest.mark.parametrize("board", [examples.TRAPDOOR, figures.WHIRL])
def test_four_teeth_spoil_a_board_by_one_orphan(board):
    states = graphs.turns(board)
    assert board.bit_count() == 4
    assert [state for state in states if states.in_degree(state) == 0] == [0]
    assert sorted(map(len, nx.strongly_connected_components(states)))[:-1] == [1]


def flipped(board):
    """The board in a mirror, left for right."""
    cells = [sawtooth.teeth_of(board)[4 * cell :][:4] for cell in (2, 1, 0, 5, 4, 3, 8, 7, 6)]
    return sawtooth.board_of("".join(right + top + left + bottom for left, top, right, bottom in cells))


def test_a_mirror_image_can_lose_what_the_board_keeps():
    boards = figures.HELPLESS, figures.HELPED
    assert [min(map(len, nx.strongly_connected_components(graphs.turns(board)))) for board in boards] == [4, 64]
    boards = figures.HELPED, flipped(figures.HELPLESS)
    (shape, helped), (_, image) = (census.classes_of(board)[0] for board in boards)
    assert census.turned_alike(shape)[helped] == census.turned_alike(shape)[image]


def test_mirrored_flags_are_those_of_flipped_boards():
    corner = census.standard(0b000_001_011)[0]
    boards = [census.board_of_class(corner, number) for number in range(5**3)]
    flags, images = ([reach.facts(b).strongly_connected for b in bs] for bs in (boards, map(flipped, boards)))
    assert census.mirrored({corner: np.array(flags)})[corner].tolist() == images != flags


def test_the_fullest_boards_are_strongly_connected():
    boards = census.fullest(census.load())
    assert [board.bit_count() for board in boards] == [27] * 6
    assert all(reach.facts(board).strongly_connected for board in boards)


def states_of(axes):
    """The quarters that the hands of a sheet show, by where they are drawn."""
    return {place: int(quarter) for place, quarter in hands(axes)}


def test_fillings_are_counted_by_pattern_and_drawn_with_their_teeth():
    axes = figures.patterns().axes[0]
    counts = [int(text[2:]) for text in shown(figures.patterns()) if text.startswith("×")]
    columns = Counter(round(x - 1) // 2 for x, _ in states_of(axes))
    teeth = [patch for patch in axes.patches if isinstance(patch, Polygon)]
    assert counts == [columns[i] for i in range(6)] and sum(counts) == 16
    assert len(teeth) == sum(filling.bit_count() for filling in range(16))


def test_the_cells_of_a_shape_are_dark_and_the_number_below_counts_its_places():
    axes = figures.shapes().axes[0]
    dark = [patch.get_xy() for patch in axes.patches if to_hex(patch.get_edgecolor()).upper() == style.INK]
    assert len(dark) == sum(shape.bit_count() for shape in census.shapes())
    for size in range(1, 10):
        row = [((x - 3) / 4.1, y - 0.4 - 4.8 * (size - 1)) for x, y in dark if 0 <= y - 0.3 - 4.8 * (size - 1) < 4.8]
        for column, shape in enumerate(s for s in census.shapes() if s.bit_count() == size):
            inside = {round(4.1 * (x - column)) + 3 * round(y) for x, y in row if 0 <= x + 0.01 - column < 1}
            assert inside == {cell for cell in range(9) if shape >> cell & 1}


def test_shades_and_texts_say_the_share_of_strongly_connected_fillings():
    axes = figures.shapes_shares().axes[0]
    shares = [float(text[:-2]) for text in shown(figures.shapes_shares()) if text.endswith("%")]
    exact = []
    for size in range(1, 10):
        for shape in (shape for shape in census.shapes() if shape.bit_count() == size):
            flags = census.load()[shape]
            whole, part = (census.polynomial(shape, flags, fact).sum() for fact in (None, 0))
            exact.append(round(100 * part / whole, 1))
    assert shares == exact and min(shares) == 0.6 and shares[0] == 100
    dark = [p.get_facecolor() for p in axes.patches if to_hex(p.get_edgecolor()).upper() == style.INK]
    assert np.allclose(dark[0], style.SHADES(0.8)) and np.allclose(
        dark[-1], style.SHADES(0.2 + 0.006 * exact[-1]), atol=0.01
    )


def test_the_bars_of_a_product_are_the_fillings_by_teeth():
    panels = figures.product().axes[3:]
    heights = [[bar.get_height() for bar in axes.patches] for axes in panels]
    every, connected = (
        [bars[half * len(bars) // 2 : (half + 1) * len(bars) // 2] for bars in heights] for half in (0, 1)
    )
    assert np.convolve(*every[:2]).tolist() == every[2] and np.convolve(*connected[:2]).tolist() == connected[2]
    assert sum(every[0]) == 15**3 and all(a >= b for a, b in zip(every[2], connected[2], strict=True))


def test_outlines_say_what_each_turn_does_to_the_left_cell():
    axes = figures.outlines().axes[0]
    board = sawtooth.board_of("1111 1000" + 28 * "0")
    assert board == 0b0001_1111
    says = [text for text in shown(figures.outlines()) if text.startswith("left")]
    turned = [sawtooth.senses(board, right << 2, 1)[0] for right in range(4)]
    assert [{0: "left 0", 3: "left −1"}[sense] for sense in turned] == says[:4]
    assert says[4:] == 4 * ["left +1"]
    assert sum(line.get_linewidth() == 5 for line in axes.lines) == 1  # they mesh in the first outline alone
    right = sorted(states_of(axes).items())
    assert sorted(quarter for _, quarter in right) == [0, 1, 2, 3]


def test_curves_of_the_census_are_its_exact_shares():
    upper, lower = figures.shares().axes
    table = tables.sawtooth_census()
    for fact, colour in (
        ("strongly_connected", style.BLUE),
        ("no_orphans", style.RED),
        ("all_turns_permute", style.INK),
    ):
        exact = [float(a) / float(b) for a, b in zip(table[fact], table.boards, strict=True) if a]
        for axes in (upper, lower):
            lines = [line.get_ydata().tolist() for line in axes.lines if line.get_color() == colour]
            assert any(np.allclose(line, exact, rtol=1e-12) for line in lines if len(line) == len(exact))
    assert lower.get_yscale() == "log" and upper.get_yscale() == "linear"


def test_spoilers_show_states_from_which_a_turn_fails_to_lead_to_the_orphan():
    axes = figures.spoilers().axes[0]
    assert sum(isinstance(patch, FancyArrowPatch) for patch in axes.patches) == 2 + 1 + 2 + 1
    for board in (examples.TRAPDOOR, examples.WHIRL):
        for before in (0b00_11, 0b01_11):
            assert sawtooth.turn(board, before, 0) != 0
    shown = [quarter for _, quarter in hands(axes)]  # of a trapdoor's two cells, then a whirl's four, in each column
    assert shown == [0, 0, 0, 0, 0, 0, 3, 0, 3, 0, 0, 0, 3, 1, 3, 1, 0, 0]


def test_the_mirrored_cell_drives_the_corner_back_in_the_lower_row_only():
    for board, back in ((examples.HELPLESS, False), (examples.HELPED, True)):
        before = dials.pack([1, 3, 1, 0, 0, 0, 0, 0, 0])
        assert (sawtooth.senses(board, before, 1)[2 if board == examples.HELPED else 0] == 3) == back
    axes = figures.mirrored().axes[0]
    assert sum(isinstance(patch, FancyArrowPatch) for patch in axes.patches) == 1 + 2
    shown = list(states_of(axes).values())
    assert shown[:3] == shown[9:12] == [0, 0, 0]  # what is to be reached, above and below
    assert shown[6:9] == [1, 0, 0] and shown[15:] == [0, 0, 0]  # where the third cell's turn leads


def test_the_fullest_boards_are_drawn_whole():
    axes = figures.fullest().axes[0]
    assert len(states_of(axes)) == 54 and set(states_of(axes).values()) == {0}
    assert sum(isinstance(patch, Polygon) for patch in axes.patches) == 6 * 27
