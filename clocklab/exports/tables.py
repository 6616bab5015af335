"""The exported tables, one function a table; data/README.md explains every column."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from clocklab import algebra, dials, enumeration, sawtooth, search
from clocklab.clocks import METRICS, cost
from clocklab.plumbing.output import npz, stored, write_whole
from clocklab.sawtooth import board_of
from clocklab.studies import census, examples, puzzles, reach, symmetry
from clocklab.studies.hardest import STORED as HARDEST
from clocklab.studies.movesets import MoveSet
from clocklab.studies.reach import Facts
from clocklab.studies.survey import STORED as SURVEY


def save(table: str | pd.DataFrame, path: Path) -> None:
    """Write a table, or the one of that name in ``TABLES``, whole as ``.csv``, ``.csv.gz`` or ``.npz``.

    The same table gives the same bytes. In an ``.npz`` every column is one array, text as bytes.
    """
    frame = TABLES[table]() if isinstance(table, str) else table
    if not isinstance(frame, bytes):
        frame = _npz(frame) if path.suffix == ".npz" else _csv(frame, packed=path.suffix == ".gz")
    write_whole(path, frame)


def _csv(frame: pd.DataFrame, packed: bool) -> bytes:
    gzip = {"method": "gzip", "mtime": 0, "compresslevel": 6}  # neither the hour nor a file name inside
    frame.to_csv(buffer := BytesIO(), index=False, lineterminator="\n", compression=gzip if packed else None)
    return buffer.getvalue()


def _npz(frame: pd.DataFrame) -> bytes:
    columns = {str(name): np.asarray(frame[name]) for name in frame}
    return npz({name: column.astype("S") if column.dtype == "O" else column for name, column in columns.items()})


def clock_distribution() -> pd.DataFrame:
    """How many states of The Clocks lie at each distance, in each metric."""
    return _by_distance(lambda metric: np.bincount(enumeration.distances(metric)))


def _by_distance(counts: Callable[[str], Any]) -> pd.DataFrame:
    """Return what ``counts`` gives for each metric, the numbers of states at distance 0, 1, ..., as a table."""
    columns = {metric: pd.Series(counts(metric)) for metric in METRICS}
    return pd.DataFrame(columns).fillna(0).astype(np.int64).rename_axis("distance").reset_index()


def clock_distances() -> pd.DataFrame:
    """Every state of The Clocks with its dials, its distances and the press vector that solves it."""
    presses = enumeration.press_vectors()
    columns = {metric: cost(presses, metric) for metric in METRICS}
    states = np.arange(dials.STATES)
    return pd.DataFrame({"state": states, "dials": _digits(states), **columns, "presses": _digits(presses)})


def clock_classes() -> pd.DataFrame:
    """The classes of states that symmetries of the square carry into each other, by their lowest state."""
    representatives, sizes = symmetry.classes()
    table = clock_distances().iloc[representatives].reset_index(drop=True)
    table.insert(2, "size", sizes)
    return table


def _digits(words: np.ndarray) -> np.ndarray:
    return (dials.unpack(words) + ord("0")).view("S9").ravel().astype(str)


def clock_inverse() -> pd.DataFrame:
    """Per clock, how often to press each move so that this clock alone turns one quarter on, and what that costs."""
    presses = algebra.inverse_mod(puzzles.CLOCKS.matrix, 4).T
    table = pd.DataFrame(presses, columns=[f"move_{move}" for move in range(1, 10)])
    table.insert(0, "clock", list(dials.NAMES))
    return table.assign(**{metric: algebra.cost(presses, 4, metric) for metric in METRICS})


def clock_left_out() -> pd.DataFrame:
    """Per move left out, how many states the other eight reach, and the weights of the sum that they never change."""
    systems = [puzzles.CLOCKS.without(move).system(4) for move in range(1, 10)]
    weights = np.array([system.invariants[0] for system in systems])
    table = pd.DataFrame({"move": range(1, 10), "reachable": [system.reachable for system in systems]})
    return table.assign(**{f"weight_{clock}": weights[:, i] for i, clock in enumerate(dials.NAMES)})


def clock_12_hours() -> pd.DataFrame:
    """How many of the 12^9 states of clocks with twelve hours lie at each distance, in each metric."""
    return _by_distance(puzzles.CLOCKS.system(12).distribution)


def clock_farthest() -> pd.DataFrame:
    """How far the farthest state is that can be solved, clockwise, for clocks of 2 to 25 hours."""
    hours = range(2, 26)
    return pd.DataFrame(
        {"hours": hours, "clockwise": [len(puzzles.CLOCKS.system(m).distribution()) - 1 for m in hours]}
    )


def move_sets() -> pd.DataFrame:
    """What the move matrix says about some puzzles, for dials of 2 to 12 hours."""
    rows = [_row(table, hours) for table in puzzles.EXAMPLES for hours in range(2, 13)]
    return pd.DataFrame(rows).astype({"determinant": "Int64"})  # whole numbers, and none where it is not square


def _row(puzzle: MoveSet, hours: int) -> dict[str, object]:
    system, matrix = puzzle.system(hours), puzzle.matrix
    return {
        "puzzle": puzzle.name, "dials": puzzle.dials, "moves": matrix.shape[1], "hours": hours,
        "determinant": algebra.determinant(matrix) if matrix.shape[1] == puzzle.dials else None,
        "smith_form": " ".join(map(str, algebra.smith(matrix).factors)),
        "rank_R": algebra.rank(matrix), "rank_GF2": puzzle.system(2).rank, "rank_Zm": system.rank,
        "reachable_one_in": system.states // system.reachable, "solutions": system.count,
    }  # fmt: skip


def random_move_sets() -> pd.DataFrame:
    """How rare move sets that solve everything are: entries 0 and 1 by coins, beside entries drawn evenly mod m."""
    tossed = {size: algebra.zero_one_determinants(size, 100_000, seed=size) for size in range(1, 10)}
    rows = [
        (modulus, size, np.mean(np.gcd(tossed[size], modulus) == 1), len(tossed[size]), size < 5,
         float(algebra.invertible_share(size, modulus)))
        for modulus in (2, 3, 6) for size in tossed
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["modulus", "size", "coins", "matrices", "all", "evenly"]).astype({"all": int})


def lights_out() -> pd.DataFrame:
    """Lights Out on n x n lights: how many quiet patterns there are, and the fewest presses that switch all on."""
    systems = {n: puzzles.lights_out(n).system() for n in range(1, 31)}
    quiet = [n * n - system.rank for n, system in systems.items()]
    all_on = [sum(system.fewest([1] * n * n) or ()) for n, system in systems.items()]
    return pd.DataFrame({"n": list(systems), "quiet_dimension": quiet, "all_on": all_on})


def lights_out_distances() -> pd.DataFrame:
    """How many solvable patterns of Lights Out on n x n lights need each number of presses."""
    counts = {n: puzzles.lights_out(n).system().distribution() for n in range(2, 6)}
    rows = [(n, distance, patterns) for n in counts for distance, patterns in enumerate(counts[n])]
    return pd.DataFrame(rows, columns=["n", "distance", "patterns"])


def sawtooth_census(results: census.Results | None = None) -> pd.DataFrame:
    """How many of all boards have each number of teeth, and how many of them each fact; from the stored classes."""
    results = results or census.load()
    facts = {name: census.by_teeth(results, fact) for fact, name in enumerate(Facts._fields)}
    return pd.DataFrame({"teeth": range(37), "boards": census.by_teeth(results), **facts})


def sawtooth_coupling() -> pd.DataFrame:
    """How many of the turns of each cell in each state move so many cells, for the named boards."""
    sizes = np.count_nonzero(dials.unpack(sawtooth.coupling()), axis=-1)  # by cell and mesh pattern
    rows = []
    for name, board in examples.BOARDS.items():
        patterns = np.bincount(sawtooth.meshing(board)(np.arange(dials.STATES)), minlength=4096)
        for cells in range(1, dials.DIALS + 1):
            turns = (sizes == cells).sum(axis=0) @ patterns
            rows.append((name, sawtooth.teeth_of(board), cells, turns))
    return pd.DataFrame(rows, columns=["board", "teeth", "cells", "turns"])


def sawtooth_levels() -> pd.DataFrame:
    """How many states lie at each distance from the start, for the named boards."""
    rows = []
    for name, board in examples.BOARDS.items():
        levels = search.levels(search.distances(dials.SOLVED, sawtooth.neighbours(board)))
        rows += [(name, distance, states) for distance, states in enumerate(levels)]
    return pd.DataFrame(rows, columns=["board", "distance", "states"])


def sawtooth_survey() -> pd.DataFrame:
    """The stored survey: one row a random board, 300 of each number of teeth."""
    return _long_run(SURVEY)


def sawtooth_hardest() -> pd.DataFrame:
    """The stored boards with the farthest states found, hardest first."""
    return _long_run(HARDEST)


def _long_run(name: str) -> pd.DataFrame:
    return pd.read_csv(BytesIO(stored(name)), dtype=dict.fromkeys(("board", "target", "sequence"), "str"))


def sawtooth_classes() -> bytes:
    """The facts of all classes of boards, as the census left them; not a table but an array for each shape."""
    return stored(census.STORED)


def sawtooth_reach() -> pd.DataFrame:
    """What the surveyed boards of each number of teeth reach on average, with 95 % confidence intervals."""
    rows = sawtooth_survey()
    rows["share"] = rows.reachable / dials.STATES
    rows["bound"] = [4.0 ** -reach.locks(board_of(board)) for board in rows.board]
    rows["everything"] = rows.reachable == dials.STATES
    groups, without_lock = rows.groupby("teeth"), rows[rows.bound == 1].groupby("teeth")
    table = groups.agg(boards=("board", "size")).join(_mean(groups.share, "share"))
    for column in ("everything", "strongly_connected"):
        table[column] = groups[column].mean()
        table[f"{column}_low"], table[f"{column}_high"] = _wilson(table[column], table.boards)
    farthest = groups.farthest.agg(["min", "median", "max"]).add_prefix("farthest_")
    table = table.assign(bound=groups.bound.mean(), median=groups.reachable.median()).join(farthest)
    table["without_lock"] = without_lock.size().reindex(table.index, fill_value=0)
    return table.join(_mean(without_lock.share, "share_without_lock")).round(8).reset_index()


def _mean(groups: Any, name: str) -> pd.DataFrame:
    """Return the mean of each group of shares and its 95 % interval; none of a group without members."""
    mean, error = groups.mean(), 1.96 * groups.std() / np.sqrt(groups.size())
    low, high = (mean - error).clip(0), (mean + error).clip(upper=1)
    return pd.DataFrame({name: mean, f"{name}_low": low, f"{name}_high": high})


def _wilson(share: pd.Series, size: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Return Wilson's 95 % interval of a share, which says something where all or none of a sample have it, too."""
    z = 1.96
    middle, width = share + z * z / (2 * size), z * np.sqrt(share * (1 - share) / size + (z / (2 * size)) ** 2)
    return (middle - width) / (1 + z * z / size), (middle + width) / (1 + z * z / size)


def sawtooth_turns() -> pd.DataFrame:
    """Of each cell's turn on three boards: from how many states it can be undone, and how."""
    rows = []
    for name, board in {"trapdoor": examples.TRAPDOOR, "stairs": examples.STAIRS, "sample": examples.SAMPLE}.items():
        arcs = reach.arcs(board)
        for cell, way in enumerate(reach.ways_back(arcs, reach.components(arcs))):
            led_to = np.unique(arcs[cell]).size
            rows.append((name, cell // 3 + 1, cell % 3 + 1, led_to, *np.bincount(way, minlength=3)))
    return pd.DataFrame(rows, columns=["board", "row", "column", "led_to", "again", "long_way", "never"])


ONE_FILE_EACH: tuple[Callable[[], pd.DataFrame], ...] = (
    clock_distribution, clock_classes, clock_inverse, clock_left_out, clock_12_hours, clock_farthest,
    move_sets, random_move_sets, lights_out, lights_out_distances, sawtooth_survey, sawtooth_hardest,
    sawtooth_reach, sawtooth_turns, sawtooth_census, sawtooth_coupling, sawtooth_levels,
)  # fmt: skip

# name of the file in data/: the function that makes its table
TABLES: dict[str, Callable[[], Any]] = {f"{function.__name__}.csv": function for function in ONE_FILE_EACH} | {
    "clock_distances.csv.gz": clock_distances,
    "clock_distances.npz": clock_distances,
    "sawtooth_classes.npz": sawtooth_classes,
}
