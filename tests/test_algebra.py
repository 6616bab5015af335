from fractions import Fraction
from itertools import product
from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocklab import algebra
from clocklab.algebra import AlgebraError, System, multiply
from clocklab.clocks import MOVES

CLOCKS = [[int(dial in move) for move in MOVES] for dial in "ABCDEFGHI"]
CORANKS = [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0]  # OEIS A159257, n = 1 .. 12


def lamps(n):
    return [[int(abs(i // n - j // n) + abs(i % n - j % n) <= 1) for j in range(n * n)] for i in range(n * n)]


def times(left, right):
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left
    ]


@st.composite
def systems(draw, square=False):
    """A matrix of at most 3 x 3 and a modulus of at most 9, small enough for every x and b to be tried."""
    rows = draw(st.integers(1, 3))
    columns = rows if square else draw(st.integers(1, 3))
    entry = st.integers(-12, 12)
    matrix = draw(st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    return System(matrix, draw(st.integers(2, 9)))


def all_solutions(system):
    """Try every x: the right sides that have solutions, each with its set of them."""
    found = {}
    for x in product(range(system.modulus), repeat=len(system.matrix[0])):
        found.setdefault(tuple(b % system.modulus for b in multiply(system.matrix, x)), set()).add(x)
    return found


def plain_cost(x, modulus, metric):
    return sum({"clockwise": k, "quarter": min(k, modulus - k), "turn": 1 if k else 0}[metric] for k in x)


@given(systems())
def test_solvable_right_sides_and_their_solutions_are_those_of_trying_everything(system):
    truth = all_solutions(system)
    assert system.reachable == len(truth)
    assert {system.count} == {len(solutions) for solutions in truth.values()}
    for b in product(range(system.modulus), repeat=len(system.matrix)):
        solutions = system.solutions(b)
        assert {tuple(x) for x in solutions.tolist()} == truth.get(b, set())
        assert len(solutions) == len(truth.get(b, ()))
        assert (system.solve(b) in truth[b]) if b in truth else system.solve(b) is None


@given(systems(), st.sampled_from(sorted(algebra.COSTS)))
def test_distribution_and_fewest_are_the_minimum_over_everything(system, metric):
    truth = {b: min(plain_cost(x, system.modulus, metric) for x in xs) for b, xs in all_solutions(system).items()}
    assert system.distribution(metric) == tuple(np.bincount(list(truth.values())).tolist())
    for b, cost in truth.items():
        assert algebra.cost(system.fewest(b, metric), system.modulus, metric) == cost
        assert tuple(s % system.modulus for s in multiply(system.matrix, system.fewest(b, metric))) == b


@given(systems())
def test_an_invariant_is_kept_by_every_move_and_broken_by_exactly_the_unsolvable(system):
    m, truth = system.modulus, all_solutions(system)
    for b in product(range(m), repeat=len(system.matrix)):
        weights = system.invariant(b)
        assert (weights is None) == (b in truth)
        if weights is not None:
            assert all(entry % m == 0 for entry in times([weights], system.matrix)[0])
            assert multiply((weights,), b)[0] % m


@given(systems())
def test_quiet_patterns_generate_the_kernel_with_the_orders_stated(system):
    m, kernel = system.modulus, {(0,) * len(system.matrix[0])}
    for pattern, order in system.quiet:
        assert min(k for k in range(1, m + 1) if not any(k * v % m for v in pattern)) == order
        kernel = {
            tuple((a + k * v) % m for a, v in zip(x, pattern, strict=True)) for x in kernel for k in range(order)
        }
    assert kernel == all_solutions(system)[(0,) * len(system.matrix)]


@given(systems(square=True))
def test_the_inverse_exists_exactly_where_everything_is_solvable_once(system):
    size, m = len(system.matrix), system.modulus
    if len(all_solutions(system)) < m**size:
        with pytest.raises(AlgebraError, match=f"no inverse mod {m}"):
            algebra.inverse_mod(system.matrix, m)
    else:
        identity = [[int(i == j) for j in range(size)] for i in range(size)]
        inverse = algebra.inverse_mod(system.matrix, m)
        assert [[entry % m for entry in row] for row in times(inverse, system.matrix)] == identity
        assert [[entry % m for entry in row] for row in times(system.matrix, inverse)] == identity


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 60), st.data())
def test_smith_form_divides_downwards_and_its_transforms_are_unimodular(rows, columns, bound, data):
    line = st.lists(st.integers(-bound, bound), min_size=columns, max_size=columns)
    matrix = data.draw(st.lists(line, min_size=rows, max_size=rows))
    smith = algebra.smith(matrix)
    diagonal = [[smith.factors[i] if i == j else 0 for j in range(columns)] for i in range(rows)]
    assert times(times(smith.left, matrix), smith.right) == diagonal
    assert abs(algebra.determinant(smith.left)) == abs(algebra.determinant(smith.right)) == 1
    assert all(f >= 0 for f in smith.factors)
    assert all(g % f == 0 if f else g == 0 for f, g in zip(smith.factors, smith.factors[1:], strict=False))
    assert algebra.rank(matrix) == sum(f > 0 for f in smith.factors)
    for p in (2, 3, 5):
        assert algebra.rank(matrix, p) == System(matrix, p).rank == sum(f % p > 0 for f in smith.factors)


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_determinant_and_rank_agree_with_cofactors_and_numpy(matrix):
    (a, b, c), (d, e, f), (g, h, i) = matrix
    assert algebra.determinant(matrix) == a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    assert algebra.rank(matrix) == np.linalg.matrix_rank(np.array(matrix))


def test_published_coranks_of_lights_out():
    assert [n * n - algebra.rank(lamps(n), 2) for n in range(1, 13)] == CORANKS


def test_the_clocks_have_determinant_5_and_one_inverse_mod_4():
    assert algebra.determinant(CLOCKS) == 5
    assert algebra.smith(CLOCKS).factors == (1,) * 8 + (5,)
    inverse = np.array(algebra.inverse_mod(CLOCKS, 4))
    assert ((inverse @ CLOCKS) % 4 == np.eye(9)).all()
    assert (np.round(np.linalg.inv(CLOCKS) * 5).astype(int) % 4 == inverse).all()  # 5 is 1 mod 4


def test_a_first_pivot_that_is_no_unit():
    assert algebra.inverse_mod([[3, 1], [1, 3]], 9) == ((6, 1), (1, 6))


def test_not_invertible_yet_solvable_for_some_right_sides():
    system = System([[2, 1], [1, 2]], 9)
    with pytest.raises(AlgebraError, match="no inverse mod 9: the determinant 3 is no unit"):
        algebra.inverse_mod(system.matrix, 9)
    assert (system.reachable, system.count, system.quiet) == (27, 3, [((3, 3), 3)])
    assert sorted(system.solutions([1, 2]).tolist()) == [[0, 1], [3, 4], [6, 7]]
    assert system.solve([1, 0]) is None
    assert system.invariant([1, 0]) == (3, 3)


def test_of_equally_cheap_solutions_the_first_moves_are_pressed_most():
    assert System([[1, 1]], 4).fewest([3], "clockwise") == (3, 0)
    assert System([[1, 1]], 4).fewest([3], "quarter") == (3, 0)
    assert System([[1, 1]], 4).fewest([2], "turn") == (2, 0)


def test_numbers_beyond_64_bits_stay_exact():
    m = 2**89 - 1
    assert algebra.inverse_mod([[3]], m) == ((pow(3, -1, m),),)
    assert System([[2]], 2 * m).solutions([2 * m - 4]).tolist() == [[m - 2], [2 * m - 2]]
    assert algebra.determinant([[10**30, 1], [1, 10**30]]) == 10**60 - 1
    assert sum(System(CLOCKS, 64).distribution("clockwise")) == 64**9


def test_the_exact_share_of_invertible_matrices_is_that_of_listing_them():
    for size, m in product((1, 2), (2, 3, 4, 6)):
        matrices = [np.reshape(entries, (size, size)) for entries in product(range(m), repeat=size * size)]
        invertible = sum(gcd(algebra.determinant(matrix), m) == 1 for matrix in matrices)
        assert algebra.invertible_share(size, m) == Fraction(invertible, len(matrices))


def test_a_seeded_sample_repeats_and_lies_near_the_exact_share():
    assert algebra.sampled_share(5, 2, 1000, seed=1) == algebra.sampled_share(5, 2, 1000, seed=1)
    share = algebra.invertible_share(5, 2)
    assert abs(algebra.sampled_share(5, 2, 1000, seed=1) - share) < 3 * (share * (1 - share) / 1000) ** 0.5


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: algebra.as_matrix([]), "at least one row"),
        (lambda: algebra.as_matrix([[]]), "one column"),
        (lambda: algebra.as_matrix([[1, 2], [3]]), "same length"),
        (lambda: algebra.as_matrix([[1.0]]), "whole numbers"),
        (lambda: algebra.as_matrix(7), "whole numbers"),
        (lambda: algebra.determinant([[1, 2]]), "expected a square matrix, got 1 x 2"),
        (lambda: algebra.inverse_mod([[1], [2]], 4), "expected a square matrix, got 2 x 1"),
        (lambda: algebra.rank([[1]], 4), "expected a prime, got 4"),
        (lambda: algebra.rank([[1]], 0), "expected a prime, got 0"),
        (lambda: multiply(((1, 2),), [1]), "expected a vector of 2 numbers, got 1"),
        (lambda: System([[1]], 1), "modulus of 2 or more, got 1"),
        (lambda: algebra.invertible_share(3, 1), "modulus of 2 or more, got 1"),
        (lambda: algebra.sampled_share(3, 0, 9, seed=1), "modulus of 2 or more, got 0"),
        (lambda: System([[1]], 2.5), "modulus of 2 or more, got 2.5"),
        (lambda: System([[1]], 4).solve([1, 2]), "right side of 1 numbers, got 2"),
        (lambda: System([[0] * 22], 2).solutions([0]), "more than 2097152 solutions, too many to list"),
        (lambda: System([[1] * 11], 4).distribution(), "more than 2097152 press vectors, too many"),
        (lambda: System([[1]], 10**6).distribution(), "too many"),
    ],
)
def test_bad_input_is_named(ask, message):
    with pytest.raises(AlgebraError, match=message):
        ask()
