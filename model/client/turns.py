"""Concurrent calls in one JavaScript process.

Each call runs up to its next ``await``, then the next call runs. An awaited result is ready when the call runs again.
This is the order of promises that settle immediately. A response over a real network can let the other calls run any
number of times in between.
"""

from collections import deque
from collections.abc import Callable
from threading import Semaphore, Thread

from rebalance_proofs.model.client.node_environment import NodeEnvironment


class _Call:
    """One asynchronous call, run in a thread; only one of these threads runs at a time."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.error: Exception | None = None
        self.ended = False
        self._call = call
        self._go, self._stopped = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def go_on(self) -> None:
        """Let the call run up to its next ``await``, or to its end."""
        self._go.release()
        self._stopped.acquire()

    def wait(self) -> None:
        """Return control at an ``await``. The call itself calls this method."""
        self._stopped.release()
        self._go.acquire()

    def _run(self) -> None:
        self._go.acquire()
        try:
            self._call()
        except Exception as error:  # re-raised to the caller that awaits all calls
            self.error = error
        self.ended = True
        self._stopped.release()


def all_at_once(environment: NodeEnvironment, *calls: Callable[[], object]) -> None:
    """Run the calls concurrently, like ``Promise.all``, but each to its end.

    A call continues even after another one has failed. Raises the first error. The calls must make their awaited
    calls through ``environment``.
    """
    started = [_Call(call) for call in calls]
    waiting = deque(started)
    errors: list[Exception] = []
    try:
        while waiting:
            call = waiting.popleft()
            environment.turn = call.wait
            call.go_on()
            if not call.ended:
                waiting.append(call)
            elif call.error is not None:
                errors.append(call.error)
    finally:
        environment.turn = None
    if errors:
        raise errors[0]
