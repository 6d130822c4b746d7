"""Asynchronous work that a signal can interrupt in order."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from rebalance_proofs.cli.ending import ENDING

Result = TypeVar("Result")


def awaited(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run the work and return its result.

    Raises ``KeyboardInterrupt`` if the work is interrupted, after its worker processes have ended.
    """
    try:
        return asyncio.run(_until_ended(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _until_ended(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run the work as a task that an early end cancels, so that worker processes end in order."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task

    def cancel() -> None:
        task.cancel()
        loop.call_soon_threadsafe(lambda: None)  # wakes the event loop

    with ENDING.cuts(cancel):
        return await work()
