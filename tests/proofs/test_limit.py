"""Time limits on computations in this process."""

import asyncio
import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from time import process_time

import pytest

from rebalance_proofs.proofs import limit
from rebalance_proofs.proofs.limit import OutOfTime, stepwise, within


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A short limit, and yet one that threads which other tests have left do not use up. Garbage collection is off,
    since that of other tests' objects can take as long."""
    monkeypatch.setattr(limit, "SECONDS", 0.5)
    gc.disable()
    yield
    gc.enable()


def count_for_ever() -> None:
    """So long that no limit is to be seen, and no longer: a test that notices nothing ends too."""
    end = process_time() + 20.0
    while process_time() < end:
        with suppress(Exception):
            sum(range(1000))


def test_endless_computation_is_ended() -> None:
    with pytest.raises(OutOfTime, match=r"^counting took more than 0\.5 s of computing$"), within("counting"):
        count_for_ever()


def test_finished_computation_is_unaffected() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with within("counting"):
        found = sum(range(1000))
    assert found == 499_500
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) is before
    for _ in range(50):
        sum(range(100_000))


def test_error_inside_a_limit_is_unchanged() -> None:
    with pytest.raises(KeyError, match="nothing"), within("looking"):
        raise KeyError("nothing")
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_other_threads_have_no_limit() -> None:
    said = []

    def work() -> None:
        with within("saying something"):
            said.append("something")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert said == ["something"]


def compute(seconds: float) -> None:
    end = process_time() + seconds
    while process_time() < end:
        sum(range(1000))


def never_after_a_part() -> None:
    with within("a part"):
        compute(0.01)
    count_for_ever()


def test_nested_limit_is_named_and_time_continues() -> None:
    with within("all of it"):
        compute(0.2)
        with within("a part"):
            compute(0.2)
        compute(0.2)
        with pytest.raises(OutOfTime, match=r"^a part took "), within("a part"):
            count_for_ever()
        compute(0.2)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    with pytest.raises(OutOfTime, match=r"^all of it took "), within("all of it"):
        never_after_a_part()


async def pieces(seconds: float) -> str:
    compute(seconds)
    await asyncio.sleep(0)
    compute(seconds)
    with suppress(KeyError):
        await raising()
    return "done"


async def raising() -> None:
    await asyncio.sleep(0)
    raise KeyError("nothing")


def test_each_piece_has_the_whole_limit() -> None:
    assert asyncio.run(stepwise("working", pieces(0.3))) == "done"


def test_endless_piece_is_ended() -> None:
    with pytest.raises(OutOfTime, match=r"^working took more than 0\.5 s of computing$"):
        asyncio.run(stepwise("working", pieces(100.0)))


def test_errors_and_cancellation_are_passed_on() -> None:
    with pytest.raises(KeyError):
        asyncio.run(stepwise("working", raising()))

    async def cancelled() -> None:
        task = asyncio.ensure_future(stepwise("waiting", asyncio.sleep(60)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
