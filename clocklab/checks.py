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


def stale_files(folder: Path, export: Callable[[Path], object], surplus: Callable[[str], bool]) -> list[str]:
    """Return a line for each file in a folder that ``export(another folder)`` makes otherwise, or makes no more.

    Files that the export does not make are named where ``surplus`` says so of their name. Nothing is written in
    the folder itself.
    """
    with TemporaryDirectory() as temporary:
        export(Path(temporary))
        fresh = {path.name: path.read_bytes() for path in Path(temporary).iterdir()}
    lines = [f"{folder / name}: {_verdict(folder / name, content)}" for name, content in fresh.items()]
    others = [path for path in folder.glob("*") if path.name not in fresh and surplus(path.name)]
    return sorted([line for line in lines if not line.endswith(": ")] + [f"{path}: made no more" for path in others])


def _verdict(path: Path, fresh: bytes) -> str:
    if not path.is_file():
        return "missing"
    return "" if same(path.name, path.read_bytes(), fresh) else "stale"
