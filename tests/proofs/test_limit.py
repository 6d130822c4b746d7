"""What this process computes itself comes to an end."""

import signal
import threading
from contextlib import suppress

import pytest

from proofs import limit
from proofs.limit import OutOfTime, within


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit, "SECONDS", 0.1)


def count_for_ever() -> None:
    while True:
        with suppress(Exception):
            sum(range(1000))


def test_what_never_ends_is_ended_whatever_it_catches() -> None:
    with pytest.raises(OutOfTime, match=r"^counting took more than 0\.1 s of computing$"), within("counting"):
        count_for_ever()


def test_what_ends_is_left_alone_and_the_limit_with_it() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with within("counting"):
        found = sum(range(1000))
    assert found == 499_500
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) is before
    for _ in range(50):
        sum(range(100_000))


def test_an_error_inside_is_what_it_was() -> None:
    with pytest.raises(KeyError, match="nothing"), within("looking"):
        raise KeyError("nothing")
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_in_another_thread_there_is_none() -> None:
    said = []

    def work() -> None:
        with within("saying something"):
            said.append("something")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert said == ["something"]
