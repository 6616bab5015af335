"""The packed state: every encoding there and back for all 262,144 states, tricks against plain arithmetic."""

from itertools import product

import numpy as np
import pytest

from clocklab import dials
from clocklab.dials import Dials

ALL = np.arange(dials.STATES)
QUARTERS = np.array(list(product(range(4), repeat=9)))[:, ::-1]  # row s holds the dials of state s, A first


def test_state_is_the_base_4_number_with_dial_a_lowest():
    assert dials.pack(QUARTERS).tolist() == ALL.tolist()
    assert dials.unpack(ALL).tolist() == QUARTERS.tolist()
    assert int("".join(str(q) for q in QUARTERS[158351][::-1]), 4) == 158351


def test_one_state_packs_like_an_array_of_them():
    for state in range(0, dials.STATES, 977):
        assert dials.unpack(state) == tuple(QUARTERS[state])
        assert dials.pack(QUARTERS[state]) == dials.pack(list(QUARTERS[state])) == state
        assert all(type(x) is int for x in (dials.pack(QUARTERS[state]), *dials.unpack(state)))


def test_arrays_of_any_shape():
    states = ALL.reshape(4, 256, 256)
    assert dials.unpack(states).shape == (4, 256, 256, 9)
    assert np.array_equal(dials.pack(dials.unpack(states)), states)
    assert dials.pack(np.zeros((0, 9), dtype=int)).shape == (0,)


def test_whole_turns_count_for_nothing():
    assert dials.pack([4, 5, -1, 0, 0, 0, 0, 0, 8]) == dials.pack([0, 1, 3, 0, 0, 0, 0, 0, 0])


@pytest.mark.parametrize("shape", [(8,), (10,), (0,), (3, 3), (9, 1)])
def test_other_than_nine_dials_are_refused(shape):
    with pytest.raises(ValueError, match="expected 9 dials along the last axis"):
        dials.pack(np.zeros(shape, dtype=int))


def test_add_is_plain_addition_mod_4_in_every_dial():
    for other in [0, 1, dials.LOW, 2 * dials.LOW, 3 * dials.LOW, 158351, dials.STATES - 1]:
        expected = (QUARTERS + QUARTERS[other]) % 4
        assert np.array_equal(dials.unpack(dials.add(ALL, np.int64(other))), expected)
        assert dials.unpack(dials.add(158351, other)) == tuple(expected[158351])


def test_add_on_all_pairs_of_two_dials():
    x, y = np.meshgrid(np.arange(16), np.arange(16))
    expected = (dials.unpack(x).astype(int) + dials.unpack(y)) % 4
    assert np.array_equal(dials.unpack(dials.add(x, y)), expected)


def test_negate_is_plain_negation_mod_4_in_every_dial():
    assert np.array_equal(dials.unpack(dials.negate(ALL)), -QUARTERS % 4)
    assert not dials.add(ALL, dials.negate(ALL)).any()
    assert [dials.negate(s) for s in (0, 1, 2, 3, 158351)] == dials.negate(ALL)[[0, 1, 2, 3, 158351]].tolist()


def test_wrong_dials_are_those_not_at_12():
    assert dials.wrong(0) == []
    assert dials.wrong(dials.STATES - 1) == list(range(9))
    assert dials.wrong(158351) == [i for i, q in enumerate(QUARTERS[158351]) if q]


@pytest.mark.parametrize("notation", dials.NOTATIONS)
def test_notations_there_and_back(notation):
    for state in range(0, dials.STATES, 37):
        assert dials.to_state(dials.from_state(state, notation), notation) == state


def test_what_the_notations_say():
    assert dials.from_state(dials.pack([0, 1, 2, 3, 0, 0, 0, 0, 0]), "hours")[:4] == (12, 3, 6, 9)
    assert dials.to_state([3] * 9, "hours") == dials.LOW
    assert dials.to_state([3] * 9, "quarters") == 3 * dials.LOW
    with pytest.raises(ValueError):
        dials.to_state([4] * 9, "quarters")
    with pytest.raises(ValueError):
        dials.to_state([12] * 8, "hours")


def test_text_pictures():
    assert dials.text(158351, "quarters") == "3 3 0\n2 2 2\n2 1 2"
    assert dials.text(0, "hours") == "12 12 12\n12 12 12\n12 12 12"


def test_dials_for_people():
    example = Dials.of([9, 9, 12, 6, 6, 6, 6, 3, 6], "hours")
    assert example == Dials(158351) == eval(repr(example))
    assert example != Dials(0) and example != 158351
    assert example + -example == Dials(0)
    assert len({example, Dials(158351), Dials(1)}) == 2
    assert ALL[example] == int(example.state)
    assert str(example) == dials.text(158351, "hours")
    assert example._repr_svg_().startswith("<svg") and not hasattr(example, "_repr_html_")


@pytest.mark.parametrize("state", [-1, dials.STATES])
def test_dials_outside_the_range_are_refused(state):
    with pytest.raises(ValueError, match="expected a state from 0 to 262143"):
        Dials(state)


@pytest.mark.parametrize(
    ("numbers", "notation", "message"),
    [
        ([9, 9, 12, 6, 6, 6, 6, 3, 7], "hours", "expected numbers out of 12, 3, 6, 9, got 7"),
        ([0, 1, 2, 3, 0, 1, 2, 3, 4], "quarters", "expected numbers out of 0, 1, 2, 3, got 4"),
        ("330222212", "quarters", "got '3'"),
        ([3] * 9, "hour", "expected a notation, hours or quarters, got 'hour'"),
        ([3] * 8, "hours", "expected 9 dials"),
    ],
)
def test_numbers_that_are_no_state_are_named(numbers, notation, message):
    with pytest.raises(ValueError, match=message):
        dials.to_state(numbers, notation)
