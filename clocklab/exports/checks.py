"""Whether what is stored still is what the code makes: texts, pictures, and whole folders of exports."""

import platform
import sys
from collections.abc import Callable
from gzip import GzipFile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

# The stored pictures were made on Linux x86-64, and there every run gives the same bytes; another machine may
# pack the same pixels differently.
EXACT = sys.platform == "linux" and platform.machine() == "x86_64"
MOST = 2**30  # bytes that a fresh file may unpack to


def members(archive: bytes, most: int) -> bytes:
    """Return the names and contents of the files in a zip archive, such as an ``.npz``, ``most`` bytes at most."""
    with ZipFile(BytesIO(archive)) as opened:
        files = opened.infolist()
        if sum(file.file_size for file in files) > most:
            raise ValueError("more than expected")
        return b"".join(f"{file.filename} {file.file_size}\n".encode() + opened.read(file) for file in files)


def gunzip(archive: bytes, most: int) -> bytes:
    """Return the content of a gzip file, ``most`` bytes at most."""
    with GzipFile(fileobj=BytesIO(archive)) as opened:
        return opened.read(most)


def pixels(image: bytes, _: int) -> bytes:
    """Return the decoded pixels of a PNG image, or of every frame of a GIF, preceded by its size."""
    from PIL import Image, ImageSequence

    with Image.open(BytesIO(image)) as picture:
        frames = (frame.convert("RGBA").tobytes() for frame in ImageSequence.Iterator(picture))
        return repr(picture.size).encode() + b"".join(frames)


def same(name: str, stored: bytes, fresh: bytes, exact: bool = EXACT) -> bool:
    """Return whether two contents of a file of this name say the same.

    Packed tables are compared unpacked, since Pythons differ in their compressors. Pictures are compared to
    the byte where that is exact, by their pixels elsewhere; anything else to the byte.
    """
    picture = None if exact else pixels
    unpack = {"gz": gunzip, "npz": members, "png": picture, "gif": picture}.get(name.rpartition(".")[2])
    if unpack is None or stored == fresh:
        return stored == fresh
    try:
        expected = unpack(fresh, MOST)
        return unpack(stored, len(expected) + 1) == expected  # not more, whatever it claims to hold
    except Exception:  # what is stored can be damaged in many ways
        return False


def stale_files(folder: Path, export: Callable[[Path], object], surplus: Callable[[str], bool]) -> list[str]:
    """Return a line for each file in a folder that ``export(another folder)`` makes otherwise, or no longer makes.

    Files that the export does not make are named where ``surplus`` says so of their name. Nothing is written in
    the folder itself.
    """
    with TemporaryDirectory() as temporary:
        export(Path(temporary))
        fresh = {path.name: path.read_bytes() for path in Path(temporary).iterdir()}
    lines = [f"{path}: no longer made" for path in folder.glob("*") if path.name not in fresh and surplus(path.name)]
    for name, content in fresh.items():
        if not (path := folder / name).is_file():
            lines.append(f"{path}: missing")
        elif not same(name, path.read_bytes(), content):
            lines.append(f"{path}: stale")
    return sorted(lines)
