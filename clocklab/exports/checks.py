"""Whether what is stored still is what the code makes: texts, pictures, and whole folders of exports."""

import gzip
import platform
import sys
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

# The stored pictures were made on Linux x86-64, and there every run gives the same bytes; another machine may
# pack the same pixels differently.
EXACT = sys.platform == "linux" and platform.machine() == "x86_64"


def members(archive: bytes) -> dict[str, bytes]:
    """Return the unpacked files of a zip archive, such as an ``.npz``, by name."""
    with ZipFile(BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def pixels(image: bytes) -> bytes:
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
    unpacked = {"gz": gzip.decompress, "npz": members, "png": picture, "gif": picture}
    unpack = unpacked.get(name.rpartition(".")[2])
    if unpack is None or stored == fresh:
        return stored == fresh
    try:
        return unpack(stored) == unpack(fresh)
    except (OSError, EOFError, ValueError, BadZipFile, zlib.error):
        return False


def stale_files(folder: Path, export: Callable[[Path], object], surplus: Callable[[str], bool]) -> list[str]:
    """Return a line for each file in a folder that ``export(another folder)`` makes otherwise, or makes no more.

    Files that the export does not make are named where ``surplus`` says so of their name. Nothing is written in
    the folder itself.
    """
    with TemporaryDirectory() as temporary:
        export(Path(temporary))
        fresh = {path.name: path.read_bytes() for path in Path(temporary).iterdir()}
    lines = [f"{path}: made no more" for path in folder.glob("*") if path.name not in fresh and surplus(path.name)]
    for name, content in fresh.items():
        if not (path := folder / name).is_file():
            lines.append(f"{path}: missing")
        elif not same(name, path.read_bytes(), content):
            lines.append(f"{path}: stale")
    return sorted(lines)
