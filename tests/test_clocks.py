"""The Clocks: moves and press vectors against plain turning of nine hands."""

from collections import Counter
from itertools import chain, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocklab import clocks, dials
from clocklab.clocks import METRICS, MOVES

ALL = np.arange(dials.STATES)
states = st.integers(0, dials.STATES - 1)
sequences = st.lists(st.integers(1, 9), max_size=40)
press_vectors = st.integers(0, dials.STATES - 1)


def plain_press(quarters, move):
    """Turn the clocks that the task's table names."""
    table = {1: "ABDE", 2: "ABC", 3: "BCEF", 4: "ADG", 5: "BDEFH", 6: "CFI", 7: "DEGH", 8: "GHI", 9: "EFHI"}
    return tuple((q + (clock in table[move])) % 4 for q, clock in zip(quarters, "ABCDEFGHI", strict=True))


def apply(state, presses):
    """Press by press, all of a press vector."""
    return clocks.replay(state, clocks.sequence_of(presses))[-1]


@given(states, st.integers(1, 9))
def test_a_press_turns_the_clocks_of_its_move(state, move):
    assert dials.unpack(clocks.press(state, move)) == plain_press(dials.unpack(state), move)


@given(states, sequences)
def test_replay_passes_through_every_state_and_order_does_not_matter(state, sequence):
    passed = clocks.replay(state, sequence)
    assert passed[0] == state and len(passed) == len(sequence) + 1
    assert all(clocks.press(a, move) == b for a, b, move in zip(passed, passed[1:], sequence, strict=False))
    assert passed[-1] == clocks.replay(state, sorted(sequence))[-1]
    assert passed[-1] == apply(state, clocks.presses_of(sequence))


def test_four_presses_are_none():
    for move in range(1, 10):
        assert clocks.replay(158351, [move] * 4)[-1] == 158351


def test_words_are_the_moves():
    assert [dials.wrong(word) for word in clocks.WORDS] == [[dials.NAMES.index(c) for c in move] for move in MOVES]
    assert [clocks.press(0, move) for move in range(1, 10)] == list(clocks.WORDS)


@pytest.mark.parametrize(("metric", "number"), [("clockwise", 9), ("quarter", 18), ("turn", 27)])
def test_neighbours_are_single_steps_of_the_metric(metric, number):
    rows = [row.tolist() for row in clocks.neighbours(np.array([0, 158351]), metric)]
    assert len(rows) == number
    counts = [count for count in (1, 3, 2) if METRICS[metric][count] == 1]
    one_move = {clocks.presses_of([move] * count) for move in range(1, 10) for count in counts}
    assert {row[0] for row in rows} == {apply(0, presses) for presses in one_move}
    assert {row[1] for row in rows} == {apply(158351, presses) for presses in one_move}


@pytest.mark.parametrize("metric", METRICS)
def test_reverse_neighbours_lead_back(metric):
    there = clocks.neighbours(ALL, metric)
    for step, row in enumerate(there):
        back = list(clocks.reverse_neighbours(row[:5], metric))[step]
        assert back.tolist() == [0, 1, 2, 3, 4]


def test_sequence_there_and_back_for_all_press_vectors():
    for presses in range(dials.STATES):
        sequence = clocks.sequence_of(presses)
        assert sequence == sorted(sequence)
        assert clocks.presses_of(sequence) == presses
        assert clocks.presses_of(sequence[::-1]) == presses


def test_unary_press_word_there_and_back_for_all_press_vectors():
    words = [clocks.unary_of(presses) for presses in range(dials.STATES)]
    assert len(set(words)) == dials.STATES and max(words) < 2**27
    assert [clocks.presses_of_unary(word) for word in words] == list(range(dials.STATES))
    assert [word.bit_count() for word in words] == clocks.cost(ALL, "clockwise").tolist()


def test_any_bits_of_a_move_stand_for_their_number():
    assert {clocks.presses_of_unary(bits) for bits in (0b001, 0b010, 0b100)} == {1}
    assert {clocks.presses_of_unary(bits << 24) for bits in (0b011, 0b101, 0b110)} == {2 << 16}


@pytest.mark.parametrize("metric", METRICS)
def test_costs_of_arrays_are_those_of_ints(metric):
    costs = clocks.cost(ALL, metric)
    assert costs.dtype == np.uint8
    assert costs[::331].tolist() == [clocks.cost(presses, metric) for presses in range(0, dials.STATES, 331)]


@given(press_vectors)
def test_costs_follow_from_their_definitions(presses):
    counts = Counter(clocks.sequence_of(presses)).values()
    assert clocks.cost(presses, "clockwise") == sum(counts)
    assert clocks.cost(presses, "quarter") == sum(min(count, 4 - count) for count in counts)
    assert clocks.cost(presses, "turn") == len(counts)


def plain_count(counts, metric):
    """Write down every shortest sequence of steps, a step being a move with 1, 2 or 3 presses."""
    ways = {"clockwise": {1: [(1,)], 2: [(1, 1)], 3: [(1, 1, 1)]}, "turn": {1: [(1,)], 2: [(2,)], 3: [(3,)]}}
    ways["quarter"] = {1: [(1,)], 2: [(1, 1), (3, 3)], 3: [(3,)]}
    choices = [[[(move, n) for n in way] for way in ways[metric][count]] for move, count in counts.items()]
    return len({order for choice in product(*choices) for order in permutations(chain(*choice))})


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("sequence", [[], [1], [1, 1], [4, 5, 8, 9], [1, 1, 2, 2], [1, 1, 1, 2, 3], [3, 3, 4, 4, 4]])
def test_count_of_shortest_sequences_against_writing_them_down(sequence, metric):
    presses = clocks.presses_of(sequence)
    assert clocks.count_sequences(presses, metric) == plain_count(Counter(sequence), metric)


def test_count_of_shortest_sequences_of_the_farthest_state_is_exact():
    assert clocks.count_sequences(dials.STATES - 1) == 1080491954750208000000  # 27! / 6 ** 9


@pytest.mark.parametrize("move", [0, -1, 10])
def test_what_is_no_move_is_refused(move):
    for wrong in (lambda: clocks.press(0, move), lambda: clocks.presses_of([1, move])):
        with pytest.raises(ValueError, match=f"expected a move from 1 to 9, got {move}"):
            wrong()
