"""Outputs are written whole or not at all."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

DATA = Path(__file__).parents[2] / "data"  # the exports, and what long runs left, in a clone of the project
STREAMS = ("/dev/std", "/dev/fd/", "/proc/self/fd/")  # names of streams that are open already


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or leave what stood there: a neighbour file is filled, then takes the name in one step.

    Missing folders are made, a link is followed to the file it names, and a device or pipe is written as it comes.
    OSError, naming the path, where the folder cannot be written or the disk is full; the old file is then as it was.
    """
    with _named(path):
        mode = _mode(path)
        if (mode and not stat.S_ISREG(mode)) or str(path).startswith(STREAMS):
            append(path, content)
        else:
            _replace(Path(os.path.realpath(path)), content, mode)


def check_writable(path: Path) -> None:
    """Raise the OSError that ``write_whole`` would, where a file is there that may not be written."""
    with _named(path):
        _mode(path)


def append(path: Path, content: bytes) -> None:
    """Write at the end of a file, or to a device or pipe; OSError, naming the path, where that cannot be done."""
    with _named(path), open(path, "ab") as file:
        file.write(content)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _mode(path: Path) -> int | None:
    """Return the mode of what stands at a path, None where nothing does; OSError where that may not be written."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return None
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    return mode


def _replace(path: Path, content: bytes, mode: int | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.parent / f".{os.urandom(8).hex()}.part"
    try:
        with open(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode:
            part.chmod(stat.S_IMODE(mode))
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows of values without commas as CSV text, a line a row."""
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def npz(arrays: Mapping[str, Any]) -> bytes:
    """Return the bytes of an ``.npz`` file with these arrays; numpy's own writer gives others on other Pythons."""
    from numpy.lib.format import write_array

    with ZipFile(whole := BytesIO(), "w") as archive:
        for name, array in arrays.items():
            write_array(part := BytesIO(), array, allow_pickle=False)
            archive.writestr(ZipInfo(f"{name}.npy"), part.getvalue(), ZIP_DEFLATED)
    return whole.getvalue()
