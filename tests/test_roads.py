import random
from itertools import product

import numpy as np
import pytest

from clocklab import clocks, dials, roads
from clocklab.clocks import METRICS, MOVES
from clocklab.dials import NAMES, SOLVED, STATES
from clocklab.roads import ROADS, distance_table, press_vectors, solve

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
    """The press vectors of all states by each road."""
    return {road: press_vectors(road) for road in ROADS}


@pytest.mark.parametrize("metric", METRICS)
def test_three_roads_one_table_of_distances(metric):
    found = {road: distance_table(road, metric) for road in ROADS}
    for distances in found.values():
        assert distances.dtype == np.uint8
        assert np.bincount(distances).tolist() == DISTRIBUTIONS[metric]
        assert np.array_equal(distances, found["search"])


def test_three_roads_one_table_of_answers(tables):
    assert np.array_equal(tables["search"], tables["enumeration"])
    assert np.array_equal(tables["search"], tables["algebra"])


@pytest.mark.parametrize("road", ROADS)
def test_every_answer_solves_its_state_at_its_distance(tables, road):
    states, presses = np.arange(STATES), tables[road]
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


@pytest.mark.parametrize("road", ROADS)
def test_the_answer_is_the_lowest_of_all_shortest_sequences(lowest, tables, road):
    for state, sequence in lowest.items():
        assert clocks.sequence_of(int(tables[road][state])) == sequence
        assert solve(state, road) == sequence


@pytest.mark.parametrize("road", ROADS)
def test_single_answers_are_those_of_the_table_and_replay_to_solved(tables, road):
    number = 25 if road == "search" else 400
    for state in [SOLVED, STATES - 1, *random.Random(1).sample(range(STATES), number)]:
        sequence = solve(state, road)
        assert clocks.presses_of(sequence) == tables[road][state]
        assert clocks.replay(state, sequence)[-1] == SOLVED


def test_the_search_finds_its_answers_by_search_alone(monkeypatch):
    for module in (roads.enumeration, roads.clocks):
        for name in ("solve", "press_vectors", "distances", "sequence_of", "presses_of", "cost"):
            monkeypatch.delattr(module, name, raising=False)
    monkeypatch.delattr(roads, "_remedies")
    assert solve(158351, "search") == [4, 5, 8, 9]
    assert press_vectors("search")[158351] == sum(1 << 2 * (move - 1) for move in (4, 5, 8, 9))
    assert distance_table("search")[158351] == 4


@pytest.mark.parametrize("road", roads.ROADS)
def test_what_is_no_state_or_metric_is_refused(road):
    for state in (-1, dials.STATES):
        with pytest.raises(ValueError, match="expected a state from 0 to 262143"):
            roads.solve(state, road)
    with pytest.raises(TypeError):
        roads.solve(1.5, road)
    with pytest.raises(KeyError):
        roads.distance_table(road, "Turn")
