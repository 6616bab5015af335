"""Notebooks are run in a kernel of their own, kept as that run left them, and checked against another run."""

import asyncio
import atexit
import base64
import os
import re
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, CellExecutionError
from nbformat import NotebookNode
from tqdm import tqdm
from traitlets.config import Config

from clocklab.exports.checks import same
from clocklab.plumbing.errors import ClocklabError
from clocklab.plumbing.output import write_whole
from clocklab.plumbing.work import undisturbed

HOME = Path(__file__).resolve().parents[1] / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
NOISE = ("collapsed", "execution", "scrolled", "trusted")  # what editors add to a cell
SECONDS = 600  # the longest that one cell may take
KERNELS = 2  # notebooks run side by side
UNDER_WAY: set[NotebookClient] = set()  # what runs the notebooks now


class NotebookError(ClocklabError):
    """A notebook that cannot be found, read or run to its end; the message is one line a notebook."""


def find(name: str) -> Path:
    """Return the path of the notebook called `04`, `04_move_matrix`, or by its path; NotebookError without one."""
    if (path := Path(name)).suffix == ".ipynb":
        candidates = [path if path.exists() or path.name != name else HOME / name]
    else:
        candidates = [path for path in everything() if name in (path.stem, path.stem.partition("_")[0])]
    if len(candidates) != 1 or not candidates[0].is_file():
        known = ", ".join(path.stem for path in everything()) or "none"
        raise NotebookError(f"{name}: no such notebook; there are: {known}")
    return candidates[0]


def everything() -> list[Path]:
    """Return the paths of the project's notebooks, in reading order, without copies of a reader's own."""
    return sorted(path for path in HOME.glob("*.ipynb") if re.fullmatch(r"\d\d_\w+", path.stem))


def read(path: Path) -> NotebookNode:
    """Return the notebook stored in a file; NotebookError where there is none."""
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        content(notebook)  # half of a character, "\ud800", can be read but not be run or written
    except OSError as error:
        raise NotebookError(f"{_shown(path)}: {error.strerror}") from error
    except Exception as error:  # nbformat fails in many ways on what is not a notebook
        raise NotebookError(f"{_shown(path)}: not a notebook of format 4") from error
    return notebook


def run(path: Path) -> NotebookNode:
    """Return the notebook as a run in a new kernel leaves it; the file stays as it is.

    The working folder is the notebook's own, and the reader's own IPython and matplotlib settings are left
    out. NotebookError names the cell that raises.
    """
    notebook = _without_outputs(read(path))
    with TemporaryDirectory() as empty:
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            skip_cells_with_tag="",  # no cell is left out
            resources={"metadata": {"path": str(path.resolve().parent)}},
            config=Config(KernelManager={"transport_encryption": "auto"}),
        )
        try:
            UNDER_WAY.add(client)
            with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as loop:  # Windows has another default
                loop.run(client.async_execute(env=_environment(empty)))
        except (CellControlSignal, RuntimeError) as error:  # it raises, takes too long, or the kernel dies
            reason = _reason(error) if isinstance(error, CellExecutionError) else str(error)
            line = reason.partition("\n")[0]
            raise NotebookError(f"{_shown(path)}: cell [{client.code_cells_executed}]: {line}") from error
        finally:
            UNDER_WAY.discard(client)
            atexit.unregister(client._cleanup_kernel)  # it stays behind, and fails, where a kernel dies at its start
    notebook.metadata = nbformat.from_dict(METADATA)
    return notebook


def _reason(error: CellExecutionError) -> str:
    """Return what was raised, and the line of the cell that raised it where nothing else is said."""
    line = re.search(r"^-+> *\d+ +(.*)", re.sub(r"\x1b\[[\d;]*m", "", error.traceback), re.MULTILINE)
    return f"{error.ename}: {error.evalue or (line[1] if line else '')}"


def _without_outputs(notebook: NotebookNode) -> NotebookNode:
    for cell in notebook.cells:
        for key in NOISE:
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


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

    def store(path: Path) -> list[str]:
        write_whole(path, content(run(path)))
        return []

    if failures := _each(names, store, "notebooks"):
        raise NotebookError("\n".join(failures))


def stale(names: Iterable[str] = ()) -> list[str]:
    """Return a line for each cell of the named notebooks, or of all, that a run in memory gives otherwise.

    Nothing is written. Sources, counts, texts and pictures count; what editors change in the metadata does not.
    """
    return _each(names, lambda path: differences(_shown(path), read(path), run(path)), "checking")


def _each(names: Iterable[str], work: Callable[[Path], list[str]], title: str) -> list[str]:
    """Return the lines that work on each notebook gives, or the one that says why it failed."""

    def lines(path: Path) -> list[str]:
        try:
            return work(path)
        except NotebookError as error:
            return [str(error)]

    paths = [find(name) for name in names] or everything()
    if not paths:
        raise NotebookError(f"{HOME}: no notebooks here; the project's are run from a clone of it")
    pool = ThreadPoolExecutor(KERNELS)  # each thread only waits for a kernel, which is a process
    futures = [pool.submit(lines, path) for path in paths]
    try:
        return [line for future in tqdm(futures, title, leave=False, disable=None) for line in future.result()]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        undisturbed(_kill_kernels, futures)


def _kill_kernels(futures: list[Future[list[str]]]) -> None:
    """End the kernels at once that are left after Ctrl-C or a full disk, so that nobody waits for their cells."""
    while not all(future.done() for future in futures):
        for client in UNDER_WAY.copy():
            process = getattr(getattr(client.km, "provisioner", None), "process", None)
            if process:  # none before its start and after its end
                process.kill()
        time.sleep(0.1)


def differences(file: str, stored: NotebookNode, fresh: NotebookNode) -> list[str]:
    """Return a line for each cell that shows something else in a stored notebook than in a fresh run of it."""
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
