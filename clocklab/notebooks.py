"""Notebooks are run in a kernel of their own, kept as that run left them, and checked against another run."""

import base64
import json
import logging
import os
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from functools import partial
from hashlib import sha256
from itertools import product, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from traitlets.config import Config

from clocklab.exports.checks import same
from clocklab.plumbing.errors import ClocklabError
from clocklab.plumbing.output import write_whole
from clocklab.plumbing.work import as_finished, executor_for

HOME = Path(__file__).resolve().parents[1] / "notebooks"
NAMES = (
    "01_eighteen_bits", "02_state_graph", "03_distances", "04_move_matrix", "05_sawtooth_gears", "06_sawtooth_reach",
    "07_census",
)  # fmt: skip
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
NOISE = ("collapsed", "execution", "scrolled", "trusted")  # what editors add to a cell
SECONDS = 600  # the longest that one cell may take
KERNELS = 2  # notebooks run side by side


class NotebookError(ClocklabError):
    """A notebook that cannot be found, read or run to its end; the message is one line a notebook."""


def everything() -> list[Path]:
    """Return the paths of the project's notebooks, in reading order."""
    return [HOME / f"{name}.ipynb" for name in NAMES]


def find(name: str) -> Path:
    """Return the path of the notebook called `04`, `04_move_matrix`, or by its path; NotebookError without one."""
    if (path := Path(name)).suffix == ".ipynb":
        candidates = [path if path.exists() or path.name != name else HOME / name]
    else:
        candidates = [path for path in everything() if name in (path.stem, path.stem.partition("_")[0])]
    if len(candidates) != 1 or not candidates[0].is_file():
        known = f"there are: {', '.join(NAMES)}" if HOME.is_dir() else "the project's come with a clone of it"
        raise NotebookError(f"{name}: no such notebook; {known}")
    return candidates[0]


def read(path: Path) -> NotebookNode:
    """Return the notebook stored in a file; NotebookError where it is none that Python can run."""
    try:
        text = path.read_text("utf-8")
        notebook = nbformat.from_dict(json.loads(text))
        if notebook.nbformat != 4:  # nbformat itself would convert others, and lose what it does not know
            raise ValueError
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
        content(notebook)  # half of a character, "\ud800", can be read but not be run or written
    except OSError as error:
        raise NotebookError(f"{_shown(path)}: {error.strerror}") from error
    except Exception as error:  # nbformat fails in many ways on what is not a notebook
        raise NotebookError(f"{_shown(path)}: not a notebook of format 4") from error
    kernel = notebook.metadata.get("kernelspec", {})
    language = notebook.metadata.get("language_info", {}).get("name") or kernel.get("language") or kernel.get("name")
    if language and "python" not in language.lower():
        raise NotebookError(f"{_shown(path)}: expected a notebook in Python, this one is in {language}")
    return notebook


def run(path: Path, temporary: str | None = None) -> NotebookNode:
    """Return the notebook as a run in a new kernel leaves it; the file stays as it is.

    The working folder is the notebook's own, and the reader's own IPython and matplotlib settings are left
    out; the metadata stays. NotebookError names the cell that raises. ``temporary`` is the folder for the kernel's
    files.
    """
    notebook = read(path)
    metadata = deepcopy(notebook.metadata)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with TemporaryDirectory(dir=temporary, ignore_cleanup_errors=True) as empty:
        client = _client(notebook, path.resolve().parent, empty)
        try:
            client.execute(env=_environment(empty))
            content(notebook)
        except Exception as error:  # it raises, takes too long, shows what cannot be stored, or the kernel dies
            reason = _reason(error) if isinstance(error, CellExecutionError) else str(error)
            line = reason.partition("\n")[0]
            raise NotebookError(f"{_shown(path)}: cell [{client.code_cells_executed}]: {line}") from error
    notebook.metadata = metadata
    return notebook


def _client(notebook: NotebookNode, folder: Path, empty: str) -> NotebookClient:
    """Return what runs a notebook in a folder.

    The kernel starts, and matplotlib reads its settings, in an empty folder: settings beside the notebook come first.
    """
    start = f"__import__('matplotlib') and __import__('os').chdir({str(folder)!r})"
    kernel = {"transport_encryption": "auto", "connection_file": f"{empty}/kernel.json"}
    return NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        skip_cells_with_tag="",  # no cell is left out
        resources={"metadata": {"path": empty}},
        extra_arguments=[f"--IPKernelApp.exec_lines={start}", "--IPKernelApp.log_level=40"],
        config=Config(KernelManager=kernel),
    )


def normalised(notebook: Any) -> NotebookNode:
    """Return a run notebook as the project stores it: without what editors add, with a checksum of what was run."""
    for cell, key in product(notebook.cells, NOISE):
        cell.metadata.pop(key, None)
    sources = json.dumps([(cell.cell_type, cell.source) for cell in notebook.cells])
    notebook.metadata = nbformat.from_dict(METADATA | {"clocklab": {"sources": sha256(sources.encode()).hexdigest()}})
    return notebook


def _reason(error: CellExecutionError) -> str:
    """Return what was raised, and the line of the cell that raised it where nothing else is said."""
    line = re.search(r"^-+> *\d+ +(.*)", re.sub(r"\x1b\[[\d;]*m", "", error.traceback), re.MULTILINE)
    return f"{error.ename}: {error.evalue or (line[1] if line else '')}"


def _environment(empty: str) -> dict[str, str]:
    (Path(empty) / "matplotlibrc").touch()
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONHASHSEED", "PYTHONOPTIMIZE")}
    inline = "module://matplotlib_inline.backend_inline"
    return kept | {"IPYTHONDIR": empty, "MATPLOTLIBRC": empty, "MPLBACKEND": inline}


def content(notebook: NotebookNode) -> bytes:
    """Return a notebook as the bytes of its file."""
    return (nbformat.writes(notebook) + "\n").encode()


def rerun(names: Iterable[str] = ()) -> None:
    """Run the named notebooks, or all of them, and store each as its run left it.

    A notebook that fails keeps its old file; the others are stored, then NotebookError has a line for each failure.
    """
    failures = []
    for path, fresh in _each(names, "notebooks"):
        if isinstance(fresh, str):
            failures.append(fresh)
        else:
            write_whole(path, content(fresh))
    if failures:
        raise NotebookError("\n".join(sorted(failures)))


def stale(names: Iterable[str] = ()) -> list[str]:
    """Return a line for each cell of the named notebooks, or of all, that a run in memory gives otherwise.

    Nothing is written. Sources, counts, texts and pictures count; what editors change in the metadata does not.
    """
    lines: dict[str, list[str]] = {}
    for path, fresh in _each(names, "checking"):
        name = _shown(path)
        lines[name] = [fresh] if isinstance(fresh, str) else differences(name, read(path), fresh)
    return [line for name in sorted(lines) for line in lines[name]]


def _each(names: Iterable[str], title: str) -> Iterator[tuple[Path, NotebookNode | str]]:
    """Run notebooks in processes of their own, and yield each as it is to be stored, or the line why it failed."""
    paths = {path: path for path in map(find, names or NAMES)}
    _fill_font_cache()
    with TemporaryDirectory(ignore_cleanup_errors=True) as temporary, executor_for(min(KERNELS, len(paths))) as pool:
        for path, fresh in as_finished(partial(_run_or_reason, temporary), paths, pool, title):
            foreign = isinstance(fresh, str) or path.resolve() not in everything()
            yield path, fresh if foreign else normalised(fresh)


def _run_or_reason(temporary: str, path: Path) -> NotebookNode | str:
    os.environ["IPYTHONDIR"] = temporary  # or Jupyter would make one, and leave it, where the home is read-only
    try:
        return run(path, temporary)
    except NotebookError as error:
        return str(error)


def _fill_font_cache() -> None:
    """Make matplotlib's cache before a kernel does and complains; in a temporary folder if the home is read-only."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib.font_manager  # noqa: F401


def differences(file: str, stored: NotebookNode, fresh: NotebookNode) -> list[str]:
    """Return a line for each cell that shows something else in a stored notebook than in a fresh run of it."""
    if stored.metadata.get("clocklab") != fresh.metadata.get("clocklab"):
        return [f"{file}: its text or code is not what was stored when it was run"]
    pairs = ((old, new) for old, new in zip(stored.cells, fresh.cells, strict=True) if new.cell_type == "code")
    reasons = ((new.execution_count or " ", _difference(_parts(old), _parts(new))) for old, new in pairs)
    return [f"{file}: cell [{count}]: {reason}" for count, reason in reasons if reason]


def _parts(cell: NotebookNode) -> list[tuple[str, object]]:
    """Return what a cell shows, each part under a name: its count, then the texts and pictures of its outputs."""
    parts: list[tuple[str, object]] = [("count", cell.execution_count)]
    for output in cell.outputs:
        if output.output_type == "stream":
            parts.append((output.name, output.text))
        elif output.output_type == "error":
            parts.append(("error", output.evalue))
        else:
            parts += [(output.output_type, output.get("execution_count")), *sorted(output.data.items())]
            parts.append(("metadata", dict(output.metadata)))
    return parts


def _difference(stored: list[tuple[str, object]], fresh: list[tuple[str, object]]) -> str:
    """Return what the first difference between the parts of two cells is; empty where they show the same."""
    for (name, old), (other, new) in zip_longest(stored, fresh, fillvalue=("nothing", None)):
        if name != other:
            return f"{name} is stored, the run gives {other}"
        if name == "image/png" and not same(".png", _image(old), _image(new)):
            return f"{name} differs"
        if name != "image/png" and old != new:
            lines = zip_longest(str(old).split("\n"), str(new).split("\n"))
            before, after = next((pair for pair in lines if pair[0] != pair[1]), (old, new))
            return f"{name} differs: {before!r:.60} is stored, the run gives {after!r:.60}"
    return ""


def _image(text: object) -> bytes:
    try:
        return base64.b64decode("".join(str(text).split()), validate=True)
    except ValueError:
        return b""


def _shown(path: Path) -> str:
    path, here = path.resolve(), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
