"""Measurements of processes: what they use, and the results of the explored groups."""

import resource
import sys

import pytest

from benchmarks.explorer import ours
from benchmarks.explorer.process import run
from tests.spark_enum.explorer.exploring import gone_through

GROUP = {"consumers": 2, "queues": 2, "messages": 1}
MB = 1 << 20


def python(program):
    return run([sys.executable, "-c", program])


def test_memory_and_cpu_time_are_those_of_the_process():
    ran = python("import os; held = bytearray(300 << 20); print(sum(os.times()[:2]))")
    own = (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    )  # a process begins as a copy of the one it is forked from
    assert 300 * MB < ran.peak < max(own, 300 * MB) + 300 * MB
    assert ran.cpu >= float(ran.said) - 0.02  # the system counts in hundredths


def test_failed_process_raises_runtime_error():
    with pytest.raises(RuntimeError, match="ended with 3: before"):
        python("print('before'); raise SystemExit(3)")


def test_groups_are_explored_in_memory_and_in_a_folder():
    expected = gone_through("lock-lite", **GROUP)
    asked = ours.lock_lite(*GROUP.values())
    for found in (ours.in_memory(asked), ours.in_folder(asked, 16 * MB)):
        assert (found.states, found.transitions) == (expected.states, expected.transitions)
        assert found.digest == f"{expected.digest:016x}"
        assert found.peak >= found.base > 0
