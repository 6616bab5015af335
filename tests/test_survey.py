"""The survey: the same file from any workers, and none of its finished boards lost whatever ends it."""

import csv
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from command import refused
from command import run as clocklab

from clocklab import sawtooth, search
from clocklab.plumbing import work
from clocklab.plumbing.errors import InputError
from clocklab.studies import examples, reach, survey
from clocklab.studies.survey import Row, Sample, read_part

SMALL = Sample(24, 7, teeth=range(26, 37))  # boards of many teeth are done soonest


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The file of the small sample, by plain means."""
    rows = [",".join(map(str, survey.examine(SMALL.board(i)))) for i in range(SMALL.boards)]
    return ("\n".join([",".join(Row._fields), *rows]) + "\n").encode()


@pytest.fixture
def part(tmp_path, expected):
    """All that an almost complete survey keeps, last board first."""
    rows = expected.decode().splitlines()[1:]
    return "".join([f"{SMALL}\n", *(f"{i},{row}\n" for i, row in reversed(list(enumerate(rows))))]).encode()


def rows_of(part):
    return len(read_part(part, SMALL, "part"))


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
    with open(survey.STORED, newline="") as file:
        header, *rows = csv.reader(file)
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


def test_dask_gives_the_same_file(tmp_path, expected):
    distributed = pytest.importorskip("distributed")
    options = {"processes": False, "protocol": "tcp://", "host": "127.0.0.1", "dashboard_address": None}
    with distributed.LocalCluster(2, **options) as cluster, distributed.Client(cluster) as client:
        survey.run(SMALL, tmp_path / "file.csv", executor=client.get_executor())
    assert (tmp_path / "file.csv").read_bytes() == expected


class InTurn(ThreadPoolExecutor):
    """An executor that does the work at once, and stops after some boards as Ctrl-C would stop it."""

    def __init__(self, stop_after):
        super().__init__(1)
        self.left = stop_after

    def submit(self, work, *arguments):
        future = Future()
        if self.left:
            future.set_result(work(*arguments))
        else:
            future.set_exception(KeyboardInterrupt())
        self.left -= self.left > 0
        return future


@pytest.mark.parametrize("after", [0, 1, 11, 23])
def test_interrupted_and_resumed_it_ends_with_the_same_bytes(after, tmp_path, expected, monkeypatch):
    monkeypatch.setattr(work, "AHEAD", 3)
    file, kept = tmp_path / "file.csv", tmp_path / "file.csv.part"
    with pytest.raises(KeyboardInterrupt):
        survey.run(SMALL, file, executor=InTurn(after))
    assert not file.exists()
    assert rows_of(kept.read_bytes()) == after
    before = kept.read_bytes()
    with pytest.raises(InputError, match=r"file\.csv\.part: left by an interrupted survey; --resume goes on"):
        survey.run(SMALL, file, executor=InTurn(99))
    assert kept.read_bytes() == before
    survey.run(SMALL, file, executor=InTurn(24 - after), resume=True)  # none is examined twice
    assert file.read_bytes() == expected
    assert not kept.exists()


def test_any_torn_part_is_gone_on_with(part, tmp_path, expected):
    for cut in [*range(0, len(f"{SMALL}\n") + 70), len(part) - 1, len(part)]:
        assert rows_of(part[:cut]) == max(0, part[:cut].count(b"\n") - 1)
    for cut in (0, 20, len(f"{SMALL}\n"), len(part) // 2, len(part) - 1, len(part)):
        (tmp_path / "file.csv.part").write_bytes(part[:cut])
        survey.run(SMALL, tmp_path / "file.csv", executor=InTurn(99), resume=True)
        assert (tmp_path / "file.csv").read_bytes() == expected


def children(process):
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def alive(pid):
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("end", "status"), [("SIGKILL", -9), ("SIGINT", 130)])
def test_killed_or_called_off_it_leaves_no_process_and_loses_no_board(end, status, tmp_path):
    sample, file, kept = Sample(40, 7), tmp_path / "file.csv", tmp_path / "file.csv.part"
    arguments = [*str(sample).split()[1:], "-o", str(file)]
    command = [sys.executable, "-m", "clocklab", *arguments, "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    while not (kept.exists() and kept.read_bytes().count(b"\n") > 3):
        assert process.poll() is None
        time.sleep(0.01)
    started = children(process)
    if end == "SIGINT":
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers as well
    else:
        process.kill()
    assert process.wait() == status
    assert end == "SIGKILL" or process.stderr.read() == b""
    process.stderr.close()
    deadline = time.monotonic() + 20
    while any(map(alive, started)):
        assert time.monotonic() < deadline, "a worker outlives its parent"
        time.sleep(0.01)
    assert clocklab(*arguments, "--workers", "1", "--resume") == (0, "", "")
    survey.run(sample, tmp_path / "whole.csv", executor=InTurn(99))
    assert file.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def end_the_process(_):
    os._exit(1)


def test_a_killed_worker_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(survey, "_examine", end_the_process)
    monkeypatch.setattr(survey, "partial", lambda function, sample: function)
    arguments = ("survey", "--boards", "3", "--seed", "1", "--workers", "1", "-o", str(tmp_path / "file.csv"))
    assert refused(clocklab(*arguments)) == "a worker process was killed; what was finished is kept"
    assert (tmp_path / "file.csv.part").exists()


# Part files that no such survey left


def numbers(text, *others):
    """Put other numbers at the end of the first row."""
    header, row, *rest = text.splitlines(True)
    return b"".join([header, b",".join([*row.split(b",")[:3], *others]), b"\n", *rest])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: b"board,teeth\n", r"part, line 1: expected 'clocklab survey .*', got 'board,teeth'"),
        (lambda text: text.replace(b"--seed 7", b"--seed 8"), r"part, line 1: .* got 'clocklab .* --seed 8 --teeth"),
        (lambda text: b"\xff\n" + text, r"part, line 1: .* got '\\xff'"),
        (lambda text: text.replace(b"\n", b"\r\n"), r"part, line 1: .*\\r'"),
        (lambda text: text.replace(b"\n22,", b"\n24,"), r"part, line 3: expected a row of 'clocklab .*', got '24,"),
        (lambda text: text.replace(b"\n22,", b"\n21,"), r"part, line 3: "),
        (lambda text: text.replace(b"\n22,", b"\n\n22,"), r"part, line 3: .* got ''"),
        (lambda text: text + b"3,1\n", r"part, line 26: .* got '3,1'"),
        (lambda text: text + f"0,{'0' * 36},0,262144,27,1\n".encode(), r"part, line 26: "),
        (lambda text: numbers(text, b"26", b"26", b"0"), r"part, line 2: "),
        (lambda text: numbers(text, b"262145", b"27", b"0"), r"part, line 2: "),
        (lambda text: numbers(text, b"9000", b"26", b"1"), r"part, line 2: "),
        (lambda text: text + text.splitlines(True)[-1].replace(b",26,", b",27,"), r"part, line 26: "),
        (lambda text: text + text.splitlines(True)[-1].replace(b",0\n", b",1\n"), r"part, line 26: "),
        (lambda text: text + text.splitlines(True)[-1].replace(b",26,", b",26,1"), r"part, line 26: "),
    ],
)  # fmt: skip
def test_a_foreign_part_is_refused_and_kept(change, message, part, tmp_path):
    (tmp_path / "part").write_bytes(changed := change(part))
    with pytest.raises(InputError, match=message):
        read_part(changed, SMALL, "part")
    (tmp_path / "file.csv.part").write_bytes(changed)
    arguments = [*str(SMALL).split()[1:], "--resume", "-o", str(tmp_path / "file.csv")]
    assert "file.csv.part, line" in refused(clocklab(*arguments))
    assert (tmp_path / "file.csv.part").read_bytes() == changed


def test_a_row_kept_twice_does_no_harm(part):
    assert rows_of(part + part.splitlines(True)[-1]) == 24


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--boards 0 --seed 1 -o x", "argument --boards: expected a number from 1 to 999999999, got 0"),
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
