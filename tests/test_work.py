import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children, get_context

import pytest

from clocklab.plumbing import work

posix = pytest.mark.skipif(os.name != "posix", reason="this system has no signals of this kind")
LONG = """
import time
from clocklab.plumbing import work
try:
    with work.executor_for(2) as pool:
        print("started", flush=True)
        list(work.as_finished(time.sleep, [60] * 400, pool, work.progress("sleep", 0, 400)))
except KeyboardInterrupt:
    print("called off")
"""


@posix
def test_ctrl_c_does_not_wait_for_what_was_begun():
    process = subprocess.Popen([sys.executable, "-c", LONG], stdout=-1, stderr=-1, text=True, start_new_session=True)
    assert process.stdout.readline() == "started\n"
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=20) == ("called off\n", "")


@posix
def test_ctrl_c_arrives_a_little_later_but_is_not_lost():
    reached = []

    def act():
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        reached.append(signal.pthread_sigmask(signal.SIG_BLOCK, []))

    with pytest.raises(KeyboardInterrupt):
        work.undisturbed(act)
    assert signal.SIGINT in reached[0]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def fails():
    raise OSError("no more processes")


def test_what_goes_wrong_undisturbed_is_heard_in_any_thread():
    with pytest.raises(OSError), ThreadPoolExecutor(1) as thread:
        thread.submit(work.undisturbed, fails).result()


def test_items_are_taken_as_they_are_needed():
    with work.executor_for(1) as pool:
        finished = work.as_finished(abs, range(-(10**12), 0), pool, work.progress("a million million"))
        assert next(finished)[1] > 10**12 - work.AHEAD - 2
        finished.close()


def test_a_pool_ends_its_own_processes_and_no_others():
    with work.executor_for(1) as pool:
        other = get_context("spawn").Process(target=time.sleep, args=(60,))
        other.start()
        assert list(work.as_finished(abs, [-1], pool, work.progress("one"))) == [(-1, 1)]
        (own,) = set(active_children()) - {other}
    assert not own.is_alive()
    assert other.is_alive()
    other.kill()
