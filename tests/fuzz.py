"""The long random test: every reader gets 100,000 texts, most of them valid ones that were damaged.

Run by `make fuzz`; `FUZZ=1000 make fuzz` is a short one. Each text must be answered, or refused in one printable
line with nothing on standard output. A reader is one entry in READERS: how to ask it, and valid texts to damage.
"""

import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from command import Ended, refused, run
from tqdm import tqdm

from clocklab import __main__ as command_line
from clocklab import judge, sawtooth, solvers
from clocklab.studies import movesets, puzzles, survey

NUMBER = int(os.environ.get("FUZZ", "100000"))
CASES = Path(__file__).with_name("cases")
ODDITIES = [
    b"", b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xc2\xa0", b"\x85", b"\x1b[2J", b"\r", b"\n\n", b"\r\n",
    b"\t", b"\x0b", b"\x0c", b"\x1c", b"\x1a", "٣".encode(), "³".encode(), "３".encode(), b"\xe2\x80\xa8",
    b"+3", b"-3", b"-", b"0x3", b"1_2", b"3.0", b"3e0", b"012", b"9" * 5000, b"nan", b"'", b'"', b"\\", b"%s", b"{}",
    b",", b";", b"#",
]  # fmt: skip


class Reader(NamedTuple):
    ask: Callable[[bytes], Ended]
    valid: list[bytes]


def by_command(*arguments: str) -> Callable[[bytes], Ended]:
    """Ask a command that reads standard input."""
    return lambda text: run(*arguments, given=text)


def by_function(read: Callable[[bytes], object]) -> Callable[[bytes], Ended]:
    """Ask a function of the package, where the whole command would be slow."""

    def ask(text: bytes) -> Ended:
        try:
            read(text)
        except ValueError as error:
            if not type(error).__module__.startswith("clocklab."):
                raise
            return Ended(2, "", f"clocklab: {error}\n")
        return Ended(0, "", "")

    return ask


def argument(text: bytes) -> str:
    """Return the bytes as Python hands them over from the command line."""
    return text.decode("utf-8", "surrogateescape")


def cases(prefix: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(CASES.glob(f"{prefix}_*.in"))]


def lines(positions: list[bytes]) -> list[bytes]:
    joined = [b" ".join(text.split()) for text in positions]
    return [b"\n".join(joined), b"\r\n".join(joined) + b"\r\n\r\n", joined[0]]


def unfinished(sample: survey.Sample) -> bytes:
    """Return what an interrupted survey of the sample has kept when half of it is done."""
    rows = [(i, *survey.examine(sample.board(i))) for i in range(0, sample.boards, 2)]
    return f"{sample}\n".encode() + b"".join(",".join(map(str, row)).encode() + b"\n" for row in rows)


SAMPLE = survey.Sample(boards=8, seed=1)
READERS = {
    "hours": Reader(by_command("solve", "--notation", "hours"), cases("hours")),
    "quarters": Reader(by_command("solve", "--notation", "quarters"), cases("quarters")),
    "lines of hours": Reader(by_command("solve", "--notation", "hours", "--lines"), lines(cases("hours"))),
    "lines of quarters": Reader(by_command("solve", "--notation", "quarters", "--lines"), lines(cases("quarters"))),
    "sawtooth": Reader(by_function(judge.read_cases), cases("sawtooth")),
    "boards": Reader(
        by_function(lambda text: sawtooth.board_of(argument(text))), [b"1101" * 9, b"1000 0100 0010 " * 3, b"0" * 36]
    ),
    "unfinished survey": Reader(
        by_function(lambda text: survey.read_part(text, SAMPLE, "kept")), [unfinished(SAMPLE), f"{SAMPLE}\n".encode()]
    ),
    "move sets": Reader(
        by_function(lambda text: puzzles.named(argument(text))),
        [b"ABDE ABC BCEF ADG BDEFH CFI DEGH GHI EFHI", b"A2B-3 B-3C3 A2C3", b"AB BC CA", b"lights-out-5x6-torus"],
    ),
    "matrices": Reader(
        by_function(lambda text: movesets.read_matrix(text, "moves")),
        [b"1 1 0\n0 1 1\n1 0 1\n", b"[[1, -2],\n [3, 1]]", b"1.0e+00,0.0e+00\n2.0e+00,1.0e+00\n"],
    ),
    "goals": Reader(
        by_function(lambda text: judge.read_goal(text, "hours")),
        [b"9 ? 12 ? ? ? 6 3 6", b"? ? ? ? ? ? ? ? ?", b"12 3 6 9 12 3 6 9 12"],
    ),
}


def damaged(valid: list[bytes], rng: random.Random) -> bytes:
    """Return one of the valid texts after a few accidents; now and then nothing but noise."""
    if rng.random() < 0.05:
        return rng.randbytes(rng.randrange(60))
    text = rng.choice(valid)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 8))):
        start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        near = min(len(text), start + rng.randrange(4))
        text = rng.choice(
            [
                text[:start] + rng.choice(ODDITIES) + text[near:],
                text[:start] + rng.choice(text.split() or [b""]) + text[near:],
                text[:start] + rng.choice(b"0123456789 \n.#ABI").to_bytes(1, "big") + text[start + 1 :],
                text[:start] + rng.randbytes(1) + text[start + 1 :],
                text[:start] + text[near:],
                text[:end] + text[start:],
                text[:start],
                text[:start] + rng.choice(valid)[start:],
                text.replace(rng.choice([b" ", b"\n", b"3"]), rng.choice([b"", b" ", b"\r\n"])),
                text.decode("latin-1").encode("utf-16") if rng.random() < 0.1 else text.swapcase(),
            ]
        )[:20_000]
    return text


@pytest.mark.parametrize("name", READERS)
def test_every_text_is_answered_or_refused_in_one_line(name, monkeypatch, capsys):
    for module, slow in ((command_line, "_parser"), (solvers, "press_vectors")):  # the same at every call
        monkeypatch.setattr(module, slow, cache(getattr(module, slow)))
    reader, rng, answered = READERS[name], random.Random(name), 0
    with capsys.disabled():
        for _ in tqdm(range(NUMBER), f"{name:18}"):
            text = damaged(reader.valid, rng)
            try:
                ended = reader.ask(text)
                assert ended.status == 2 or (ended.status, ended.err) == (0, "")
                answered += not ended.status or not refused(ended)
            except Exception as error:
                raise AssertionError(f"{name}: {text!r}") from error
    assert 0.01 < answered / NUMBER < 0.9  # both kinds came up
