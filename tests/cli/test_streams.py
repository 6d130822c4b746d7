"""A failing stream: which thread's failure ends the run, and what happens to later output."""

import errno
import io
import os
import sys
import threading

import pytest

from rebalance_proofs.cli import streams
from rebalance_proofs.cli.streams import Guarded, guarded


@pytest.fixture
def ended(monkeypatch):
    """The causes for which the run has ended."""
    causes = []
    monkeypatch.setattr(streams.ENDING, "arrive", causes.append)
    return causes


@pytest.fixture
def full():
    """A stream that takes nothing."""
    with open("/dev/full", "w", encoding="utf-8") as stream:
        yield Guarded(stream, "standard output")
        stream.close()


def test_failed_write_of_the_command_ends_the_run_once(ended, full):
    assert full.write("all is well\n") == len("all is well\n")
    full.flush()
    full.write("and more\n")
    full.flush()
    (cause,) = ended
    assert (cause.status, cause.complaint) == (2, "cannot write to standard output: No space left on device")
    assert cause.ended == "ended because writing to standard output failed (No space left on device)"


def test_failed_write_of_another_thread_is_ignored(ended, full):
    """It only updates a progress line; the command's own output follows, or fails."""

    def draw() -> None:
        full.write("...")
        full.flush()

    thread = threading.Thread(target=draw)
    thread.start()
    thread.join()
    assert ended == []


@pytest.mark.parametrize(("number", "status"), [(errno.EPIPE, 141), (errno.EIO, 2)])
def test_closed_pipe_gives_no_error_message(ended, number, status):
    class Failing:
        def write(self, text: str) -> int:
            raise OSError(number, os.strerror(number))

        def fileno(self) -> int:
            return nowhere

    nowhere = os.open(os.devnull, os.O_WRONLY)
    stream = Guarded(Failing(), "standard error")
    assert stream.write("lost") == 4
    os.close(nowhere)
    (cause,) = ended
    assert cause.status == status
    assert bool(cause.complaint) is (status == 2)


def test_missing_standard_error_is_replaced(monkeypatch):
    """As under ``pythonw``, or where a service has closed it."""
    there = io.StringIO()
    for one in (None, there):
        monkeypatch.setattr(sys, "stderr", one)
        with guarded():
            print("all is well", file=sys.stderr)
    assert there.getvalue() == "all is well\n"


def test_missing_standard_output_ends_the_run(ended, monkeypatch):
    """If it is closed, the command prints no answer and does not return the status of an answer."""
    monkeypatch.setattr(sys, "stdout", None)
    with guarded():
        print("all is well")
        print("and more")
    (cause,) = ended
    assert (cause.status, cause.complaint) == (2, "cannot write to standard output: it is closed")
