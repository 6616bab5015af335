"""Exact linear algebra: mod m by elimination in numpy, over the integers by sympy.

Elimination mod m goes by itself for every prime power q = p^k of m, and the Chinese remainder theorem joins the
parts. Its pivot is always an entry that p divides least often, which divides all that it has to clear. The package
does this itself because no library that we know does: python-flint's matrices mod 4 end the whole process at a pivot
of 2, galois has fields only, and the Smith forms of sympy and python-flint are over the integers, where numbers grow
without bound (those of 10 x 10 lights kept sympy busy for 18 minutes). In numpy the matrix of 30 x 30 lights, 900 x
900, takes 0.2 s mod 2; bits packed into words would save little.

A matrix is rows of whole numbers or an array, and returns as an int64 array; a vector returns as a tuple.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, prod
from operator import index
from typing import Any, TypeAlias

import numpy as np

from clocklab.plumbing.errors import ClocklabError

Vector: TypeAlias = tuple[int, ...]
Matrix: TypeAlias = np.ndarray  # two-dimensional

# metric: what k presses of one move cost where m presses change nothing; k may be an array
COSTS: dict[str, Callable[[Any, int], Any]] = {
    "clockwise": lambda k, m: k,
    "quarter": lambda k, m: np.minimum(k, m - k),  # a press either way costs 1
    "turn": lambda k, m: k > 0,
}
MOST = 10**9  # the largest modulus: a product of two remainders and a third fit into an int64
SMITH_MOST, WHOLE_MOST = 36, 144  # rows and columns over the integers: about a second for a Smith form, a determinant
LISTED = 1 << 25  # the most states or solutions to list, some bytes each
WORK = 1 << 31  # the most single steps of such a list, some seconds
SUMS = 1 << 23  # the most terms in a product of polynomials, a 64th where their exponents need more than 63 bits
EXPONENTS = 64  # how many solutions of a right side may each have an exponent
PROGRAM = 1 << 14  # the most steps that an integer program chooses from
INNER = 1 << 12  # how many combinations of quiet patterns are tried at once


class AlgebraError(ClocklabError):
    """A matrix, modulus or right side that does not fit the question, or a question too large to answer."""


def cost(presses: Any, modulus: int, metric: str) -> Any:
    """Return what a press vector costs in a metric; an array with one press vector a row gives an array.

    AlgebraError for presses outside 0 .. m - 1, which m presses make superfluous.

    >>> cost((3, 0, 1), 4, "quarter")
    2
    """
    whole = np.asarray(presses).astype(np.int64)
    if whole.size and not 0 <= whole.min() <= whole.max() < modulus:
        raise AlgebraError(f"expected 0 to {modulus - 1} presses of each move, got {whole.min()} to {whole.max()}")
    total = np.asarray(_costs(metric)(whole, modulus).sum(axis=-1))
    return total if total.ndim else int(total)


def _costs(metric: str) -> Callable[[Any, int], Any]:
    if metric not in COSTS:
        raise AlgebraError(f"expected a metric, {', '.join(COSTS)}, got {metric!r}")
    return COSTS[metric]


def as_matrix(rows: Any) -> Matrix:
    """Return rows of whole numbers as an array of int64, or of Python's ints where one does not fit.

    AlgebraError where they are not rows of one length, with at least one row and one column.
    """
    try:
        matrix = [[index(entry) for entry in row] for row in (rows.tolist() if hasattr(rows, "tolist") else rows)]
    except TypeError as error:
        raise AlgebraError("expected a matrix of whole numbers, given as rows") from error
    if not matrix or not matrix[0] or len({len(row) for row in matrix}) > 1:
        raise AlgebraError("expected rows of the same length, at least one row and one column")
    array = np.array(matrix, dtype=object)
    with suppress(OverflowError):
        return array.astype(np.int64)
    return array


def rank(rows: Any) -> int:
    """Return the rank over the rationals; for GF(p) ask a System mod p.

    >>> rank([[1, 1], [1, -1]]), System([[1, 1], [1, -1]], 2).rank
    (2, 1)
    """
    return _whole_matrix(as_matrix(rows), WHOLE_MOST).to_field().rank()


def determinant(rows: Any) -> int:
    """Return the determinant, exactly; AlgebraError where the matrix is not square or has more than 144 rows."""
    return int(_whole_matrix(_square(as_matrix(rows)), WHOLE_MOST).det())


@dataclass(frozen=True)
class Smith:
    """``left * matrix * right`` is diagonal with these factors, and left and right can be undone."""

    factors: Vector
    left: Matrix
    right: Matrix


def smith(rows: Any) -> Smith:
    """Return the Smith normal form over the integers; its factors are not negative, and each divides the next.

    AlgebraError for more than 36 rows or columns: the numbers of left and right grow with every step.

    >>> smith([[2, 0], [0, 3]]).factors
    (1, 6)
    """
    from sympy.polys.matrices.normalforms import smith_normal_decomp

    parts = smith_normal_decomp(_whole_matrix(as_matrix(rows), SMITH_MOST))
    form, left, right = (as_matrix(part.to_list()) for part in parts)
    return Smith(tuple(form.diagonal().tolist()), left, right)


def smith_mod(rows: Any, modulus: int) -> Smith:
    """Return a Smith form mod m; its factors divide one another up to units, and 0 stands for m.

    >>> smith_mod([[2, 1], [1, 2]], 9).factors
    (1, 3)
    """
    matrix, m = as_matrix(rows), _modulus(modulus)
    total: list[Any] = [0, 0, 0]
    for p, q in _prime_powers(m):
        one = m // q * pow(m // q, -1, q)  # 1 mod q, and 0 mod the other prime powers
        total = [(whole + one * part) % m for whole, part in zip(total, _eliminated(matrix, p, q), strict=True)]
    factors, left, right = total
    return Smith(tuple(factors.tolist()), left, right)


def _prime_powers(m: int) -> list[tuple[int, int]]:
    """Return each prime of m with the power of it that m has."""
    powers, p = [], 2
    while m > 1:
        p, q = p if p * p <= m else m, 1
        while m % p == 0:
            m, q = m // p, q * p
        powers += [(p, q)] * (q > 1)
        p += 1
    return powers


def _eliminated(matrix: Matrix, p: int, q: int) -> tuple[np.ndarray, Matrix, Matrix]:
    """Return the Smith form mod q, a power of the prime p: factors, left and right.

    First all pivots that p does not divide are taken, then those that p divides once, and so on: what remains below
    and beside a pivot is a multiple of it. ``low`` is the matrix with the row operations so far at its right. The
    column operations change only ``right``, since a pivot's column is 0 below it; it keeps its columns as rows.
    """
    rows, columns = matrix.shape
    kind = np.min_scalar_type(-q * q)  # small numbers take less time
    low, right = np.hstack([matrix % q, np.eye(rows, dtype=np.int64)]).astype(kind), np.eye(columns, dtype=kind)
    factors, order = np.zeros(min(rows, columns), np.int64), list(range(columns))  # order: first those with a pivot
    done, power = 0, 1
    while power < q:
        for column in order[done:]:
            hits = done + np.flatnonzero(low[done:, column] // power % p)
            if len(hits):
                low[[done, hits[0]]] = low[[hits[0], done]]
                low[done] = low[done] * np.int64(pow(int(low[done, column]) // power, -1, q)) % q
                order.remove(column)
                order.insert(done, column)
                below, beside = np.arange(done + 1, rows), np.array(order[done + 1 :], np.int64)
                _clear(low, below, low[below, column] // power, low[done], q)
                _clear(right, beside, low[done, beside] // power, right[column], q)
                factors[done], done = power, done + 1
        power *= p
    return factors, low[:, columns:].astype(np.int64), right[order].T.astype(np.int64)


def _clear(lines: Matrix, at: np.ndarray, times: np.ndarray, pivot: np.ndarray, q: int) -> None:
    """Subtract from each of some lines its multiple of the pivot's line, mod q and in place."""
    at, times = at[times > 0], times[times > 0]
    lines[at] = (lines[at] - np.outer(times, pivot)) % q


def inverse_mod(rows: Any, modulus: int) -> Matrix:
    """Return the inverse mod m; AlgebraError where there is none, that is where the determinant is no unit.

    >>> inverse_mod([[3, 1], [1, 3]], 9).tolist()
    [[6, 1], [1, 6]]
    """
    system = System(_square(as_matrix(rows)), modulus)
    if system.count > 1:
        raise AlgebraError(f"no inverse mod {modulus}: the determinant shares a divisor with it")
    return np.array([system.solve(unit) for unit in np.eye(len(system.matrix), dtype=np.int64)]).T


@dataclass(frozen=True, eq=False)
class System:
    """The equations ``matrix * x = b`` mod m for every right side b; the columns count moves and x presses.

    With U, V and the factors s of the Smith form mod m, ``x = V * y`` turns them into single equations
    ``s[i] * y[i] = (U * b)[i]``, each solvable exactly where gcd(s[i], m) divides its right side.
    """

    matrix: Matrix
    modulus: int

    def __post_init__(self) -> None:
        """Take any matrix of whole numbers mod m; AlgebraError for a matrix that is none or m outside 2 .. 10^9."""
        object.__setattr__(self, "modulus", _modulus(self.modulus))
        object.__setattr__(self, "matrix", (as_matrix(self.matrix) % self.modulus).astype(np.int64))

    @cached_property
    def smith(self) -> Smith:
        """Return the Smith form mod m."""
        return smith_mod(self.matrix, self.modulus)

    def _divisors(self, size: int) -> list[int]:
        """Return gcd(s[i], m) of each of ``size`` rows or columns; past the last factor s is 0: gcd(0, m) is m."""
        factors = self.smith.factors + (0,) * (size - len(self.smith.factors))
        return [gcd(s, self.modulus) for s in factors]

    @property
    def rank(self) -> int:
        """Return the rank over Z/m (McCoy's): the number of Smith factors that are units mod m."""
        return self._divisors(len(self.smith.factors)).count(1)

    @property
    def count(self) -> int:
        """Return how many solutions every solvable right side has: 1 and the number of quiet patterns."""
        return prod(self._divisors(self.matrix.shape[1]))

    @property
    def states(self) -> int:
        """Return the number of right sides, solvable or not."""
        return self.modulus ** len(self.matrix)

    @property
    def reachable(self) -> int:
        """Return the number of solvable right sides."""
        return self.modulus ** self.matrix.shape[1] // self.count

    @cached_property
    def quiet(self) -> list[tuple[Vector, int]]:
        """Return generators of the kernel: press vectors that change nothing, each with its order.

        >>> System([[2, 1], [1, 2]], 9).quiet
        [((3, 3), 3)]
        """
        columns = zip(self.smith.right.T, self._divisors(self.matrix.shape[1]), strict=True)
        return [(self._generator(column, d), d) for column, d in columns if d > 1]

    @property
    def invariants(self) -> list[Vector]:
        """Return weights w with ``w * matrix = 0`` mod m; b is solvable exactly when ``w * b = 0`` mod m for each."""
        rows = zip(self.smith.left, self._divisors(len(self.matrix)), strict=True)
        return [self._generator(row, d) for row, d in rows if d > 1]

    def _generator(self, vector: np.ndarray, order: int) -> Vector:
        """Return m / order times a vector, as the multiple by a small unit with the smallest sum."""
        units = (k for k in range(1, min(order, 64)) if gcd(k, order) == 1)
        multiples = (self.modulus // order * (vector * k % order) for k in units)
        return tuple(min(multiples, key=lambda multiple: multiple.sum()).tolist())

    def invariant(self, b: Iterable[int]) -> Vector | None:
        """Return weights that no move changes but b does, the reason why b has no solution; None where it has one.

        >>> System([[2, 1], [1, 2]], 9).invariant([1, 0])
        (3, 3)
        """
        right = self._right_side(b)
        return next((w for w in self.invariants if self.times(np.array([w]), right)[0]), None)

    def times(self, matrix: Matrix, vector: np.ndarray) -> np.ndarray:
        """Return a matrix times a vector mod m; each product is reduced, so that no sum overflows."""
        return (matrix * vector % self.modulus).sum(axis=-1) % self.modulus

    def solve(self, b: Iterable[int]) -> Vector | None:
        """Return one solution, or None.

        >>> System([[2, 1], [1, 2]], 9).solve([1, 2])
        (0, 1)
        """
        ub = self.times(self.smith.left, self._right_side(b))
        divisors = self._divisors(len(ub))
        if (ub % divisors).any():
            return None
        y = np.zeros(self.matrix.shape[1], np.int64)
        for i, (s, d) in enumerate(zip(self.smith.factors, divisors, strict=False)):
            y[i] = int(ub[i]) // d * pow(s // d, -1, self.modulus // d) % (self.modulus // d)
        return tuple(self.times(self.smith.right, y).tolist())

    def _right_side(self, b: Iterable[int]) -> np.ndarray:
        right = as_matrix([b])[0]
        if len(right) != len(self.matrix):
            raise AlgebraError(f"expected a right side of {len(self.matrix)} numbers, got {len(right)}")
        return (right % self.modulus).astype(np.int64)

    def solutions(self, b: Iterable[int]) -> Matrix:
        """Return all solutions, one a row in no special order; AlgebraError where they are too many to list."""
        first = self.solve(b)
        if first is None:
            return np.empty((0, self.matrix.shape[1]), np.int64)
        self._within(self.count * len(first), LISTED >> 2)
        found = np.array([first])
        for pattern, order in self.quiet:
            found = (found[:, None] + np.outer(np.arange(order), pattern)).reshape(-1, len(first)) % self.modulus
        return found

    def fewest(self, b: Iterable[int], metric: str = "clockwise") -> Vector | None:
        """Return the cheapest solution in a metric, or None; of equals the one that presses the first moves most.

        Where there are too many solutions to list, an integer program finds one of the cheapest, any of them.
        AlgebraError where it finds none within a minute, or would be too large.
        """
        first, costs = self.solve(b), _costs(metric)
        if first is None or self.count == 1:
            return first
        listed = self.count <= LISTED and self.count * len(first) <= WORK and self.quiet[-1][1] * len(first) <= SUMS
        return self._listed(np.array(first), costs) if listed else self._programmed(self._right_side(b), metric)

    def _listed(self, first: np.ndarray, costs: Callable[[Any, int], Any]) -> Vector:
        """Return the cheapest of ``first`` plus a combination of quiet patterns, by going through all of these.

        Every combination adds some ``unit``s to each move. Moves to which all patterns add alike share a line of
        ``table``: what they cost together when 0, 1, ... units are added. The combinations of the last patterns are
        listed once, as the columns of ``inner``; each combination of the others shifts the lines of the table.
        """
        patterns, orders = (np.array(part) for part in zip(*self.quiet, strict=True))
        split = next(i for i in range(len(orders)) if prod(orders[i:].tolist()) <= INNER or i + 1 == len(orders))
        top, unit = orders[-1], self.modulus // orders[-1]
        steps, line = np.unique(patterns // unit, axis=1, return_inverse=True)
        table, lines = np.zeros((steps.shape[1], top), np.int64), np.arange(steps.shape[1])[:, None]
        np.add.at(table, line, costs((first[:, None] + unit * np.arange(top)) % self.modulus, self.modulus))
        inner = np.stack([_sums(column, orders[split:]) for column in steps[split:].T]) % top
        bits, places = inner.astype(np.float64), lines * top + inner
        best: tuple[int, Vector] = -self.modulus * len(first), ()
        for times in np.ndindex(*orders[:split]):
            shift = (np.array(times, np.int64) @ steps[:split])[:, None]
            costing = table[lines, (shift + np.arange(top)) % top]
            if top == 2:  # then a product of matrices takes a fifth of the time; its numbers are whole and below 2^53
                totals = costing[:, 0].sum() + (costing[:, 1] - costing[:, 0]).astype(np.float64) @ bits
            else:
                totals = costing.ravel().take(places).sum(axis=0)
            if totals.min() <= -best[0]:
                cheapest = (first + unit * (shift + inner[:, totals == totals.min()])[line].T) % self.modulus
                most = cheapest[np.lexsort(cheapest.T[::-1])[-1]]  # of the first move, then of the second, ...
                best = max(best, (-int(totals.min()), tuple(most.tolist())))
        return best[1]

    def _programmed(self, b: np.ndarray, metric: str) -> Vector:
        """Return a cheapest solution by an integer program; its variables are steps of cost 1, and full circles."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        m, (rows, columns) = self.modulus, self.matrix.shape
        self._within(m * columns, PROGRAM)
        steps, most = {"clockwise": ([1], m - 1), "quarter": ([1, -1], m // 2), "turn": (range(1, m), 1)}[metric]
        number = len(steps) * columns
        sums = LinearConstraint(np.hstack([np.kron(steps, self.matrix), -m * np.eye(rows)]), b, b)
        bounds = Bounds([0] * number + [-np.inf] * rows, [most] * number + [np.inf] * rows)
        limits = {"time_limit": 60, "mip_rel_gap": 0}
        found = milp([1] * number + [0] * rows, integrality=1, bounds=bounds, constraints=sums, options=limits)
        if found.status == 0:  # proved in time to be the best, up to the rounding of its floating point numbers
            presses = steps @ np.rint(found.x[:number]).astype(np.int64).reshape(-1, columns) % m
            if (self.times(self.matrix, presses) == b).all():
                return tuple(presses.tolist())
        raise AlgebraError(f"{self.count} solutions, and an integer program did not find the fewest within a minute")

    def _within(self, number: int, most: int) -> None:
        if number > most:
            sizes = (str(n) if n < 10**18 else f"10^{len(str(n)) - 1}" for n in (self.reachable, self.count))
            raise AlgebraError("too many to go through: {} reachable states, solutions of each: {}".format(*sizes))

    def distribution(self, metric: str = "clockwise") -> Vector:
        """Return how many solvable right sides have a cheapest solution of cost 0, 1, 2, ... in a metric, exactly.

        Either the solvable right sides are listed, or a product of polynomials, one a move, counts them by the costs
        of all their solutions. AlgebraError where both are too much.

        >>> System([[1, 1], [0, 1]], 4).distribution("quarter")
        (1, 4, 6, 4, 1)
        """
        self._within(self.modulus, SUMS)
        costs = np.asarray(_costs(metric)(np.arange(self.modulus), self.modulus)).astype(np.int64)
        steps = self.reachable * self.modulus * self.matrix.shape[1]
        if self.count > 1 and self.reachable <= LISTED and steps <= WORK:
            return self._by_states(costs)
        return self._by_solutions(costs)

    def _by_states(self, costs: np.ndarray) -> Vector:
        """Return the distribution from the least cost of every solvable right side, one move more at a time.

        In the Smith form a right side is a digit to the base m / d for each factor, and a press adds to each digit by
        itself. The digits are split into two halves, so a press moves whole rows and then whole columns of ``least``.
        """
        divisors = np.array(self._divisors(len(self.matrix)))
        kept = divisors < self.modulus
        bases, split = (self.modulus // divisors[kept]).tolist(), kept.sum() // 2
        presses = [self.times(self.smith.left, move)[kept] // divisors[kept] for move in self.matrix.T]
        never = len(presses) * int(costs.max()) + 1
        least = np.full((prod(bases[:split]), prod(bases[split:])), never, np.min_scalar_type(2 * never))
        least[0, 0] = 0
        for press in presses:
            rows, columns = _before(press[:split], bases[:split]), _before(press[split:], bases[split:])
            turned, best = least, least.copy()
            for price in costs[1:].astype(least.dtype):
                turned = turned[rows].take(columns, axis=1)
                np.minimum(best, turned + price, out=best)
            least = best
        return tuple(np.bincount(least.ravel()).tolist())

    def _by_solutions(self, costs: np.ndarray) -> Vector:
        """Return the distribution from the costs of all solutions of every right side, without listing these.

        A term of the polynomial has an exponent for each solution, its cost, and as coefficient how many press
        vectors have these costs; multiplying by a move's polynomial adds the exponents. They are the digits of one
        number. Each right side is counted once for each of its solutions.
        """
        base, m = self.matrix.shape[1] * int(costs.max()) + 1, self.modulus
        self._within(self.count, EXPONENTS)
        patterns = self.solutions([0] * len(self.matrix))
        places = [base**i for i in range(len(patterns))]
        kind = np.int64 if base * places[-1] < 1 << 63 else object
        terms, ways = np.zeros(1, kind), np.ones(1, object)
        for column in patterns.T:
            self._within(len(terms) * m, SUMS if kind is np.int64 else SUMS >> 6)
            powers = costs[(column[:, None] + np.arange(m)) % m].astype(kind).T @ np.array(places, kind)
            terms, place = np.unique(np.add.outer(terms, powers), return_inverse=True)
            sums = np.zeros(len(terms), object)
            np.add.at(sums, place.ravel(), np.repeat(ways, m))
            ways = sums
        least = np.min([terms // place % base for place in places], axis=0).astype(np.int64)
        counts = np.zeros(least.max() + 1, object)
        np.add.at(counts, least, ways)
        return tuple(int(count) // self.count for count in counts)


def _sums(steps: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the sums of 0, 1, ... numbers[i] - 1 times steps[i], over all choices, the last running fastest."""
    lines = (np.arange(number) * step for step, number in zip(steps, numbers, strict=True))
    return reduce(lambda sums, line: np.add.outer(sums, line).ravel(), lines, np.zeros(1, np.int64))


def _before(press: np.ndarray, bases: list[int]) -> np.ndarray:
    """Return for every number of some digits in mixed bases, the last digit fastest, the number before a press."""
    numbers = np.zeros(1, np.int64)
    for step, base in zip(press, bases, strict=True):
        numbers = np.add.outer(base * numbers, (np.arange(base) - step) % base).ravel()
    return numbers


def _whole_matrix(matrix: Matrix, most: int) -> Any:
    """Return a matrix of whole numbers as sympy has it; AlgebraError where it is larger than allowed."""
    from sympy import ZZ
    from sympy.polys.matrices import DomainMatrix

    if max(matrix.shape) > most:
        size = " x ".join(map(str, matrix.shape))
        raise AlgebraError(
            f"{size} is too large over the integers, expected at most {most} x {most}; ask mod m instead"
        )
    return DomainMatrix([[ZZ(entry) for entry in row] for row in matrix.tolist()], matrix.shape, ZZ)


def _square(matrix: Matrix) -> Matrix:
    if matrix.shape[0] != matrix.shape[1]:
        raise AlgebraError(f"expected a square matrix, got {matrix.shape[0]} x {matrix.shape[1]}")
    return matrix


def _modulus(m: Any) -> int:
    if not isinstance(m, int | np.integer) or not 2 <= m <= MOST:
        raise AlgebraError(f"expected a whole modulus from 2 to {MOST}, got {m}")
    return int(m)


def invertible_share(size: int, modulus: int) -> Fraction:
    """Return the share of the size x size matrices over Z/m that have an inverse, all entries being equally likely.

    The product of ``1 - p^-k`` over the primes p of m and k up to size (mod p, row k must avoid the span of the rows
    before it). For m = 2 these are the matrices of zeros and ones, and as m = 4 asks for an odd determinant too, the
    same share of those has an inverse mod 4.

    >>> invertible_share(2, 2)
    Fraction(3, 8)
    """
    primes = [p for p, _ in _prime_powers(_modulus(modulus))]
    return prod((1 - Fraction(1, p**k) for p in primes for k in range(1, size + 1)), start=Fraction(1))


def zero_one_determinants(size: int, samples: int, seed: int) -> np.ndarray:
    """Return the determinants of all size x size matrices of zeros and ones, from size 5 on of random ones.

    AlgebraError for a size outside 1 .. 9: up to there Hadamard's bound is 195, so that rounding is exact.
    """
    if not 1 <= size <= 9:
        raise AlgebraError(f"expected a size from 1 to 9, got {size}")
    if size < 5:
        entries = np.arange(1 << size * size)[:, None] >> np.arange(size * size) & 1
    else:
        entries = np.random.default_rng(seed).integers(0, 2, (samples, size * size))
    return np.rint(np.linalg.det(entries.reshape(-1, size, size))).astype(np.int64)
