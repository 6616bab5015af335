import random
from itertools import product

import numpy as np
import pytest

from clocklab import clocks, dials, solvers
from clocklab.clocks import METRICS, MOVES
from clocklab.dials import NAMES, SOLVED, STATES
from clocklab.solvers import SOLVERS, distance_table, press_vectors, solve

# states at each distance; OEIS A008287, row 9, binomial(18, k), and binomial(9, k) * 3^k
HALF = [1, 9, 45, 165, 486, 1206, 2598, 4950, 8451, 13051, 18351, 23607, 27876, 30276]
DISTRIBUTIONS = {
    "clockwise": HALF + HALF[::-1],
    "quarter": [1, 18, 153, 816, 3060, 8568, 18564, 31824, 43758, 48620,
                43758, 31824, 18564, 8568, 3060, 816, 153, 18, 1],
    "turn": [1, 27, 324, 2268, 10206, 30618, 61236, 78732, 59049, 19683],
}  # fmt: skip


@pytest.fixture(scope="module")
def tables():
    """The press vectors of all states by each method."""
    return {method: press_vectors(method) for method in SOLVERS}


@pytest.mark.parametrize("metric", METRICS)
def test_three_roads_one_table_of_distances(metric):
    found = {method: distance_table(method, metric) for method in SOLVERS}
    for distances in found.values():
        assert distances.dtype == np.uint8
        assert np.bincount(distances).tolist() == DISTRIBUTIONS[metric]
        assert np.array_equal(distances, found["search"])


def test_three_roads_one_table_of_answers(tables):
    assert np.array_equal(tables["search"], tables["enumeration"])
    assert np.array_equal(tables["search"], tables["algebra"])


@pytest.mark.parametrize("method", SOLVERS)
def test_every_answer_solves_its_state_at_its_distance(tables, method):
    states, presses = np.arange(STATES), tables[method]
    for move in range(1, len(MOVES) + 1):
        for times in range(1, 4):
            pressed = (presses >> 2 * (move - 1) & 3) >= times
            states = np.where(pressed, clocks.press(states, move), states)
    assert (states == SOLVED).all()
    for metric in METRICS:
        assert np.array_equal(clocks.cost(presses, metric), distance_table("search", metric))


def turned(sequence: tuple[int, ...]) -> tuple[int, ...]:
    """What a sequence adds to the nine clocks, by looking at the letters of each move."""
    return tuple(sum(clock in MOVES[move - 1] for move in sequence) % 4 for clock in NAMES)


@pytest.fixture(scope="module")
def lowest():
    """The lowest shortest sequence of every state up to distance 4, by trying all sequences in order."""
    found = {}
    for length in range(5):
        for sequence in product(range(1, 10), repeat=length):
            found.setdefault(dials.pack([-quarters for quarters in turned(sequence)]), list(sequence))
    assert len(found) == sum(HALF[:5])
    return found


@pytest.mark.parametrize("method", SOLVERS)
def test_the_answer_is_the_lowest_of_all_shortest_sequences(lowest, tables, method):
    for state, sequence in lowest.items():
        assert clocks.sequence_of(int(tables[method][state])) == sequence
        assert solve(state, method) == sequence


@pytest.mark.parametrize("method", SOLVERS)
def test_single_answers_are_those_of_the_table_and_replay_to_solved(tables, method):
    number = 25 if method == "search" else 400
    for state in [SOLVED, STATES - 1, *random.Random(1).sample(range(STATES), number)]:
        sequence = solve(state, method)
        assert clocks.presses_of(sequence) == tables[method][state]
        assert clocks.replay(state, sequence)[-1] == SOLVED


def test_the_search_finds_its_answers_by_search_alone(monkeypatch):
    for module in (solvers.enumeration, solvers.clocks):
        for name in ("solve", "press_vectors", "distances", "sequence_of", "presses_of", "cost"):
            monkeypatch.delattr(module, name, raising=False)
    monkeypatch.delattr(solvers, "_remedies")
    assert solve(158351, "search") == [4, 5, 8, 9]
    assert press_vectors("search")[158351] == sum(1 << 2 * (move - 1) for move in (4, 5, 8, 9))
    assert distance_table("search")[158351] == 4


@pytest.mark.parametrize("method", solvers.SOLVERS)
def test_what_is_no_state_or_metric_is_refused(method):
    for state in (-1, dials.STATES):
        with pytest.raises(ValueError, match="expected a state from 0 to 262143"):
            solvers.solve(state, method)
    with pytest.raises(TypeError):
        solvers.solve(1.5, method)
    with pytest.raises(KeyError):
        solvers.distance_table(method, "Turn")
