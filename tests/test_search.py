"""Breadth-first search against plain Python with a queue, on The Clocks, on gears and on hand-made graphs."""

from collections import deque

import numpy as np
import pytest

from clocklab import clocks, dials, sawtooth, search

GEARS = sawtooth.board_of("010100111001001111101011111100100110")  # the judge's sample
MADE = {0: (3, 1), 1: (2, 0), 2: (4, 4), 3: (2, 3), 4: (4, 0), 9: (0, 0)}  # 9 is reached from nowhere


def made(states):
    return (np.array([MADE[int(s)][move] for s in states]) for move in (0, 1))


def plain_distances(start, neighbours, most=6000):
    distances, queue = {start: 0}, deque([start])
    while queue and len(distances) < most:
        state = queue.popleft()
        for row in neighbours(np.array([state])):
            if int(row[0]) not in distances:
                distances[int(row[0])] = distances[state] + 1
                queue.append(int(row[0]))
    return distances


@pytest.mark.parametrize("neighbours", [clocks.neighbours, clocks.reverse_neighbours, sawtooth.neighbours(GEARS)])
@pytest.mark.parametrize("start", [0, 158351])
def test_distances_are_those_of_a_plain_queue(neighbours, start):
    table = search.distances(start, neighbours)
    plain = plain_distances(start, neighbours)
    assert table.dtype == np.uint8 and table.shape == (dials.STATES,)
    assert [table[state] for state in plain] == list(plain.values())


def test_distances_of_a_graph_made_by_hand():
    table = search.distances(0, made)
    assert table[:5].tolist() == [0, 1, 2, 1, 3]
    assert table[9] == search.UNREACHED and np.count_nonzero(table != search.UNREACHED) == 5
    assert search.levels(table).tolist() == [1, 2, 1, 1]


def test_distances_from_the_nearest_of_several_starts():
    table = search.distances([2, 9], made)
    assert table[[2, 9]].tolist() == [0, 0] and table[[0, 4]].tolist() == [1, 1]


def test_levels_are_rising_disjoint_and_at_their_distance():
    table = np.full(dials.STATES, search.UNREACHED, dtype=np.uint8)
    levels = list(search.walk(0, sawtooth.neighbours(GEARS), table))
    for distance, level in enumerate(levels):
        assert np.all(np.diff(level) > 0) and np.all(table[level] == distance)
    assert sum(level.size for level in levels) == np.count_nonzero(table != search.UNREACHED)
    assert [level.size for level in levels] == search.levels(table).tolist()


def test_ball_is_the_first_levels():
    ball = search.ball(158351, clocks.neighbours, 3)
    table = search.distances(158351, clocks.neighbours)
    assert [np.flatnonzero(table == d).tolist() for d in range(4)] == [level.tolist() for level in ball]
    assert [level.tolist() for level in search.ball(9, made, 1)] == [[9], [0]]


def lowest_by_brute_force(start, goals, neighbours, distance):
    """All sequences of that many moves in rising order, the first that ends at a goal."""

    def extend(state, left):
        if not left:
            return [] if state in goals else None
        for move, row in enumerate(neighbours(np.array([state]))):
            rest = extend(int(row[0]), left - 1)
            if rest is not None:
                return [move, *rest]
        return None

    return extend(start, distance)


@pytest.mark.parametrize("neighbours", [clocks.neighbours, sawtooth.neighbours(GEARS)])
def test_shortest_is_the_lowest_of_the_shortest(neighbours):
    rng = np.random.default_rng(1)
    table = search.distances(158351, neighbours)
    near = np.flatnonzero(table <= 4)
    for _ in range(12):
        goals = rng.choice(near, size=2).tolist()
        distance = int(table[goals].min())
        expected = lowest_by_brute_force(158351, goals, neighbours, distance)
        assert search.shortest(158351, np.array(goals), neighbours) == expected
        assert len(search.levels_to(158351, np.array(goals), neighbours)) == distance + 1


def test_shortest_at_the_goal_is_empty_and_to_nowhere_is_none():
    assert search.shortest(0, np.array([0, 5]), clocks.neighbours) == []
    assert search.shortest(0, np.array([9]), made) is None
    assert search.levels_to(0, np.array([9]), made) is None
    assert search.shortest(0, np.array([4]), made) == [0, 0, 0]  # by 3, not by 1: the lower first move


def test_descend_follows_falling_distances_by_the_lowest_move():
    to_goal = search.distances(0, clocks.reverse_neighbours)
    for state in range(1, dials.STATES, 26001):
        assert search.descend(state, to_goal, clocks.neighbours) == search.shortest(
            state, np.array([0]), clocks.neighbours
        )
    assert search.descend(0, to_goal, clocks.neighbours) == []


def test_descend_from_an_unreached_state_is_refused():
    table = search.distances(0, made)
    with pytest.raises(ValueError, match="no sequence of moves leads from state 9 to the goal"):
        search.descend(9, table, made)


def test_starts_in_any_order_and_number_are_one_rising_level():
    for start in (np.array([7, 3, 7, 0]), (7, 3, 7, 0), [0, 3, 7]):
        assert next(search.walk(start, clocks.neighbours)).tolist() == [0, 3, 7]
    assert list(search.walk([], clocks.neighbours)) == []
    assert next(search.walk(np.arange(dials.STATES)[::-1], clocks.neighbours)).tolist() == list(range(dials.STATES))


@pytest.mark.parametrize("start", [-1, dials.STATES, [0, -1], [dials.STATES, 5]])
def test_a_start_that_is_no_state_is_refused(start):
    with pytest.raises(ValueError, match="expected a state from 0 to 262143"):
        search.distances(start, clocks.neighbours)


def test_distances_that_do_not_fit_are_refused():
    def onwards(last):
        return lambda states: [np.minimum(states + 1, last)]

    assert search.distances(0, onwards(254)).max() == search.UNREACHED
    assert search.levels(search.distances(0, onwards(254))).tolist() == 255 * [1]
    with pytest.raises(OverflowError, match="255"):
        search.distances(0, onwards(255))
