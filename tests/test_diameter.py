"""The bound of a class: every way to it against distances between all pairs, on small classes and by any limit."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from clocklab import dials, sawtooth, search
from clocklab.studies import census, diameter, examples, reach

ROOM = diameter.room()
NUMBA = diameter.jit(lambda: 0)() == 0 and diameter.find_spec("numba") is not None
LIMITS = (-1, 0, 1, 2, 3, 5, 8, 11)  # and about the distance


def all_pairs(board):
    """Plain: the states of the cells with teeth, and the distances between all pairs, infinite without a way."""
    cells = sawtooth.toothed(board)
    states = sawtooth.goal_states([range(4) if cell in cells else [0] for cell in range(9)])
    turns = np.searchsorted(states, np.stack(list(sawtooth.neighbours(board)(states)))[cells])
    arcs = np.ones(turns.size), (np.tile(np.arange(states.size), len(cells)), turns.ravel())
    graph = csr_array(arcs, shape=(states.size, states.size))
    return states, shortest_path(graph, unweighted=True)


def agrees(shape, number):
    """Compare the bound of a class, by many limits, with the distances between all pairs."""
    board = census.board_of_class(shape, number)
    states, distances = all_pairs(board)
    finite = np.where(np.isfinite(distances), distances, 0).astype(int)
    largest, starts = finite.max(), int(np.isfinite(distances).all(axis=1).sum())
    lie = np.prod(census.TURNED[census.patterns_of(np.array(number), shape.bit_count())])  # boards that differ so
    for limit in sorted({*LIMITS, *range(largest - 4, largest + 5), largest + 8, largest + 15, 99}):
        found = diameter.bound(board, limit, ROOM)
        assert found.distance >= largest and (found.distance <= limit) == (largest <= limit), (shape, number, limit)
        assert found.everything * states.size == starts * lie, (shape, number)
        if largest > limit:
            assert found.distance == largest, (shape, number, limit)
            assert finite[:, np.searchsorted(states, found.target)].max() == largest, (shape, number, limit)


@pytest.mark.parametrize("cells", [1, 2, 3])
def test_bounds_of_all_small_classes_by_many_limits(cells):
    for shape in (shape for shape in census.shapes() if shape.bit_count() == cells):
        for number in range(5**cells if NUMBA or cells < 3 else 25):
            agrees(shape, number)


@pytest.mark.skipif(not NUMBA, reason="thousands of classes take long without numba")
@pytest.mark.parametrize(("cells", "classes"), [(4, 900), (5, 60)])
def test_bounds_of_classes_drawn_at_random_by_many_limits(cells, classes):
    rng = np.random.default_rng(cells)
    shapes = [shape for shape in census.shapes() if shape.bit_count() == cells]
    for _ in range(classes):
        agrees(int(rng.choice(shapes)), int(rng.integers(5**cells)))


@pytest.mark.skipif(not NUMBA, reason="a class of nine cells takes long without numba")
def test_bounds_of_whole_boards_hold_for_starts_drawn_at_random():
    rng = np.random.default_rng(9)
    for teeth in (17, 20, 23, 26, 29):
        board = sawtooth.random_board(rng, teeth=teeth)
        while len(census.classes_of(board)) > 1 or len(sawtooth.toothed(board)) < 9:
            board = sawtooth.random_board(rng, teeth=teeth)
        most = diameter.bound(board, 40, ROOM).distance
        exact = diameter.bound(board, 33, ROOM)
        assert exact.distance <= most
        farthest = [len(reach.farthest(board, start)[1]) for start in rng.integers(dials.STATES, size=3).tolist()]
        assert max(farthest) <= exact.distance
        if exact.distance > 33:
            levels = list(search.walk(exact.target, sawtooth.reverse_neighbours(board)))
            assert len(levels) - 1 == exact.distance


def test_outlines_whose_searches_are_forced_give_the_target():
    found = diameter.bound(examples.TRAPDOOR, 5, ROOM)
    states, distances = all_pairs(examples.TRAPDOOR)
    to_target = distances[:, np.searchsorted(states, found.target)]
    assert found.distance == 6 == to_target[np.isfinite(to_target)].max()


def test_rooms_are_left_as_they_were():
    fresh = diameter.room()
    for name in ("distance", "cost", "length", "itself"):
        assert np.array_equal(getattr(ROOM, name), getattr(fresh, name)), name
