"""The hardest boards of gears: a search for those on which some state lies as many steps as possible from the start.

A far state is one that few states lead to: most turns on the way there must fall into states that never come back.
So the search looks backwards, from a goal to all states that lead to it, and gives a goal up as soon as they are
many. How far the farthest of them starts is what annealing makes grow, by changes of the teeth and of the goal.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

import numpy as np

from clocklab import dials, sawtooth, search
from clocklab.dials import DIALS, State, States
from clocklab.plumbing.errors import InputError
from clocklab.plumbing.output import csv
from clocklab.plumbing.work import as_finished, executor_for
from clocklab.sawtooth import Board
from clocklab.studies import reach
from clocklab.studies.census import PATTERNS, Class, Shape, classes_of, turned_alike

STORED = "sawtooth_hardest.csv"
MANY = 1200  # a goal that more states lead to is given up; 688 lead to the farthest known
CHANGES = 3000  # a climb's changes of teeth and goal, about 15 seconds of work
HEAT = 5.0  # how many steps a change may lose, about, at the beginning of a climb
CLIMBS = 10**4  # more than anybody will wait for
KEPT = 15  # rows of a file, one a class of boards


class Row(NamedTuple):
    """A board and the hardest that can be asked of it; the columns of the file."""

    board: str  # 36 digits, four a cell: left, top, right and bottom tooth
    target: str  # the farthest state, the lowest of several: the quarter turns of the nine cells
    steps: int  # the fewest turns that lead there
    sequence: str  # the lowest such turns: cells 1 .. 9, row by row


class Found(NamedTuple):
    """A goal of a board, and a start that leads to it by the most steps; no start while too many lead there."""

    board: Board
    goal: State
    steps: int = -1
    start: State = 0


def row_of(board: Board) -> Row:
    """Return the row of one board.

    >>> from clocklab.studies.examples import TRAPDOOR
    >>> row_of(TRAPDOOR).steps  # three turns for each cell, but one less for the pair
    26
    """
    target, steps = reach.farthest(board)
    quarters = "".join(map(str, dials.unpack(target)))
    return Row(sawtooth.teeth_of(board), quarters, len(steps), "".join(str(cell + 1) for cell in steps))


def look_back(board: Board, goal: State, many: int = MANY) -> Found:
    """Return the lowest of the starts from which a goal is farthest, if at most ``many`` states lead to it."""
    levels: list[States] = []
    for level in search.walk(goal, sawtooth.reverse_neighbours(board)):
        levels.append(level)
        if sum(map(len, levels)) > many:
            return Found(board, goal)
    return Found(board, goal, len(levels) - 1, int(levels[-1][0]))


def climb(seed: int, number: int, changes: int = CHANGES, until: float = np.inf) -> Board | None:
    """Return the hardest board that one climb of a seed comes upon, as it stands at the start.

    Each climb begins anywhere and is the same whoever makes it. None if it is not at its end at the time ``until``.
    """
    rng = np.random.default_rng([seed, number])
    now = best = look_back(*_changed(rng, 0, 0, range(DIALS)))
    for heat in np.linspace(HEAT, 0.1, changes):
        if time.time() > until:
            return None
        cells = rng.choice(DIALS, size=rng.choice([1, 2, 3], p=[0.6, 0.3, 0.1]), replace=False)
        new = look_back(*_changed(rng, now.board, now.goal, cells.tolist()))
        if new.steps >= now.steps or rng.random() < np.exp((new.steps - now.steps) / heat):
            now = new
            best = max(best, now, key=lambda found: found.steps)
    return _there_and_back(best)


def _changed(rng: np.random.Generator, board: Board, goal: State, cells: Iterable[int]) -> tuple[Board, State]:
    """Return a board and goal with other teeth, or another orientation in the goal, or both, on some cells."""
    for cell in cells:
        what = rng.random()
        if what < 0.6:
            board = board & ~(0b1111 << 4 * cell) | int(rng.choice(PATTERNS)) << 4 * cell
        if what > 0.4:
            goal = goal & ~(0b11 << 2 * cell) | int(rng.integers(4)) << 2 * cell
    return board, goal


def _there_and_back(found: Found) -> Board:
    """Return a board at its best start, looking for a farther goal and from there for a farther start in turn."""
    while True:
        goal, steps = reach.farthest(found.board, found.start)
        again = look_back(found.board, goal)
        if again.steps <= len(steps):
            return standing(found.board, found.start)
        found = again


def standing(board: Board, state: State) -> Board:
    """Return the board whose start is a state of another: its cells turned as they stand there."""
    return sum(teeth << 4 * cell for cell, teeth in enumerate(sawtooth.teeth_by_cell(board, state)))


def class_of(board: Board) -> tuple[tuple[Shape, Class], ...]:
    """Return the classes of a board's parts, least under whole turns.

    They settle how far any of its states can be from a start. Boards share them that differ only in how their cells
    lie, or the parts, or the whole board.
    """
    return tuple(sorted((shape, int(turned_alike(shape)[number])) for shape, number in classes_of(board)))


def hardest(rows: Iterable[Row]) -> list[Row]:
    """Return the hardest of some rows, one a class of boards, hardest first."""
    rising = sorted(set(rows), key=lambda row: (row.steps, row.board))
    best = {class_of(sawtooth.board_of(row.board)): row for row in rising}
    return sorted(best.values(), key=lambda row: (-row.steps, row.board))[:KEPT]


def run(
    seed: int, seconds: float, rows: Sequence[Row] = (), workers: int | None = None, executor: Executor | None = None
) -> Iterator[list[Row]]:
    """Yield the hardest of known rows and of those found, after each climb that ends within some seconds."""
    until = time.time() + seconds
    work = partial(climb, seed, until=until)
    with executor_for(executor or workers) as pool:
        for _, board in as_finished(work, dict(enumerate(range(CLIMBS))), pool, "climbs"):
            if board is None:
                return
            rows = hardest([*rows, row_of(board)])
            yield rows


def write(rows: Iterable[Row]) -> str:
    """Return rows as CSV text, under a header."""
    return csv([Row._fields, *rows])


def read(text: str, name: str) -> list[Row]:
    """Return the rows of a text that ``write`` made, each recomputed; InputError names the first that is not true."""
    header, *lines = text.splitlines() or [""]
    if header != ",".join(Row._fields):
        raise InputError(f"{name}, line 1: expected '{','.join(Row._fields)}'")
    rows = []
    for number, line in enumerate(lines, 2):
        try:
            row = row_of(sawtooth.board_of(line.partition(",")[0]))
        except InputError as error:
            raise InputError(f"{name}, line {number}: {error}") from None
        if csv([row]) != f"{line}\n":
            raise InputError(f"{name}, line {number}: this is not the farthest state of this board and the way there")
        rows.append(row)
    return rows
