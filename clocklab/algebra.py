"""Exact linear algebra over the integers and over Z/m for any m of 2 or more, read off one Smith normal form.

A matrix is rows of ints (nested sequences or an integer array), a vector a sequence of ints; both return as tuples.
sympy does the elimination and is imported by the functions that need it, since importing it takes 0.3 s. Its
DomainMatrix routines take 2 ms for the Smith form of a 16 x 16 matrix and 20 ms for the rank of a 144 x 144 one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, prod
from operator import index
from typing import Any, TypeAlias

import numpy as np

from clocklab.plumbing.errors import ClocklabError

Vector: TypeAlias = tuple[int, ...]
Matrix: TypeAlias = tuple[Vector, ...]

# metric: what k presses of one move cost where m presses change nothing; k may be an array
COSTS: dict[str, Callable[[Any, int], Any]] = {
    "clockwise": lambda k, m: k,
    "quarter": lambda k, m: np.minimum(k, m - k),  # a press either way costs 1
    "turn": lambda k, m: k > 0,
}
LIMIT = 1 << 21  # the most press vectors that are ever listed one by one; 5^9 is just below


def cost(presses: Any, modulus: int, metric: str) -> Any:
    """Return what a press vector costs in a metric; one a row of an array gives an array.

    >>> cost((3, 0, 1), 4, "quarter")
    2
    """
    whole = np.array(presses, dtype=np.int64 if modulus < 1 << 31 else object)  # small types cannot hold it
    total = np.asarray(COSTS[metric](whole, modulus).sum(axis=-1))
    return total if total.ndim else int(total)


class AlgebraError(ClocklabError):
    """A matrix, modulus or right side that the question asked does not fit."""


def as_matrix(rows: Any) -> Matrix:
    """Return rows of whole numbers as tuples of plain ints; AlgebraError where they are no such rectangle."""
    try:
        matrix = tuple(tuple(index(entry) for entry in row) for row in rows)
    except TypeError as error:
        raise AlgebraError("expected a matrix of whole numbers, given as rows") from error
    if not matrix or not matrix[0] or len({len(row) for row in matrix}) > 1:
        raise AlgebraError("expected rows of the same length, at least one row and one column")
    return matrix


def multiply(matrix: Matrix, vector: Iterable[int]) -> Vector:
    """Return the product of a matrix and a vector, over the integers; AlgebraError where they do not fit."""
    rows, (entries,) = as_matrix(matrix), as_matrix([vector])
    if len(entries) != len(rows[0]):
        raise AlgebraError(f"expected a vector of {len(rows[0])} numbers, got {len(entries)}")
    return tuple(sum(a * x for a, x in zip(row, entries, strict=True)) for row in rows)


def rank(rows: Any, prime: int | None = None) -> int:
    """Return the rank over the rationals, or over GF(prime).

    >>> rank([[1, 1], [1, -1]]), rank([[1, 1], [1, -1]], 2)
    (2, 1)
    """
    from sympy import GF, QQ, isprime

    if prime is not None and not isprime(prime):
        raise AlgebraError(f"expected a prime, got {prime}: GF({prime}) is no field of remainders")
    return _domain_matrix(as_matrix(rows)).convert_to(GF(prime) if prime else QQ).rank()


def determinant(rows: Any) -> int:
    """Return the determinant, exactly; AlgebraError where the matrix is not square."""
    return int(_domain_matrix(_square(as_matrix(rows))).det())


@dataclass(frozen=True)
class Smith:
    """``left * matrix * right`` is diagonal, each factor divides the next, left and right have determinant ±1."""

    factors: Vector
    left: Matrix
    right: Matrix


def smith(rows: Any) -> Smith:
    """Return the Smith normal form over the integers with its transforms; the factors are not negative.

    >>> smith([[2, 0], [0, 3]]).factors
    (1, 6)
    """
    from sympy.polys.matrices.normalforms import smith_normal_decomp

    form, left, right = (as_matrix(part.to_list()) for part in smith_normal_decomp(_domain_matrix(as_matrix(rows))))
    return Smith(tuple(row[i] for i, row in enumerate(form) if i < len(row)), left, right)


def inverse_mod(rows: Any, modulus: int) -> Matrix:
    """Return the inverse mod m; AlgebraError where there is none, that is where the determinant is no unit.

    >>> inverse_mod([[3, 1], [1, 3]], 9)
    ((6, 1), (1, 6))
    """
    system = System(_square(as_matrix(rows)), modulus)
    if system.count > 1:
        raise AlgebraError(f"no inverse mod {modulus}: the determinant {determinant(rows)} is no unit")
    size = range(len(system.matrix))
    return tuple(zip(*(system.solve([int(i == j) for i in size]) or () for j in size), strict=True))


@dataclass(frozen=True)
class System:
    """The equations ``matrix * x = b`` mod m for every right side b; the columns count moves and x presses.

    With U, V and the factors s of the Smith form, ``x = V * y`` turns them into single equations
    ``s[i] * y[i] = (U * b)[i]``, and no pivot is ever divided by: mod 4, 2 would be a zero divisor.
    """

    matrix: Matrix
    modulus: int

    def __post_init__(self) -> None:
        """Take any matrix of whole numbers; AlgebraError for a matrix that is none or a modulus below 2."""
        object.__setattr__(self, "matrix", as_matrix(self.matrix))
        object.__setattr__(self, "modulus", _modulus(self.modulus))

    @cached_property
    def smith(self) -> Smith:
        """Return the Smith form of the matrix."""
        return smith(self.matrix)

    def _divisors(self, size: int) -> list[int]:
        """Return gcd(s[i], m) of each of ``size`` rows or columns; past the last factor s is 0: gcd(0, m) is m."""
        factors = self.smith.factors[:size] + (0,) * (size - len(self.smith.factors))
        return [gcd(s, self.modulus) for s in factors]

    @property
    def rank(self) -> int:
        """Return the rank over Z/m (McCoy's): the number of Smith factors that are units mod m."""
        return self._divisors(len(self.smith.factors)).count(1)

    @property
    def count(self) -> int:
        """Return how many solutions every solvable right side has: 1 and the number of quiet patterns."""
        return prod(self._divisors(len(self.matrix[0])))

    @property
    def states(self) -> int:
        """Return the number of right sides, solvable or not."""
        return self.modulus ** len(self.matrix)

    @property
    def reachable(self) -> int:
        """Return the number of solvable right sides."""
        return self.modulus ** len(self.matrix[0]) // self.count

    @property
    def quiet(self) -> list[tuple[Vector, int]]:
        """Return generators of the kernel: press vectors that change nothing, each with its order.

        >>> System([[2, 1], [1, 2]], 9).quiet
        [((3, 3), 3)]
        """
        columns = zip(zip(*self.smith.right, strict=True), self._divisors(len(self.matrix[0])), strict=True)
        return [(self._generator(column, d), d) for column, d in columns if d > 1]

    @property
    def invariants(self) -> list[Vector]:
        """Return weights w with ``w * matrix = 0`` mod m; b is solvable exactly when ``w * b = 0`` mod m for each."""
        rows = zip(self.smith.left, self._divisors(len(self.matrix)), strict=True)
        return [self._generator(row, d) for row, d in rows if d > 1]

    def invariant(self, b: Iterable[int]) -> Vector | None:
        """Return weights that no move changes but b does, the reason why b has no solution; None where it has one.

        >>> System([[2, 1], [1, 2]], 9).invariant([1, 0])
        (3, 3)
        """
        right = self._right_side(b)
        return next((w for w in self.invariants if multiply((w,), right)[0] % self.modulus), None)

    def solve(self, b: Iterable[int]) -> Vector | None:
        """Return one solution, or None.

        >>> System([[2, 1], [1, 2]], 9).solve([1, 2])
        (0, 1)
        """
        ub = [c % self.modulus for c in multiply(self.smith.left, self._right_side(b))]
        if any(c % d for c, d in zip(ub, self._divisors(len(ub)), strict=True)):
            return None
        y = [0] * len(self.matrix[0])
        for i, (s, c) in enumerate(zip(self.smith.factors, ub, strict=False)):
            d = gcd(s, self.modulus)
            y[i] = c // d * pow(s // d, -1, self.modulus // d)
        return self._reduce(multiply(self.smith.right, y))

    def solutions(self, b: Iterable[int]) -> np.ndarray:
        """Return all solutions, one a row in no special order; AlgebraError where there are more than LIMIT."""
        first = self.solve(b)
        whole = np.int64 if self.modulus < 1 << 31 else object  # products of two remainders stay exact
        if first is None:
            return np.empty((0, len(self.matrix[0])), whole)
        self._within_limit(self.count, "solutions")
        found = np.array([first], whole)
        for pattern, order in self.quiet:
            steps = np.arange(order).astype(whole)[:, None] * np.array(pattern, whole)
            found = (found[:, None] + steps).reshape(-1, len(first)) % self.modulus
        return found

    def fewest(self, b: Iterable[int], metric: str = "clockwise") -> Vector | None:
        """Return the cheapest solution in a metric, or None; of equals the one that presses the first moves most."""
        found = self.solutions(b)
        if not len(found):
            return None
        costs = cost(found, self.modulus, metric)
        return max(tuple(map(int, x)) for x in found[costs == costs.min()])

    def distribution(self, metric: str = "clockwise") -> Vector:
        """Return how many solvable right sides have a cheapest solution of cost 0, 1, 2, ... in a metric, exactly.

        Without quiet patterns each press vector is its own right side: a product of polynomials, one a move. With
        them, all press vectors are listed. AlgebraError where either takes more than LIMIT steps.

        >>> System([[1, 1], [0, 1]], 4).distribution("quarter")
        (1, 4, 6, 4, 1)
        """
        self._within_limit(self.modulus**2 * len(self.matrix[0]), "products of coefficients")
        costs = np.asarray(COSTS[metric](np.arange(self.modulus), self.modulus)).astype(np.int64)
        if self.count > 1:
            return self._least(costs)
        from sympy import Poly, symbols

        polynomial = Poly(np.bincount(costs)[::-1].tolist(), symbols("z")) ** len(self.matrix[0])
        return tuple(int(coefficient) for coefficient in reversed(polynomial.all_coeffs()))

    def _least(self, costs: np.ndarray) -> Vector:
        """Return the distribution by listing every press vector and the right side it is for."""
        self._within_limit(self.modulus ** len(self.matrix[0]), "press vectors")
        least = np.full(self.reachable, np.iinfo(np.int64).max)
        np.minimum.at(least, self._right_sides, reduce(_outer, [costs] * len(self.matrix[0])))
        return tuple(map(int, np.bincount(least)))

    @cached_property
    def _right_sides(self) -> np.ndarray:
        """Number the solvable right sides from 0 by their ``U * b``, and return every press vector's."""
        key = np.zeros(self.modulus ** len(self.matrix[0]), np.int64)
        for row, d in zip(self.smith.left, self._divisors(len(self.matrix)), strict=True):
            if d < self.modulus:  # else it is 0 for every solvable b
                steps = (multiply((row,), column)[0] % self.modulus for column in zip(*self.matrix, strict=True))
                lines = (np.arange(self.modulus) * step for step in steps)
                key = key * (self.modulus // d) + reduce(_outer, lines) % self.modulus // d
        return key

    def _generator(self, vector: Vector, order: int) -> Vector:
        """Return m / order times a vector, as the multiple by a small unit with the smallest sum."""
        units = (k for k in range(1, min(order, 64)) if gcd(k, order) == 1)
        return min((self._reduce(self.modulus // order * k * v for v in vector) for k in units), key=sum)

    def _right_side(self, b: Iterable[int]) -> Vector:
        right = as_matrix([b])[0]
        if len(right) != len(self.matrix):
            raise AlgebraError(f"expected a right side of {len(self.matrix)} numbers, got {len(right)}")
        return right

    def _reduce(self, vector: Iterable[int]) -> Vector:
        return tuple(v % self.modulus for v in vector)

    @staticmethod
    def _within_limit(number: int, things: str) -> None:
        if number > LIMIT:
            raise AlgebraError(f"more than {LIMIT} {things}, too many to list")


def _outer(sums: np.ndarray, more: np.ndarray) -> np.ndarray:
    """Return every sum of one from each, the last one running fastest."""
    return np.add.outer(sums, more).ravel()


def _domain_matrix(matrix: Matrix) -> Any:
    from sympy import ZZ
    from sympy.polys.matrices import DomainMatrix

    return DomainMatrix([[ZZ(entry) for entry in row] for row in matrix], (len(matrix), len(matrix[0])), ZZ)


def _square(matrix: Matrix) -> Matrix:
    if len(matrix) != len(matrix[0]):
        raise AlgebraError(f"expected a square matrix, got {len(matrix)} x {len(matrix[0])}")
    return matrix


def _modulus(m: Any) -> int:
    if not isinstance(m, int | np.integer) or m < 2:
        raise AlgebraError(f"expected a whole modulus of 2 or more, got {m}")
    return int(m)


def invertible_share(size: int, modulus: int) -> Fraction:
    """Return the share of the size x size matrices over Z/m that have an inverse, all entries being equally likely.

    The product of ``1 - p^-k`` over the primes p of m and k up to size (mod p, row k must avoid the span of the rows
    before it). For m = 2 these are the matrices of zeros and ones, and as m = 4 asks for an odd determinant too, the
    same share of those has an inverse mod 4.

    >>> invertible_share(2, 2)
    Fraction(3, 8)
    """
    from sympy import primefactors

    primes = primefactors(_modulus(modulus))
    return prod((1 - Fraction(1, p**k) for p in primes for k in range(1, size + 1)), start=Fraction(1))


def sampled_share(size: int, modulus: int, samples: int, seed: int) -> float:
    """Return the share with an inverse among so many random matrices over Z/m, the same for the same seed."""
    matrices = np.random.default_rng(seed).integers(0, _modulus(modulus), (samples, size, size))
    return sum(gcd(determinant(matrix), modulus) == 1 for matrix in matrices) / samples
