"""The page to play on is one file, and the boards that it lists are those of the package and of data/."""

import csv
import re
import runpy
from pathlib import Path

from clocklab import sawtooth
from clocklab.plumbing.output import stored
from clocklab.studies import examples
from clocklab.studies.hardest import STORED

DOCS = Path(__file__).parents[1] / "docs"
PLAY = DOCS / "play.html"
SCRIPT = runpy.run_path(str(DOCS / "boards.py"))


def test_the_page_lists_the_boards_as_its_script_writes_them() -> None:
    page = PLAY.read_text("utf-8")
    assert SCRIPT["filled"](page) == page, "out of date: python docs/boards.py"
    assert SCRIPT["filled"](page.replace("322222213", "000000000")) == page


def test_the_lists_are_the_named_and_the_hardest_boards() -> None:
    named, hardest = SCRIPT["listed"]().values()
    boards = {name: sawtooth.board_of(teeth) for name, teeth, *_ in named}
    assert boards.items() >= examples.BOARDS.items()
    assert {"trapdoor", "stairs", "whirl", "helpless", "helped"} == boards.keys() - examples.BOARDS.keys()
    rows = list(csv.DictReader(stored(STORED).decode().splitlines()))
    assert [(teeth, goal) for _, teeth, goal in hardest] == [(row["board"], row["target"]) for row in rows]
    assert all(name.startswith(f"{row['steps']} turns") for (name, *_), row in zip(hardest, rows, strict=True))


def test_the_page_stands_alone() -> None:
    page = PLAY.read_text("utf-8")
    assert len(page.encode()) < 42_000
    assert re.findall(r"https?://[^\"]*", page) == ["http://www.w3.org/2000/svg"]  # a name, not a place
    assert not re.search(r"\b(src=|@import|url\(|fetch|import\()", page)
