"""The JVM of Spark ends with the run that started it, even if the run ends during its start."""

import os
import signal
from time import monotonic, sleep

import pytest

from tests.cli.process import left, running, started

CALL = ("enumerate", "allocation.avg.disjoint", "--quick", "--queues", "2", "--consumers", "2")
LONGEST = 60.0


def _starts(session: int) -> bool:
    return any("pyspark-shell" in command and "java" in command.split()[0] for command in running(session))


@pytest.mark.spark
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 2, marks=pytest.mark.slow)]
)
def test_signal_during_the_start_leaves_no_jvm(number, status):
    with started(*CALL) as process:
        end = monotonic() + LONGEST
        while not _starts(process.pid) and monotonic() < end:
            sleep(0.02)
        os.kill(process.pid, number)
        said, err = process.communicate()
        assert not left(process.pid)
    assert (process.returncode, err) == (status, "")
    assert "while enumerating" in said


@pytest.mark.spark
def test_killed_run_leaves_no_jvm():
    with started(*CALL) as process:
        end = monotonic() + LONGEST
        while not _starts(process.pid) and monotonic() < end:
            sleep(0.02)
        process.kill()
        process.wait()
        assert not left(process.pid)
