"""Long runs: what is finished is kept, checked and never done twice, and Ctrl-C or a killed process loses nothing."""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Timer

import pytest

from clocklab.plumbing import work
from clocklab.plumbing.errors import InputError

posix = pytest.mark.skipif(os.name != "posix", reason="this system has no signals of this kind")
CHUNKS = {f"chunk-{i}": i for i in range(8)}
EXPECTED = {name: str(i * i).encode() for name, i in CHUNKS.items()}


def square(i: int) -> bytes:
    print("a word that must not come between the answers")
    return str(i * i).encode()


def fail(_: int) -> bytes:
    raise LookupError("no such chunk")


def end_the_process(_: int) -> bytes:
    os._exit(1)


def sleep_beside(begun: Path, seconds: float) -> bytes:
    begun.touch()
    time.sleep(seconds)
    return b""


class InTurn(ThreadPoolExecutor):
    """An executor that does the work at once; when so many chunks are done, Ctrl-C comes."""

    def __init__(self, stop_after: int):
        super().__init__(1)
        self.left = stop_after

    def submit(self, function, *arguments):
        future = Future()
        if self.left > 0:
            future.set_result(function(*arguments))
        elif self.left == 0:
            Timer(0.1, future.set_exception, [KeyboardInterrupt()]).start()
        self.left -= 1
        return future


def kept(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("chunk-*"))}


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    assert work.run_chunks(square, CHUNKS, tmp_path, "squares", workers=InTurn(8)) == EXPECTED
    return tmp_path


def test_processes_and_executors_leave_the_same_files(finished, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    assert work.run_chunks(square, CHUNKS, other, "squares", workers=2) == EXPECTED
    assert kept(other) == kept(finished)
    assert len(kept(other)) == 8


def test_what_is_finished_is_not_done_again(finished):
    assert work.run_chunks(square, CHUNKS, finished, "squares", workers=InTurn(0)) == EXPECTED


@pytest.mark.parametrize("after", [0, 1, 7])
def test_an_interrupted_run_resumes_where_it_ended(after, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        work.run_chunks(square, CHUNKS, tmp_path, "squares", workers=InTurn(after))
    assert len(kept(tmp_path)) == after
    assert work.run_chunks(square, CHUNKS, tmp_path, "squares", workers=InTurn(8 - after)) == EXPECTED


@pytest.mark.parametrize(
    "change",
    [
        lambda text: b"",
        lambda text: text[:-1],
        lambda text: text.replace(b"\n49", b"\n94"),
        lambda text: b"0" * 64 + text[64:],
        lambda text: text[65:],
        lambda text: text.replace(b"\n", b"\r\n"),
    ],
)
def test_a_changed_chunk_is_never_believed(change, finished):
    before, path = kept(finished), finished / "chunk-7"
    path.write_bytes(change(path.read_bytes()))
    assert path.read_bytes() != before["chunk-7"]
    assert work.run_chunks(square, CHUNKS, finished, "squares", workers=InTurn(1)) == EXPECTED  # one is made again
    assert kept(finished) == before


def test_a_chunk_cut_otherwise_is_never_believed(finished):
    other = CHUNKS | {"chunk-7": 8}
    assert work.run_chunks(square, other, finished, "squares", workers=InTurn(1))["chunk-7"] == b"64"


def test_a_chunk_under_the_name_of_another_is_never_believed(finished):
    (finished / "chunk-6").write_bytes((finished / "chunk-7").read_bytes())
    assert work.run_chunks(square, CHUNKS, finished, "squares", workers=InTurn(1)) == EXPECTED


def test_the_chunks_of_another_run_are_refused_and_kept(finished):
    before = kept(finished)
    with pytest.raises(InputError, match=r": left by 'squares'; run that again to finish it, or delete the folder$"):
        work.run_chunks(square, CHUNKS, finished, "cubes", workers=InTurn(8))
    assert kept(finished) == before
    (finished / "run").unlink()  # without its name they are still not taken for those of another
    assert work.run_chunks(square, CHUNKS, finished, "cubes", workers=InTurn(8)) == EXPECTED


def test_two_runs_in_one_folder_refuse_each_other_by_name(tmp_path):
    with work._locked(tmp_path, "squares"):
        message = f"in use by 'squares, process {os.getpid()}'$"
        with pytest.raises(InputError, match=message):
            work.run_chunks(square, CHUNKS, tmp_path, "squares")
        program = "import sys; from pathlib import Path; from clocklab.plumbing import work\n"
        program += f"work.run_chunks(abs, {{}}, Path({str(tmp_path)!r}), 'cubes')"
        other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert re.search(message, other.stderr.rstrip())
    assert work.run_chunks(square, CHUNKS, tmp_path, "squares", workers=InTurn(8)) == EXPECTED


def test_an_error_in_the_work_is_raised_here(tmp_path):
    with pytest.raises(LookupError, match="no such chunk"):
        work.run_chunks(fail, CHUNKS, tmp_path, "failing", workers=1)
    assert kept(tmp_path) == {}


def test_a_killed_worker_is_one_line(tmp_path):
    with pytest.raises(ChildProcessError, match=f"^{work.LOST}$"):
        work.run_chunks(end_the_process, CHUNKS, tmp_path, "killed", workers=2)


LONG = """
import sys
from functools import partial
from pathlib import Path
sys.path.append({tests!r})
from clocklab.plumbing import work
from test_work import sleep_beside
folder = Path({folder!r})
try:
    chunks = {{f"chunk-{{i}}": seconds for i, seconds in enumerate([0, 6, 6, 60])}}
    work.run_chunks(partial(sleep_beside, folder / "begun"), chunks, folder, "sleep", workers=2)
except KeyboardInterrupt:
    print("called off")
"""


def children(pid: int) -> list[int]:
    return [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@posix
@pytest.mark.parametrize("moment", ["starting", "working"])
@pytest.mark.parametrize(("end", "said"), [(signal.SIGINT, "called off\n"), (signal.SIGKILL, "")])
def test_called_off_or_killed_it_leaves_no_process_and_says_nothing_more(end, said, moment, tmp_path):
    program = LONG.format(folder=str(tmp_path), tests=str(Path(__file__).parent))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    process = subprocess.Popen([sys.executable, "-c", program], **pipes)
    while not (children(process.pid) if moment == "starting" else (tmp_path / "chunk-0").exists()):
        assert process.poll() is None
        time.sleep(0.01)
    started = children(process.pid)
    os.killpg(process.pid, end)  # as a terminal does: to the whole group
    assert process.communicate(timeout=20) == (said, "")
    deadline = time.monotonic() + 20
    while any(map(alive, started)):
        assert time.monotonic() < deadline, "a worker outlives its parent"
        time.sleep(0.01)


def test_dask_leaves_the_same_files(finished, tmp_path_factory):
    distributed, other = pytest.importorskip("distributed"), tmp_path_factory.mktemp("other")
    options = {"processes": False, "protocol": "tcp://", "host": "127.0.0.1", "dashboard_address": None}
    with distributed.LocalCluster(2, **options) as cluster, distributed.Client(cluster) as client:
        assert work.run_chunks(square, CHUNKS, other, "squares", workers=client.get_executor()) == EXPECTED
    assert kept(other) == kept(finished)


CLUSTER = """
import os, signal, subprocess, sys
from threading import Timer
from distributed import Client

def pool():
    process = subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True)
    client = Client(process.stdout.readline().strip())
    Timer(0.5, process.kill).start()
    return client.get_executor()

SCHEDULER = '''
from time import sleep
from distributed import LocalCluster
with LocalCluster(1, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address=None) as cluster:
    print(cluster.scheduler_address, flush=True)
    sleep(60)
'''
"""


@posix
def test_a_cluster_of_ones_own_beside_its_command_that_is_lost_is_one_line(tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "cluster.py").write_text(CLUSTER)
    command = "from clocklab.__main__ import main; raise SystemExit(main())"  # as if installed
    options = ["survey", "--boards", "9999", "--seed", "1", "-o", "out.csv", "--executor", "cluster:pool"]
    environment = os.environ | {"PYTHONSAFEPATH": "1"}
    ended = subprocess.run(
        [sys.executable, "-c", command, *options], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr.decode()) == (2, b"", f"clocklab: {work.LOST}\n")
