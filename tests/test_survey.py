"""The survey: the same file from any workers, and none of its finished boards lost whatever ends it."""

import csv
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from command import refused
from command import run as clocklab
from test_work import InTurn

from clocklab import sawtooth, search
from clocklab.plumbing.output import stored
from clocklab.studies import examples, reach, survey
from clocklab.studies.survey import Row, Sample

SMALL = Sample(24, 7, teeth=range(26, 37))  # boards of many teeth are done soonest


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(survey, "CHUNK", 10)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The file of the small sample, by plain means."""
    rows = [",".join(map(str, survey.examine(SMALL.board(i)))) for i in range(SMALL.boards)]
    return ("\n".join([",".join(Row._fields), *rows]) + "\n").encode()


# Boards


def test_a_board_depends_on_seed_and_number_alone():
    boards = [SMALL.board(i) for i in range(SMALL.boards)]
    assert len(set(boards)) > len(boards) - 3  # of 36 teeth there is but one, and of 35 there are few
    assert [Sample(10**8, 7, teeth=range(26, 37)).board(i) for i in range(SMALL.boards)] == boards
    assert [Sample(SMALL.boards, 8, teeth=range(26, 37)).board(i) for i in range(5)] != boards[:5]
    assert [board.bit_count() for board in boards] == [26 + i % 11 for i in range(SMALL.boards)]


def test_density_is_the_share_of_teeth():
    for density in (0.2, None, 1):
        sample = Sample(200, 1, density)
        share = np.mean([sample.board(i).bit_count() for i in range(200)]) / 36
        assert abs(share - (density or 0.5)) < 0.02


def test_a_row_says_what_is_reached_how_far_and_whether_all_reach_all():
    board = sawtooth.random_board(np.random.default_rng(3), teeth=23)
    distances = search.distances(0, sawtooth.neighbours(board))
    assert survey.examine(board) == (
        sawtooth.teeth_of(board), 23, int((distances != 255).sum()), len(reach.farthest(board)[1]), 0
    )  # fmt: skip
    assert survey.examine(0) == ("0" * 36, 0, 4**9, 27, 1)
    assert survey.examine(examples.TRAPDOOR)[2:] == (4**9, 26, 0)  # all is reached, and its start is lost
    assert survey.examine(2**36 - 1) == ("1" * 36, 36, 4, 2, 0)


# Workers


def test_the_stored_survey_is_what_its_command_gives():
    header, *rows = csv.reader(stored(survey.STORED).decode().splitlines())
    assert tuple(header) == Row._fields
    sample = Sample(boards=11100, seed=3814, teeth=range(37))
    assert len(rows) == sample.boards
    for i in range(0, sample.boards, 347):
        assert tuple(map(str, survey.examine(sample.board(i)))) == tuple(rows[i])
    assert all(row[0] == sawtooth.teeth_of(sample.board(i)) for i, row in enumerate(rows[:2000]))


def test_two_processes_give_the_same_file(tmp_path, expected):
    survey.run(SMALL, tmp_path / "out" / "file.csv", workers=2)
    assert (tmp_path / "out" / "file.csv").read_bytes() == expected
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["file.csv"]


@pytest.mark.parametrize("after", [0, 1, 2])
def test_interrupted_and_run_again_it_ends_with_the_same_bytes(after, tmp_path, expected):
    file, chunks = tmp_path / "file.csv", tmp_path / "file.csv.chunks"
    with pytest.raises(KeyboardInterrupt):
        survey.run(SMALL, file, workers=InTurn(after))
    assert not file.exists()
    assert len(list(chunks.glob("*.csv"))) == after
    survey.run(SMALL, file, workers=InTurn(3 - after))  # none is examined twice
    assert file.read_bytes() == expected
    assert not chunks.exists()


def test_a_changed_digit_in_what_is_kept_does_not_end_in_the_file(tmp_path, expected):
    file, chunks = tmp_path / "file.csv", tmp_path / "file.csv.chunks"
    with pytest.raises(KeyboardInterrupt):
        survey.run(SMALL, file, workers=InTurn(2))
    chunk = chunks / "0000010.csv"
    chunk.write_bytes(chunk.read_bytes()[:-2] + b"1\n")
    survey.run(SMALL, file, workers=InTurn(2))
    assert file.read_bytes() == expected


def test_another_survey_of_the_same_file_is_refused_and_loses_nothing(tmp_path):
    file, chunks = tmp_path / "file.csv", tmp_path / "file.csv.chunks"
    with pytest.raises(KeyboardInterrupt):
        survey.run(SMALL, file, workers=InTurn(2))
    before = {path.name: path.read_bytes() for path in chunks.iterdir()}
    message = refused(clocklab("survey", "--boards", "24", "--seed", "8", "-o", str(file)))
    assert message == f"{chunks}: left by '{SMALL}'; run that again to finish it, or delete the folder"
    assert {path.name: path.read_bytes() for path in chunks.iterdir()} == before


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("end", "status"), [("SIGKILL", -9), ("SIGINT", 130)])
def test_killed_or_called_off_the_command_loses_no_board(end, status, tmp_path):
    sample, file, chunks = Sample(200, 7, teeth=range(26, 37)), tmp_path / "file.csv", tmp_path / "file.csv.chunks"
    arguments = [*str(sample).split()[1:], "-o", str(file)]
    command = [sys.executable, "-m", "clocklab", *arguments, "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    while not list(chunks.glob("*.csv")):
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, getattr(signal, end))
    assert process.communicate(timeout=20) == (b"", b"")
    assert process.returncode == status
    assert clocklab(*arguments, "--workers", "2") == (0, "", "")
    assert file.read_bytes().count(b"\n") == 201
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--boards 0 --seed 1 -o x", "argument --boards: expected a number from 1 to 10000000, got 0"),
        ("--boards 1.5 --seed 1 -o x", "argument --boards: invalid number value: '1.5'"),
        ("--boards 1 --seed -1 -o x", "argument --seed: expected a number from 0 to "),
        ("--boards 1 --seed 1 --density nan -o x", "argument --density: expected a number from 0 to 1, got nan"),
        ("--boards 1 --seed 1 --teeth 37 -o x", "argument --teeth: expected 0 to 36, or two such numbers"),
        ("--boards 1 --seed 1 --teeth 5-4 -o x", "argument --teeth: "),
        ("--boards 1 --seed 1 --teeth 1-2-3 -o x", "argument --teeth: "),
        ("--boards 1 --seed 1 --teeth many -o x", "argument --teeth: "),
        ("--boards 1 --seed 1 --teeth 4 --density 0.5 -o x", "--density and --teeth: expected one of them at most"),
        ("--boards 1 --seed 1 --workers 0 -o x", "argument --workers: "),
        ("--boards 1 --seed 1", "the following arguments are required: -o/--output"),
        ("--boards 1 --seed 1 -o -", "-: expected a file, beside which finished boards can be kept"),
        ("--boards 1 --seed 1 -o /dev/null", "/dev/null: expected a file"),
        ("--boards 1 --seed 1 -o /dev/null/x", "Not a directory"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_one_line(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refused(clocklab("survey", *arguments.split()))
    assert not list(tmp_path.iterdir())
