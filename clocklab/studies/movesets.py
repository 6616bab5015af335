"""Move sets: which dials each move turns, for any number of dials, of moves and of hours on a dial.

A press of a move turns each of its dials one hour on; a state is a sequence of hours, one a dial, solved when all are
0. The nine-move puzzle of clocklab.clocks is one of the tables here.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from string import ascii_uppercase

from clocklab import clocks
from clocklab.algebra import COSTS, AlgebraError, Matrix, System, Vector, as_matrix, cost, determinant, multiply, rank
from clocklab.plumbing.errors import ClocklabError, quoted

MOST_HOURS = 10**9  # the most hours on a dial
MOST_MOVES = 144  # the most moves a line may name, as many as 12 x 12 lights have


class MoveSetError(ClocklabError):
    """A line that is no move set."""


@dataclass(frozen=True)
class MoveSet:
    """A move set: ``moves[k]`` holds the dials, counted from 0, that move k + 1 turns one hour on."""

    name: str
    moves: tuple[tuple[int, ...], ...]
    dials: int
    hours: int = 4  # on a dial, where a question names no other number
    source: str = "your own"

    @property
    def matrix(self) -> Matrix:
        """Return the move matrix: rows are dials, columns moves, 1 where the move turns the dial and 0 elsewhere."""
        return tuple(tuple(int(dial in move) for move in self.moves) for dial in range(self.dials))

    def system(self, hours: int | None = None) -> System:
        """Return the equations mod the number of hours; MoveSetError outside 2 .. 10^9 hours."""
        hours = self.hours if hours is None else hours
        if not 2 <= hours <= MOST_HOURS:
            raise MoveSetError(f"expected 2 to {MOST_HOURS} hours, got {hours}")
        return System(self.matrix, hours)

    def without(self, move: int) -> "MoveSet":
        """Return the table that lacks one move, 1 .. the number of moves; MoveSetError for any other."""
        if not 1 <= move <= len(self.moves):
            raise MoveSetError(f"expected a move from 1 to {len(self.moves)}, got {move}")
        moves = self.moves[: move - 1] + self.moves[move:]
        return replace(self, name=f"{self.name} without move {move}", moves=moves)

    def solve(self, state: Iterable[int], hours: int | None = None, metric: str = "clockwise") -> Vector | None:
        """Return how often to press each move to solve a state at the least cost in a metric, or None.

        >>> move_set("AB BC CA").solve([1, 0, 0], hours=5)
        (2, 3, 2)
        """
        return self.system(hours).fewest([-dial for dial in as_matrix([state])[0]], metric)

    def __str__(self) -> str:
        """Return the moves in letters, as the judges print them; dials past Z by number."""
        letters = self.dials <= len(ascii_uppercase)
        return " ".join(
            "".join(ascii_uppercase[d] for d in m) if letters else ",".join(map(str, m)) for m in self.moves
        )


def move_set(line: str, hours: int = 4, name: str = "own", source: str = "your own") -> MoveSet:
    """Return the table of a line of moves in letters; its dials are A up to the last letter named.

    MoveSetError for anything that is not a letter A .. Z, and for a move that names a dial twice.

    >>> move_set("ABDE ABC BCEF ADG BDEFH CFI DEGH GHI EFHI").system(4).reachable
    262144
    """
    words = line.split()
    if not 1 <= len(words) <= MOST_MOVES:
        raise MoveSetError(f"expected 1 to {MOST_MOVES} moves in letters, such as 'AB BC CA', got {len(words)}")
    for number, word in enumerate(words, 1):
        bad = next((c for i, c in enumerate(word) if c not in ascii_uppercase or c in word[:i]), None)
        if bad is not None:
            fault = "is named twice" if bad in ascii_uppercase else "is not a capital letter from A to Z"
            raise MoveSetError(f"move {number}, {quoted(word)}: {bad!r} {fault}")
    moves = tuple(tuple(ascii_uppercase.index(c) for c in word) for word in words)
    return MoveSet(name, moves, 1 + max(map(max, moves)), hours, source)


def lights_out(n: int) -> MoveSet:
    """Return Lights Out on n x n lamps: a move switches a lamp and its neighbours, a plus cut off at the edge."""
    moves = _grid(n, lambda down, right: abs(down) + abs(right) < 2)
    return MoveSet(f"lights-out-{n}", moves, n * n, 2, "Lights Out, Tiger Electronics 1995; OEIS A159257")


def alien_tiles(n: int) -> MoveSet:
    """Return Alien Tiles on n x n tiles: a move turns the whole row and the whole column of a tile."""
    moves = _grid(n, lambda down, right: down == 0 or right == 0)
    return MoveSet(f"alien-tiles-{n}", moves, n * n, 4, "Alien Tiles, Clifford Pickover; CSPLib problem 27")


def rows_and_columns(n: int) -> MoveSet:
    """Return the switching game on n x n lamps: a move switches a whole row, or a whole column."""
    rows = tuple(tuple(range(n * row, n * row + n)) for row in range(n))
    source = "the Gale-Berlekamp switching game; Fishburn and Sloane (1989)"
    return MoveSet(f"rows-and-columns-{n}", rows + tuple(zip(*rows, strict=True)), n * n, 2, source)


def ring(n: int) -> MoveSet:
    """Return n lamps in a ring: a move switches a lamp and the ones on both sides."""
    moves = tuple(tuple(sorted({(i - 1) % n, i, (i + 1) % n})) for i in range(n))
    return MoveSet(f"ring-{n}", moves, n, 2, "lamps on a cycle; Sutner, Linear cellular automata (1989)")


def _grid(n: int, turns: Callable[[int, int], bool]) -> tuple[tuple[int, ...], ...]:
    """Return one move a cell of an n x n grid; it turns the cells that lie ``turns(down, right)`` from it."""
    cells = range(n * n)
    return tuple(tuple(c for c in cells if turns(c // n - at // n, c % n - at % n)) for at in cells)


CLOCKS = move_set(" ".join(clocks.MOVES), 4, "clocks", "The Clocks, IOI 1994 day 2; USACO clocks; POJ 1166")
# The moves UR DR DL UL U R D L ALL: the pins that are up choose which of the nine clocks of a face turn together.
RUBIKS_CLOCK = move_set(
    "BCEF EFHI DEGH ABDE ABCDEF BCEFHI DEFGHI ABDEGH ABCDEFGHI",
    12,
    "rubiks-clock",
    "one face of Rubik's Clock, Matchbox 1988; WCA notation",
)
# name: the table, its source inside
TABLES: dict[str, MoveSet] = {
    table.name: table
    for table in (
        CLOCKS, RUBIKS_CLOCK, *map(lights_out, (2, 3, 4, 5)), alien_tiles(3), rows_and_columns(3), ring(9),
    )
}  # fmt: skip


def named(words: str) -> MoveSet:
    """Return the table of that name in ``TABLES``, or else the one that the words spell in letters."""
    if words in TABLES:
        return TABLES[words]
    try:
        return move_set(words)
    except MoveSetError as error:
        raise MoveSetError(f"{error}; the named tables are {', '.join(TABLES)}") from error


def report(table: MoveSet, hours: int | None = None) -> Iterator[tuple[str, str]]:
    """Yield what the move matrix of a table says about its puzzle, a label and a text for each fact."""
    system = table.system(hours)
    matrix, m, full = system.matrix, system.modulus, f"of {min(table.dials, len(table.moves))}"
    square = table.dials == len(table.moves)
    yield "table", f"{table.name}: {table}"
    yield "source", table.source
    yield "size", f"{table.dials} dials of {m} hours, {len(table.moves)} moves"
    yield "determinant", str(determinant(matrix)) if square else "none, the matrix is not square"
    yield "Smith form", _spaced(system.smith.factors)
    yield "rank over R", f"{rank(matrix)} {full}"
    yield "rank over GF(2)", f"{rank(matrix, 2)} {full}"
    yield f"rank over Z/{m}", f"{system.rank} {full} (Smith factors that are units mod {m})"
    lost = f" of {system.states} states, 1 in {system.states // system.reachable}"
    yield "reachable", str(system.reachable) + (lost if system.reachable < system.states else " states, all of them")
    yield "solutions", f"{system.count} for each reachable state"
    for pattern, order in system.quiet:
        yield "quiet pattern", f"{_spaced(pattern)} (order {order})"
    for weights in system.invariants:
        yield "invariant", f"{_spaced(weights)} (times the dials and summed mod {m}: no move changes it)"
    for metric in COSTS:
        try:
            yield f"distances, {metric}", _spaced(system.distribution(metric))
        except AlgebraError as error:
            yield f"distances, {metric}", f"not listed: {error}"


def parse_state(table: MoveSet, text: str, hours: int | None = None) -> Vector:
    """Return the state that a text writes, as numbers with spaces or commas between or as one digit a dial.

    MoveSetError names the dial that is not a number of hours from 0 to one below the hours of the table.
    """
    words, top = text.replace(",", " ").split(), table.system(hours).modulus - 1
    numbers = words if len(words) > 1 else list("".join(words))
    if len(numbers) != table.dials:
        raise MoveSetError(f"expected {table.dials} dials, got {len(numbers)}")
    for dial, number in enumerate(numbers, 1):
        if not (number.isascii() and number.isdecimal() and len(number) < 11 and int(number) <= top):
            raise MoveSetError(f"dial {dial}: expected a number from 0 to {top}, got {quoted(number)}")
    return tuple(map(int, numbers))


def answer(table: MoveSet, state: Vector, hours: int | None = None, metric: str = "clockwise") -> tuple[str, str]:
    """Return a label and a text: the cheapest press vector that solves a state, or the invariant that forbids it."""
    system = table.system(hours)
    presses = table.solve(state, hours, metric)
    if presses is None:
        weights = system.invariant(state) or ()
        total = multiply((weights,), state)[0] % system.modulus
        return (
            "no solution",
            f"{_spaced(weights)} times the dials is {total} mod {system.modulus}; when solved it is 0",
        )
    return "presses", f"{_spaced(presses)} (distance {cost(presses, system.modulus, metric)}, {metric})"


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
