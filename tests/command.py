"""Run the command line inside this process, as `clocklab ARGUMENTS < given`."""

import io
import sys
from typing import NamedTuple
from unittest.mock import patch

from clocklab.__main__ import main


class Ended(NamedTuple):
    status: int
    out: str
    err: str


def run(*arguments: str, given: bytes = b"") -> Ended:
    given_in, out, err = (io.TextIOWrapper(io.BytesIO(content), "utf-8") for content in (given, b"", b""))
    with patch.multiple(sys, stdin=given_in, stdout=out, stderr=err):
        status = main(list(arguments))
    for stream in (out, err):
        stream.flush()
    return Ended(status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())


def refused(ended: Ended) -> str:
    """Return the message of a run that was refused as it should be: status 2, one printable line, nothing else."""
    assert ended.status == 2
    assert ended.out == ""
    assert ended.err.startswith("clocklab: ")
    assert ended.err.endswith("\n")
    assert ended.err[:-1].isprintable()
    return ended.err[len("clocklab: ") : -1]
