import random
import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clocklab import dials
from clocklab.clocks import sequence_of
from clocklab.dials import NOTATIONS, STATES
from clocklab.judge import read_positions, write_answers
from clocklab.plumbing.errors import InputError

WORKED = 158351
HOURS, QUARTERS = b"9 9 12\n6 6 6\n6 3 6\n", b"3 3 0\n2 2 2\n2 1 2\n"
LAYOUTS = [
    lambda text: text,
    lambda text: text.rstrip(),
    lambda text: text.replace(b"\n", b"\r\n"),
    lambda text: text.replace(b"\n", b"\r"),
    lambda text: text.replace(b"\n", b" "),
    lambda text: text.replace(b" ", b"\t\v \f"),
    lambda text: b"\n\n   " + text.replace(b"\n", b"\n\n  ") + b"\n\n",
    lambda text: b"\xef\xbb\xbf" + text,
]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("notation", "text"), [("hours", HOURS), ("quarters", QUARTERS)])
def test_a_position_reads_the_same_in_any_layout(notation, text, layout):
    assert read_positions(layout(text), notation).tolist() == [WORKED]


def test_quarters_may_be_split_or_run_together_anywhere():
    assert read_positions(b"33022 2\t21\n2", "quarters").tolist() == [WORKED]


def test_nine_3s_are_another_position_in_each_notation():
    assert read_positions(b"3 3 3 3 3 3 3 3 3", "hours").tolist() == [dials.pack([1] * 9)]
    assert read_positions(b"3 3 3 3 3 3 3 3 3", "quarters").tolist() == [dials.pack([3] * 9)]


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_state_is_read_from_its_own_line(notation, end):
    states = np.arange(0, STATES, 1 if end == "\n" else 101)
    numbers = np.array(NOTATIONS[notation]).astype(str)[dials.unpack(states)]
    text = end.join(map(" ".join, numbers.tolist())).encode()
    assert np.array_equal(read_positions(text, notation, lines=True), states)


@pytest.mark.parametrize("text", [b"", b"\xef\xbb\xbf", b"\n \r\n\n"])
def test_no_lines_are_no_positions(text):
    assert read_positions(text, "quarters", lines=True).tolist() == []


def test_blank_lines_after_the_last_position_are_fine():
    assert read_positions(b"330222212\n000000000\n\n \r\n", "quarters", lines=True).tolist() == [WORKED, 0]


# What is given, in which notation, and what the message must say after the text's name.
BAD = [
    ("hours", b"", "line 1, clock A: expected 12, 3, 6 or 9, got the end of the input"),
    ("quarters", b" \n\n", "line 1, clock A: expected a digit 0 to 3, got the end of the input"),
    ("hours", b"9 9 12\n6 6 6\n6 3\n", "line 3, clock I: expected 12, 3, 6 or 9, got the end of the input"),
    ("quarters", b"330\n222\n21", "line 3, clock I: expected a digit 0 to 3, got the end of the input"),
    ("hours", HOURS + b"3", "line 4, clock I: expected nothing more after it, got '3'"),
    ("quarters", QUARTERS + b"?", "line 4, clock I: expected nothing more after it, got '?'"),
    ("hours", b"9 9 12\r\n6 6 7\r\n6 3 6", "line 2, clock F: expected 12, 3, 6 or 9, got '7'"),
    ("hours", b"9 9 12\r6 6 6\r6 3 6 6", "line 3, clock I: expected nothing more after it, got '6'"),
    ("quarters", b"330 224 212", "line 1, clock F: expected a digit 0 to 3, got '4'"),
    ("hours", b"09 9 12 6 6 6 6 3 6", "line 1, clock A: expected 12, 3, 6 or 9, got '09'"),
    ("hours", b"+9 9 12 6 6 6 6 3 6", "clock A: expected 12, 3, 6 or 9, got '+9'"),
    ("hours", b"9 9 1_2 6 6 6 6 3 6", "clock C: expected 12, 3, 6 or 9, got '1_2'"),
    ("hours", b"9 9 0xc 6 6 6 6 3 6", "clock C: expected 12, 3, 6 or 9, got '0xc'"),
    ("hours", b"9 9 12.0 6 6 6 6 3 6", "clock C: expected 12, 3, 6 or 9, got '12.0'"),
    ("hours", b"9 9 " + b"9" * 5000, "clock C: expected 12, 3, 6 or 9, got '9999999999999999'..."),
    ("hours", b"9 9\x00 12 6 6 6 6 3 6", r"clock B: expected 12, 3, 6 or 9, got '9\x00'"),
    ("hours", b"9 9\xc2\xa012 6 6 6 6 3 6", r"clock B: expected 12, 3, 6 or 9, got '9\xc2\xa012'"),
    ("quarters", b"-1 3 0 2 2 2 2 1 2", "clock A: expected a digit 0 to 3, got '-'"),
    ("quarters", "33٠222212".encode(), r"clock C: expected a digit 0 to 3, got '\xd9\xa0'"),
    ("quarters", "33³222212".encode(), r"clock C: expected a digit 0 to 3, got '\xc2\xb3'"),
    ("quarters", b"33\xff222212", r"clock C: expected a digit 0 to 3, got '\xff'"),
    ("quarters", b"33\x1b[2J", r"clock C: expected a digit 0 to 3, got '\x1b'"),
    ("quarters", "330222212".encode("utf-16"), r"got '\xff\xfe'; this is UTF-16, save it as UTF-8"),
    ("hours", "9 9 12".encode("utf-16"), r"; this is UTF-16, save it as UTF-8"),
    ("hours", QUARTERS, "line 1, clock C: expected 12, 3, 6 or 9, got '0'; it reads well as --notation quarters"),
    ("hours", b"330222212", "clock A: expected 12, 3, 6 or 9, got '330222212'; it reads well as --notation quarters"),
    ("quarters", HOURS, "clock A: expected a digit 0 to 3, got '9'; it reads well as --notation hours"),
    ("quarters", b"330222212\n000000000\n", "got '0'; it reads well as --notation quarters --lines"),
    ("quarters", b"3 3 3 3 3 3 3 3 3\n" * 2, "got '3'; it reads well as --notation quarters --lines"),
]
BAD_LINES = [
    ("quarters", b"330222212\n\n330222212", "line 2, clock A: expected a digit 0 to 3, got the end of the line"),
    ("quarters", b"\n330222212\n330222212", "line 1, clock A: expected a digit 0 to 3, got the end of the line"),
    ("quarters", b"330222212\r\n33022221 \r\n", "line 2, clock I: expected a digit 0 to 3, got the end of the line"),
    ("quarters", b"330222212\r3302222120\r", "line 2, clock I: expected nothing more after it, got '0'"),
    ("hours", b"9 9 12 6 6 6 6 3 6\n9 9 12 6 6 6 6 3 5\n", "line 2, clock I: expected 12, 3, 6 or 9, got '5'"),
    ("hours", b"000000000\n330222212", "line 1, clock A: expected 12, 3, 6 or 9, got '000000000'; "
        "it reads well as --notation quarters --lines"),
    ("quarters", QUARTERS, "line 1, clock D: expected a digit 0 to 3, got the end of the line; "
        "it reads well as --notation quarters without --lines"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("notation", "text", "message", "lines"),
    [(*case, False) for case in BAD] + [(*case, True) for case in BAD_LINES],
)
def test_an_error_names_line_and_clock_and_what_was_expected(notation, text, message, lines):
    with pytest.raises(InputError) as raised:
        read_positions(text, notation, "some file", lines)
    assert str(raised.value).startswith("some file, line ")
    assert str(raised.value).endswith(message)


def test_the_message_is_one_line_whatever_the_file_is_called():
    with pytest.raises(InputError, match=re.escape(r"a\nb\x1b, line 1")) as raised:
        read_positions(b"", "hours", "a\nb\x1b")
    assert str(raised.value).isprintable()


def slow(text: bytes, notation: str) -> list[int] | None:
    """Return the quarters of one position by plain splitting, None where it is none."""
    words = text.split() if notation == "hours" else [bytes([byte]) for byte in b"".join(text.split())]
    spelled = [str(number).encode() for number in NOTATIONS[notation]]
    return [spelled.index(word) for word in words] if len(words) == 9 and set(words) <= set(spelled) else None


NEARLY = st.lists(
    st.sampled_from([b" ", *b"0 1 2 3 6 9 12 \n \r\n \t 4 \xef\xbb\xbf \x00 \xd9\xa3".split(b" ")])
).map(b"".join)


@given(NEARLY | st.binary(max_size=60), st.sampled_from(list(NOTATIONS)), st.booleans())
@example(b"330222212 \r \n", "quarters", True)
@example(b"\x85\x1c\x1d3", "hours", True)
def test_any_bytes_are_read_like_the_slow_reader_or_refused_in_one_line(text, notation, lines):
    body = text.removeprefix(b"\xef\xbb\xbf")
    parts = re.split(rb"\r\n|\r|\n", body.rstrip()) if lines and body.strip() else [] if lines else [body]
    expected = [slow(part, notation) for part in parts]
    try:
        states = read_positions(text, notation, lines=lines)
    except InputError as error:
        assert None in expected
        assert str(error).isprintable()
        said = re.match(r"standard input, line (\d+), clock [A-I]: expected .+, got .+", str(error))
        assert not lines or int(said[1]) == 1 + expected.index(None)
    else:
        assert dials.unpack(states).tolist() == expected


def test_answers_are_the_lowest_sequences_with_a_space_between():
    presses = [0, 1, 3, STATES - 1, *random.Random(0).sample(range(STATES), 5000)]
    lines = [" ".join(map(str, sequence_of(p))) for p in presses]
    assert write_answers(np.array(presses)) == "\n".join(lines) + "\n"
    assert write_answers(np.array([], dtype=int)) == ""


def test_the_message_stays_short_however_long_the_input():
    with pytest.raises(InputError) as raised:
        read_positions(b"\x00" * 100_000, "hours")
    assert len(str(raised.value)) < 200
