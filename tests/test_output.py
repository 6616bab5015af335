import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from clocklab.plumbing import output
from clocklab.plumbing.errors import printable
from clocklab.plumbing.output import write_whole


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old"
    path.write_bytes(b"old")
    return path


def test_a_new_file_in_a_new_folder_has_the_usual_permissions(tmp_path):
    write_whole(tmp_path / "a" / "b" / "file", b"new")
    (tmp_path / "other").touch()
    assert (tmp_path / "a/b/file").read_bytes() == b"new"
    assert (tmp_path / "a/b/file").stat().st_mode == (tmp_path / "other").stat().st_mode
    assert os.listdir(tmp_path / "a/b") == ["file"]


def test_an_old_file_is_replaced_and_keeps_its_permissions(old):
    old.chmod(0o640)
    write_whole(old, b"new")
    assert old.read_bytes() == b"new"
    assert old.stat().st_mode & 0o777 == 0o640


def test_a_name_as_long_as_names_may_be(tmp_path):
    write_whole(tmp_path / ("n" * 255), b"new")
    assert os.listdir(tmp_path) == ["n" * 255]


@pytest.mark.parametrize("link_to", ["old", "not there yet"])
def test_a_link_stays_and_what_it_names_is_written(old, link_to):
    link = old.parent / "link"
    link.symlink_to(link_to)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (old.parent / link_to).read_bytes() == b"new"


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_no_other(old, monkeypatch, step, failure):
    def fail(*_):
        raise failure

    monkeypatch.setattr(output.os, step, fail)
    with pytest.raises(type(failure)) as raised:
        write_whole(old, b"new")
    assert old.read_bytes() == b"old"
    assert os.listdir(old.parent) == ["old"]
    assert isinstance(failure, KeyboardInterrupt) or raised.value.filename == str(old)


def test_a_file_that_may_not_be_written_is_kept(old, monkeypatch):
    monkeypatch.setattr(output.os, "access", lambda path, mode: False)  # root may write anything
    with pytest.raises(PermissionError, match="old"):
        write_whole(old, b"new")
    assert old.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "error"),
    [(".", IsADirectoryError), ("old/under", FileExistsError), ("n" * 256, OSError)],
)
def test_what_cannot_be_written_is_named(old, name, error):
    with pytest.raises(error) as raised:
        write_whole(old.parent / name, b"new")
    assert raised.value.filename == str(old.parent / name)
    assert sorted(os.listdir(old.parent)) == ["old"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_device_is_written_as_it_comes():
    write_whole(Path("/dev/null"), b"new")
    assert not os.path.isfile("/dev/null")
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_whole(Path("/dev/full"), b"new")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_as_it_comes(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_whole, args=(pipe, b"new"))
    writer.start()
    assert pipe.read_bytes() == b"new"
    writer.join()
    assert pipe.is_fifo()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_killed_while_writing_one_of_the_two_files_is_whole(tmp_path):
    path, size = tmp_path / "file", 1 << 20
    program = f"""
from pathlib import Path
from clocklab.plumbing.output import write_whole
while True:
    for letter in b"ab":
        write_whole(Path({str(path)!r}), bytes([letter]) * {size})
        print(flush=True)
"""
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            process.kill()
        assert path.read_bytes() in (b"a" * size, b"b" * size)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain ü 鐘", "plain ü 鐘"),
        ("a\r\nb\t", r"a\r\nb\t"),
        ("\x1b[31m\0\u202e\udcff", r"\x1b[31m\x00\u202e\udcff"),
    ],
)
def test_printable_is_one_line(text, line):
    assert printable(text) == line
    assert line.isprintable()
