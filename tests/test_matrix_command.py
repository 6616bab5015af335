import pytest

from clocklab.__main__ import main
from clocklab.studies.movesets import TABLES

FACTS = {
    "clocks": {
        "determinant": "5",
        "Smith form": "1 1 1 1 1 1 1 1 5",
        "rank over R": "9 of 9",
        "rank over GF(2)": "9 of 9",
        "rank over Z/4": "9 of 9 (Smith factors that are units mod 4)",
        "reachable": "262144 states, all of them",
        "solutions": "1 for each reachable state",
        "distances, turn": "1 27 324 2268 10206 30618 61236 78732 59049 19683",
    },
    "clocks --hours 5": {
        "size": "9 dials of 5 hours, 9 moves",
        "rank over R": "9 of 9",
        "rank over Z/5": "8 of 9 (Smith factors that are units mod 5)",
        "reachable": "390625 of 1953125 states, 1 in 5",
        "solutions": "5 for each reachable state",
        "quiet pattern": "1 2 1 2 1 2 1 2 1 (order 5)",
        "invariant": "2 1 2 1 1 1 2 1 2 (times the dials and summed mod 5: no move changes it)",
    },
    "lights-out-4": {
        "rank over R": "14 of 16",
        "rank over GF(2)": "12 of 16",
        "reachable": "4096 of 65536 states, 1 in 16",
    },
    "lights-out-4 --hours 4": {"distances, turn": "not listed: more than 2097152 press vectors, too many to list"},
    "rows-and-columns-3": {"determinant": "none, the matrix is not square", "rank over GF(2)": "5 of 6"},
}
ANSWERS = {
    ("--solve", "330222212"): "presses               0 0 0 1 1 0 0 1 1 (distance 4, clockwise)\n",
    (
        "--solve",
        "3 0 0 0 0 0 0 0 0",
        "--metric",
        "turn",
    ): "presses               3 3 3 3 3 2 3 2 0 (distance 8, turn)\n",
    ("--solve", "100000000", "--hours", "5"): (
        "no solution           2 1 2 1 1 1 2 1 2 times the dials is 2 mod 5; when solved it is 0\n"
    ),
}


def run(capsys, *arguments):
    status = main(["matrix", *arguments])
    return status, *capsys.readouterr()


@pytest.mark.parametrize("arguments", FACTS)
def test_facts_are_printed_with_their_ring(capsys, arguments):
    status, out, error = run(capsys, *arguments.split())
    printed = {line[:21].strip(): line[22:] for line in out.splitlines()}
    assert (status, error) == (0, "")
    assert {label: printed[label] for label in FACTS[arguments]} == FACTS[arguments]


@pytest.mark.parametrize("name", TABLES)
def test_every_named_table_has_its_facts_and_its_source(capsys, name):
    status, out, error = run(capsys, name)
    assert (status, error) == (0, "")
    assert f"table                 {name}: " in out
    assert f"source                {TABLES[name].source}\n" in out


def test_a_table_of_ones_own_is_one_line(capsys):
    status, out, _ = run(capsys, "AB BC CA", "--hours", "5")
    assert status == 0
    assert "determinant           2\n" in out
    assert "reachable             125 states, all of them\n" in out


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_a_state_gets_its_cheapest_answer_or_the_reason_why_it_has_none(capsys, arguments):
    assert run(capsys, *arguments) == (0, ANSWERS[arguments], "")


def test_output_goes_to_a_file(capsys, tmp_path):
    assert run(capsys, "ABC", "-o", str(tmp_path / "facts.txt")) == (0, "", "")
    assert "Smith form            1\n" in (tmp_path / "facts.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["foo"], "move 1, 'foo': 'f' is not a capital letter from A to Z; the named tables are clocks"),
        (["AB BCB"], "move 2, 'BCB': 'B' is named twice"),
        ([""], "expected 1 to 144 moves in letters"),
        (["A\nB\x1bC"], "move 2, "),
        (["clocks", "--hours", "1"], "expected 2 to 1000000000 hours, got 1"),
        (["clocks", "--hours", "four"], "argument --hours: invalid int value: 'four'"),
        (["clocks", "--hours", "9" * 5000], "argument --hours: invalid int value"),
        (["clocks", "--solve", "12"], "expected 9 dials, got 2"),
        (["clocks", "--solve", "000000004"], "dial 9: expected a number from 0 to 3, got '4'"),
        (["A " * 30, "--solve", "0"], "more than 2097152 solutions, too many to list"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, arguments, message):
    status, out, error = run(capsys, *arguments)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert message in error
