"""Long work in parallel: over processes of this machine, or over any ``concurrent.futures.Executor`` passed in."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")
Result = TypeVar("Result")


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def executor_for(workers: int | None = None, executor: Executor | None = None) -> Iterator[Executor]:
    """Give the executor passed in, left open for its owner, or a pool of ``workers`` processes (all cores if None)."""
    if executor is not None:
        yield executor
        return
    pool = ProcessPoolExecutor(workers, initializer=_leave_ctrl_c_to_the_parent)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def as_finished(
    work: Callable[[Item], Result], items: Sequence[Item], executor: Executor, title: str
) -> Iterator[tuple[Item, Result]]:
    """Yield each item with its result as soon as it is there, in any order, under a progress bar on standard error.

    ``work`` must be a module's function, so that other processes and machines find it by name.
    """
    futures = {executor.submit(work, item): item for item in items}
    try:
        for future in tqdm(as_completed(futures), total=len(items), desc=title, smoothing=0):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()
