"""The judges' text formats, in and out, and errors that say where a text cannot be read and what was expected.

The Clocks' positions come in two notations. Hours are nine numbers out of 12, 3, 6 and 9 with white space between
them; quarters are nine digits 0 to 3, white space between them ignored (IOI 1994, day 2). Nine 3s are a position in
either, so the notation is always named and never guessed.
"""

import re
from itertools import takewhile

import numpy as np

from clocklab import dials
from clocklab.dials import DIALS, NAMES, NOTATIONS, States
from clocklab.output import printable

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SPELLINGS = {n: {str(number).encode(): q for q, number in enumerate(NOTATIONS[n])} for n in NOTATIONS}
WORD = {"hours": rb"\S+", "quarters": rb"[\x80-\xff]+|\S"}  # what is quoted when it is no clock
EXPECTED = {"hours": "12, 3, 6 or 9", "quarters": "a digit 0 to 3"}
WRONG = 4  # a clock that cannot be read
QUARTERS = bytes(b"0123".find(byte) % (WRONG + 1) for byte in range(256))  # byte -> quarters; find's -1 -> WRONG


class InputError(ValueError):
    """A text that cannot be read; the message is one printable line that says where, and what was expected."""

    def __init__(self, message: str):
        """Keep the message, line ends and the like escaped."""
        super().__init__(printable(message))


def read_positions(text: bytes, notation: str, name: str = "standard input", lines: bool = False) -> States:
    r"""Return the states that a text spells in a notation: one position, or with ``lines`` one a line.

    White space at either end, any line ends and a byte order mark are fine, and so are blank lines after the last
    position. A blank line before it is an error, since the k-th answer belongs to the k-th line. InputError names
    the text, line, clock and what was expected.

    >>> read_positions(b"330\n222\n212", "quarters").tolist()
    [158351]
    >>> read_positions(b"12 12 12 12 12 12 12 12 12\n3 12 12 12 12 12 12 12 12", "hours", lines=True).tolist()
    [0, 1]
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    rows = _rows(text, notation, lines)
    if rows is None:
        raise _complaint(text, notation, name, lines)
    return dials.pack(rows)


def _hours(text: bytes) -> bytes:
    return bytes(SPELLINGS["hours"].get(word, WRONG) for word in text.split())


def _quarters(text: bytes) -> bytes:
    return text.translate(QUARTERS, b" \t\n\r\v\f")


def _rows(text: bytes, notation: str, lines: bool) -> np.ndarray | None:
    """Return the clocks in quarters, shape (n, 9), or None where anything in the text is wrong."""
    read = {"hours": _hours, "quarters": _quarters}[notation]
    rows = [read(part) for part in _parts(text, lines)]
    clocks = b"".join(rows)
    if any(len(row) != DIALS for row in rows) or WRONG in clocks:
        return None
    return np.frombuffer(clocks, np.uint8).reshape(-1, DIALS)


def _parts(text: bytes, lines: bool) -> list[bytes]:
    return text.rstrip().splitlines() if lines else [text]


def _complaint(text: bytes, notation: str, name: str, lines: bool) -> InputError:
    """Return the error about the first clock that cannot be read."""
    parts = _parts(text, lines)
    part = next(i for i, part in enumerate(parts) if _rows(part, notation, lines=False) is None)
    words = list(re.finditer(WORD[notation], parts[part]))
    right = len(list(takewhile(lambda word: word[0] in SPELLINGS[notation], words[:DIALS])))
    if right < len(words):
        at, got = words[right].start(), _quoted(words[right][0])
    else:
        at, got = len(parts[part].rstrip()), f"the end of the {'line' if lines else 'input'}"
    line = part + len((parts[part][:at] + b".").splitlines())
    clock, expected = (NAMES[right], EXPECTED[notation]) if right < DIALS else ("I", "nothing more after it")
    hint = _hint(text, notation, lines)
    return InputError(f"{name}, line {line}, clock {clock}: expected {expected}, got {got}{hint}")


def _quoted(word: bytes) -> str:
    return repr(word[:16])[1:] + "..." * (len(word) > 16)


def _hint(text: bytes, notation: str, lines: bool) -> str:
    """Return how the text could be read, where that tells; it is for the user to decide."""
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "; this is UTF-16, save it as UTF-8"
    for other in sorted(NOTATIONS, key=lambda n: n != notation):
        for layout in (lines, not lines):
            if text.strip() and _rows(text, other, layout) is not None:
                how = " --lines" if layout else " without --lines" if lines else ""
                return f"; it reads well as --notation {other}{how}"
    return ""


def write_answers(presses: np.ndarray) -> str:
    r"""Return the sequences of press vectors, shape (n,), one a line; the solved position's is an empty line.

    >>> write_answers(np.array([0b11_00_00_00_01_00, 0]))
    '2 6 6 6\n\n'
    """
    low, high = _spelled(range(1, 5)), _spelled(range(5, 10))
    return "".join([(low[p & 255] + high[p >> 8])[1:] + "\n" for p in presses.tolist()])


def _spelled(moves: range) -> list[str]:
    """Return the text of every press vector of some moves, the first one in the lowest bits."""
    texts = [""]
    for move in reversed(moves):
        texts = [f" {move}" * times + text for text in texts for times in range(4)]
    return texts
