"""How the actions of the rebalance thread show in a recording of one process."""

from collections.abc import Iterator
from dataclasses import replace

from rebalance_proofs.model.client.service_thread import (
    LOOKS,
    RUNS,
    WOKEN,
)
from rebalance_proofs.model.machine.recorded import (
    Cause,
    Gaps,
    History,
    Recorded,
    Unseen,
    Urgent,
    does,
    nothing,
    shows,
    stays,
)
from rebalance_proofs.model.machine.values import (
    Bool,
    Not,
    number,
    truth,
)
from rebalance_proofs.model.machines.settling.actions import Limits, Service

OWN = "RebalanceService"
"""Name of the rebalance thread."""
OFFSETS = "persist", "offset-removed"
"""Events of a removal: the offset store sends the queue's offset, and forgets it."""
LIST, LOCK = "GET_CONSUMER_LIST_BY_GROUP", "LOCK_BATCH_MQ"
"""Requests of a rebalance: for the ids, once per topic, and for locks."""
UNANSWERED = 6_000
"""Longest time in ms that a client waits for a connection and an answer. Its time-out has no event."""
TRY_LOCK = 1_000
"""Longest time in ms that a rebalance waits for the listener of a queue that it revokes."""
POLLED = 250
"""Longest time in ms from a change of a broker's table to the event of the poll that sees it."""
LOCK_WAIT = 1_000
"""Time in ms for which a client waits for the answer to a request for locks (``lockBatchMQ``)."""
LATER = 500
"""Time in ms after which a rebalance without all locks wakes the thread, from 5.0 on (``rebalanceLater``)."""


def _runs(s: Service, h: History) -> Bool:
    return s.at == RUNS


def _does_not_run(s: Service, h: History) -> Bool:
    return s.at != RUNS


def _asks_again(s: Service, h: History) -> bool:
    """Return True if the running rebalance has not requested the ids for every topic."""
    return truth(s.at == RUNS) and len(h.since("ask", number(s.began), code=LIST, thread=OWN)) < h.topics


def _has_list(s: Service, h: History) -> bool:
    """Return True if the running rebalance got a member list and divided a topic's queues."""
    return truth(s.at == RUNS) and bool(h.since("allocate", number(s.began)))


def _has_no_list(s: Service, h: History) -> bool:
    return truth(s.at == RUNS) and not h.since("allocate", number(s.began))


def _uses_change(s: Service, h: History) -> bool | None:
    """Return whether the rebalance uses the last membership change, or None if it does for some topics only."""
    used = {tuple(one.cid_all or ()) == h.members for one in h.since("allocate", number(s.began))}
    return used.pop() if len(used) == 1 else None


def _is_balanced(s: Service, h: History) -> bool | None:
    """Return whether each queue of the last results has a process queue; None if a recording does not show it."""
    results = [*h.assigned.values()]
    if any(queues is None or any(h.table.get(q) for q in queues) for queues in results):
        return None
    return all(q in h.table for queues in results for q in queues or ())


def _agrees(s: Service, h: History) -> bool:
    """Return True if machine and recording agree whether the rebalance that ended used the last membership change."""
    used = _uses_change(s, h)
    return used is None or not truth(s.changed) or truth(s.right) is used


def _was_denied(h: History) -> bool:
    """Return True if an answer denies a lock for which the rebalance thread has asked."""
    asked = h.since("ask", h.event.at - UNANSWERED, opaque=h.event.opaque, thread=OWN)
    return h.release >= (5,) and bool(asked) and not h.event.said.granted


def _was_not_answered(h: History) -> bool:
    """Return True if a request for a lock got no answer in time."""
    answers = h.since("answer", h.event.at, opaque=h.event.opaque)
    return h.release >= (5,) and all(one.at > h.event.at + LOCK_WAIT for one in answers)


def _wakes_up(h: History) -> bool:
    """Return True if the event belongs to a correction that wakes the thread: from 5.2 on."""
    return h.release >= (5, 2) and h.corrected


def _is_own(h: History) -> bool:
    """Return True if a rebalance has the effect, and not a reset or a correction of an offset."""
    return not h.corrected and h.event.q.partition(":")[0] not in h.resetting


def _starting(s: Service, h: History) -> int:
    """Return how many ms later the thread can begin to work: at any time until ``start()`` returns."""
    return 0 if h.since("started", 0) else h.at


def _longest(s: Service, h: History) -> int:
    """Return the longest time in ms for which a rebalance leaves no event: it waits for an answer, and for locks."""
    return UNANSWERED + TRY_LOCK * len(h.table) * h.ordered


def _later(s: Service, h: History) -> int:
    """Return how many ms after its last event a rebalance can end: a request without an answer ends it later."""
    return UNANSWERED if h.waits_for_answer(OWN) else 0


def _anywhere(first: Service, at: int, lim: Limits) -> Iterator[Service]:
    """Yield the states from which the thread can go on after a gap: it rebalances, or can begin to."""
    awake = first.but(now=at, at=WOKEN, since=at, last=at - lim.least)
    yield from (awake, awake.but(called=True), awake.but(at=RUNS, began=at))


def _unseen_rebalances(h: History) -> Iterator[tuple[int, int]]:
    """Yield the times in which rebalances send no request: there is no connection, or the consumer is suspended."""
    yield from ((since, until + UNANSWERED) for since, until in h.away)
    yield from h.spans("suspending", "resuming")
    yield from h.spans("reset-told", "reset-done")


WAKES_UP: Cause[Service] = does("stirs", only=lambda s, h: Not(s.flag)).then("counts", more=False)
LISTS = "no wake-up and no timer explains that a rebalance begins"
IN_REBALANCE = "no rebalance is under way"
BESIDE = "another thread rebalances already, or none does"

TABLE: Recorded[Service, Limits] = Recorded(
    begins="starting",
    ends=("shutdown-begin", "start-failed"),
    rows=(
        # A rebalance first requests the consumer ids of each topic. Its other requests and effects show that it runs.
        shows("ask", stays(_asks_again), does("begins"), code=LIST, thread=OWN, why=LISTS),
        shows("allocate", stays(_runs), only=lambda h: not h.resuming, why=IN_REBALANCE),
        shows("entry-new", stays(_runs), only=lambda h: not h.resuming, why=IN_REBALANCE),
        shows("ask", stays(_runs), nothing(_does_not_run), thread=OWN),
        *(shows(one, stays(_runs), nothing(_does_not_run), only=_is_own) for one in OFFSETS),
        # A notification wakes the thread. The thread's flag may be set already.
        shows(
            "notified",
            WAKES_UP,
            does("notifies").then("counts", more=False),
            does("notifies", only=lambda s, h: s.flag),
            nothing(lambda s, h: s.flag),
            only=lambda h: h.event.said.consumer_group == h.group,
        ),
        # Other wake-ups: by start() before it returns, by a new connection (from 5.2 on), and, later, by a rebalance
        # that did not get a lock: it was denied, or there was no answer.
        shows("started", WAKES_UP, may=True),
        shows("ask", WAKES_UP, may=True, thread="NettyEventExecutor"),
        shows("answer", WAKES_UP, may=True, code=LOCK, delay=LATER, only=_was_denied),
        shows("ask", WAKES_UP, may=True, code=LOCK, thread=OWN, delay=LOCK_WAIT + LATER, only=_was_not_answered),
        # From 5.2 on, the correction of an illegal offset removes the process queue, and wakes the thread. It waits
        # for an ordered listener before.
        shows("entry-gone", WAKES_UP, nothing(lambda s, h: s.flag), how="remove", only=_wakes_up),
        *(shows(one, WAKES_UP, may=True, only=lambda h: h.ordered and _wakes_up(h)) for one in OFFSETS),
        # Other threads rebalance, too: a user's thread in resume(), and an offset reset, which shows by its requests.
        shows("resuming", does("resumes"), beside=True, why=BESIDE),
        shows("resumed", does("returns"), beside=True, why=BESIDE),
        shows(
            "ask",
            does("resumes").then("returns"),
            code=LIST,
            only=lambda h: h.event.thread != OWN and not h.resuming,
            beside=True,
            why=BESIDE,
        ),
        # A poll of the broker's table sees the last membership change in the process's life.
        shows("table", does("changes"), what="members", only=lambda h: h.event is h.last_change, early=POLLED),
    ),
    hidden=(
        Unseen(does("looks"), _starting),
        *(Unseen(does(one)) for one in ("resets", "checks", "wakes", "clears", "postpones")),
        Unseen(does("ends", only=_has_list, seen=_uses_change, balanced=_is_balanced, sees=_agrees), _later),
        Unseen(does("fails", only=_has_no_list), _later),
        Unseen(replace(WAKES_UP, only=lambda s, h: s.at == LOOKS and not h.since("started", 0))),
    ),
    urgent=(
        Urgent(does("looks"), lambda s, h, since: _starting(s, h)),
        *(Urgent(does(one)) for one in ("resets", "checks", "wakes", "clears", "postpones", "begins")),
        Urgent(does("ends"), lambda s, h, since: _longest(s, h)),
        Urgent(does("returns"), lambda s, h, since: None if h.resuming else 0),
    ),
    kept=frozenset(("called", "changed", "told", "fresh", "right", "began")),
    late="the thread should have begun a rebalance before",
    gaps=Gaps(_unseen_rebalances, _anywhere, lambda lim: number(lim.wait)),
    settings={
        "wait": "rocketmq.client.rebalance.waitInterval",
        "least": "rocketmq.client.rebalance.minInterval",
    },
    first=lambda h: ({"last": h.created},),
)
