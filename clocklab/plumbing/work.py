"""Long work in parallel: over processes of this machine, or over any ``concurrent.futures.Executor`` passed in."""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from pkgutil import resolve_name
from queue import SimpleQueue
from typing import TypeVar

from tqdm import tqdm

from clocklab.plumbing.errors import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 1000  # how many items an executor is given at once: enough to keep a cluster busy, and soon to be called off


def _be_a_worker() -> None:
    """Leave Ctrl-C to the parent process, and end when it ends, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def undisturbed(action: Callable[..., object], *arguments: object) -> None:
    """Let an action come to its end before Ctrl-C is heard; the processes that it starts never hear it.

    Broken off amid a submission, an executor's locks could stay locked for ever. So it is done in a thread of its
    own: Ctrl-C breaks off the main thread only, which waits for the other nevertheless, and what a thread blocks is
    blocked in the processes that it starts, from their first moment on.
    """
    with ThreadPoolExecutor(1, initializer=_block_ctrl_c) as thread:
        thread.submit(action, *arguments).result()


def _block_ctrl_c() -> None:
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])


class _Processes(ProcessPoolExecutor):
    """A pool of our own: ``executor_for`` kills it at its end, with all that it was asked to do.

    That fails on futures that were cancelled, so ``as_finished`` leaves them alone.
    """


@contextmanager
def executor_for(workers: int | None = None, executor: Executor | None = None) -> Iterator[Executor]:
    """Give the executor passed in, left to its owner, or a pool of ``workers`` processes (one a core if None)."""
    if executor is not None:
        yield executor
        return
    pool = _Processes(workers or os.cpu_count() or 1, get_context("spawn"), _be_a_worker)
    try:
        yield pool
    finally:
        undisturbed(_end, pool)


def _end(pool: _Processes) -> None:
    for process in list((pool._processes or {}).values()):
        process.kill()  # or what was begun would be waited for
    pool.shutdown(cancel_futures=True)


def named_executor(name: str | None) -> Executor | None:
    """Return the executor that a function named like ``package.module:function`` gives; None for None.

    InputError where there is no such function or it gives none.
    """
    if name is None:
        return None
    try:
        executor = resolve_name(name)()
    except (Exception, SystemExit) as error:  # whatever goes wrong in it
        raise InputError(f"{name}: expected package.module:function that returns an executor: {error}") from None
    if not isinstance(executor, Executor) or type(executor).submit is Executor.submit:
        raise InputError(f"{name}: expected an executor, got {type(executor).__name__}")
    return executor


def progress(title: str, done: int = 0, total: int | None = None) -> tqdm:
    """Return a bar for standard error, if that is a terminal; it counts on to ``total``, None if that is open."""
    return tqdm(desc=title, initial=done, total=total, smoothing=0, disable=None)


def as_finished(
    work: Callable[[Item], Result], items: Iterable[Item], executor: Executor, bar: tqdm
) -> Iterator[tuple[Item, Result]]:
    """Yield each item with its result as soon as it is there, in any order, under a progress bar.

    Items are taken as they are needed.

    ``work`` must be a module's function, or a ``partial`` of one, so that other processes and machines find it by
    name. ChildProcessError where a worker process is killed.
    """
    rest, futures, finished = iter(items), dict[Future, Item](), SimpleQueue[Future]()

    def submit() -> None:
        for item in islice(rest, AHEAD - len(futures)):
            future = executor.submit(work, item)
            futures[future] = item
            future.add_done_callback(finished.put)

    try:
        with bar:
            undisturbed(submit)
            while futures:
                future = finished.get()
                yield futures.pop(future), future.result()
                bar.update()
                if len(futures) < AHEAD / 2:
                    undisturbed(submit)
    except BrokenExecutor:
        raise ChildProcessError("a worker process was killed; what was finished is kept") from None
    finally:
        if not isinstance(executor, _Processes):
            for future in futures:
                future.cancel()
