"""The check of stored notebooks: what it must catch, and what it must let pass."""

import base64
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from command import Ended, refused, run
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from PIL import Image

from clocklab import notebooks
from clocklab.exports import checks
from clocklab.notebooks import NotebookError
from clocklab.plumbing.output import npz

SOURCES = [
    "import os\nimport matplotlib.pyplot as plt\nprint(6 * 7)\nprint('second line')",
    "plt.figure(figsize=(1, 1))\nplt.plot([0, 1])\nplt.show()",
    "",
    "os.path.basename(os.getcwd()), os.environ.get('PYTHONHASHSEED')",
    "raise ValueError('shown on purpose')",
]
KEPT = {"tags": ["raises-exception"], "jupyter": {"source_hidden": True}}  # what an author says about a cell


def write(path: Path, sources: list[str]) -> Path:
    cells = [new_code_cell(source, id=f"code-{i}") for i, source in enumerate(sources)]
    for cell in cells:
        cell.metadata.update(KEPT if "on purpose" in cell.source else {})
    path.write_bytes(notebooks.content(new_notebook(cells=[new_markdown_cell("# Try", id="title"), *cells])))
    return path


def projects(patch: pytest.MonkeyPatch, *paths: Path) -> None:
    """Have these notebooks, all in one folder, counted as the project's."""
    patch.setattr(notebooks, "HOME", paths[0].parent)
    patch.setattr(notebooks, "NAMES", tuple(path.stem for path in paths))


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook as a run left it, made among settings of the reader's own that must not show."""
    path = write(tmp_path_factory.mktemp("own") / "01_try.ipynb", SOURCES)
    (path.parent / "home").mkdir()
    for folder in path.parent, path.parent / "home":
        (folder / "matplotlibrc").write_text("lines.linewidth: 20\n")
    with pytest.MonkeyPatch.context() as patch:
        projects(patch, path)
        patch.setenv("MATPLOTLIBRC", str(path.parent / "home"))
        patch.setenv("MPLBACKEND", "agg")
        patch.setenv("PYTHONHASHSEED", "0")
        notebooks.rerun([str(path)])
    return path


@pytest.fixture(scope="module")
def fresh(stored: Path) -> notebooks.NotebookNode:
    return notebooks.normalised(notebooks.run(stored))


def test_two_runs_give_the_same_bytes(stored: Path, fresh: notebooks.NotebookNode) -> None:
    assert stored.read_bytes() == notebooks.content(fresh)


def test_a_run_stores_counts_outputs_and_constant_metadata_alone(stored: Path) -> None:
    notebook = json.loads(stored.read_text())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["metadata"].keys() == {*notebooks.METADATA, "clocklab"}
    assert notebook["metadata"].items() >= notebooks.METADATA.items()
    assert [cell["execution_count"] for cell in code] == [1, 2, None, 3, 4]
    assert [cell["metadata"] for cell in code] == [{}, {}, {}, {}, KEPT]
    assert code[0]["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["42\n", "second line\n"]}]
    assert "image/png" in code[1]["outputs"][0]["data"]
    assert code[3]["outputs"][0]["data"]["text/plain"] == [f"('{stored.parent.name}', None)"]


def change_number(cells: list[dict]) -> None:
    cells[1]["outputs"][0]["text"][0] = "43\n"


def add_a_line(cells: list[dict]) -> None:
    cells[1]["outputs"][0]["text"].append("third line")


def cut_a_line(cells: list[dict]) -> None:
    cells[1]["outputs"][0]["text"].pop()


def strip_everything(cells: list[dict]) -> None:
    for cell in cells[1:]:
        cell["outputs"], cell["execution_count"] = [], None


def strip_an_output(cells: list[dict]) -> None:
    cells[4]["outputs"] = []


def change_a_pixel(cells: list[dict]) -> None:
    data = cells[2]["outputs"][0]["data"]
    with Image.open(io.BytesIO(base64.b64decode(data["image/png"]))) as picture:
        picture.putpixel((5, 5), (0, 0, 0, 255))
        file = io.BytesIO()
        picture.save(file, "png")
    data["image/png"] = base64.b64encode(file.getvalue()).decode()


def break_the_picture(cells: list[dict]) -> None:
    cells[2]["outputs"][0]["data"]["image/png"] = "not base64!"


def replace_the_picture(cells: list[dict]) -> None:
    cells[2]["outputs"][0]["data"]["image/png"] = "AAAA"


def delete_the_picture(cells: list[dict]) -> None:
    del cells[2]["outputs"][0]["data"]["image/png"]


def add_an_output(cells: list[dict]) -> None:
    cells[1]["outputs"].append({"output_type": "stream", "name": "stdout", "text": "more\n"})


def add_an_output_to_an_empty_cell(cells: list[dict]) -> None:
    cells[3]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "more\n"}]


def rename_the_stream(cells: list[dict]) -> None:
    cells[1]["outputs"][0]["name"] = "stderr"


def change_the_error(cells: list[dict]) -> None:
    cells[5]["outputs"][0]["evalue"] = "another"


def count_wrongly(cells: list[dict]) -> None:
    cells[2]["execution_count"] = 7


def count_the_result_wrongly(cells: list[dict]) -> None:
    cells[4]["outputs"][0]["execution_count"] = 7


def change_the_size_of_the_picture(cells: list[dict]) -> None:
    cells[2]["outputs"][0]["metadata"] = {"image/png": {"width": 9}}


def change_the_prose(cells: list[dict]) -> None:
    cells[0]["source"] = "# Try 2"


def change_the_code(cells: list[dict]) -> None:
    cells[3]["source"] = "# a comment"


TAMPERED: dict[Callable[[list[dict]], None], tuple[str, ...]] = {
    change_number: ("cell [1]", "stdout differs: '43' is stored, the run gives '42'"),
    add_a_line: ("cell [1]", "stdout differs: 'third line' is stored, the run gives ''"),
    cut_a_line: ("cell [1]", "stdout differs: '' is stored, the run gives 'second line'"),
    strip_everything: ("cell [1]", "count differs: 'None' is stored, the run gives '1'"),
    strip_an_output: ("cell [3]", "nothing is stored, the run gives execute_result"),
    change_a_pixel: ("cell [2]", "image/png differs"),
    break_the_picture: ("cell [2]", "image/png differs"),
    replace_the_picture: ("cell [2]", "image/png differs"),
    delete_the_picture: ("cell [2]", "text/plain is stored, the run gives image/png"),
    add_an_output: ("cell [1]", "stdout is stored, the run gives nothing"),
    add_an_output_to_an_empty_cell: ("cell [ ]", "stdout is stored, the run gives nothing"),
    rename_the_stream: ("cell [1]", "stderr is stored, the run gives stdout"),
    change_the_error: ("cell [4]", "error differs: 'another' is stored, the run gives 'shown on purpose'"),
    count_wrongly: ("cell [2]", "count differs: '7' is stored, the run gives '2'"),
    change_the_size_of_the_picture: (
        "cell [2]", "metadata differs: \"{'image/png': {'width': 9}}\" is stored, the run gives '{}'",
    ),
    change_the_prose: ("its text or code is not what was stored when it was run",),
    change_the_code: ("its text or code is not what was stored when it was run",),
    count_the_result_wrongly: ("cell [3]", "execute_result differs: '7' is stored, the run gives '3'"),
}


def altered(stored: Path, folder: Path, alter: Callable[[list[dict]], None]) -> Path:
    """Return a copy of the stored notebook, altered as by hand: as JSON."""
    notebook = json.loads(stored.read_text())
    alter(notebook["cells"])
    (path := folder / stored.name).write_text(json.dumps(notebook))
    return path


@pytest.mark.parametrize("alter", TAMPERED, ids=lambda alter: alter.__name__)
def test_a_tampered_output_is_named(
    stored: Path, fresh: notebooks.NotebookNode, tmp_path: Path, alter: Callable[[list[dict]], None]
) -> None:
    tampered = notebooks.read(altered(stored, tmp_path, alter))
    rerun = deepcopy(fresh)  # what a run of the tampered notebook gives: its own sources, and here the same outputs
    for old, new in zip(tampered.cells, rerun.cells, strict=True):
        new.source = old.source
    found = notebooks.differences("01", tampered, notebooks.normalised(rerun))
    assert found[0] == ": ".join(("01", *TAMPERED[alter]))


def test_a_run_keeps_what_an_author_says_about_a_cell(fresh: notebooks.NotebookNode) -> None:
    assert fresh.cells[-1].metadata == KEPT


def test_what_jupyterlab_changes_in_saving_is_accepted(
    stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor keeps outputs and changes metadata; the check that runs the notebook itself lets that pass."""
    notebook = json.loads(stored.read_text())
    notebook["metadata"]["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
    notebook["metadata"]["language_info"] = {"name": "python", "version": "3.99.0", "file_extension": ".py"}
    notebook["cells"][1]["metadata"] = {
        "execution": {"iopub.status.busy": "2030-01-01T00:00:00Z"}, "collapsed": False, "trusted": True,
        "scrolled": True,
    }  # fmt: skip
    notebook["cells"][1]["outputs"][0]["text"] = "".join(notebook["cells"][1]["outputs"][0]["text"])
    folder = tmp_path / stored.parent.name  # the last cell shows the folder's name
    folder.mkdir()
    saved = folder / stored.name
    saved.write_text(json.dumps(notebook, indent=4))
    projects(monkeypatch, saved)
    before = saved.read_bytes()
    assert notebooks.stale([str(saved)]) == []
    assert saved.read_bytes() == before
    notebooks.rerun([str(saved)])
    assert saved.read_bytes() == stored.read_bytes()


def test_a_notebook_that_raises_keeps_its_file_and_is_named_with_its_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failing = write(tmp_path / "02_failing.ipynb", ["print(1)", "raise ValueError('no such dial\\nsecond line')"])
    working = write(tmp_path / "03_working.ipynb", ["print(1)"])
    projects(monkeypatch, failing, working)
    before = failing.read_bytes(), working.read_bytes()
    line = "02_failing.ipynb: cell [2]: ValueError: no such dial"
    other = "its text or code is not what was stored when it was run"
    assert run("notebooks", "--check") == Ended(1, f"{line}\n03_working.ipynb: {other}\n", "")
    assert (failing.read_bytes(), working.read_bytes()) == before
    assert refused(run("notebooks")) == line
    assert failing.read_bytes() == before[0]
    assert working.read_bytes() != before[1]
    assert run("notebooks", "03") == Ended(0, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == [failing.name, working.name]


def test_what_is_printed_bit_by_bit_is_one_output(tmp_path: Path) -> None:
    slow = write(tmp_path / "slow.ipynb", ["import time\nprint(1, flush=True)\ntime.sleep(0.5)\nprint(2)"])
    assert [output.text for output in notebooks.run(slow).cells[-1].outputs] == ["1\n2\n"]


def test_an_assertion_is_named_with_its_line(tmp_path: Path) -> None:
    failing = write(tmp_path / "failing.ipynb", ["dials = 9\nassert dials\nassert dials == 8\n"])
    with pytest.raises(NotebookError, match=r"cell \[1\]: AssertionError: assert dials == 8$"):
        notebooks.run(failing)


def test_a_kernel_that_dies_is_one_line(tmp_path: Path) -> None:
    dying = write(tmp_path / "dying.ipynb", ["import os\nos._exit(3)"])
    with pytest.raises(NotebookError, match=r"dying.ipynb: cell \[1\]: Kernel died$"):
        notebooks.run(dying)


@pytest.mark.skipif(os.name != "posix", reason="this system has no signals of this kind")
def test_ctrl_c_waits_for_no_cell_and_keeps_the_file(tmp_path: Path) -> None:
    slow = write(tmp_path / "slow.ipynb", ["import pathlib, time\npathlib.Path('begun').touch()\ntime.sleep(100)"])
    before = slow.read_bytes()
    command = [sys.executable, "-m", "clocklab", "notebooks", str(slow), str(slow)]
    process = subprocess.Popen(command, stdout=-1, stderr=-1, start_new_session=True)
    while not (tmp_path / "begun").exists():
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=30) == (b"", b"")
    assert process.returncode == 130
    assert slow.read_bytes() == before


def test_notebooks_are_found_by_number_name_and_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path.parent)
    path = write(tmp_path / "04_move_matrix.ipynb", [])
    other = write(tmp_path / "05_sawtooth_gears.ipynb", [])
    projects(monkeypatch, path, other)
    relative = f"{tmp_path.name}/04_move_matrix.ipynb"
    for name in "04", "04_move_matrix", "04_move_matrix.ipynb", relative, str(path):
        assert notebooks.find(name).resolve() == path
    assert notebooks.everything() == [path, other]
    for name in "4", "0", "06", "", "06.ipynb", "*", "/04", "04_", "04_move":
        with pytest.raises(NotebookError, match=r"no such notebook; there are: 04_move_matrix, 05_sawtooth_gears$"):
            notebooks.find(name)


HALF = notebooks.content(new_notebook(cells=[new_code_cell("'half'", id="half")])).replace(b"half'", b"\\ud800'")


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"{}", b"\xff\xfe", b'{"nbformat": 4, "cells": [1]}', b"null", HALF]
)
def test_what_is_no_notebook_is_one_line(tmp_path: Path, text: bytes) -> None:
    (path := tmp_path / "no.ipynb").write_bytes(text)
    with pytest.raises(NotebookError, match=r"no.ipynb: not a notebook of format 4$"):
        notebooks.read(path)


def test_a_folder_without_notebooks_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "HOME", tmp_path)
    with pytest.raises(NotebookError, match="01_eighteen_bits: no such notebook"):
        notebooks.stale()


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NotebookError, match=r"none.ipynb: No such file or directory$"):
        notebooks.read(tmp_path / "none.ipynb")


def test_elsewhere_pixels_are_compared() -> None:
    def png(colour: tuple[int, int, int], level: int) -> bytes:
        Image.new("RGB", (40, 40), colour).save(file := io.BytesIO(), "png", compress_level=level)
        return file.getvalue()

    once, again, other = png((1, 2, 3), 0), png((1, 2, 3), 9), png((1, 2, 4), 9)
    assert once != again
    assert checks.same("a.png", once, again, exact=False)
    assert not checks.same("a.png", once, again, exact=True)
    assert not checks.same("a.png", once, other, exact=False)
    assert not checks.same("a.png", once, b"no picture", exact=False)
    Image.open(io.BytesIO(once)).resize((80, 20)).save(wide := io.BytesIO(), "png")
    assert not checks.same("a.png", once, wide.getvalue(), exact=False)


def test_packed_tables_are_compared_unpacked() -> None:
    packed = [zlib.compress(b"a\n" * 100, level, wbits=31) for level in (0, 9)]
    assert packed[0] != packed[1]
    assert checks.same("a.csv.gz", *packed)
    assert not checks.same("a.csv.gz", packed[0], zlib.compress(b"b\n" * 100, wbits=31))
    assert not checks.same("a.csv.gz", packed[0], packed[0][:-9])
    assert not checks.same("a.csv", b"1\n", b"2\n")
    numbers = np.arange(100)
    np.savez(plain := io.BytesIO(), numbers=numbers)
    assert checks.same("a.npz", plain.getvalue(), npz({"numbers": numbers}))
    assert not checks.same("a.npz", plain.getvalue(), npz({"numbers": numbers + 1}))
    assert not checks.same("a.npz", plain.getvalue(), plain.getvalue()[:-9])


def test_stale_missing_and_surplus_exports_are_named(tmp_path: Path) -> None:
    def export(folder: Path) -> None:
        for name in "same.csv", "stale.csv", "missing.csv":
            (folder / name).write_text(name)

    export(tmp_path)
    assert checks.stale_files(tmp_path, export, lambda name: name.endswith((".csv", ".npz"))) == []
    (tmp_path / "missing.csv").unlink()
    (tmp_path / "stale.csv").write_text("changed by hand")
    (tmp_path / "surplus.npz").write_text("")
    (tmp_path / "README.md").write_text("not an export")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert checks.stale_files(tmp_path, export, lambda name: name.endswith((".csv", ".npz"))) == [
        f"{tmp_path / 'missing.csv'}: missing",
        f"{tmp_path / 'stale.csv'}: stale",
        f"{tmp_path / 'surplus.npz'}: no longer made",
    ]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert len(checks.stale_files(tmp_path, export, lambda _: False)) == 2
    assert len(checks.stale_files(tmp_path / "nowhere", export, lambda _: False)) == 3


@pytest.mark.parametrize(("command", "name"), [("tables", "clock_inverse.csv"), ("figures", "clock_bits.png")])
def test_exports_are_checked_by_command(tmp_path: Path, command: str, name: str) -> None:
    only = ("--only", name.removesuffix(".png"))
    assert run(command, str(tmp_path), *only) == Ended(0, "", "")
    assert run(command, str(tmp_path), "--check", *only) == Ended(0, "", "")
    (path := tmp_path / name).write_bytes(path.read_bytes() + b"0")
    assert run(command, str(tmp_path), "--check", *only) == Ended(1, f"{path}: stale\n", "")


def title(path: Path) -> str:
    return notebooks.read(path).cells[0].source.partition("\n")[0].removeprefix("# ")


@pytest.mark.parametrize("path", notebooks.everything(), ids=lambda path: path.stem)
def test_a_stored_notebook_is_one_clean_run_in_the_common_frame(path: Path) -> None:
    cells = notebooks.read(path).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert all(output.output_type != "error" for cell in code for output in cell.outputs)
    assert not [cell.source for cell in code if re.search(r"^\s*[%!]", cell.source, re.MULTILINE)]
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert re.match(r"# [A-Z].+\n\n> [^\n]+\?\n\n", text), "a title, and the question as a quotation"
    assert re.findall(r"^## (.+)", text, re.MULTILINE)[-3:] == ["Facts", "On your own", "Roads not taken"]
    links = dict(re.findall(r"\[([^]]+)\]\((\d\d_\w+\.ipynb)\)", cells[-1].source))
    titles = {title(other): other.name for other in notebooks.everything()}
    names = list(titles.values())
    here = names.index(path.name)
    assert links.items() <= titles.items()
    assert set(links.values()) >= {*names[:here][-1:], *names[here + 1 :][:1]}


def test_a_name_with_a_folder_is_that_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "HOME", tmp_path)
    write(tmp_path / "04_move_matrix.ipynb", [])
    with pytest.raises(NotebookError, match="no such notebook"):
        notebooks.find(str(tmp_path / "nowhere" / "04_move_matrix.ipynb"))


def test_no_tag_and_no_setting_spares_a_cell_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    skipped = write(tmp_path / "skipped.ipynb", ["assert 1 == 2"])
    notebook = json.loads(skipped.read_text())
    notebook["cells"][-1]["metadata"]["tags"] = ["skip-execution"]
    skipped.write_text(json.dumps(notebook))
    with pytest.raises(NotebookError, match="AssertionError: assert 1 == 2"):
        notebooks.run(skipped)


def test_a_figure_of_ours_is_shown_once_and_leaves_plots_of_the_readers_own_as_they_are(tmp_path: Path) -> None:
    ours, own = "figures.clocks.readings()", "plt.plot([0, 1]);"
    sources = ["import matplotlib.pyplot as plt\nfrom clocklab.exports import figures", own, ours, own, ours]
    cells = notebooks.run(write(tmp_path / "own.ipynb", sources)).cells[2:]
    kinds = [[output.output_type for output in cell.outputs] for cell in cells]
    assert kinds == 2 * [["display_data"], ["execute_result"]]
    first, second = cells[1].outputs[0], cells[3].outputs[0]
    assert first.data == second.data
    assert first.metadata["image/png"] == {"alt": first.data["text/plain"], "width": 726}


def test_a_copy_beside_the_notebooks_is_run_when_named_and_else_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "04_move_matrix.ipynb", [])
    projects(monkeypatch, path)
    names = "04_move_matrix-Copy1.ipynb", "COPY.ipynb", "Untitled.ipynb", "01_mine.ipynb"
    copies = [write(tmp_path / name, ["1"]) for name in names]
    assert notebooks.everything() == [path]
    assert [notebooks.find(str(copy)) for copy in copies] == copies


def foreign(path: Path, sources: list[str], **changes: object) -> Path:
    """Write a notebook as somebody else's program might: with metadata of its own everywhere."""
    notebook = json.loads(write(path, sources).read_text())
    notebook["metadata"] = {
        "title": "Mine", "authors": [{"name": "Me"}], "jupytext": {"formats": "ipynb,py"},
        "kernelspec": {"display_name": "My Python", "language": "python", "name": "my-python"},
        "language_info": {"name": "python", "version": "3.9.1"},
    }  # fmt: skip
    notebook["cells"][1]["metadata"] = {"jupyter": {"source_hidden": True}, "collapsed": True, "tags": ["mine"]}
    notebook.update(changes)
    path.write_text(json.dumps({key: value for key, value in notebook.items() if value is not None}))
    return path


def test_a_notebook_that_is_not_the_projects_keeps_all_its_metadata(tmp_path: Path) -> None:
    path = foreign(tmp_path / "mine.ipynb", ["6 * 7"])
    before = json.loads(path.read_text())
    assert run("notebooks", str(path)) == Ended(0, "", "")
    after = json.loads(path.read_text())
    assert after["metadata"] == before["metadata"]
    assert [cell["metadata"] for cell in after["cells"]] == [cell["metadata"] for cell in before["cells"]]
    assert after["cells"][1]["outputs"][0]["data"] == {"text/plain": ["42"]}
    assert run("notebooks", "--check", str(path)) == Ended(0, "", "")


R = {"kernelspec": {"display_name": "R", "language": "R", "name": "ir"}, "language_info": {"name": "R"}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nbformat": None}, "not a notebook of format 4"),
        ({"nbformat": 1}, "not a notebook of format 4"),
        ({"nbformat": 3}, "not a notebook of format 4"),
        ({"nbformat": "4"}, "not a notebook of format 4"),
        ({"metadata": R}, "expected a notebook in Python, this one is in R"),
        ({"metadata": {"kernelspec": R["kernelspec"]}}, "expected a notebook in Python, this one is in R"),
    ],
)
def test_what_cannot_be_run_as_it_stands_is_refused_and_kept(tmp_path: Path, changes: dict, message: str) -> None:
    path = foreign(tmp_path / "foreign.ipynb", ["6 * 7"], **changes)
    before = path.read_bytes()
    assert refused(run("notebooks", str(path))) == f"{path}: {message}"
    assert path.read_bytes() == before


def test_what_cannot_be_stored_is_one_line(tmp_path: Path) -> None:
    path = write(tmp_path / "raw.ipynb", ["display({'text/plain': 5}, raw=True)"])
    assert refused(run("notebooks", str(path))) == f"{path}: cell [1]: 5 is not valid under any of the given schemas"


@pytest.mark.skipif(os.name != "posix", reason="this system closes no streams like this")
def test_a_run_needs_no_home_no_streams_and_leaves_no_files(tmp_path: Path) -> None:
    """Where the home cannot be written matplotlib and Jupyter complain, and without streams the kernel dies."""
    path = write(tmp_path / "plot.ipynb", ["import matplotlib.pyplot as plt\nplt.plot([0, 1]);"])
    (temporary := tmp_path / "temporary").mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "MPL", "XDG", "IPY"))}
    environment = kept | {"HOME": "/dev/null/none", "TMPDIR": str(temporary)}
    line = f"{sys.executable} -m clocklab notebooks {path} <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", line], env=environment, check=False).returncode == 0
    assert [output.output_type for output in notebooks.read(path).cells[-1].outputs] == ["display_data"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plot.ipynb", "temporary"]
    assert list(temporary.iterdir()) == []
