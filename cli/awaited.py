"""Running what is asynchronous so that what ends a run early ends it in order."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from rebalance_proofs.cli.ending import ENDING

Result = TypeVar("Result")


def awaited(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """What the work gives. Raises ``KeyboardInterrupt`` when it is cut short, its worker processes ended."""
    try:
        return asyncio.run(_until_ended(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _until_ended(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Cancels the work rather than raise in the middle of the event loop: so worker processes are ended in order."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()

    def cancel() -> None:
        if task:
            task.cancel()
        loop.call_soon_threadsafe(lambda: None)  # wakes the loop

    with ENDING.cuts(cancel):
        return await work()
