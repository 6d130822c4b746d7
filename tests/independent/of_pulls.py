"""Questions about pull requests: what each claim's words mean in the model."""

from collections.abc import Callable

from tests.independent.comparing import Said
from tests.independent.exploring import shortest
from tests.independent.pulls import JAVA, LIMIT, Pulls, State

SENTENCES = {
    "a push consumer that sends pull requests (not POP) and is not shut down": "",
    "no `GO_AWAY` from a broker, and no exception from a Netty write": "",
    "no delay between marking a process queue as dropped and removing it from the table": "",
    "the lock of an added ordered queue granted by the broker": "",
    "no rebalance that ends before it reaches the queue: known queues and ids, no exception from strategy or, on "
    "removal, offset store": "",
    "no suspended consumer unless the claim mentions suspension": "",
    "a process queue of a queue that the consumer still owns": "",
    "no rebalance of a suspended consumer": "",
    "connection setup and callback of each waiting pull completed within the pull timeout (30 s)": "connected",
    "no exception from the offset store": "no-store",
    "no `Error` in `pullMessage`": "no-error",
    "no `Error` in the callback of a pull": "no-callback-error",
    "no interrupt of a client thread": "no-interrupt",
    "no `Exception` from an RPC hook": "no-hook",
    "no removal of an ordered process queue while its first pull looks up the offset (5 s or more)": "query-ends",
    "every task that the client submits for immediate execution done before the client's next rebalance": "tasks-first",
    "no `OFFSET_ILLEGAL` answer after the removal of the process queue": "in-time-illegal",
    "no suspended consumer": "not-suspended",
}
TIMED: set[str] = set()
SLOW: set[str] = set()


def _healed(s: State) -> bool:
    """Nothing will ever take the request of a process queue."""
    return s.current is not None and not s.current.dropped and s.ended and s.current.waits > 0


BAD: dict[str, Callable[[State], bool]] = {
    "one-request": lambda s: s.current is not None and s.current.requests > 1,
    "has-request": lambda s: s.current is not None and not s.current.dropped and (s.ended or not s.current.requests),
    "healed": _healed,
    "dies": lambda s: s.seen == "removed",
    "hits-own-entry": lambda s: "hit" in s.seen,
    "repairs-while-held": lambda s: "wrote" in s.seen,
    "only-lost": lambda s: s.seen == "idle, circulates",
    "rests": lambda s: s.suspended and s.seen == "begins",
    "lets-go": lambda s: s.seen == "kept",
}


def covered(said: Said) -> bool:
    """Whether the model answers a question about the claim: about all of them."""
    return True


def asked(said: Said) -> tuple[str, ...] | None:
    """Return a shortest run that breaks the claim."""
    assert said.limits["limit"] == LIMIT
    model = Pulls(JAVA[said.client], said.assumed)
    return shortest(State(), model.after, BAD[said.guarantee])
