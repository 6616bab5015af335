"""The front page: its commands print what it says, its files are there, its numbers are those of the exports."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from clocklab import notebooks

ROOT = Path(__file__).parent.parent
DATA = ROOT / "data"
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("block", CONSOLE)
def test_commands_print_what_the_readme_says(block, tmp_path):
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        ended = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert (ended.stdout, ended.returncode) == (expected, 0), command


def test_every_link_and_picture_leads_somewhere():
    for page in (ROOT / "README.md", ROOT / "data" / "README.md"):
        links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
        missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
        assert not missing, page


def findings():
    """The numbers of the front page, each from an export."""
    clocks = pd.read_csv(DATA / "clock_distribution.csv")
    far = clocks["clockwise"].to_numpy()
    yield f"{far.nonzero()[0].max()} presses from solved, farther than all {far.sum() - far[-1]:,} others"
    yield f"{far[1]} states are one press away, {far[2]} two, {far[3]} three"
    assert far[-1] == 1 and far[:14].sum() == far.sum() / 2
    yield f"One needs {len(far) - 1} presses, half need {13} or fewer"
    yield f"from 0 to {far.sum() - 1:,}"
    distances = pd.read_csv(DATA / "clock_distances.csv.gz", dtype={"dials": str})
    wrong = 9 - distances["dials"].str.count("0")
    most, worst = distances["clockwise"][wrong == 1].max(), wrong[distances["clockwise"].idxmax()]
    yield f"One wrong clock can take {most} presses, and the worst state has only {worst}"
    five = pd.read_csv(DATA / "move_sets.csv").query("puzzle == 'clocks' and hours == 5").iloc[0]
    yield f"The determinant is {five.determinant:.0f}, and {five.determinant:.0f} has an inverse mod 4"
    yield f"With five hours on a clock, only one state in {five.reachable_one_in} could be solved"
    reach = pd.read_csv(DATA / "sawtooth_reach.csv").set_index("teeth")["share"]
    yield f"boards of 24 teeth reach {reach[24]:.0%} of all states, of 29 teeth {reach[29]:.0%}".replace("%", " %")
    hardest = pd.read_csv(DATA / "sawtooth_hardest.csv")["steps"].max()
    yield f"The hardest board found needs {hardest} turns"
    yield f"fewer than {hardest} turns"
    census = pd.read_csv(DATA / "sawtooth_census.csv")
    boards, connected = census["boards"].sum(), census["strongly_connected"].sum()
    yield f"of all {boards:,} boards"
    yield f"On {connected:,}, or {connected / boards:.1%}".replace("%", " %")
    spoilt = census["teeth"][census["strongly_connected"] < census["boards"]].min()
    none = census["teeth"][census["strongly_connected"] > 0].max() + 1
    yield f"{['', 'One', 'Two', 'Three', 'Four', 'Five'][spoilt]} teeth can spoil it"
    yield f"no board of {none} or more teeth has it"


def test_findings_are_those_of_the_exports():
    page = " ".join(README.split())
    assert [finding for finding in findings() if finding not in page] == []


def test_questions_are_those_of_the_notebooks():
    for path in notebooks.everything():
        title, _, question, *_ = nbformat.read(path, 4).cells[0].source.splitlines()
        number = path.name[:2]
        row = f"| [{number} {title.removeprefix('# ')}](notebooks/{path.name}) | {question.removeprefix('> ')} |"
        assert row in README
