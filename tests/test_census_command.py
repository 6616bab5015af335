"""The commands `clocklab census` and `clocklab sawtooth-board`."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from command import refused, run

from clocklab import sawtooth, search
from clocklab.studies import census, reach
from clocklab.studies.examples import SAMPLE

DATA = Path(__file__).parents[1] / "data"


def one_thread():
    return ThreadPoolExecutor(1)


def no_executor():
    return 36


@pytest.fixture
def stored_flags(monkeypatch):
    """Make the examination of a class a look at the stored census, for the real one takes half an hour."""
    stored = census.load()
    monkeypatch.setattr(census, "examine", lambda chunk: stored[chunk.shape][chunk.classes].tobytes())


def test_census_by_an_executor_of_ones_own_writes_the_stored_files(stored_flags, tmp_path):
    ended = run("census", "-o", str(tmp_path), "--executor", f"{__name__}:one_thread")
    assert (ended.status, ended.out) == (0, "")
    assert (tmp_path / "sawtooth_census.csv").read_bytes() == (DATA / "sawtooth_census.csv").read_bytes()
    with np.load(tmp_path / "sawtooth_classes.npz") as mine:
        theirs = census.load()
        assert {int(name, 2) for name in mine.files} == theirs.keys()
        assert all(np.array_equal(mine[name], theirs[int(name, 2)]) for name in mine.files)
    (tmp_path / "chunks" / "1ff-000").unlink()
    (tmp_path / "sawtooth_census.csv").unlink()
    assert run("census", "-o", str(tmp_path), "--executor", f"{__name__}:one_thread").status == 0
    assert (tmp_path / "sawtooth_census.csv").exists()


def raises():
    raise RuntimeError("there is no executor here")


OWN = [f"{__name__}:{function}" for function in ("raises", "no_executor")]
OWN += ["sys:exit", "concurrent.futures:Executor"]
NO_EXECUTORS = ["", "os", "os:", "nowhere:at_all", "os:getcwd", "os:no", *OWN]


@pytest.mark.parametrize("name", NO_EXECUTORS)
def test_what_gives_no_executor_is_refused(name, tmp_path):
    message = refused(run("census", "-o", str(tmp_path / "folder"), "--executor", name))
    assert "xpected" in message and "executor" in message
    assert not (tmp_path / "folder").exists()


def said_of(board):
    lines = run("sawtooth-board", sawtooth.teeth_of(board)).out.splitlines()
    return {line[:21].strip(): line[22:] for line in lines}


@pytest.mark.parametrize("teeth", [0, 5, 14, 18, 26, 36])
def test_what_is_said_of_a_board_is_computed_anew(teeth):
    board = sawtooth.random_board(np.random.default_rng(teeth), teeth=teeth)
    said = said_of(board)
    assert said["teeth"] == f"{teeth} of 36"
    for name, holds in reach.facts(board)._asdict().items():
        assert said[name.replace("_", " ")] == ("yes" if holds else "no")
    reached = search.levels(search.distances(0, sawtooth.neighbours(board)))
    assert said["reachable states"] == f"{reached.sum():,} of 262,144"
    assert said["farthest distance"].startswith(f"{len(reached) - 1} steps")


def test_each_part_of_a_board_has_its_class():
    text = run("sawtooth-board", "1111" + "0000" * 7 + "0101").out
    assert "#../.../... with four\n" in text and "#../.../... with two opposite\n" in text


def test_white_space_between_teeth_is_ignored():
    spaced = " ".join(sawtooth.teeth_of(SAMPLE)[i : i + 4] for i in range(0, 36, 4))
    assert run("sawtooth-board", spaced) == run("sawtooth-board", sawtooth.teeth_of(SAMPLE))


@pytest.mark.parametrize(
    ("teeth", "message"),
    [
        ("", "expected 36 teeth, four for each of 9 cells, got 0"),
        ("01" * 17, "expected 36 teeth, four for each of 9 cells, got 34"),
        ("01" * 19, "expected 36 teeth, four for each of 9 cells, got 38"),
        ("01" * 10 + "2" + "0" * 15, "tooth 21: expected 0 or 1, got 2"),
        ("١" * 36, "tooth 1: expected 0 or 1, got"),
        ("0\n1\x00", "tooth 3: expected 0 or 1, got \\x00"),
    ],
)
def test_other_teeth_are_refused(teeth, message):
    assert refused(run("sawtooth-board", teeth)).startswith(message)
