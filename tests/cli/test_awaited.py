"""Asynchronous work is interrupted at once, and what it has started is ended in order."""

import asyncio
import signal

import pytest

from rebalance_proofs.cli import awaited as awaited_
from rebalance_proofs.cli.awaited import awaited
from rebalance_proofs.cli.ending import SIGNALS, Ending

LONG = 5


@pytest.fixture
def ending(monkeypatch):
    found = Ending()
    found.keep()
    monkeypatch.setattr(awaited_, "ENDING", found)
    return found


def test_awaited_returns_the_result_of_the_work(ending):
    async def work():
        await asyncio.sleep(0)
        return 7

    assert awaited(work) == 7


def test_early_end_cancels_the_awaited_work(ending):
    done = []

    async def work():
        asyncio.get_running_loop().call_soon(ending.arrive, SIGNALS[signal.SIGTERM])
        try:
            await asyncio.wait_for(asyncio.Event().wait(), LONG)
        except asyncio.CancelledError:
            done.append("ended in order")
            raise

    with pytest.raises(KeyboardInterrupt):
        awaited(work)
    assert done == ["ended in order"]
