from fractions import Fraction
from itertools import product
from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocklab import algebra
from clocklab.algebra import COSTS, AlgebraError, System
from clocklab.clocks import MOVES
from clocklab.studies.puzzles import lights_out

CLOCKS = [[int(dial in move) for move in MOVES] for dial in "ABCDEFGHI"]


class Truth:
    """Everything about a small system, by trying every press vector."""

    def __init__(self, matrix, m):
        self.matrix, self.m = np.array(matrix), m
        self.presses = np.indices((m,) * self.matrix.shape[1]).reshape(self.matrix.shape[1], -1).T
        self.right = self.presses @ (self.matrix % m).T % m
        self.keys = self.right @ m ** np.arange(len(self.matrix))
        self.reached, self.which = np.unique(self.keys, return_inverse=True)

    def solutions(self, b):
        return self.presses[self.keys == np.array(b) % self.m @ self.m ** np.arange(len(self.matrix))]

    def costs(self, presses, metric):
        most = self.m - presses
        return {"clockwise": presses, "quarter": np.where(presses < most, presses, most), "turn": presses > 0}[
            metric
        ].sum(axis=1)

    def distribution(self, metric):
        least = np.full(len(self.reached), 10**6)
        np.minimum.at(least, self.which, self.costs(self.presses, metric))
        return tuple(np.bincount(least).tolist())


def random_systems(number, seed, most=700):
    """Random matrices of up to 4 x 4, steps of any size and sign, many of them 0, with a modulus of up to 12."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        m, rows = int(rng.integers(2, 13)), int(rng.integers(1, 5))
        columns = int(rng.integers(1, 5))
        while m**columns > most:
            columns -= 1
        matrix = rng.integers(-(10 ** rng.integers(1, 9)), 10 ** rng.integers(1, 9), (rows, columns))
        yield matrix * rng.integers(0, 2, matrix.shape) ** rng.integers(0, 2), m, rng


def test_two_thousand_random_systems_are_those_of_trying_everything():
    for matrix, m, rng in random_systems(2000, seed=13):
        system, truth, metric = System(matrix, m), Truth(matrix, m), list(COSTS)[rng.integers(3)]
        assert system.reachable == len(truth.reached)
        assert system.count * system.reachable == len(truth.presses)
        assert system.distribution(metric) == truth.distribution(metric)
        for b in rng.integers(0, m, (2, len(matrix))):
            solutions = truth.solutions(b)
            assert sorted(system.solutions(b).tolist()) == solutions.tolist()
            if not len(solutions):
                weights = system.invariant(b)
                assert not (np.array(weights) @ (matrix % m) % m).any()
                assert np.array(weights) @ b % m
                assert system.solve(b) is system.fewest(b) is None
                continue
            assert system.invariant(b) is None
            assert list(system.solve(b)) in solutions.tolist()
            costs = truth.costs(solutions, metric)
            assert system.fewest(b, metric) == max(map(tuple, solutions[costs == costs.min()].tolist()))


def test_both_ways_to_a_distribution_and_to_the_fewest_agree_with_trying_everything():
    for matrix, m, rng in random_systems(100, seed=14):
        system, truth = System(matrix, m), Truth(matrix, m)
        for metric in COSTS:
            costs = np.asarray(COSTS[metric](np.arange(m), m)).astype(np.int64)
            assert system._by_states(costs) == truth.distribution(metric)
            if system.count < 50:
                assert system._by_solutions(costs) == truth.distribution(metric)
        b = truth.right[rng.integers(len(truth.right))]
        metric = list(COSTS)[rng.integers(3)]
        found = np.array([system._programmed(b, metric)])
        assert found.tolist()[0] in truth.solutions(b).tolist()
        assert truth.costs(found, metric) == truth.costs(truth.solutions(b), metric).min()


def test_quiet_patterns_generate_the_kernel_with_the_orders_stated():
    for matrix, m, _ in random_systems(300, seed=15):
        system, kernel = System(matrix, m), {(0,) * matrix.shape[1]}
        for pattern, order in system.quiet:
            assert min(k for k in range(1, m + 1) if not any(k * v % m for v in pattern)) == order
            kernel = {
                tuple((a + k * v) % m for a, v in zip(x, pattern, strict=True)) for x in kernel for k in range(order)
            }
        assert kernel == set(map(tuple, Truth(matrix, m).solutions([0] * len(matrix)).tolist()))


def test_the_smith_form_mod_m_is_that_of_the_integers():
    for matrix, m, _ in random_systems(200, seed=16):
        form, whole = algebra.smith_mod(matrix, m), algebra.smith(matrix).factors
        diagonal = np.zeros(matrix.shape, int)
        np.fill_diagonal(diagonal, form.factors)
        assert not ((form.left @ (matrix % m) % m @ form.right - diagonal) % m).any()
        assert [gcd(f, m) for f in form.factors] == [gcd(f, m) for f in whole]
        assert System(matrix, m).rank == sum(gcd(f, m) == 1 for f in whole)
        for transform in (form.left, form.right):
            assert gcd(algebra.determinant(transform), m) == 1


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 60), st.data())
def test_smith_form_divides_downwards_and_its_transforms_are_unimodular(rows, columns, bound, data):
    line = st.lists(st.integers(-bound, bound), min_size=columns, max_size=columns)
    matrix = np.array(data.draw(st.lists(line, min_size=rows, max_size=rows)))
    smith = algebra.smith(matrix)
    diagonal = np.zeros(matrix.shape, int)
    np.fill_diagonal(diagonal, smith.factors)
    assert (smith.left @ matrix @ smith.right == diagonal).all()
    assert abs(algebra.determinant(smith.left)) == abs(algebra.determinant(smith.right)) == 1
    assert all(f >= 0 for f in smith.factors)
    assert all(g % f == 0 if f else g == 0 for f, g in zip(smith.factors, smith.factors[1:], strict=False))
    assert algebra.rank(matrix) == np.linalg.matrix_rank(matrix) == sum(f > 0 for f in smith.factors)
    for p in (2, 3, 5):
        assert System(matrix, p).rank == sum(f % p > 0 for f in smith.factors)


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=3, max_size=3), st.integers(2, 12))
def test_determinant_and_inverse_agree_with_cofactors(matrix, m):
    (a, b, c), (d, e, f), (g, h, i) = matrix
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    assert algebra.determinant(matrix) == determinant
    if gcd(determinant, m) > 1:
        with pytest.raises(AlgebraError, match=f"no inverse mod {m}"):
            algebra.inverse_mod(matrix, m)
    else:
        assert (algebra.inverse_mod(matrix, m) @ matrix % m == np.eye(3)).all()


def test_large_boards_are_solved_and_their_quiet_patterns_are_quiet():
    for n in (9, 19, 23):
        system = lights_out(n).system()
        assert (system.matrix @ system.fewest([1] * n * n) % 2 == 1).all()
        patterns = np.array([pattern for pattern, _ in system.quiet])
        assert not (patterns @ system.matrix.T % 2).any()
        assert (len(patterns), 2 ** len(patterns)) == (n * n - system.rank, system.count)


def test_distances_of_what_no_one_lists_press_by_press():
    five = lights_out(5).system().distribution()  # A079873, whose stored term of 7 has two digits swapped
    assert five[:8] == (1, 25, 300, 2300, 12650, 53130, 176176, 467104)
    assert (sum(five), len(five)) == (2**23, 16)
    ten = [System(CLOCKS, 10).distribution(metric) for metric in COSTS]
    assert [len(counts) - 1 for counts in ten] == [41, 23, 9]
    assert {sum(counts) for counts in ten} == {10**9 // 5}
    assert sum(System(CLOCKS, 64).distribution("clockwise")) == 64**9


def test_the_clocks_have_determinant_5_and_one_inverse_mod_4():
    assert algebra.determinant(CLOCKS) == 5
    assert algebra.smith(CLOCKS).factors == (1,) * 8 + (5,)
    inverse = algebra.inverse_mod(CLOCKS, 4)
    assert (inverse @ CLOCKS % 4 == np.eye(9)).all()
    assert (np.round(np.linalg.inv(CLOCKS) * 5).astype(int) % 4 == inverse).all()  # 5 is 1 mod 4


def test_of_equally_cheap_solutions_the_first_moves_are_pressed_most():
    assert System([[1, 1]], 4).fewest([3], "clockwise") == (3, 0)
    assert System([[1, 1]], 4).fewest([3], "quarter") == (3, 0)
    assert System([[1, 1]], 4).fewest([2], "turn") == (2, 0)


def test_many_solutions_are_gone_through_block_by_block():
    assert System([[1] * 15], 2).fewest([1]) == (1,) + 14 * (0,)  # 2^14 solutions, fifteen of one press
    assert System([[1] * 8], 6).fewest([5], "turn") == (5,) + 7 * (0,)
    assert System([[2] + [1] * 9], 4).fewest([2], "turn") == (3,) + 9 * (0,)  # not in the first block
    rng = np.random.default_rng(3)
    for m in (2, 3, 5, 7):
        matrix, presses = rng.integers(0, m, (4, 11)), rng.integers(0, m, 11)
        system, metric = System(matrix, m), list(COSTS)[m % 3]
        solutions = system.solutions(matrix @ presses) if system.count < 10**5 else None
        found = [system.fewest(matrix @ presses, metric), system._programmed(matrix @ presses % m, metric)]
        assert [algebra.cost(x, m, metric) for x in found] == 2 * [algebra.cost(found[0], m, metric)]
        if solutions is not None:
            assert algebra.cost(solutions, m, metric).min() == algebra.cost(found[0], m, metric)


def test_generators_are_multiples_with_a_small_sum():
    five = System(CLOCKS, 5)
    assert (five.quiet, five.invariants) == ([((1, 2, 1, 2, 1, 2, 1, 2, 1), 5)], [(2, 1, 2, 1, 1, 1, 2, 1, 2)])


def test_few_states_are_listed_however_many_solutions_they_have():
    system = System([[1] * 30], 12)
    assert (system.count, system.distribution("quarter")) == (12**29, (1, 2, 2, 2, 2, 2, 1))
    assert system.distribution() == (1,) * 12
    found = system.fewest([7], "quarter")
    assert (sum(found) % 12, algebra.cost(found, 12, "quarter")) == (7, 5)


def test_large_numbers_stay_exact():
    m = 10**9 - 63  # a prime, near the largest modulus
    matrix = np.random.default_rng(1).integers(0, m, (30, 30))
    inverse = algebra.inverse_mod(matrix, m)
    assert (inverse.astype(object) @ matrix.astype(object) % m == np.eye(30, dtype=int)).all()
    assert System([[10**30 + 1]], 10).solve([7]) == (7,)
    assert System(np.array([[200]], np.uint8), 1000).solve([400]) == (2,)
    assert algebra.determinant([[10**30, 1], [1, 10**30]]) == 10**60 - 1
    assert algebra.cost([999_999_999, 1], 10**9, "quarter") == 2


def test_the_exact_share_of_invertible_matrices_is_that_of_listing_them():
    for size, m in product((1, 2), (2, 3, 4, 6)):
        matrices = [np.reshape(entries, (size, size)) for entries in product(range(m), repeat=size * size)]
        invertible = sum(gcd(algebra.determinant(matrix), m) == 1 for matrix in matrices)
        assert algebra.invertible_share(size, m) == Fraction(invertible, len(matrices))


def test_determinants_of_zeros_and_ones_are_those_of_exact_arithmetic():
    three = [algebra.determinant(np.reshape(entries, (3, 3))) for entries in product((0, 1), repeat=9)]
    assert sorted(algebra.zero_one_determinants(3, 1, seed=1)) == sorted(three)
    assert len(algebra.zero_one_determinants(4, 1, seed=1)) == 2**16
    for size in range(5, 10):
        rng = np.random.default_rng(size)
        exact = [algebra.determinant(cells.reshape(size, size)) for cells in rng.integers(0, 2, (50, size * size))]
        assert algebra.zero_one_determinants(size, 50, seed=size).tolist() == exact


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: algebra.as_matrix([]), "at least one row"),
        (lambda: algebra.as_matrix([[]]), "one column"),
        (lambda: algebra.as_matrix([[1, 2], [3]]), "same length"),
        (lambda: algebra.as_matrix([[1.0]]), "whole numbers"),
        (lambda: algebra.as_matrix(np.ones((2, 2))), "whole numbers"),
        (lambda: algebra.as_matrix(7), "whole numbers"),
        (lambda: algebra.determinant([[1, 2]]), "expected a square matrix, got 1 x 2"),
        (
            lambda: algebra.determinant(np.eye(145, dtype=int)),
            "145 x 145 is too large over the integers, .* 144 x 144",
        ),
        (lambda: algebra.smith(np.eye(37, dtype=int)), "37 x 37 is too large over the integers, .* 36 x 36"),
        (lambda: algebra.inverse_mod([[1], [2]], 4), "expected a square matrix, got 2 x 1"),
        (lambda: algebra.inverse_mod([[2]], 4), "no inverse mod 4"),
        (lambda: algebra.cost((5, 0), 4, "quarter"), "expected 0 to 3 presses of each move, got 0 to 5"),
        (lambda: algebra.cost((-1, 0), 4, "turn"), "expected 0 to 3 presses of each move, got -1 to 0"),
        (lambda: algebra.cost((1, 0), 4, "half"), "expected a metric, clockwise, quarter, turn, got 'half'"),
        (lambda: System([[1]], 4).distribution("half"), "expected a metric"),
        (lambda: System([[1]], 1), "modulus from 2 to 1000000000, got 1"),
        (lambda: System([[1]], 10**9 + 1), "modulus from 2 to 1000000000, got 1000000001"),
        (lambda: System([[1]], 2.5), "modulus from 2 to 1000000000, got 2.5"),
        (lambda: algebra.invertible_share(3, 1), "modulus from 2"),
        (lambda: algebra.zero_one_determinants(10, 1, seed=1), "expected a size from 1 to 9, got 10"),
        (lambda: System([[1]], 4).solve([1, 2]), "right side of 1 numbers, got 2"),
        (lambda: System([[0] * 24], 2).solutions([0]), "1 reachable states, solutions of each: 16777216"),
        (lambda: System([[1]], 10**8).distribution(), "too many to go through: 100000000 reachable states"),
        (lambda: System([[1, 1]], 10**8).fewest([5]), "100000000 reachable states, solutions of each: 100000000"),
    ],
)
def test_bad_input_is_named(ask, message):
    with pytest.raises(AlgebraError, match=message):
        ask()
