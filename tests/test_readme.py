"""The front page: its commands print what it says, its files are there, its numbers are those of the exports."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("block", CONSOLE)
def test_commands_print_what_the_readme_says(block, tmp_path):
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        ended = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True
        )
        assert (ended.stdout, ended.returncode) == (expected, 0), command


def test_every_link_and_picture_leads_somewhere():
    for page in (ROOT / "README.md", ROOT / "data" / "README.md"):
        links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
        missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
        assert not missing, page
