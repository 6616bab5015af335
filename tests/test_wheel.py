"""Installed from a wheel, every command works from an empty folder, or says in one line that it needs the clone."""

import os
import shutil
import subprocess
import sys
import tomllib
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

import clocklab
from clocklab.__main__ import _parser

ROOT = Path(__file__).parents[1]
CASE = ROOT / "tests" / "cases" / "sawtooth_official_sample.in"
TEETH = "111111111000100010001000100010001000"
COMMANDS = {
    ("solve", "--notation", "hours", "clocks.txt"): "4 5 8 9\n",
    ("sawtooth", str(CASE)): "6\n",
    ("moves", "AB BC CA", "--hours", "5", "--solve", "100"): "presses ",
    ("sawtooth-board", TEETH): "teeth ",
    ("survey", "--boards", "3", "--seed", "1", "--teeth", "34", "-o", "survey.csv"): "",
    ("tables", "out", "--only", "sawtooth_classes.npz", "sawtooth_reach.csv", "sawtooth_hardest.csv"): "",
    ("figures", "out", "--only", "front", "census_spoilers"): "",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this project, built from what belongs in it."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in "pyproject.toml", "README.md", "LICENSE":
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "clocklab", source / "clocklab", ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "-w", str(target), str(source)], check=True, capture_output=True)
    [path] = target.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    with ZipFile(wheel) as archive:
        archive.extractall(folder := tmp_path_factory.mktemp("site"))
    return folder


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the wheel as the installed script does: without the current folder among the modules."""
    environment = os.environ | {"PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "clocklab", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_every_command_works_from_an_empty_folder(arguments, installed, tmp_path):
    (tmp_path / "clocks.txt").write_text("9 9 12 6 6 6 6 3 6")
    ended = run(installed, tmp_path, *arguments)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(COMMANDS[arguments])
    if "out" in arguments:
        assert len(list((tmp_path / "out").iterdir())) == len(arguments) - 3


@pytest.mark.parametrize("name", ["census", "hardest"])
def test_the_longest_runs_begin(name, installed, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "clocklab", name, "--workers", "1", "-o", "run"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=-1, stderr=-1) as process:
        while not list((tmp_path / "run").rglob("run")):
            assert process.poll() is None
        process.send_signal(2)
        assert process.communicate() == (b"", b"")
    assert process.returncode == 130


def test_notebooks_need_a_clone_and_say_so(installed, tmp_path):
    ended = run(installed, tmp_path, "notebooks")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "clocklab: 01_eighteen_bits: no such notebook; the project's come with a clone of it\n"


def test_no_command_is_left_out():
    [commands] = [action.choices for action in _parser()._actions if isinstance(action.choices, dict)]
    assert set(commands) == {arguments[0] for arguments in COMMANDS} | {"census", "hardest", "notebooks"}


@pytest.mark.parametrize(
    ("missing", "arguments"),
    [
        ("nbclient", ("notebooks",)),
        ("matplotlib", ("figures", "--list")),
        ("sympy", ("moves",)),
        ("scipy", ("tables", "out", "--only", "sawtooth_turns.csv")),
    ],
)
def test_a_library_that_is_missing_is_named_with_the_extra(missing, arguments, installed, tmp_path):
    program = f"import sys; sys.modules[{missing!r}] = None; from clocklab.__main__ import main; sys.exit(main())"
    environment = os.environ | {"PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", program, *arguments]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    line = f"clocklab: {missing} is not installed: pip install 'clocklab[notebooks]' installs all that is needed\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", line)


def test_the_version_is_the_same_everywhere(wheel, installed, tmp_path):
    with ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = message_from_bytes(archive.read(name))
    assert metadata["Version"] == clocklab.__version__
    assert metadata["Author"]
    assert run(installed, tmp_path, "--version").stdout == f"clocklab {clocklab.__version__}\n"
    assert f"version: {clocklab.__version__}" in (ROOT / "CITATION.cff").read_text()


def test_the_notebooks_extra_is_what_only_the_runner_imports():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    base = {line.partition(">")[0] for line in project["dependencies"]}
    assert not base & {"jupyterlab", "nbclient", "nbformat", "traitlets"}
