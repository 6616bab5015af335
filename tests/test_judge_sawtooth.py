import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocklab import sawtooth
from clocklab.judge import Case, read_cases, write_cases, write_steps
from clocklab.plumbing.errors import InputError

CASES = Path(__file__).parent / "cases"
TEXT = (CASES / "sawtooth_official_sample.in").read_bytes()
TWO = (CASES / "sawtooth_two_cases.in").read_bytes()
SAMPLE = read_cases(TEXT)[0]
ROW = "8 pixels, a space, 8 pixels, a space, 8 pixels"


def same(case: Case, other: Case) -> bool:
    return case.board == other.board and all(np.array_equal(a, b) for a, b in zip(case[1:], other[1:], strict=True))


def test_the_sample_is_read_as_it_stands():
    assert sawtooth.teeth_of(SAMPLE.board) == "010100111001001111101011111100100110"
    assert "".join(SAMPLE.first[0, 0]) == "......#."  # cell, row
    assert "".join(SAMPLE.first[2, 7]) == "###....."
    assert "".join(SAMPLE.first[6, 0]) == "........"
    assert "".join(SAMPLE.second[7, 0]) == ".######."
    assert SAMPLE.goals.size == 16  # two cells look the same in any orientation


def layouts() -> dict[str, bytes]:
    rows = TEXT.splitlines()
    return {
        "CRLF": b"\r\n".join(rows),
        "CR": b"\r".join(rows),
        "no last line end": TEXT.rstrip(),
        "byte order mark": b"\xef\xbb\xbf" + TEXT,
        "no blank lines": b"\n".join(row for row in rows if row.strip()),
        "only separator rows": b"\n".join(row for row in rows if row),
        "separator rows stripped": b"\n".join(row.rstrip() for row in rows),
        "more blank lines": TEXT.replace(b"\n\n", b"\n\n \n\t\n") + b"\n \r\n\n",
        "a blank line first": b"\n" + TEXT,
        "trailing spaces": b"\n".join(row + b"  \t" for row in rows),
        "teeth apart": re.sub(rb"(?m)^([01]) ([01]) ([01]) ([01])$", rb"  \1\t\2   \3 \4", TEXT),
    }


@pytest.mark.parametrize("layout", layouts())
def test_every_layout_in_circulation_reads_the_same(layout):
    [case] = read_cases(layouts()[layout])
    assert same(case, SAMPLE)


@pytest.mark.parametrize("pixels", ["X.", "01", "#\0", "█░", "é\N{DOMINO TILE HORIZONTAL BACK}", "\\'", "-+", "12"])
def test_any_two_pixel_characters_are_fine(pixels):
    text = TEXT.decode().translate(str.maketrans("#.", pixels))
    [case] = read_cases(text.encode())
    assert np.array_equal(case.goals, SAMPLE.goals)
    assert len(set(case.first.ravel().tolist())) == 2


def test_pixels_may_be_bytes_of_an_older_encoding():
    [case] = read_cases(TEXT.translate(bytes.maketrans(b"#.", b"\xdb\xb0")))
    assert np.array_equal(case.goals, SAMPLE.goals)


def test_each_case_has_its_own_two_pixel_characters():
    second = TWO[len(TEXT) :].translate(bytes.maketrans(b"#.", b"xo"))
    cases = read_cases(TWO[: len(TEXT)] + second)
    assert [set(case.first.ravel().tolist()) for case in cases] == [set("#."), set("xo")]


def test_one_pixel_character_alone_is_fine():
    [case] = read_cases(TEXT.replace(b"#", b"."))
    assert case.goals.size == 4**9


def test_no_cases_are_none():
    assert read_cases(b"0\n") == []


def replaced(line: int, new: bytes, text: bytes = TEXT) -> bytes:
    rows = text.splitlines()
    rows[line - 1 : line] = [new] if new else []
    return b"\n".join(rows)


# the damaged text, and what the message must say after the text's name
BAD = [
    (b"", "line 1: expected the number of cases, got the end of the input"),
    (b" \n\n", "line 1: expected the number of cases, got the end of the input"),
    (b"one\n", "line 1: expected the number of cases, got 'one'"),
    (b"-1\n", "line 1: expected the number of cases, got '-1'"),
    (b"1 2\n", "line 1: expected the number of cases, got '1 2'"),
    ("١\n".encode(), "line 1: expected the number of cases, got '١'"),
    (b"9" * 5000, f"line 1: expected the number of cases, got '{'9' * 40}'..."),
    (TEXT.replace(b"1", b"", 1), "line 2: expected the number of cases, got '......#. ........ ........'"),
    (b"1\n", f"line 2, case 1, first picture: expected {ROW}, got the end of the input"),
    (replaced(3, b"......## ........ ......."),
        f"line 3, case 1, first picture: expected {ROW}, got '......## ........ .......'"),
    (replaced(3, b"......## ........ ........."),
        f"line 3, case 1, first picture: expected {ROW}, got '......## ........ .........'"),
    (replaced(3, b"......##  ....... ........"), f"line 3, case 1, first picture: expected {ROW}, got '......##  "),
    (replaced(3, b" ......## ........ ........"), f"line 3, case 1, first picture: expected {ROW}, got ' ......## "),
    (replaced(3, b"......##\t........ ........"), f"case 1, first picture: expected {ROW}, got '......##\\t...."),
    (replaced(3, b"......##......... ........"), f"line 3, case 1, first picture: expected {ROW}, got '......##."),
    (replaced(3, b"......## ... .... ........"), f"line 3, case 1, first picture: expected {ROW}, got '......## ..."),
    (replaced(4, b" "), f"line 4, case 1, first picture: expected {ROW}, got a blank line"),
    (replaced(4, b""), f"line 9, case 1, first picture: expected {ROW}, got a blank line"),
    (replaced(11, b"x" * 500), f"line 11, case 1, first picture: expected {ROW}, got '{'x' * 40}'..."),
    (replaced(5, b".......# ##...... ...x#..."),
        "line 5, case 1, first picture: expected two pixel characters a case, got one more in '.......# ##"),
    (replaced(30, b".......# ##...... ...x#..."),
        "line 30, case 1, second picture: expected two pixel characters a case, got one more in '.......# ##......"),
    (replaced(53, b"0 0 1"), f"line 53, case 1, second picture: expected {ROW}, got '0 0 1'"),
    (replaced(56, b"0 1 0 2"), "line 56, case 1, teeth: expected four numbers 0 or 1, got '0 1 0 2'"),
    (replaced(56, b"0 1 0"), "line 56, case 1, teeth: expected four numbers 0 or 1, got '0 1 0'"),
    (replaced(56, b"0 1 0 1 1"), "line 56, case 1, teeth: expected four numbers 0 or 1, got '0 1 0 1 1'"),
    (replaced(56, b"0101"), "line 56, case 1, teeth: expected four numbers 0 or 1, got '0101'"),
    (replaced(56, b"0 1 0 01"), "line 56, case 1, teeth: expected four numbers 0 or 1, got '0 1 0 01'"),
    (replaced(56, b"0 1 0 -1"), "line 56, case 1, teeth: expected four numbers 0 or 1, got '0 1 0 -1'"),
    (replaced(56, "0 1 0 １".encode()), "line 56, case 1, teeth: expected four numbers 0 or 1, got '0 1 0 １'"),
    (replaced(56, b"0 1 0 \xff"), "line 56, case 1, teeth: expected four numbers 0 or 1, got '0 1 0 ÿ'"),
    (replaced(56, b"0 1 0 1\n"), "line 57, case 1, teeth: expected four numbers 0 or 1, got a blank line"),
    (replaced(64, b""), "line 64, case 1, teeth: expected four numbers 0 or 1, got the end of the input"),
    (replaced(1, b"2"), f"line 65, case 2, first picture: expected {ROW}, got the end of the input"),
    (replaced(1, b"3", TWO), f"line 129, case 3, first picture: expected {ROW}, got the end of the input"),
    (replaced(1, b"1", TWO), "line 66, after case 1: expected nothing more, got '#....... #....... #.......'"),
    (replaced(66, b"x", TWO), f"line 66, case 2, first picture: expected {ROW}, got 'x'"),
    (TEXT + b"\n\n.\n", "line 67, after case 1: expected nothing more, got '.'"),
    (b"0\n\n1\n", "line 3, after case 0: expected nothing more, got '1'"),
    (TEXT + b"0 0 0 0", "line 65, after case 1: expected nothing more, got '0 0 0 0'"),
    (TEXT.decode().encode("utf-16"),
        r"line 1: expected the number of cases, got 'ÿþ1\x00'; this is UTF-16, save it as UTF-8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD)
def test_an_error_names_line_and_case_and_part(text, message):
    with pytest.raises(InputError) as raised:
        read_cases(text, "some file")
    said = str(raised.value)
    assert said.startswith("some file, line ")
    assert message in said
    assert said.isprintable()
    assert len(said) < 200


@given(st.data())
def test_a_damaged_line_is_the_line_that_is_named(data):
    rows = TWO.splitlines()
    line = data.draw(st.sampled_from([i for i, row in enumerate(rows) if row.strip()]))
    place = data.draw(st.integers(0, len(rows[line]) - 1))
    accident = b"\t" if len(rows[line]) == 26 else b"x"
    rows[line] = rows[line][:place] + accident + rows[line][place + 1 :]
    with pytest.raises(InputError, match=f"standard input, line {line + 1}[,:]"):
        read_cases(b"\n".join(rows))


@given(st.binary(max_size=80) | st.tuples(st.integers(0, len(TEXT)), st.binary(max_size=9)).map(
    lambda cut: TEXT[: cut[0]] + cut[1] + TEXT[cut[0] + len(cut[1]) :]
))  # fmt: skip
def test_any_bytes_are_read_or_refused_in_one_line(text):
    try:
        cases = read_cases(text)
    except InputError as error:
        assert re.match(r"standard input, line \d+(, case \d+, (first picture|second picture|teeth)"
            r"|, after case \d+|): expected .+, got .+", str(error))  # fmt: skip
        assert str(error).isprintable()
    else:
        assert all(case.first.shape == case.second.shape == (9, 8, 8) for case in cases)


@pytest.mark.parametrize("path", sorted(CASES.glob("sawtooth*.in")), ids=lambda path: path.stem)
def test_cases_are_written_as_zoj_lays_them_out(path):
    cases = read_cases(path.read_bytes())
    written = write_cases(cases).encode()
    assert all(map(same, read_cases(written), cases))
    if "crlf" not in path.name and "no_blank" not in path.name:
        assert written == path.read_bytes()


def test_random_cases_are_read_as_they_were_written():
    rng = np.random.default_rng(0)
    pictures = np.where(rng.random((20, 2, 9, 8, 8)) < 0.5, "#", ".")
    cases = [Case(sawtooth.random_board(rng), *pair) for pair in pictures]
    assert all(map(same, read_cases(write_cases(cases).encode()), cases))


def test_steps_are_written_as_row_and_column():
    assert write_steps(range(9)) == "9: (1,1) (1,2) (1,3) (2,1) (2,2) (2,3) (3,1) (3,2) (3,3)"
    assert write_steps([]) == "0:"
    assert write_steps(None) == "-1"
