"""The exported tables, one function a table; data/README.md explains every column."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from clocklab import dials, enumeration, symmetry
from clocklab.clocks import METRICS, cost
from clocklab.output import write_whole


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
    buffer = BytesIO()
    columns: dict[str, Any] = {name: np.asarray(frame[name]) for name in frame}
    np.savez_compressed(buffer, **{n: c.astype("S") if c.dtype == "O" else c for n, c in columns.items()})
    return buffer.getvalue()


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


# name of the file in data/: the function that makes its table
TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "clock_distribution.csv": clock_distribution,
    "clock_distances.csv.gz": clock_distances,
    "clock_distances.npz": clock_distances,
    "clock_classes.csv": clock_classes,
}
