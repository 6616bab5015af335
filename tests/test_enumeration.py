"""Enumeration: the table against replaying presses, the pruned solve against trying all 4 ** 9 press vectors."""

import numpy as np
import pytest

from clocklab import clocks, dials, enumeration
from clocklab.clocks import METRICS, MOVES

# OEIS A008287, row 9: how many press vectors make k presses
CLOCKWISE = [1, 9, 45, 165, 486, 1206, 2598, 4950, 8451, 13051, 18351, 23607, 27876, 30276]


def test_every_press_vector_solves_its_state_by_plain_replay():
    table = enumeration.press_vectors()
    for state in range(0, dials.STATES, 53):
        assert clocks.replay(state, clocks.sequence_of(int(table[state])))[-1] == dials.SOLVED


def test_every_press_vector_is_used_once():
    assert np.array_equal(np.sort(enumeration.press_vectors()), np.arange(dials.STATES))


def test_plain_enumeration_by_nine_loops_agrees():
    """The obvious way: one press vector after the other, its effect by adding one press at a time."""
    solved = [0]
    for word in clocks.WORDS:
        turns = [0]
        for _ in range(3):
            turns.append(dials.add(turns[-1], word))
        solved = [dials.add(effect, turn) for turn in turns for effect in solved]
    table = enumeration.press_vectors()
    assert table[dials.negate(np.array(solved))].tolist() == list(range(dials.STATES))


@pytest.mark.parametrize("metric", METRICS)
def test_distances_are_the_costs_of_the_press_vectors(metric):
    distances = enumeration.distances(metric)
    assert distances.dtype == np.uint8
    assert np.array_equal(distances, clocks.cost(enumeration.press_vectors(), metric))


def test_clockwise_distribution():
    assert np.bincount(enumeration.distances()).tolist() == CLOCKWISE + CLOCKWISE[::-1]


def test_pruned_solve_is_the_table():
    table = enumeration.press_vectors()
    for state in [0, 1, 158351, dials.STATES - 1, *range(5, dials.STATES, 61)]:
        assert enumeration.solve(state) == table[state]


def test_each_clock_settles_a_move_that_alone_is_left():
    decided = {1, 2, 3}
    for clock, move in enumeration.SETTLES:
        assert {k for k, clocks_of in enumerate(MOVES, 1) if clock in clocks_of} - decided == {move}
        decided.add(move)
    assert decided == set(range(1, 10))


def test_a_state_without_an_answer_is_an_error(monkeypatch):
    monkeypatch.setattr(enumeration, "WORDS", (clocks.WORDS[0],) * 9)
    with pytest.raises(ArithmeticError, match="solved by no press vector"):
        enumeration.press_vectors()
    monkeypatch.setattr(enumeration, "TURNS", [[0, 0, 0, 0]] * 9)
    with pytest.raises(ArithmeticError, match="state 5 is solved by no press vector"):
        enumeration.solve(5)
