"""The judges' text formats, in and out, and errors that say where a text cannot be read and what was expected.

The Clocks' positions come in two notations. Hours are nine numbers out of 12, 3, 6 and 9 with white space between
them; quarters are nine digits 0 to 3, white space between them ignored (IOI 1994, day 2). Nine 3s are a position in
either, so the notation is always named and never guessed.

The Sawtooth Puzzle comes as ZOJ 3814 lays it out: how many cases; then for each the first picture, the second
picture and the teeth. A picture is three bands of eight rows with a blank line between them, a row is 8 pixels,
a space, 8 pixels, a space, 8 pixels; the teeth are nine lines of four numbers 0 or 1.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple, NoReturn

import numpy as np

from clocklab import dials, sawtooth
from clocklab.dials import DIALS, NAMES, NOTATIONS, States
from clocklab.plumbing.errors import InputError, quoted

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF_16, UTF_16_HINT = (b"\xff\xfe", b"\xfe\xff"), "; this is UTF-16, save it as UTF-8"
SPELLINGS = {n: {str(number).encode(): q for q, number in enumerate(NOTATIONS[n])} for n in NOTATIONS}
WORD = {"hours": rb"\S+", "quarters": rb"[\x80-\xff]+|\S"}  # what is quoted when it is no clock
EXPECTED = {"hours": "12, 3, 6 or 9", "quarters": "a digit 0 to 3"}
WRONG = 4  # a clock that cannot be read
QUARTERS = bytes(b"0123".find(byte) % (WRONG + 1) for byte in range(256))  # byte -> quarters; find's -1 -> WRONG


# notation: what turns its text into one byte a clock, the quarters or WRONG
READ: dict[str, Callable[[bytes], bytes]] = {
    "hours": lambda text: bytes(SPELLINGS["hours"].get(word, WRONG) for word in text.split()),
    "quarters": lambda text: text.translate(QUARTERS, b" \t\n\r\v\f"),
}


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


def read_goal(text: bytes, notation: str, name: str = "--to") -> tuple[int | None, ...]:
    """Return the nine quarters of a position in which a ? stands for any; then it is None.

    >>> read_goal(b"9 ? 12  ? 3 ?  ? ? 6", "hours")
    (3, None, 0, None, 1, None, None, None, 2)
    """
    words = text.split() if notation == "hours" else re.findall(rb"\S", text)
    top = str(NOTATIONS[notation][0]).encode()
    [state] = read_positions(b" ".join(top if word == b"?" else word for word in words), notation, name)
    return tuple(None if w == b"?" else q for w, q in zip(words, dials.unpack(int(state)), strict=True))


def _rows(text: bytes, notation: str, lines: bool) -> np.ndarray | None:
    """Return the clocks in quarters, shape (n, 9), or None where anything in the text is wrong."""
    rows = [READ[notation](part) for part in _parts(text, lines)]
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
    words = list(islice(re.finditer(WORD[notation], parts[part]), DIALS + 1))
    right = len(list(takewhile(lambda word: word[0] in SPELLINGS[notation], words[:DIALS])))
    if right < len(words):
        at, got = words[right].start(), quoted(words[right][0], most=16)
    else:
        at, got = len(parts[part].rstrip()), f"the end of the {'line' if lines else 'input'}"
    line = part + len((parts[part][:at] + b".").splitlines())
    clock, expected = (NAMES[right], EXPECTED[notation]) if right < DIALS else ("I", "nothing more after it")
    hint = _hint(text, notation, lines)
    return InputError(f"{name}, line {line}, clock {clock}: expected {expected}, got {got}{hint}")


def _hint(text: bytes, notation: str, lines: bool) -> str:
    """Return how the text could be read, where that tells; it is for the user to decide."""
    if text.startswith(UTF_16):
        return UTF_16_HINT
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


class Case(NamedTuple):
    """One case of the Sawtooth Puzzle; a picture is an array of single characters, each cell's pixels in rows."""

    board: sawtooth.Board
    first: np.ndarray  # shape (9, 8, 8)
    second: np.ndarray  # likewise

    @property
    def goals(self) -> States:
        """Return the states in which the first picture is the second."""
        return sawtooth.goal_states(sawtooth.goal_orientations(self.first, self.second))


COUNT = re.compile(r"\s*([0-9]{1,9})")
ROW = re.compile(r"(\S{8}) (\S{8}) (\S{8})")
TEETH = re.compile(r"\s*([01])\s+([01])\s+([01])\s+([01])")


def read_cases(text: bytes, name: str = "standard input") -> list[Case]:
    """Return the cases of a text in ZOJ 3814's layout.

    Any line ends, a byte order mark, white space after a row, and blank lines, or none, between the parts and between
    the bands of a picture are fine; so are any two characters but white space as the pixels of a case. InputError
    names the text, line, case, part and what was expected.
    """
    reader = _Reader(text, name)
    [(count,)] = reader.take(1, COUNT, "the number of cases")
    cases = [reader.case(number) for number in range(1, int(count) + 1)]
    reader.end(f"after case {len(cases)}")
    return cases


def _decoded(text: bytes) -> str:
    """Return a text in UTF-8, or else one byte a character: pixels may come from any older encoding."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


class _Reader:
    """Takes the lines of a text part by part."""

    def __init__(self, text: bytes, name: str):
        self.place, self.part = name, ""  # for an error: which text, and what is read there
        self.hint = UTF_16_HINT if text.startswith(UTF_16) else ""
        decoded = _decoded(text.removeprefix(BYTE_ORDER_MARK))
        self.lines = re.split("\r\n|\r|\n", decoded.rstrip()) if decoded.strip() else []
        self.at = 0  # the next line

    def case(self, number: int) -> Case:
        pixels: set[str] = set()
        pictures = []
        for name in ("first picture", "second picture"):
            self.part = f", case {number}, {name}"
            pictures.append(self.picture(pixels))
        self.part = f", case {number}, teeth"
        teeth = self.take(DIALS, TEETH, "four numbers 0 or 1")
        return Case(sawtooth.board_of("".join(map("".join, teeth))), *pictures)

    def picture(self, pixels: set[str]) -> np.ndarray:
        """Take the 24 rows of a picture, whose characters join the ``pixels`` of its case: two at most."""
        rows = []
        for _ in range(3):
            for row in map("".join, self.take(8, ROW, "8 pixels, a space, 8 pixels, a space, 8 pixels")):
                if len(pixels.union(row)) > 2:
                    self.refuse("two pixel characters a case", "one more in ")
                pixels.update(row)
                rows.append(row)
        characters = np.frombuffer("".join(rows).encode("utf-32-le"), "<U1")
        return characters.reshape(3, 8, 3, 8).swapaxes(1, 2).reshape(DIALS, 8, 8)

    def take(self, count: int, pattern: re.Pattern[str], expected: str) -> Iterator[tuple[str, ...]]:
        """Yield the groups of so many lines, blank lines before them skipped; ``at`` stays at the one yielded."""
        self.skip()
        for _ in range(count):
            match = pattern.fullmatch(self.line().rstrip())
            if match is None:
                self.refuse(expected)
            yield match.groups()
            self.at += 1

    def line(self) -> str:
        return self.lines[self.at] if self.at < len(self.lines) else ""

    def skip(self) -> None:
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1

    def end(self, part: str) -> None:
        self.skip()
        if self.at < len(self.lines):
            self.part = f", {part}"
            self.refuse("nothing more")

    def refuse(self, expected: str, what: str = "") -> NoReturn:
        """Raise the error about the line at which the reader stands."""
        line = self.line()
        got = quoted(line) if line.strip() else "a blank line"
        if self.at >= len(self.lines):
            got = "the end of the input"
        message = f"{self.place}, line {self.at + 1}{self.part}: expected {expected}, got {what}{got}{self.hint}"
        raise InputError(message)


def write_cases(cases: Sequence[Case]) -> str:
    """Return the text of some cases in ZOJ 3814's layout."""
    parts = [str(len(cases))]
    for case in cases:
        parts += [_drawn(case.first), "", _drawn(case.second), ""]
        teeth = sawtooth.teeth_of(case.board)
        parts += [" ".join(teeth[i : i + 4]) for i in range(0, len(teeth), 4)] + [""]
    return "\n".join(parts)


def _drawn(picture: np.ndarray) -> str:
    bands = picture.reshape(3, 3, 8, 8).swapaxes(1, 2)
    return f"\n{' ' * 26}\n".join("\n".join(" ".join(map("".join, row)) for row in band) for band in bands)


def write_cell(cell: int) -> str:
    """Return a cell, 0 .. 8, as the judge counts: (row,column)."""
    return f"({cell // 3 + 1},{cell % 3 + 1})"


def write_steps(steps: Iterable[int] | None) -> str:
    """Return the number of some steps (cells 0 .. 8) and each as (row, column), or -1 for none.

    >>> write_steps([1, 8, 8]), write_steps([]), write_steps(None)
    ('3: (1,2) (3,3) (3,3)', '0:', '-1')
    """
    if steps is None:
        return "-1"
    cells = [write_cell(cell) for cell in steps]
    return " ".join([f"{len(cells)}:", *cells])
