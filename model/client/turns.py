"""Several calls of one JavaScript process at once: each runs up to its next ``await``, then the next one has its turn.

What a call has awaited is ready when its turn comes again. That is the order of promises that are settled at once; an
answer that really comes over a network can let the others have any number of turns.
"""

from collections import deque
from collections.abc import Callable
from threading import Semaphore, Thread

from rebalance_proofs.model.client.node_environment import NodeEnvironment


class _Call:
    """One call in a thread of its own, of which never more than one runs."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.error: Exception | None = None
        self.ended = False
        self._call = call
        self._go, self._stopped = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def go_on(self) -> None:
        """Lets the call run up to its next ``await``, or its end."""
        self._go.release()
        self._stopped.acquire()

    def wait(self) -> None:
        """Hands the turn back; called from inside the call, at an ``await``."""
        self._stopped.release()
        self._go.acquire()

    def _run(self) -> None:
        self._go.acquire()
        try:
            self._call()
        except Exception as error:  # for whoever awaits the calls
            self.error = error
        self.ended = True
        self._stopped.release()


def all_at_once(environment: NodeEnvironment, *calls: Callable[[], object]) -> None:
    """Runs the calls like ``Promise.all``, but each to its end, even after another has failed; raises the first error.

    The calls have to make their awaited calls through ``environment``.
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
