"""Processor time is reported by stage, and no object of the main thread is freed in another thread."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from types import CodeType

import pytest

from benchmarks.sampler import OTHER, Sampler
from benchmarks.stages import STAGES
from rebalance_proofs.proofs.limit import within


class Told:
    def __init__(self, died):
        self._died = died

    def __del__(self):
        self._died.add(threading.get_ident())


def works(seconds, died):
    """A call with something of its own, over and over."""
    end = process_time() + seconds
    while process_time() < end:
        passes(Told(died))


def passes(told):
    return [told for _ in range(100)]


def test_stage_time_is_the_time_of_its_function():
    with Sampler({("test_sampler.py", "works"): "working"}) as sampler:
        works(0.3, set())
        end = process_time() + 0.2
        while process_time() < end:
            pass
    assert sampler.seconds["working"] == pytest.approx(0.3, abs=0.1)
    assert sampler.seconds[OTHER] == pytest.approx(0.2, abs=0.1)


def test_stage_time_is_measured_under_a_time_limit():
    with Sampler({("test_sampler.py", "works"): "working"}) as sampler, within("this"):
        works(0.2, set())
    assert sampler.seconds["working"] > 0.1


def test_main_thread_objects_are_freed_by_the_main_thread():
    """A sampling thread once freed terms of Z3, and the run failed."""
    died = set()
    with Sampler({}):
        works(1.0, died)
    assert died == {threading.get_ident()}


def test_sampler_restores_the_signal_handler():
    before = signal.getsignal(signal.SIGVTALRM)
    with Sampler({}):
        assert signal.getsignal(signal.SIGVTALRM) != before
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def functions(code: CodeType) -> Iterator[str]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one.co_qualname
            yield from functions(one)


@pytest.mark.parametrize(("file", "function"), [one for one in STAGES if one[0].startswith("proofs/")])
def test_stage_names_a_function_of_the_package(file, function):
    path = Path(__file__).parents[2] / file
    names = set(functions(compile(path.read_bytes(), file, "exec")))
    assert not function or function in names
