"""Outputs are written whole or not at all."""

import os
import shutil
from collections.abc import Iterable, Mapping
from errno import EACCES, EISDIR
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from clocklab.plumbing.errors import InputError

DATA = Path(__file__).parents[1] / "data"  # what long runs left; SHA256SUMS there is made by sha256sum *.*


def stored(name: str) -> bytes:
    """Return a file that a long run left in the package; InputError where it is not as it was left."""
    content, sums = (DATA / name).read_bytes(), (DATA / "SHA256SUMS").read_text().splitlines()
    if f"{sha256(content).hexdigest()}  {name}" not in sums:
        raise InputError(f"{DATA / name}: changed since it was made, its checksum is not the one in SHA256SUMS")
    return content


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or leave what stood there: a neighbour file is filled, then takes the name in one step.

    Missing folders are made, the old file's permissions are kept, a link is followed to the file it names, and a
    device or pipe is written to as it is. OSError, naming the path, where that cannot be done.
    """
    try:
        check_writable(path)
        if path.exists() and not path.is_file():
            with open(path, "ab") as file:
                file.write(content)
        else:
            _replace(Path(os.path.realpath(path)), content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def check_writable(path: Path) -> None:
    """Raise the OSError that ``write_whole`` would, where a file is there that may not be written."""
    if path.is_dir() or (os.path.exists(path) and not os.access(path, os.W_OK)):
        number = EISDIR if path.is_dir() else EACCES
        raise OSError(number, os.strerror(number), str(path))


def _replace(path: Path, content: bytes) -> None:
    os.makedirs(path.parent, exist_ok=True)
    part = path.parent / f".{os.urandom(8).hex()}.part"
    try:
        with open(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


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
