"""The census: every reduction against brute force where that can be had, and the stored numbers against both."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from math import comb
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from clocklab import dials, sawtooth
from clocklab.studies import census, reach

DATA = Path(__file__).parent.parent / "data"
boards = st.integers(0, 2**36 - 1)


def arcs(board, cells=range(9)):
    """Plain: where each turn leads from each of all states, shape (cells, states)."""
    rows = list(sawtooth.neighbours(board)(np.arange(dials.STATES)))
    return np.stack([rows[cell] for cell in cells])


def facts_by_brute_force(board):
    turns = arcs(board)
    places = np.tile(np.arange(dials.STATES), 9)
    graph = csr_array((np.ones(turns.size, np.int8), (places, turns.ravel())), shape=(dials.STATES,) * 2)
    return reach.Facts(
        connected_components(graph, connection="strong", return_labels=False) == 1,
        all(np.unique(turn).size == dials.STATES for turn in turns),
        np.unique(turns).size == dials.STATES,
    )


@pytest.fixture(scope="module")
def all_true():
    return {shape: np.full(5 ** shape.bit_count(), 7, dtype=np.uint8) for shape in census.shapes()}


def test_boards_come_out_as_binomials(all_true):
    binomials = [comb(36, k) for k in range(37)]
    assert census.by_teeth(all_true) == binomials
    assert all(census.by_teeth(all_true, fact) == binomials for fact in range(3))


def test_there_are_46_shapes_and_they_cover_the_218_connected_sets():
    connected = [cells for cells in range(1, 512) if len(census.parts(cells)) == 1]
    assert len(connected) == 218  # induced connected subgraphs of the 3 x 3 grid
    assert {census.standard(cells)[0] for cells in connected} == set(census.shapes())
    assert all(census.standard(shape)[0] == shape for shape in census.shapes())


def test_patterns_are_the_sixteen_fillings_up_to_turning():
    fillings = Counter(census.PATTERN_OF[teeth] for teeth in range(1, 16))
    assert [fillings[i] for i in range(5)] == census.TURNED.tolist()
    for teeth, pattern in census.PATTERN_OF.items():
        assert teeth.bit_count() == census.TEETH[pattern]
        kept, turned = reach.OUTLINE_BITS[teeth], reach.OUTLINE_BITS[census.PATTERNS[pattern]]
        assert kept.bit_count() == turned.bit_count()


@settings(max_examples=15, deadline=None)
@given(boards, st.integers(0, 262143))
def test_facts_do_not_depend_on_the_start(board, start):
    moved = 0
    for cell, orientation in enumerate(dials.unpack(start)):
        moved |= sawtooth.turned(board >> 4 * cell & 15, orientation) << 4 * cell
    assert sorted(census.classes_of(board)) == sorted(census.classes_of(moved))
    assert reach.facts(board) == reach.facts(moved)


def turned_board(board):
    """The whole board turned clockwise: cells move, and their teeth turn with them."""
    return sum(sawtooth.turned(board >> 4 * i & 15, 1) << 4 * census.BOARD_TURN[i] for i in range(9))


@settings(max_examples=15, deadline=None)
@given(boards)
def test_facts_do_not_depend_on_how_the_whole_board_lies(board):
    assert turned_board(turned_board(turned_board(turned_board(board)))) == board
    assert reach.facts(board) == reach.facts(turned_board(board))


def least(shape, number):
    return shape, int(census.turned_alike(shape)[number])


@settings(max_examples=100, deadline=None)
@given(boards)
def test_classes_do_not_depend_on_how_the_whole_board_lies(board):
    here, there = (sorted(least(*c) for c in census.classes_of(b)) for b in (board, turned_board(board)))
    assert here == there


@pytest.mark.parametrize("teeth", [13, 17, 20, 24, 36])
def test_facts_of_whole_boards_by_brute_force(teeth):
    board = sawtooth.random_board(np.random.default_rng(teeth), teeth=teeth)
    assert reach.facts(board) == facts_by_brute_force(board)


def plain_turn(teeth, state, cell):
    """One turn by walking over meshed cells; teeth and state are dicts over the cells of a small shape."""

    def tooth(c, side):  # 0 left, 1 top, 2 right, 3 bottom, after the cell's quarter turns
        return teeth[c] >> (side - state[c]) % 4 & 1

    ways, queue = {cell: 1}, [cell]
    for c in queue:
        for side, (step, on_grid) in enumerate([(-1, c % 3 > 0), (-3, c > 2), (1, c % 3 < 2), (3, c < 6)]):
            other = c + step
            if on_grid and other in teeth and other not in ways and tooth(c, side) and tooth(other, (side + 2) % 4):
                ways[other] = -ways[c]
                queue.append(other)
    return {c: (q + ways.get(c, 0)) % 4 for c, q in state.items()}


def plain_part(cells, filling):
    """The facts of a shape by walking everything: is it strongly connected, do all turns permute."""
    teeth = dict(zip(cells, filling, strict=True))
    states = [dict(zip(cells, qs, strict=True)) for qs in product(range(4), repeat=len(cells))]
    turns = {c: [tuple(plain_turn(teeth, state, c).values()) for state in states] for c in cells}
    graph = nx.DiGraph()
    for images in turns.values():
        graph.add_edges_from(zip([tuple(state.values()) for state in states], images, strict=True))
    return nx.is_strongly_connected(graph), all(len(set(images)) == len(states) for images in turns.values())


@pytest.mark.parametrize("cells", [(0,), (0, 1), (0, 1, 2), (0, 1, 3)])
def test_facts_of_every_filling_of_small_shapes_by_walking(cells):
    for filling in product(census.PATTERNS, repeat=len(cells)):
        board = sum(teeth << 4 * cell for teeth, cell in zip(filling, cells, strict=True))
        assert reach.facts(board) == (*plain_part(cells, filling), True), filling


def test_facts_of_some_fillings_of_a_two_by_two_shape_by_walking():
    cells, rng = (0, 1, 3, 4), np.random.default_rng(2)
    for filling in rng.choice(census.PATTERNS, size=(60, 4)).tolist():
        board = sum(teeth << 4 * cell for teeth, cell in zip(filling, cells, strict=True))
        assert reach.facts(board) == (*plain_part(cells, filling), True), filling


@pytest.fixture(scope="module")
def stored():
    return census.load()


def test_stored_classes_give_the_stored_table(stored):
    table = np.loadtxt(DATA / "sawtooth_census.csv", delimiter=",", skiprows=1, dtype=np.int64)
    assert table[:, 0].tolist() == list(range(37))
    assert table[:, 1].tolist() == census.by_teeth(stored) == [comb(36, k) for k in range(37)]
    assert [table[:, 2 + i].tolist() for i in range(3)] == [census.by_teeth(stored, i) for i in range(3)]


def test_stored_facts_are_those_of_random_boards(stored):
    rng = np.random.default_rng(7)
    for teeth in list(range(8, 33)) * 2:
        board = sawtooth.random_board(rng, teeth=teeth)
        assert census.look_up(stored, board) == reach.facts(board), sawtooth.teeth_of(board)


def test_stored_facts_of_random_classes_of_every_shape(stored):
    rng = np.random.default_rng(8)
    for shape, flags in stored.items():
        number = int(rng.integers(flags.size))
        expected = reach.facts(census.board_of_class(shape, number))
        assert census.look_up(stored, census.board_of_class(shape, number)) == expected
        assert expected[:2] == (bool(flags[number] & 1), bool(flags[number] & 2))


@pytest.fixture
def a_little_work(monkeypatch):
    """The census of shapes of up to three cells, in chunks of ten classes."""
    monkeypatch.setattr(census, "CHUNK", 10)
    small = [shape for shape in census.shapes() if shape.bit_count() <= 3]
    monkeypatch.setattr(census, "shapes", lambda: small)


def files(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*-*"))}


def test_workers_do_not_matter_and_an_interrupted_census_goes_on(a_little_work, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    results = census.run(one, workers=1)
    with ThreadPoolExecutor(2) as executor:
        census.run(two, workers=executor)
    assert files(one) == files(two)
    times = {path: path.stat().st_mtime_ns for path in two.glob("*-*")}
    lost, torn, foreign, *_ = sorted(two.glob("*-*"))
    lost.unlink()
    torn.write_bytes(b"")
    foreign.write_bytes(b"*" * foreign.stat().st_size)
    again = census.run(two, workers=1)
    assert files(one) == files(two)
    assert {path for path in two.glob("*-*") if path.stat().st_mtime_ns != times[path]} == {lost, torn, foreign}
    assert all(np.array_equal(results[shape], again[shape]) for shape in results)


def test_saved_results_are_the_same_bytes_twice_and_hold_each_shape(a_little_work, tmp_path):
    results = census.run(tmp_path / "chunks", workers=1)
    census.save(results, tmp_path / "a.npz")
    census.save(results, tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    with np.load(tmp_path / "a.npz") as arrays:
        assert {int(name, 2): arrays[name].tolist() for name in arrays.files} == {
            shape: flags.tolist() for shape, flags in results.items()
        }
