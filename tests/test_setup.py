"""The two commands' set-up: one set of versions, and a clear word where Python or venv is not what it should be."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYTHONS = "3.11", "3.12", "3.13"
SYSTEMS = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
)
make = shutil.which("make")


def pins(name: str, system: dict[str, str], python: str) -> dict[str, str]:
    """Return package and version of each line of a requirements file that holds for a Python on a system."""
    environment = {**system, "python_version": python, "python_full_version": f"{python}.0"}
    lines = [line for line in (ROOT / name).read_text().splitlines() if line[0] not in "#-"]
    wanted = [pin for pin in map(Requirement, lines) if not pin.marker or pin.marker.evaluate(environment)]
    versions = {canonicalize_name(pin.name): str(pin.specifier) for pin in wanted}
    assert len(versions) == len(wanted), "a package is pinned twice"
    assert all(re.fullmatch(r"==[\w.]+", version) for version in versions.values())
    return versions


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system["sys_platform"])
def test_the_three_pythons_get_the_same_versions(system: dict[str, str]) -> None:
    for name in "requirements.txt", "requirements-extra.txt":
        each = [pins(name, system, python) for python in PYTHONS]
        common = set(each[0]) & set(each[1]) & set(each[2])
        assert len(common) > 10
        for package in common:
            assert len({versions[package] for versions in each}) == 1


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system["sys_platform"])
def test_every_direct_dependency_is_pinned_within_its_bounds(system: dict[str, str], python: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    main, extra = (pins(name, system, python) for name in ("requirements.txt", "requirements-extra.txt"))
    assert all(extra[package] == main[package] for package in extra.keys() & main.keys())
    for versions, wanted in (
        (main, project["dependencies"] + extras["notebooks"] + extras["dev"]),
        (extra, extras["browser"] + extras["cluster"] + extras["book"]),
    ):
        for dependency in map(Requirement, wanted):
            assert dependency.specifier.contains(versions[dependency.name].removeprefix("=="))


def test_requirements_install_the_project_itself_and_name_no_place() -> None:
    assert (ROOT / "requirements.txt").read_text().splitlines()[-1] == "-e ."
    for name in "requirements.txt", "requirements-extra.txt":
        assert "://" not in (ROOT / name).read_text()


def pretend(folder: Path, change: str, venv: str = "exit 1") -> Path:
    """Return a stand-in for a Python: one whose `-c` code runs after a change of its modules."""
    python = folder / "python"
    python.write_text(f"""#!/bin/sh
[ "$1" = -c ] && exec {sys.executable} -c "{change}
$2"
{venv}
""")
    python.chmod(0o755)
    return python


def set_up(folder: Path, python: object) -> subprocess.CompletedProcess[str]:
    """Run `make bench`, which needs nothing but the set-up, in a bare copy of the project."""
    for name in "Makefile", "requirements.txt", "pyproject.toml":
        shutil.copy2(ROOT / name, folder)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    command = [str(make), "bench", f"PYTHON={python}"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(make is None, reason="make is not installed")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("import sys; sys.version_info = (3, 10, 4)", "python is Python 3.10; clocklab needs 3.11 or newer"),
        ("import sys; sys.modules['ensurepip'] = None", "python comes without venv; on Debian and Ubuntu: apt-get"),
    ],
)
def test_a_python_that_will_not_do_is_refused_in_one_line(tmp_path: Path, change: str, message: str) -> None:
    done = set_up(tmp_path, pretend(tmp_path, change))
    assert done.returncode == 2
    first, last = done.stderr.splitlines()
    assert message in first
    assert last.startswith("make: ***")
    assert done.stdout == ""


@pytest.mark.skipif(make is None, reason="make is not installed")
def test_a_python_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    done = set_up(tmp_path, "python9")
    assert done.stderr.startswith("Found no python9; name one: make PYTHON=/path/to/python\n")
    assert done.returncode == 2


@pytest.mark.skipif(make is None, reason="make is not installed")
def test_a_set_up_that_is_cut_short_starts_again(tmp_path: Path) -> None:
    """The stand-in makes a .venv whose pip fails: then there is no stamp, and the next run builds anew."""
    broken = pretend(tmp_path, "", "mkdir -p .venv/bin; ln -sf /bin/false .venv/bin/python")
    for _ in range(2):
        done = set_up(tmp_path, broken)
        assert done.returncode == 2
        assert "-m venv --clear .venv" in done.stdout
        assert [path.name for path in (tmp_path / ".venv").iterdir()] == ["bin"]
    working = pretend(tmp_path, "", "mkdir -p .venv/bin; ln -sf /bin/true .venv/bin/python")
    assert set_up(tmp_path, working).returncode == 0
    assert set_up(tmp_path, working).stdout == ".venv/bin/python benchmarks/run.py\n"
