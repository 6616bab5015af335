"""The exported tables, one function a table; data/README.md explains every column."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd

from clocklab import algebra, census, dials, enumeration, examples, movetables, reach, sawtooth, search, symmetry
from clocklab.clocks import METRICS, cost
from clocklab.errors import InputError
from clocklab.hardest import STORED as HARDEST
from clocklab.output import npz, write_whole
from clocklab.reach import Facts
from clocklab.sawtooth import Board, board_of
from clocklab.survey import STORED as SURVEY


def save(table: str | pd.DataFrame, path: Path) -> None:
    """Write a table, or the one of that name in ``TABLES``, whole as ``.csv``, ``.csv.gz`` or ``.npz``.

    The same table gives the same bytes. In an ``.npz`` every column is one array, text as bytes.
    """
    frame = TABLES[table]() if isinstance(table, str) else table
    write_whole(path, (_npz if path.suffix == ".npz" else _csv)(frame, path))


def _csv(frame: pd.DataFrame, path: Path) -> bytes:
    gzip = {"method": "gzip", "mtime": 0, "compresslevel": 6}  # neither the hour nor a file name inside
    buffer = BytesIO()
    frame.to_csv(buffer, index=False, lineterminator="\n", compression=gzip if path.suffix == ".gz" else None)
    return buffer.getvalue()


def _npz(frame: pd.DataFrame, path: Path) -> bytes:
    columns = {str(name): np.asarray(frame[name]) for name in frame}
    return npz({name: column.astype("S") if column.dtype == "O" else column for name, column in columns.items()})


def clock_distribution() -> pd.DataFrame:
    """How many states of The Clocks lie at each distance, in each metric."""
    presses = enumeration.press_vectors()
    counts = {metric: np.bincount(cost(presses, metric), minlength=28) for metric in METRICS}
    return pd.DataFrame(counts).rename_axis("distance").reset_index()


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
    presses = np.array(algebra.inverse_mod(movetables.CLOCKS.matrix, 4)).T
    table = pd.DataFrame(presses, columns=[f"move_{move}" for move in range(1, 10)])
    table.insert(0, "clock", list(dials.NAMES))
    return table.assign(**{metric: algebra.cost(presses, 4, metric) for metric in METRICS})


def clock_left_out() -> pd.DataFrame:
    """Per move left out, how many states the other eight reach, and the weights of the sum that they never change."""
    systems = [movetables.CLOCKS.without(move).system(4) for move in range(1, 10)]
    weights = np.array([system.invariants[0] for system in systems])
    table = pd.DataFrame({"move": range(1, 10), "reachable": [system.reachable for system in systems]})
    return table.assign(**{f"weight_{clock}": weights[:, i] for i, clock in enumerate(dials.NAMES)})


def clock_12_hours() -> pd.DataFrame:
    """How many of the 12^9 states of clocks with twelve hours lie at each distance, in each metric."""
    system = movetables.CLOCKS.system(12)
    counts = pd.DataFrame({metric: pd.Series(system.distribution(metric)) for metric in METRICS})
    return counts.fillna(0).astype(np.int64).rename_axis("distance").reset_index()


def move_tables() -> pd.DataFrame:
    """What the move matrix says about every named table, for dials of 2 to 12 hours."""
    named = movetables.TABLES.values()
    rows = [_facts(table, hours) for table in named for hours in range(2, 13)]
    return pd.DataFrame(rows).astype({"determinant": "Int64"})  # whole numbers, and none where it is not square


def _facts(table: movetables.MoveTable, hours: int) -> dict[str, object]:
    system, matrix = table.system(hours), table.matrix
    return {
        "table": table.name, "dials": table.dials, "moves": len(table.moves), "hours": hours,
        "determinant": algebra.determinant(matrix) if len(table.moves) == table.dials else None,
        "smith_form": " ".join(map(str, system.smith.factors)),
        "rank_R": algebra.rank(matrix), "rank_GF2": algebra.rank(matrix, 2), "rank_Zm": system.rank,
        "reachable_one_in": system.states // system.reachable, "solutions": system.count,
    }  # fmt: skip


def random_tables() -> pd.DataFrame:
    """How rare solvable tables are: the exact share of invertible matrices over Z/m, beside 500 random ones."""
    cases = [(modulus, size) for modulus in (2, 3, 6) for size in range(1, 10)]
    exact = [float(algebra.invertible_share(size, modulus)) for modulus, size in cases]
    sampled = [algebra.sampled_share(size, modulus, 500, seed=size) for modulus, size in cases]
    return pd.DataFrame(cases, columns=["modulus", "size"]).assign(exact=exact, sampled=sampled, samples=500)


def sawtooth_census(results: census.Results | None = None) -> pd.DataFrame:
    """How many of all boards have each number of teeth, and how many of them each fact; from the stored classes."""
    results = results or census.load(census.STORED)
    facts = {name: census.by_teeth(results, fact) for fact, name in enumerate(Facts._fields)}
    return pd.DataFrame({"teeth": range(37), "boards": census.by_teeth(results), **facts})


def sawtooth_coupling() -> pd.DataFrame:
    """How many of the turns of each cell in each state move so many cells, for the named boards."""
    sizes = np.count_nonzero(dials.unpack(sawtooth.coupling()), axis=-1)  # by cell and mesh pattern
    rows = []
    for name, board in examples.BOARDS.items():
        patterns = np.bincount(sawtooth.meshing(board)(np.arange(dials.STATES)), minlength=4096)
        turns = [int(((sizes == cells) * patterns).sum()) for cells in range(dials.DIALS + 1)]
        rows += [(name, sawtooth.teeth_of(board), cells, turns[cells]) for cells in range(1, dials.DIALS + 1)]
    return pd.DataFrame(rows, columns=["board", "teeth", "cells", "turns"])


def sawtooth_levels() -> pd.DataFrame:
    """How many states lie at each distance from the start, for the named boards."""
    rows = []
    for name, board in examples.BOARDS.items():
        levels = search.levels(search.distances(dials.SOLVED, sawtooth.neighbours(board)))
        rows += [(name, distance, states) for distance, states in enumerate(levels.tolist())]
    return pd.DataFrame(rows, columns=["board", "distance", "states"])


def sawtooth_survey() -> pd.DataFrame:
    """The stored survey: one row a random board, 300 of each number of teeth."""
    return _long_run(SURVEY)


def sawtooth_hardest() -> pd.DataFrame:
    """The stored boards with the farthest states found, hardest first."""
    return _long_run(HARDEST)


def _long_run(path: Path) -> pd.DataFrame:
    """Return the rows that a long run left in data/; InputError where it cannot have left them."""
    try:
        table = pd.read_csv(path, dtype=dict.fromkeys(("board", "target", "sequence"), "str"))
        whole = bool(table.board.str.fullmatch("[01]{36}").all() and table.notna().all(axis=None) and len(table))
    except (ValueError, AttributeError):  # it is no such table
        whole = False
    if not whole:
        raise InputError(f"{path}: expected what {LONG_RUNS[path.name]} has left")
    return table


def sawtooth_reach() -> pd.DataFrame:
    """What the surveyed boards of each number of teeth reach on average, with 95 % confidence intervals."""
    rows = sawtooth_survey()
    rows["share"] = rows.reachable / dials.STATES
    rows["bound"] = [4.0 ** -reach.locks(board_of(board)) for board in rows.board]
    rows["everything"] = rows.reachable == dials.STATES
    groups = rows.groupby("teeth")
    table = groups.agg(boards=("board", "size"), share=("share", "mean"))
    error = 1.96 * groups.share.std() / np.sqrt(table.boards)
    table["share_low"], table["share_high"] = (table.share - error).clip(0), (table.share + error).clip(upper=1)
    for column in ("everything", "strongly_connected"):
        table[column] = groups[column].mean()
        table[f"{column}_low"], table[f"{column}_high"] = _wilson(table[column], table.boards)
    farthest = groups.farthest.agg(["min", "median", "max"]).add_prefix("farthest_")
    table = table.assign(bound=groups.bound.mean(), median=groups.reachable.median()).join(farthest)
    return table.round(8).reset_index()


def _wilson(share: pd.Series, size: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Return Wilson's 95 % interval of a share, which says something where all or none of a sample have it, too."""
    z = 1.96
    middle, width = share + z * z / (2 * size), z * np.sqrt(share * (1 - share) / size + (z / (2 * size)) ** 2)
    return (middle - width) / (1 + z * z / size), (middle + width) / (1 + z * z / size)


def sawtooth_turns() -> pd.DataFrame:
    """Of each cell's turn on three boards: from how many states it can be undone, and how."""
    boards = {"trapdoor": examples.TRAPDOOR, "stairs": examples.STAIRS, "sample": examples.SAMPLE}
    return pd.concat([_turns(name, board) for name, board in boards.items()], ignore_index=True)


def _turns(name: str, board: Board) -> pd.DataFrame:
    arcs = reach.arcs(board)
    ways = reach.ways_back(arcs, reach.components(arcs))
    counts = pd.DataFrame([np.bincount(way, minlength=3) for way in ways], columns=["again", "long_way", "never"])
    cells = pd.DataFrame({"board": name, "row": np.repeat([1, 2, 3], 3), "column": [1, 2, 3] * 3})
    return cells.assign(led_to=[np.unique(turn).size for turn in arcs]).join(counts)


# name of the file in data/: the function that makes its table
TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "clock_distribution.csv": clock_distribution,
    "clock_distances.csv.gz": clock_distances,
    "clock_distances.npz": clock_distances,
    "clock_classes.csv": clock_classes,
    "clock_inverse.csv": clock_inverse,
    "clock_left_out.csv": clock_left_out,
    "clock_12_hours.csv": clock_12_hours,
    "move_tables.csv": move_tables,
    "random_tables.csv": random_tables,
    "sawtooth_reach.csv": sawtooth_reach,
    "sawtooth_turns.csv": sawtooth_turns,
    "sawtooth_census.csv": sawtooth_census,
    "sawtooth_coupling.csv": sawtooth_coupling,
    "sawtooth_levels.csv": sawtooth_levels,
}

# What long runs left in data/, and the command that made it: not exported anew, and checked by tests instead.
LONG_RUNS = {
    "sawtooth_survey.csv": "clocklab survey",
    "sawtooth_hardest.csv": "clocklab hardest",
    "sawtooth_classes.npz": "clocklab census",
}
