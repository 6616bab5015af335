"""Whether what is stored still is what the code makes: texts, pictures, and whole folders of exports."""

import gzip
import platform
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

# The stored files were made on Linux x86-64, and there every run gives the same bytes. Elsewhere compressors
# may pack the same pixels and the same text differently, so the unpacked contents are compared.
EXACT = sys.platform == "linux" and platform.machine() == "x86_64"


def pixels(image: bytes) -> bytes:
    """Return the decoded pixels of a PNG or JPEG image, preceded by its size."""
    from PIL import Image

    with Image.open(BytesIO(image)) as picture:
        return repr(picture.size).encode() + picture.convert("RGBA").tobytes()


def same(name: str, stored: bytes, fresh: bytes, exact: bool = EXACT) -> bool:
    """Return whether two contents of a file of this name say the same: to the byte, or once unpacked."""
    if exact or stored == fresh:
        return stored == fresh
    unpack = {"png": pixels, "gz": gzip.decompress}.get(name.rpartition(".")[2])
    try:
        return unpack is not None and unpack(stored) == unpack(fresh)
    except (OSError, EOFError, ValueError):
        return False


def stale_files(folder: Path, export: Callable[[Path], object], suffixes: str) -> list[str]:
    """Return a line for each file in `folder` that `export(another folder)` would change, add or not make.

    Only files with one of the suffixes (a space between them) count as exports; nothing in `folder` is written.
    """
    with TemporaryDirectory() as temporary:
        export(Path(temporary))
        fresh, stored = _contents(Path(temporary), suffixes), _contents(folder, suffixes)
    lines = [f"{folder / name}: missing" for name in sorted(fresh.keys() - stored.keys())]
    lines += [f"{folder / name}: no longer made by anything" for name in sorted(stored.keys() - fresh.keys())]
    both = sorted(fresh.keys() & stored.keys())
    return lines + [f"{folder / name}: stale" for name in both if not same(name, stored[name], fresh[name])]


def _contents(folder: Path, suffixes: str) -> dict[str, bytes]:
    paths = folder.iterdir() if folder.is_dir() else ()
    return {path.name: path.read_bytes() for path in paths if path.suffix in suffixes.split()}
