"""What the figures of the census draw is what they say: shapes and places, products, boards that four teeth spoil."""

import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest

from clocklab import sawtooth
from clocklab.exports.figures import census as figures
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
