from pathlib import Path

import gears
import numpy as np
import pytest
from command import refused, run
from hypothesis import given
from hypothesis import strategies as st

from clocklab import sawtooth
from clocklab.dials import pack, unpack
from clocklab.judge import Case, read_cases, write_cases

CASES = sorted(Path(__file__).with_name("cases").glob("sawtooth_*.in"))
SAMPLE = Path(__file__).with_name("cases") / "sawtooth_official_sample.in"


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_cases(case):
    answer = case.with_suffix(".out").read_text()
    assert run("sawtooth", str(case)) == (0, answer, "")
    for arguments in ([], ["-"]):
        assert run("sawtooth", *arguments, given=case.read_bytes()) == (0, answer, "")


def test_there_are_eight_files_of_cases():
    assert len(CASES) == 8


def test_the_steps_of_the_sample_are_the_judges():
    assert run("sawtooth", str(SAMPLE), "--steps").out == "6: (1,2) (1,2) (1,2) (1,2) (1,3) (3,1)\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_steps_replay_to_the_second_picture(path):
    lines = run("sawtooth", str(path), "--steps").out.splitlines()
    assert [line.partition(":")[0] for line in lines] == path.with_suffix(".out").read_text().split()
    for case, line in zip(read_cases(path.read_bytes()), lines, strict=True):
        state = (0,) * 9
        for step in line.split()[1:]:
            row, column = int(step[1]), int(step[3])
            state = gears.turn(sawtooth.teeth_of(case.board), state, 3 * row + column - 4)
        reached = np.array_equal(sawtooth.turn_pictures(case.first, pack(state)), case.second)
        assert reached == (line != "-1")


def random_case(rng: np.random.Generator) -> Case:
    first = np.where(rng.random((9, 8, 8)) < 0.5, "#", ".")
    return Case(sawtooth.random_board(rng), first, sawtooth.turn_pictures(first, int(rng.integers(4**9))))


def test_each_case_has_its_own_line():
    rng = np.random.default_rng(3)
    cases = [random_case(rng) for _ in range(12)]
    alone = [run("sawtooth", given=write_cases([case]).encode()).out for case in cases]
    assert run("sawtooth", given=write_cases(cases).encode()) == (0, "".join(alone), "")
    assert "-1\n" in alone
    steps = run("sawtooth", "--steps", given=write_cases(cases).encode()).out.splitlines()
    assert [line.partition(":")[0] + "\n" for line in steps] == alone


def test_no_cases_give_no_lines():
    assert run("sawtooth", given=b"0") == (0, "", "")


def test_output_goes_to_a_file_whole(tmp_path):
    path = tmp_path / "answer"
    assert run("sawtooth", str(SAMPLE), "-o", str(path)) == (0, "", "")
    assert path.read_text() == "6\n"
    assert refused(run("sawtooth", "-o", str(path), given=b"2\n")).startswith("standard input, line 2, case 1, first")
    assert path.read_text() == "6\n"


def test_nothing_is_answered_before_all_is_read(tmp_path):
    path = tmp_path / "cases.txt"
    path.write_bytes(SAMPLE.read_bytes() + b"more")
    message = refused(run("sawtooth", str(path)))
    assert message == f"{path}, line 65, after case 1: expected nothing more, got 'more'"


@given(st.binary(max_size=60))
def test_any_bytes_are_answered_or_refused_in_one_line(text):
    if (ended := run("sawtooth", given=text)).status:
        assert refused(ended).startswith("standard input, line ")


def test_the_start_itself_may_be_the_goal():
    """Where a board also leads back to its start, it is still 0 steps."""
    case = random_case(np.random.default_rng(4))
    solved = Case(case.board, case.first, case.first)
    assert run("sawtooth", "--steps", given=write_cases([solved]).encode()).out == "0:\n"
    assert unpack(sawtooth.replay(case.board, [])[0]) == (0,) * 9
