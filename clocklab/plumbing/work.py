"""Long runs: cut into chunks, resumed where they ended, over the processes of this machine or any executor.

An executor is a ``concurrent.futures.Executor``, such as ``distributed.Client(address).get_executor()`` for the
machines of a Dask cluster with clocklab installed on them.
"""

import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from pkgutil import resolve_name
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

from clocklab.plumbing.errors import InputError
from clocklab.plumbing.output import write_whole

Item = TypeVar("Item")
Key = TypeVar("Key")
Result = TypeVar("Result")
Workers: TypeAlias = Executor | int | None  # who works: an executor, or so many processes, one a core if None
LOST = "a worker was killed; finished work is kept"


def run_chunks(
    work: Callable[[Item], bytes], chunks: Mapping[str, Item], folder: Path, about: str, workers: Workers = None
) -> dict[str, bytes]:
    """Return what ``work`` makes of each named chunk, kept in ``folder`` as it finishes: an interrupted run resumes.

    ``work`` must be a module's function or a ``partial`` of one, so that other processes and machines find it by
    name. ``about`` says in one line which run it is. A file is made again where its checksum, of the run, the chunk
    (as ``repr`` shows it) and the result, is wrong. InputError where another run is at work in the folder, or has
    left its chunks there; ChildProcessError where a worker is killed.
    """
    with _locked(folder, about):
        labels = {name: f"{about}\n{name}\n{chunk!r}\n".encode() for name, chunk in chunks.items()}
        done = {name: kept for name in chunks if (kept := _read(folder / name, labels[name])) is not None}
        missing = {name: chunk for name, chunk in chunks.items() if name not in done}
        with executor_for(workers) as executor:
            for name, result in as_finished(work, missing, executor, about.partition(" --")[0], len(done)):
                write_whole(folder / name, _sum(labels[name] + result) + result)
                done[name] = result
    return {name: done[name] for name in chunks}


def _read(path: Path, label: bytes) -> bytes | None:
    """Return what was kept of a chunk; None where its file is missing or its checksum wrong."""
    first, line, result = path.read_bytes().partition(b"\n") if path.is_file() else (b"", b"", b"")
    return result if first + line == _sum(label + result) else None


def _sum(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode() + b"\n"


@contextmanager
def _locked(folder: Path, about: str) -> Iterator[None]:
    """Keep a folder for one run: it names itself in the file ``run``, for others to read."""
    from filelock import FileLock, Timeout

    folder.mkdir(parents=True, exist_ok=True)
    owner = folder / "run"
    try:
        with FileLock(folder / "lock", timeout=0):
            left_by = owner.read_text("utf-8", "replace").partition("\n")[0] if owner.exists() else about
            if left_by != about:
                raise InputError(f"{folder}: left by '{left_by}'; run that again to finish it, or delete the folder")
            write_whole(owner, f"{about}\nprocess {os.getpid()}\n".encode())
            yield
    except Timeout:
        raise InputError(f"{folder}: in use by '{', '.join(owner.read_text().splitlines())}'") from None


def executor_for(workers: Workers = None) -> AbstractContextManager[Executor]:
    """Return the executor passed in, left to its owner, or one of so many processes."""
    return nullcontext(workers) if isinstance(workers, Executor) else _Processes(workers or os.cpu_count() or 1)


class _Processes(ThreadPoolExecutor):
    """Threads that have their work done by a process each, killed at the end whatever they are at.

    The processes of ``ProcessPoolExecutor`` hear Ctrl-C while they start, and complain of semaphores when all are
    killed. These are deaf to the terminal, and end with their standard input.
    """

    def __init__(self, workers: int):
        """Start the processes."""
        super().__init__(workers)
        program = f"import sys; sys.path = {sys.path!r}; from clocklab.plumbing.work import serve; serve()"
        command, group = [sys.executable, "-c", program], getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        self.processes, self.idle = [], SimpleQueue[Any]()
        for _ in range(workers):
            process = subprocess.Popen(command, stdin=-1, stdout=-1, start_new_session=True, creationflags=group)
            self.processes.append(process)
            self.idle.put(process)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Have a call done by the next idle process."""
        return super().submit(self._ask, partial(function, *arguments, **keywords))

    def _ask(self, call: Callable[[], object]) -> object:
        question, process = pickle.dumps(call), self.idle.get()
        try:
            process.stdin.write(question)
            process.stdin.flush()
            result, failure = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise ChildProcessError(LOST) from None
        finally:
            self.idle.put(process)
        if failure:
            raise failure
        return result

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.kill()
        self.shutdown(cancel_futures=True)
        for process in self.processes:
            process.communicate()  # closes its pipes


def serve() -> None:
    """Do what standard input asks for, one call after the other, and end with it."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the work prints must not come between the answers
    with suppress(EOFError, BrokenPipeError):
        while True:
            call = pickle.load(sys.stdin.buffer)
            try:
                result, failure = call(), None
            except Exception as error:
                result, failure = None, error
            pickle.dump((result, failure), answers)
            answers.flush()


def named_executor(name: str | None) -> Executor | None:
    """Return the executor that a function named like ``package.module:function`` gives; None for None.

    The module is looked for in the current folder, too. InputError where there is no such function or it gives none.
    """
    if name is None:
        return None
    logging.disable()  # a cluster that is lost logs pages, beside the one line of ``as_finished``
    sys.path.append(os.getcwd())
    try:
        executor = resolve_name(name)()
    except (Exception, SystemExit) as error:  # whatever goes wrong in it
        raise InputError(f"{name}: expected package.module:function that returns an executor: {error}") from None
    if not isinstance(executor, Executor) or type(executor).submit is Executor.submit:
        raise InputError(f"{name}: expected an executor, got {type(executor).__name__}")
    return executor


def as_finished(
    work: Callable[[Item], Result], items: Mapping[Key, Item], executor: Executor, title: str, done: int = 0
) -> Iterator[tuple[Key, Result]]:
    """Yield the key of each item and its result as soon as it is there, in any order, under a progress bar."""
    from tqdm import tqdm

    futures = dict[Future[Result], Key]()
    try:
        with tqdm(desc=title, initial=done, total=done + len(items), smoothing=0, disable=None) as bar:
            futures |= {executor.submit(work, item): key for key, item in items.items()}
            for future in as_completed(futures):
                yield futures[future], future.result()
                bar.update()
    except (BrokenExecutor, CancelledError):
        raise ChildProcessError(LOST) from None
    finally:
        for future in futures:
            future.cancel()
