"""A survey of many random boards: what each reaches from its start, how far, and whether all states reach each other.

Board i is drawn from a generator seeded by (seed, i), so no row depends on how many boards are asked for or on who
examines them.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

import numpy as np

from clocklab import sawtooth, search
from clocklab.dials import SOLVED, STATES
from clocklab.plumbing.errors import InputError
from clocklab.plumbing.output import check_writable, csv, write_whole
from clocklab.plumbing.work import Workers, run_chunks
from clocklab.sawtooth import Board
from clocklab.studies import reach

STORED = "sawtooth_survey.csv"  # of Sample(boards=11100, seed=3814, teeth=range(37))
CHUNK = 50  # boards, some seconds of work


class Row(NamedTuple):
    """What is found out about one board; the columns of the file."""

    board: str  # 36 digits, four a cell: left, top, right and bottom tooth
    teeth: int
    reachable: int  # states that can be reached from the start, itself included
    farthest: int  # steps to the farthest of them
    strongly_connected: int  # 1 where every state can reach every other


@dataclass(frozen=True)
class Sample:
    """Which boards to draw: each tooth there with probability ``density`` (1/2), or one number of ``teeth`` in turn.

    ValueError for a range of teeth that leaves numbers out or holds some that no board has.

    >>> print(Sample(boards=370, seed=1, teeth=range(37)))
    clocklab survey --boards 370 --seed 1 --teeth 0-36
    """

    boards: int
    seed: int
    density: float | None = None
    teeth: range | None = None

    def __post_init__(self) -> None:
        """Check the numbers of teeth."""
        if self.teeth is not None and self.teeth not in [range(a, b) for b in range(38) for a in range(b)]:
            raise ValueError(f"expected teeth as a range of numbers from 0 to 36, got {self.teeth}")

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


def run(sample: Sample, file: Path, workers: Workers = None) -> None:
    """Examine a sample's boards and write FILE whole as CSV, one row a board; the same bytes whoever does the work.

    Interrupted, it keeps the finished boards in the folder FILE.chunks, and the same call resumes.
    """
    if str(file) == "-" or (file.exists() and not file.is_file()):
        raise InputError(f"{file}: expected a file, beside which finished boards can be kept")
    check_writable(file)
    folder = file.with_name(file.name + ".chunks")
    starts = range(0, sample.boards, CHUNK)
    chunks = {f"{i:07}.csv": range(i, min(i + CHUNK, sample.boards)) for i in starts}
    rows = run_chunks(partial(_rows, sample), chunks, folder, str(sample), workers)
    write_whole(file, csv([Row._fields]).encode() + b"".join(rows.values()))
    rmtree(folder)


def _rows(sample: Sample, numbers: range) -> bytes:
    return csv(examine(sample.board(i)) for i in numbers).encode()
