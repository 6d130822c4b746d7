"""Run asynchronous work that a signal can interrupt, so that worker processes end in order."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from rebalance_proofs.cli.ending import ENDING

Result = TypeVar("Result")


def awaited(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run the asynchronous work and return its result.

    Raises ``KeyboardInterrupt`` if a signal interrupts the work, after its worker processes have ended.
    """
    try:
        return asyncio.run(_until_ended(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _until_ended(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run the work as a task that an early end of the run cancels, so that worker processes end."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task

    def cancel() -> None:
        task.cancel()
        loop.call_soon_threadsafe(lambda: None)  # wakes the event loop

    with ENDING.cuts(cancel):
        return await work()
