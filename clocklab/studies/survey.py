"""A survey of many random boards: what each reaches from its start, how far, and whether all states reach each other.

Board i is drawn from a generator seeded by (seed, i), so no row depends on how many boards are asked for or on who
examines them. Until a survey is complete its finished rows are kept beside the file, in FILE.part.
"""

import re
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from clocklab import sawtooth, search
from clocklab.dials import SOLVED, STATES
from clocklab.plumbing.errors import InputError, quoted
from clocklab.plumbing.output import DATA, append, check_writable, csv, write_whole
from clocklab.plumbing.work import as_finished, executor_for, progress
from clocklab.sawtooth import Board
from clocklab.studies import reach

STORED = DATA / "sawtooth_survey.csv"  # the survey of Sample(boards=11100, seed=3814, teeth=range(37))
LINE = re.compile(rb"(\d{1,9}),([01]+),(\d{1,2}),(\d{1,6}),(\d{1,3}),([01])")  # a number, then its row


class Row(NamedTuple):
    """What is found out about one board; the columns of the file."""

    board: str  # 36 digits, four a cell: left, top, right and bottom tooth
    teeth: int
    reachable: int  # states that can be reached from the start, itself included
    farthest: int  # steps to the farthest of them
    strongly_connected: int  # 1 where every state can reach every other


class Sample(NamedTuple):
    """Which boards to draw: each tooth there with probability ``density`` (1/2), or one number of ``teeth`` in turn.

    >>> print(Sample(boards=370, seed=1, teeth=range(37)))
    clocklab survey --boards 370 --seed 1 --teeth 0-36
    """

    boards: int
    seed: int
    density: float | None = None
    teeth: range | None = None

    def __str__(self) -> str:
        """Return the command that surveys it."""
        density = "" if self.density is None else f" --density {self.density}"
        teeth = "" if self.teeth is None else f" --teeth {self.teeth[0]}-{self.teeth[-1]}"
        return f"clocklab survey --boards {self.boards} --seed {self.seed}{density}{teeth}"

    def board(self, i: int) -> Board:
        """Return board i."""
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(i,)))
        return sawtooth.random_board(rng, self.density, self.teeth[i % len(self.teeth)] if self.teeth else None)


def examine(board: Board) -> Row:
    """Return the row of one board."""
    levels = list(search.walk(SOLVED, sawtooth.neighbours(board)))
    reachable = sum(map(len, levels))
    connected = reachable == STATES and reach.facts(board).strongly_connected
    return Row(sawtooth.teeth_of(board), board.bit_count(), reachable, len(levels) - 1, int(connected))


def _examine(sample: Sample, i: int) -> Row:
    return examine(sample.board(i))


def run(
    sample: Sample, file: Path, workers: int | None = None, executor: Executor | None = None, resume: bool = False
) -> None:
    """Examine a sample's boards and write FILE whole as CSV, one row a board; the same bytes whoever does the work.

    Any executor spreads it; over the machines of a Dask cluster, with clocklab installed on them:
    ``run(sample, file, executor=distributed.Client(address).get_executor())``.

    Interrupted, it loses no finished board: with ``resume`` it goes on with FILE.part. InputError where that file is
    there but not to be gone on with, or where no such survey can have left it.
    """
    if str(file) == "-" or (file.exists() and not file.is_file()):
        raise InputError(f"{file}: expected a file, beside which finished boards can be kept")
    check_writable(file)
    part = file.with_name(file.name + ".part")
    rows = _begin(sample, part, resume)
    missing = (i for i in range(sample.boards) if i not in rows)
    bar = progress("survey", len(rows), sample.boards)
    with executor_for(workers, executor) as pool:
        for i, row in as_finished(partial(_examine, sample), missing, pool, bar):
            rows[i] = row
            append(part, csv([(i, *row)]).encode())
    write_whole(file, csv([Row._fields, *(rows[i] for i in range(sample.boards))]).encode())
    part.unlink(missing_ok=True)


def _begin(sample: Sample, part: Path, resume: bool) -> dict[int, Row]:
    """Return the rows that are there already, and leave a part file that holds them in whole lines."""
    text = part.read_bytes() if part.exists() else b""
    if text and not resume:
        raise InputError(f"{part}: left by an interrupted survey; --resume goes on with it, else delete it")
    rows = read_part(text, sample, str(part))
    write_whole(part, f"{sample}\n{csv((i, *row) for i, row in rows.items())}".encode())
    return rows


def read_part(text: bytes, sample: Sample, name: str) -> dict[int, Row]:
    """Return the rows, by number, that a survey of the sample has kept; what follows the last line end was torn off.

    InputError names the line that such a survey cannot have written.
    """
    (first, *lines), header = text.split(b"\n"), str(sample).encode()
    if first != header and (lines or not header.startswith(first)):
        raise InputError(f"{name}, line 1: expected '{sample}', got {quoted(first, most=90)}")
    rows: dict[int, Row] = {}
    for number, line in enumerate(lines[:-1], 2):
        i, row = _read_line(line, sample) or (-1, None)
        if row is None or rows.setdefault(i, row) != row:
            raise InputError(f"{name}, line {number}: expected a row of '{sample}', got {quoted(line, most=90)}")
    return rows


def _read_line(line: bytes, sample: Sample) -> tuple[int, Row] | None:
    """Return the number and row that a line holds, None where it is no row of the sample."""
    if not (fields := LINE.fullmatch(line)):
        return None
    i, teeth, reachable, farthest, connected = (int(fields[group]) for group in (1, 3, 4, 5, 6))
    row = Row(fields[2].decode(), teeth, reachable, farthest, connected)
    if i >= sample.boards or row[:2] != (sawtooth.teeth_of(board := sample.board(i)), board.bit_count()):
        return None
    return (i, row) if farthest < reachable <= STATES and connected <= (reachable == STATES) else None
