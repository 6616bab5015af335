"""The exported tables, one function a table; data/README.md explains every column."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

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


# name of the file in data/: the function that makes its table
TABLES: dict[str, Callable[[], pd.DataFrame]] = {}
