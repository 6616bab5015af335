import random
from functools import partial
from itertools import product

import gears
import numpy as np
import pytest

from clocklab import dials, sawtooth, search
from clocklab.clocks import WORDS
from clocklab.dials import STATES
from clocklab.sawtooth import EDGES, board_of, goal_states, teeth_of

TEETH = range(37)  # every tooth density, as numbers of teeth
ALL_TEETH = board_of("1" * 36)


def boards(times: int, seed: int = 3814) -> list[sawtooth.Board]:
    rng = np.random.default_rng(seed)
    return [sawtooth.random_board(rng, teeth=teeth) for teeth in TEETH for _ in range(times)]


def random_states(number: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, STATES, number)


def test_teeth_are_written_as_they_are_read():
    assert board_of("1" + "0" * 35) == 1
    assert board_of("0000 01" + 30 * "0") == 1 << 5
    for board in boards(3):
        assert board_of(teeth_of(board)) == board


@pytest.mark.parametrize("teeth", ["", "0" * 35, "0" * 37, "2" + "0" * 35, "x" + "0" * 35])
def test_what_is_no_board_is_refused(teeth):
    with pytest.raises(ValueError):
        board_of(teeth)


def test_edges_are_the_pairs_of_touching_cells():
    touching = {(a, b) for a, b in product(range(9), repeat=2) if (b - a == 1 and b % 3) or b - a == 3}
    assert set(EDGES) == touching
    assert len(EDGES) == 12


def test_mesh_is_where_two_teeth_meet():
    for board in boards(2):
        mesh, teeth = sawtooth.meshing(board), teeth_of(board)
        states = random_states(30, seed=board % 1000)
        for state, pattern in zip(states.tolist(), mesh(states).tolist(), strict=True):
            orientations = dials.unpack(state)
            meshed = {(a, b) for a in range(9) for b in gears.meshed_with(teeth, orientations, a) if a < b}
            assert {EDGES[bit] for bit in range(12) if pattern >> bit & 1} == meshed
            assert mesh(state) == pattern


def test_coupling_of_all_4096_mesh_patterns_is_the_walk_over_meshed_cells():
    for pattern in range(4096):
        links = {cell: [] for cell in range(9)}
        for bit, (a, b) in enumerate(EDGES):
            if pattern >> bit & 1:
                links[a].append(b)
                links[b].append(a)
        for cell in range(9):
            turning = gears.senses(links.__getitem__, cell)
            assert sawtooth.coupling()[cell, pattern] == dials.pack([turning.get(c, 0) for c in range(9)])


def test_the_coupling_table_is_built_once():
    assert sawtooth.coupling() is sawtooth.coupling()


def test_a_turn_is_the_walk_over_meshed_cells():
    for board in boards(2):
        states = random_states(12, seed=board % 1000)
        after = list(sawtooth.neighbours(board)(states))
        assert len(after) == 9
        for cell, row in enumerate(after):
            expected = [dials.pack(gears.turn(teeth_of(board), dials.unpack(s), cell)) for s in states.tolist()]
            assert row.tolist() == expected
            assert sawtooth.turn(board, int(states[0]), cell) == expected[0]


def test_the_turns_of_all_states_hold_every_single_turn():
    board = boards(1)[14]
    states = np.arange(STATES)
    for cell, row in enumerate(sawtooth.neighbours(board)(states)):
        for state in random_states(50, seed=cell).tolist():
            assert row[state] == dials.pack(gears.turn(teeth_of(board), dials.unpack(state), cell))


def test_an_inward_turned_outer_tooth_meshes():
    """The first two cells have their tooth on the left; after two turns each of the first faces the second's."""
    board = board_of("1000 1000".replace(" ", "") + "0" * 28)
    assert [sawtooth.meshing(board)(state) for state in range(4)] == [0, 0, 1, 0]
    assert dials.unpack(sawtooth.turn(board, 2, 0))[:2] == (3, 3)
    assert dials.unpack(sawtooth.turn(board, 1, 0))[:2] == (2, 0)


def test_replay_passes_through_every_turn():
    board, state = boards(1)[18], 12345
    states = sawtooth.replay(board, [4, 0, 4, 8], state)
    slow = [dials.unpack(state)]
    for cell in (4, 0, 4, 8):
        slow.append(gears.turn(teeth_of(board), slow[-1], cell))
    assert [dials.unpack(s) for s in states] == slow
    assert sawtooth.replay(board, []) == [0]


def test_what_a_step_moves_is_the_walk_over_meshed_cells():
    for board in boards(1):
        steps = [board % 9, 4, 0, 4, 8, board % 7]
        expected, orientations = [], (0,) * 9
        for cell in steps:
            meshed = partial(gears.meshed_with, teeth_of(board), orientations)
            turning = gears.senses(meshed, cell)
            expected.append(tuple(turning.get(c, 0) % 4 for c in range(9)))
            orientations = gears.turn(teeth_of(board), orientations, cell)
        states = sawtooth.replay(board, steps)
        assert [sawtooth.senses(board, *each) for each in zip(states, steps, strict=False)] == expected
        assert sawtooth.senses(board, 0, steps[0]) == expected[0]


def target(board: int, teeth: int, rng: random.Random) -> set[tuple[int, ...]]:
    """Return a goal for the slow search: near where boards reach much, anywhere where they reach little."""
    if teeth > 30 and rng.random() < 0.5:
        goal = [rng.choices(range(4), k=rng.randint(1, 2)) for _ in range(9)]
        return set(product(*goal))
    steps = rng.randint(0, 4) if teeth <= 30 else 40
    return {dials.unpack(sawtooth.replay(board, rng.choices(range(9), k=steps))[-1])}


def test_fewest_steps_are_those_of_a_plain_search():
    rng, reached = random.Random(1), 0
    for i, board in enumerate(boards(4)):
        teeth = i // 4
        goals = target(board, teeth, rng)
        expected = gears.fewest(teeth_of(board), goals)
        states = np.array([dials.pack(goal) for goal in goals])
        assert sawtooth.fewest_steps(board, states) == expected
        steps = sawtooth.solve(board, states)
        assert (steps is None) == (expected is None)
        if steps is not None:
            assert len(steps) == expected
            assert sawtooth.replay(board, steps)[-1] in states
            reached += 1
    assert 100 < reached < 4 * len(TEETH)  # both answers and impossible ones are among them


def test_searching_from_both_ends_is_searching_from_one():
    """Goals that are far, impossible or many, and near ones: all ways through the search from both ends."""
    rng, found = random.Random(3), []
    for i, board in enumerate(boards(2)):
        goals = random_states((1, 3, 40, 2000)[i % 4], seed=i)
        near = sawtooth.replay(board, rng.choices(range(9), k=i % 5))[-1:]
        for wanted in (goals, np.array(near)):
            steps = search.shortest(0, wanted, sawtooth.neighbours(board))
            assert sawtooth.solve(board, wanted) == steps
            assert sawtooth.fewest_steps(board, wanted) == (None if steps is None else len(steps))
            found.append(steps)
    assert None in found
    assert max(len(steps) for steps in found if steps) > 12


def test_reverse_neighbours_are_all_states_that_a_turn_leads_from():
    for board in boards(1)[::4]:
        after = list(sawtooth.neighbours(board)(np.arange(STATES)))
        for states in (random_states(1, seed=board % 1000), random_states(5)):
            before = list(sawtooth.reverse_neighbours(board)(states))
            assert len(before) == 9
            for forward, back in zip(after, before, strict=True):
                assert sorted(back.tolist()) == np.flatnonzero(np.isin(forward, states)).tolist()


def test_steps_are_the_lowest_of_the_shortest():
    rng = random.Random(2)
    for board in boards(1)[::3]:
        goal = sawtooth.replay(board, rng.choices(range(9), k=3))[-1]
        steps = sawtooth.solve(board, np.array([goal]))
        after = {(): (0,) * 9}  # every way of so many steps, in rising order, and where it leads
        for _ in steps:
            turns = product(after.items(), range(9))
            after = {(*way, cell): gears.turn(teeth_of(board), at, cell) for (way, at), cell in turns}
        assert tuple(steps) == next(way for way, at in after.items() if at == dials.unpack(goal))


def test_a_board_without_teeth_is_nine_free_dials():
    states = random_states(100)
    for cell, row in enumerate(sawtooth.neighbours(0)(states)):
        assert np.array_equal(row, dials.add(states, np.array(1 << 2 * cell)))
    distances = search.distances(0, sawtooth.neighbours(0))
    assert np.array_equal(distances, dials.unpack(np.arange(STATES)).sum(axis=1))
    twin = search.distances(0, lambda states: (dials.add(states, word) for word in WORDS))
    assert np.array_equal(search.levels(distances), search.levels(twin))


def test_a_board_with_all_teeth_has_four_states():
    distances = search.distances(0, sawtooth.neighbours(ALL_TEETH))
    four = [dials.pack([(k, -k)[i % 2] for i in range(9)]) for k in range(4)]
    assert np.flatnonzero(distances != search.UNREACHED).tolist() == sorted(four)
    assert distances[four].tolist() == [0, 1, 2, 1]


def test_goal_orientations_are_all_turns_that_look_alike():
    picture = np.zeros((9, 8, 8), dtype=int)
    picture[0, 0, 1] = 1  # alike in no other orientation
    picture[1, [0, 7], [1, 6]] = 1  # alike after half a turn
    picture[2, 3:5, 3:5] = 1  # alike after every turn
    second = picture.copy()
    second[0] = 0
    second[0, 1, 7] = 1  # a clockwise quarter turn takes the pixel from the top to the right
    second[3, 0, 0] = 1  # never
    goals = sawtooth.goal_orientations(picture, second)
    assert goals[:4] == [(1,), (0, 2), (0, 1, 2, 3), ()]
    assert goal_states(goals).size == 0
    assert sawtooth.solve(0, goal_states(goals)) is sawtooth.fewest_steps(0, goal_states(goals)) is None


def test_goal_states_are_all_combinations():
    orientations = [(1,), (0, 2), (0, 1, 2, 3), *[(3,)] * 5, (0, 1)]
    assert goal_states(orientations).tolist() == sorted(dials.pack(o) for o in product(*orientations))
    assert np.array_equal(goal_states([range(4)] * 9), np.arange(STATES))


def test_pictures_turned_to_a_state_have_it_as_their_goal():
    rng = np.random.default_rng(5)
    pictures = rng.random((9, 8, 8)) < 0.5
    for state in random_states(50).tolist():
        goals = sawtooth.goal_orientations(pictures, sawtooth.turn_pictures(pictures, state))
        assert goal_states(goals).tolist() == [state]


def test_random_boards_have_the_density_or_the_number_of_teeth_asked_for():
    rng = np.random.default_rng(0)
    assert {sawtooth.random_board(rng, teeth=teeth).bit_count() - teeth for teeth in TEETH} == {0}
    assert {sawtooth.random_board(rng, density) for density in (0.0, 1.0) for _ in range(9)} == {0, ALL_TEETH}
    half = [sawtooth.random_board(rng).bit_count() for _ in range(1000)]
    assert 17 < np.mean(half) < 19
    same = [sawtooth.random_board(np.random.default_rng(7)) for _ in range(2)]
    assert same[0] == same[1]


@pytest.mark.parametrize("cell", [-1, 9])
def test_what_is_no_cell_is_refused(cell):
    for wrong in (lambda: sawtooth.replay(0, [0, cell]), lambda: sawtooth.senses(0, 0, cell)):
        with pytest.raises(ValueError, match=f"expected a cell from 0 to 8, got {cell}"):
            wrong()
