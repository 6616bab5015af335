import argparse
import errno
import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from threading import Timer

import pytest
from command import refused, run
from hypothesis import given
from hypothesis import strategies as st

from clocklab import __main__ as command_line
from clocklab.dials import NOTATIONS
from clocklab.solvers import SOLVERS

CASES = sorted(
    path for path in Path(__file__).with_name("cases").glob("*.in") if not path.name.startswith("sawtooth")
)
CLOCKLAB = [sys.executable, "-m", "clocklab"]
WORKED = ("9 9 12 6 6 6 6 3 6", "4 5 8 9\n")
ALL = "".join("".join(quarters) + "\n" for quarters in product("0123", repeat=9))
posix = pytest.mark.skipif(os.name != "posix", reason="this system has no signals or devices of this kind")


@pytest.fixture(scope="module")
def every_position(tmp_path_factory):
    path = tmp_path_factory.mktemp("positions") / "all"
    path.write_text(ALL)
    return str(path)


def process(*arguments: str, **keywords) -> subprocess.CompletedProcess:
    return subprocess.run([*CLOCKLAB, *arguments], capture_output=True, check=False, timeout=60, **keywords)


@pytest.mark.parametrize("method", SOLVERS)
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_cases(case, method):
    notation, answer = case.name.partition("_")[0], case.with_suffix(".out").read_text()
    assert run("solve", str(case), "--notation", notation, "--by", method) == (0, answer, "")
    assert run("solve", "--notation", notation, "--by", method, given=case.read_bytes()) == (0, answer, "")


def test_there_are_cases_of_each_notation():
    assert {case.name.partition("_")[0] for case in CASES} == set(NOTATIONS)
    assert len(CASES) == 12


@pytest.mark.parametrize("method", SOLVERS)
def test_one_answer_a_line_as_each_alone(method):
    texts = ["330222212", "000000000", "303010303", "330 222\t212"]
    alone = [run("solve", "--notation", "quarters", given=text.encode()).out for text in texts]
    together = run("solve", "--notation", "quarters", "--lines", "--by", method, given="\r\n".join(texts).encode())
    assert together == (0, "".join(alone), "")
    assert alone[1] == "\n"


def test_the_whole_file_of_positions_gives_a_line_each(every_position):
    ended = run("solve", "--notation", "quarters", "--lines", every_position)
    assert ended.status == 0
    assert ended.out.count("\n") == len(ALL) // 10
    assert (
        ended.out.splitlines()[0b11 << 16 | 0b11]
        == run("solve", "--notation", "quarters", given=b"300000003").out[:-1]
    )


def test_no_lines_give_no_answers():
    assert run("solve", "--notation", "hours", "--lines") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", "COMMAND"),
        ("no-such-command", "no-such-command"),
        ("solve", "--notation"),
        ("solve --notation clocks", "choose from"),
        ("solve --notation hours --by luck", "choose from"),
        ("solve --notation hours a b", "unrecognized arguments: b"),
        ("solve --not hours", "--notation"),
        ("solve --notation hours no/such/file", "no/such/file: No such file or directory"),
        ("solve --notation hours .", ".: Is a directory"),
        ("tables --only no_such_table", "no_such_table: no such name; --list shows them"),
        ("figures clock_moves", "clock_moves: expected a folder; one by name is --only clock_moves"),
        ("figures --format gif", "choose from"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="other systems have other words for it")
def test_bad_usage_is_one_line(arguments, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert expected in refused(run(*arguments.split()))
    assert os.listdir(tmp_path) == []


def test_a_name_that_is_empty_is_shown():
    assert refused(run("solve", "--notation", "hours", "")).startswith("'': ")


def test_one_line_even_where_a_name_holds_line_ends():
    assert refused(run("solve", "--notation", "hours", "no\nsuch\x1bfile")).startswith(r"no\nsuch\x1bfile: ")
    assert r"\n" in refused(run("solve", "--notation", "hours", "a", "b\nc"))


def test_what_is_stale_is_one_line_a_file_whatever_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    checked = run("tables", "o\udcff\n", "--only", "clock_inverse.csv", "--check")
    assert checked == (1, f"o\\udcff\\n{os.sep}clock_inverse.csv: missing\n", "")


def test_an_error_names_the_file(tmp_path):
    path = tmp_path / "clocks.txt"
    path.write_text("9 9 12\n6 6 7\n6 3 6\n")
    expected = f"{path}, line 2, clock F: expected 12, 3, 6 or 9, got '7'"
    assert refused(run("solve", "--notation", "hours", str(path))) == expected


@given(
    st.binary(max_size=40) | st.text("0123 \n", max_size=14).map(str.encode),
    st.sampled_from(list(NOTATIONS)),
    st.booleans(),
)
def test_any_bytes_give_an_answer_or_one_line(text, notation, lines):
    ended = run("solve", "--notation", notation, *["--lines"] * lines, given=text)
    if ended.status:
        assert refused(ended).startswith("standard input, line ")
    else:
        assert ended.err == ""
        assert set(ended.out) <= set("123456789 \n")


def test_output_goes_to_a_file_whole(tmp_path):
    path = tmp_path / "answer"
    assert run("solve", "--notation", "hours", "-o", str(path), given=WORKED[0].encode()) == (0, "", "")
    assert path.read_text() == WORKED[1]
    assert run("solve", "--notation", "hours", "-o", "-", given=WORKED[0].encode()) == (0, WORKED[1], "")


def test_the_input_may_be_the_output(tmp_path):
    path = tmp_path / "clocks"
    path.write_text(WORKED[0])
    assert run("solve", "--notation", "hours", str(path), "-o", str(path)).status == 0
    assert path.read_text() == WORKED[1]


@pytest.mark.parametrize("given_text", [b"9 9", WORKED[0].encode()])
def test_a_failure_keeps_the_old_output(tmp_path, monkeypatch, given_text):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "answer"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    refused(run("solve", "--notation", "hours", "-o", str(path), given=given_text))
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["answer"]


def test_an_interruption_and_a_lack_of_memory_end_quietly(monkeypatch):
    monkeypatch.setattr(command_line, "read", lambda file: (_ for _ in ()).throw(KeyboardInterrupt))
    try:
        assert run("solve", "--notation", "hours") == (130, "", "")
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # pressed again, it does not disturb the end
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(command_line, "read", lambda file: (_ for _ in ()).throw(MemoryError))
    assert refused(run("solve", "--notation", "hours")) == "not enough memory"


@pytest.mark.parametrize(("stream", "name"), [("stdin", "standard input"), ("stdout", "standard output")])
def test_a_stream_that_is_closed_is_named(stream, name, monkeypatch, capsys):
    monkeypatch.setattr(command_line, "read", command_line.read if stream == "stdin" else lambda _: (b"0" * 9, ""))
    monkeypatch.setattr(sys, stream, None)
    assert command_line.main(["solve", "--notation", "quarters"]) == 2
    assert capsys.readouterr().err == f"clocklab: {name}: {os.strerror(errno.EBADF)}\n"


@posix
def test_a_closed_pipe_is_put_out_of_use(monkeypatch, capsys):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="ascii") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert command_line.main(["--help"]) == 141
        pipe.write("this goes nowhere")
    assert capsys.readouterr().err == ""


def test_a_closed_stream_that_is_not_needed_does_no_harm(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert command_line.main(["tables", str(tmp_path), "--only", "clock_inverse.csv"]) == 0
    assert os.listdir(tmp_path) == ["clock_inverse.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_no_room_for_the_help_or_the_error(monkeypatch, capsys):
    with open("/dev/full", "w", encoding="utf-8", buffering=1) as full, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", full)
        assert command_line.main(["solve", "--help"]) == 2
    assert capsys.readouterr().err == f"clocklab: standard output: {os.strerror(errno.ENOSPC)}\n"
    with open("/dev/full", "w", encoding="utf-8", buffering=1) as full, monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", full)
        assert command_line.main(["solve"]) == 2
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())  # so that it can be closed


@posix
def test_input_that_comes_late_is_waited_for(monkeypatch):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.write(writing, b"330 222 ")
    rest = Timer(0.1, lambda: (os.write(writing, b"212"), os.close(writing)))
    rest.start()
    with open(reading, encoding="ascii") as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        assert command_line.read("-") == (b"330 222 212", "standard input")
    rest.join()


def test_an_error_of_our_own_making_is_not_hidden(monkeypatch):
    monkeypatch.setattr(command_line, "read", lambda file: int("a defect"))
    with pytest.raises(ValueError, match="a defect"):
        run("solve", "--notation", "hours")


def commands() -> dict[str, argparse.ArgumentParser]:
    parser = command_line._parser()
    return next(action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction))


@pytest.mark.parametrize("name", commands())
def test_help_has_an_example_that_is_understood(name):
    ended = run(name, "--help")
    assert ended.status == 0
    assert ended.err == ""
    example = commands()[name].epilog.removeprefix("example: ")
    assert "example: clocklab " in ended.out or "| clocklab " in ended.out
    words = example.rpartition("clocklab ")[2].replace("'AB BC CA'", "AB").split()
    assert command_line._parser().parse_args(words).run.__name__.replace("_", "-") == name


def test_help_names_every_command():
    ended = run("--help")
    assert ended.status == 0
    assert all(name in ended.out for name in commands())


def test_the_roads_and_notations_offered_are_those_there_are():
    offered = {action.dest: action.choices for action in commands()["solve"]._actions}
    assert offered["notation"] == tuple(NOTATIONS)
    assert set(offered["by"]) == set(SOLVERS)


def test_tables_and_figures_are_listed_and_picked_by_name(tmp_path):
    for command, name, file in [
        ("tables", "clock_distribution.csv", "clock_distribution.csv"),
        ("figures", "clock_moves", "clock_moves.svg"),
    ]:
        listed = run(command, "--list")
        assert name in [line.split()[0] for line in listed.out.splitlines()]
        formats = ["--format", "svg"] if command == "figures" else []
        for folder in (tmp_path / "one", tmp_path / "two"):
            assert run(command, str(folder), "--only", name, *formats).status == 0
            assert sorted(os.listdir(folder))[-1] == file
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_solve_loads_numpy_and_the_standard_library_alone():
    program = (
        "import sys; own = set(sys.modules); from clocklab.__main__ import main;"
        "status = main(['solve', '--notation', 'hours']); new = set(sys.modules) - own;"
        "print(*{m.partition('.')[0] for m in new} - set(sys.stdlib_module_names)); sys.exit(status)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], input=WORKED[0], capture_output=True, text=True, check=True
    )
    answer, modules = ended.stdout.splitlines()
    assert answer + "\n" == WORKED[1]
    loaded = {module for module in modules.split() if not module.startswith("_")}
    assert loaded == {"clocklab", "numpy"}


def test_as_a_module_and_as_a_command():
    assert process("solve", "--notation", "hours", input=WORKED[0].encode()).stdout.decode() == WORKED[1]
    script = Path(sys.executable).with_name("clocklab")
    ended = subprocess.run([script, "solve", "--notation", "hours"], input=b"9", capture_output=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(b"clocklab: standard input, line 1, clock B: ")


@posix
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_closed_pipe_ends_quietly(every_position, buffered):
    arguments = [*CLOCKLAB, "solve", "--notation", "quarters", "--lines", every_position]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(arguments, **pipes, env={**os.environ, "PYTHONUNBUFFERED": buffered}) as ended:
        assert ended.stdout.readline() == b"\n"
        ended.stdout.close()
        assert ended.stderr.read() == b""
    assert ended.returncode == 128 + signal.SIGPIPE


@posix
def test_ctrl_c_ends_quietly(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    arguments = [*CLOCKLAB, "solve", "--notation", "hours", str(tmp_path / "pipe")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(arguments, **pipes) as ended, open(tmp_path / "pipe", "wb"):  # waits for the other end
        ended.send_signal(signal.SIGINT)
        assert ended.communicate() == (b"", b"")
    assert ended.returncode == 128 + signal.SIGINT


@posix
@pytest.mark.parametrize("redirect", ["> /dev/full", "-o /dev/full", ">&-", "< /dev/null >&-"])
def test_an_output_that_takes_nothing_is_one_line(redirect):
    line = f"echo {WORKED[0]} | {sys.executable} -m clocklab solve --notation hours {redirect}"
    ended = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stderr.startswith("clocklab: ")


@posix
@pytest.mark.parametrize(("closed", "name"), [("<&-", "standard input"), ("2>&-", "")])
def test_closed_streams_are_no_reason_for_a_traceback(closed, name):
    ended = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m clocklab solve --notation hours {closed}"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"clocklab: {name}" if name else "")


@posix
def test_standard_output_by_its_device_name_is_added_to(tmp_path):
    line = f"echo before; echo {WORKED[0]} | {sys.executable} -m clocklab solve --notation hours -o /dev/stdout"
    with open(tmp_path / "log", "wb") as log:
        subprocess.run(["sh", "-c", line], stdout=log, check=True)
    assert (tmp_path / "log").read_text() == "before\n" + WORKED[1]


@posix
def test_standard_output_by_its_device_name_leaves_room_for_what_follows(tmp_path):
    line = f"(echo {WORKED[0]} | {sys.executable} -m clocklab solve --notation hours -o /dev/stdout; echo after)"
    with open(tmp_path / "log", "wb") as log:
        subprocess.run(["sh", "-c", line], stdout=log, check=True)
    assert (tmp_path / "log").read_text() == WORKED[1] + "after\n"


def test_figures_need_no_screen_whatever_the_environment_names(tmp_path):
    line = [sys.executable, "-m", "clocklab", "figures", str(tmp_path), "--only", "clock_bits"]
    ended = subprocess.run(line, env={**os.environ, "MPLBACKEND": "nosuch"}, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, b"")
    assert os.listdir(tmp_path) == ["clock_bits.png"]


def test_a_check_of_some_exports_says_nothing_of_the_others(tmp_path):
    for name in "clock_inverse.csv", "clock_left_out.csv", "old.csv":
        (tmp_path / name).write_text("")
    ended = run("tables", str(tmp_path), "--check", "--only", "clock_inverse.csv")
    assert ended == (1, f"{tmp_path / 'clock_inverse.csv'}: stale\n", "")


def test_a_folder_may_bear_the_name_of_an_export(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkdir("clock_bits")
    assert run("figures", "clock_bits", "--only", "clock_bits") == (0, "", "")
    assert os.listdir("clock_bits") == ["clock_bits.png"]
