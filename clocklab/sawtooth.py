"""The Sawtooth Puzzle: nine cells with teeth on their edges, which of them mesh, and what one turn drives.

A board is one int of 36 bits: cell i owns bits 4i .. 4i+3, set where it has a tooth on its left, top, right and
bottom edge while it stands at orientation 0. A state packs the nine orientations like dials, so a clockwise turn
of a cell moves each of its teeth on to the next edge. Source of the rules: ZOJ 3814, "Sawtooth Puzzle" (2014).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial, reduce
from itertools import accumulate
from operator import index
from typing import Any, TypeAlias

import numpy as np

from clocklab import dials, search
from clocklab.dials import DIALS, LOW, State, States
from clocklab.plumbing.errors import InputError
from clocklab.search import UNREACHED

Board: TypeAlias = int  # the teeth of nine cells, 36 bits
LEFT, TOP, RIGHT, BOTTOM = range(4)
# Pairs of touching cells, six side by side, then six one above the other; bit e of a mesh pattern is for EDGES[e].
EDGES = (*((i, i + 1) for i in range(DIALS) if i % 3 < 2), *((i, i + 3) for i in range(6)))
BACK, FEW = 2, 64  # how many steps a search goes back from its goals, and from how many states at most


def board_of(teeth: str) -> Board:
    """Return the board of 36 digits 0 or 1: left, top, right and bottom tooth of cell 0, of cell 1, ...

    White space is ignored. InputError where they are not 36 or anything else is among them.
    """
    digits = "".join(teeth.split())
    if strange := digits.strip("01")[:1]:
        raise InputError(f"tooth {digits.index(strange) + 1}: expected 0 or 1, got {strange}")
    if len(digits) != 4 * DIALS:
        raise InputError(f"expected {4 * DIALS} teeth, four for each of {DIALS} cells, got {len(digits)}")
    return int(digits[::-1], 2)


def checked_board(board: Any) -> Board:
    """Return a board, or a Gears as its board; ValueError outside 0 .. 2 ** 36 - 1, TypeError for no whole number."""
    if not 0 <= (board := index(board)) < 1 << 4 * DIALS:
        raise ValueError(f"expected a board of {4 * DIALS} bits, got {board}")
    return board


def teeth_of(board: Board) -> str:
    """Return the 36 digits of a board, four a cell: left, top, right, bottom."""
    return f"{checked_board(board):036b}"[::-1]


def turned(teeth: int, orientation: Any) -> Any:
    """Return a cell's four tooth bits after some clockwise quarter turns: left goes to top, top to right, ...

    >>> [f"{turned(0b0001, q):04b}" for q in range(4)]
    ['0001', '0010', '0100', '1000']
    """
    return (teeth << orientation | teeth >> 4 - orientation) & 0b1111


def teeth_by_cell(board: Board, state: State = dials.SOLVED) -> tuple[int, ...]:
    """Return the four tooth bits of each cell as it stands in a state."""
    board, turns = checked_board(board), dials.unpack(dials.checked(state))
    return tuple(turned(board >> 4 * cell & 0b1111, q) for cell, q in enumerate(turns))


def toothed(board: Board) -> list[int]:
    """Return the cells that have any teeth, lowest first; the others never mesh."""
    return [cell for cell, teeth in enumerate(teeth_by_cell(board)) if teeth]


def _mesh_of_six(board: Board, first: int) -> np.ndarray:
    """Return the mesh pattern inside the two rows of cells from ``first``, by 12 bits of state: shape (4096,)."""
    state, six = np.arange(4096), range(first, first + 6)
    teeth = {cell: turned(board >> 4 * cell & 0b1111, state >> 2 * (cell - first) & 0b11) for cell in six}
    patterns = np.zeros_like(state)
    for bit, (a, b) in enumerate(EDGES):
        if a in six and b in six:
            side, opposite = (RIGHT, LEFT) if b == a + 1 else (BOTTOM, TOP)
            patterns |= (teeth[a] >> side & teeth[b] >> opposite & 1) << bit
    return patterns


@lru_cache(maxsize=8)  # 64 kB each: a board's turns, turns back, replay and pictures ask one after the other
def meshing(board: Board) -> Callable[[Any], Any]:
    """Return the function that gives a state's mesh pattern, for one state or an array of them.

    Every pair of touching cells lies in the upper six cells or in the lower six, so a pattern is the OR of two
    look-ups by 12 bits of state.
    """
    board = checked_board(board)
    upper, lower = _mesh_of_six(board, 0), _mesh_of_six(board, 3)
    return lambda states: upper[states & 0xFFF] | lower[states >> 6]


@cache
def coupling() -> np.ndarray:
    """Return the word that turning a cell adds under a mesh pattern: int64 of shape (9, 4096), for every board.

    Along meshed edges the turn spreads: a driven cell turns against its driver. Whether two cells turn alike is
    therefore settled by the colour of their squares on a chequerboard, and no loop of gears can jam.
    """
    patterns, colours = np.arange(4096), np.arange(DIALS) % 2
    driven = np.repeat(np.eye(DIALS, dtype=bool)[:, :, None], 4096, axis=2)  # driving cell, driven cell, pattern
    for bit, (a, b) in (DIALS - 1) * list(enumerate(EDGES)):
        either = (driven[:, a] | driven[:, b]) & (patterns >> bit & 1 == 1)
        driven[:, a] |= either
        driven[:, b] |= either
    words = np.where(colours[:, None] == colours, 1, 3) << dials.SHIFTS  # what driving adds to driven
    return (driven * words[:, :, None]).sum(axis=1)


def neighbours(board: Board) -> search.Neighbours:
    """Return the ``neighbours`` function of a board for ``search``: cell by cell, where its turn leads.

    Each row is ``dials.add(states, word)``, the half of the carry that all nine cells share computed once.
    """
    mesh, words = meshing(board), coupling()

    def turns(states: States) -> Iterator[States]:
        patterns, carries = mesh(states), (states & LOW) << 1
        for by_pattern in words:
            word = by_pattern.take(patterns)
            yield (word << 1 & carries) ^ word ^ states

    return turns


@cache
def _different_words() -> list[np.ndarray]:
    return [np.unique(by_pattern) for by_pattern in coupling()]


def reverse_neighbours(board: Board) -> search.Neighbours:
    """Return the function that tells, cell by cell, from which states its turn leads to any of the given ones.

    There may be none or several. What a turn added depends on the state before it, so every word that it might have
    added is taken back, and the state kept where this is the right word: for few states, not for all.
    """
    mesh, words = meshing(board), coupling()

    def before(states: States) -> Iterator[States]:
        for by_pattern, possible in zip(words, _different_words(), strict=True):
            candidates = dials.add(states, dials.negate(possible)[:, None])
            yield candidates[by_pattern.take(mesh(candidates)) == possible[:, None]]

    return before


def _word(board: Board, state: State, cell: int) -> int:
    """Return the word that one turn of a cell adds to a state."""
    if not 0 <= cell < DIALS:  # one below 0 would silently count from the last
        raise ValueError(f"expected a cell from 0 to {DIALS - 1}, got {cell}")
    return int(coupling()[cell, meshing(board)(dials.checked(state))])


def turn(board: Board, state: State, cell: int) -> State:
    """Return the state after one clockwise turn of a cell (0 .. 8, else ValueError) and of all that it drives."""
    return dials.add(dials.checked(state), _word(board, state, cell))


def senses(board: Board, state: State, cell: int) -> tuple[int, ...]:
    """Return how one turn of a cell moves each of the nine: 1 quarter clockwise, 3 for one back, 0 at rest.

    >>> senses(board_of("0010" "1000" + 28 * "0"), 0, 0)  # two teeth that meet
    (1, 3, 0, 0, 0, 0, 0, 0, 0)
    """
    return dials.unpack(_word(board, state, cell))


def replay(board: Board, steps: Iterable[int], state: State = dials.SOLVED) -> list[State]:
    """Return the states that turns of some cells (0 .. 8, else ValueError) pass through, the start first."""
    return list(accumulate(steps, partial(turn, board), initial=dials.checked(state)))


def goal_orientations(first: np.ndarray, second: np.ndarray) -> list[tuple[int, ...]]:
    """Return, cell by cell, the orientations in which the first picture is the second; none where it never is.

    Pictures are arrays of shape (9, 8, 8), a cell's pixels in rows; a picture that looks alike after a turn has
    several.
    """
    return [
        tuple(q for q in range(4) if np.array_equal(np.rot90(before, -q), after))
        for before, after in zip(first, second, strict=True)
    ]


def turn_pictures(pictures: np.ndarray, state: State) -> np.ndarray:
    """Return the pictures of nine cells, shape (9, 8, 8), as a state shows them."""
    return np.stack([np.rot90(p, -q) for p, q in zip(pictures, dials.unpack(dials.checked(state)), strict=True)])


def goal_states(orientations: Sequence[Sequence[int]]) -> States:
    """Return all states whose dials each stand at one of that cell's orientations, in rising order if theirs are.

    ValueError where there are not nine cells, or an orientation is not from 0 to 3.
    """
    if len(orientations) != DIALS:
        raise ValueError(f"expected orientations of {DIALS} cells, got {len(orientations)}")
    return over_choices(np.add, [dials.checked([*q], 4) << 2 * cell for cell, q in enumerate(orientations)])


def over_choices(combine: np.ufunc, values: Iterable[np.ndarray]) -> np.ndarray:
    """Return the sum or product for every choice of one value a cell, the lowest cell's choice changing fastest.

    ``values`` holds an array for each cell, the lowest cell first; the result is as long as they are, multiplied.
    """
    return reduce(lambda table, cell: combine.outer(cell, table).ravel(), values)


def _before(board: Board, goals: States) -> tuple[np.ndarray, States]:
    """Return the distances to the goals as far as known, and the outermost level known: none if nothing leads there.

    Two steps are taken from the goals backwards, where there are few: they spare the search its last, largest levels,
    and what no turn leads to is known at once. The level that holds the start is the last one needed.
    """
    near = search.unreached()
    for level in search.walk(goals, reverse_neighbours(board), near):
        if near[level[0]] == BACK or level.size > FEW or near[dials.SOLVED] != UNREACHED:
            return near, level
    return near, goals[:0]


def fewest_steps(board: Board, goals: States) -> int | None:
    """Return how many steps lead from the start to the nearest of the goals, or None if to none of them."""
    near, gate = _before(board, goals)
    levels = search.levels_to(dials.SOLVED, gate, neighbours(board)) if gate.size else None
    return None if levels is None else len(levels) - 1 + int(near[gate[0]])


def solve(board: Board, goals: States) -> list[int] | None:
    """Return the fewest steps to any of the goals as cells 0 .. 8, the lowest cell first among equals, or None."""
    near, gate = _before(board, goals)
    first = search.shortest(dials.SOLVED, gate, neighbours(board)) if gate.size else None
    return None if first is None else first + search.descend(replay(board, first)[-1], near, neighbours(board))


def random_board(rng: "np.random.Generator", density: float | None = None, teeth: int | None = None) -> Board:
    """Return a random board: each tooth there with probability ``density`` (1/2), or exactly ``teeth`` of 36."""
    # The generator's type stands in quotes, for numpy.random is slow to load and few need it.
    if teeth is None:
        places = np.flatnonzero(rng.random(4 * DIALS) < (0.5 if density is None else density))
    else:
        places = rng.choice(4 * DIALS, size=teeth, replace=False)
    return sum(1 << place for place in places.tolist())


@dataclass(frozen=True)
class Gears:
    """A board for people: it prints and draws itself, and ``int()`` gives the board of 36 bits back.

    >>> print(Gears.of("1111 1000 0000  0000 0000 0000  0000 0000 0000"))
    1111 1000 0000
    0000 0000 0000
    0000 0000 0000
    """

    board: Board

    def __post_init__(self) -> None:
        """Take a board of any integer type; ValueError outside 0 .. 2 ** 36 - 1."""
        object.__setattr__(self, "board", checked_board(self.board))

    @classmethod
    def of(cls, teeth: str) -> "Gears":
        """Return the board of 36 digits, white space ignored: left, top, right, bottom tooth of each cell."""
        return cls(board_of(teeth))

    @property
    def teeth(self) -> int:
        """Return how many teeth it has."""
        return self.board.bit_count()

    def __index__(self) -> int:
        """Return the board of 36 bits."""
        return self.board

    def __str__(self) -> str:
        """Return its teeth, four a cell, row by row."""
        digits = teeth_of(self.board)
        cells = [digits[i : i + 4] for i in range(0, 4 * DIALS, 4)]
        return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))

    def _repr_svg_(self) -> str:
        from clocklab.exports.faces import gear_faces  # only here, for it needs the boards

        return gear_faces(self.board)
