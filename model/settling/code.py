"""Refinement map: how ``RebalanceService`` implements the rebalance thread's machine.

It gives the object's attribute for each field of the state, and the method for each action.
"""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Choices, Service
from rebalance_proofs.model.settling.rebalance_service import RebalanceService

__all__ = ["code"]

CALLS: Mapping[str, Callable[[RebalanceService, Service, Choices], None]] = {
    "looks": lambda thread, s, c: thread.looks(number(s.now)),
    "resets": lambda thread, s, c: thread.resets(number(s.now)),
    "checks": lambda thread, s, c: thread.checks(number(s.now), thread.real_wait_interval),
    "wakes": lambda thread, s, c: thread.wakes(number(s.now), thread.real_wait_interval),
    "gives_up": lambda thread, s, c: thread.gives_up(),
    "clears": lambda thread, s, c: thread.clears(),
    "begins": lambda thread, s, c: thread.begins(number(s.now)),
    "postpones": lambda thread, s, c: thread.postpones(number(s.now)),
    "ends": lambda thread, s, c: thread.ends(number(s.now), balanced=truth(c.balanced)),
    "fails": lambda thread, s, c: thread.ends(number(s.now), balanced=truth(c.balanced)),
    "notifies": lambda thread, s, c: thread.wakeup(),
    "stirs": lambda thread, s, c: thread.wakeup(),
    "counts": lambda thread, s, c: thread.counts(),
    "interrupts": lambda thread, s, c: thread.interrupt(),
    "swallows": lambda thread, s, c: thread.swallows(),
}
"""For each action, how to call the thread's method that implements it.

A membership change and the loss of its notification happen outside the thread, so they have no method.
"""


def code(made: type[RebalanceService]) -> Code[Service, Choices, Limits, RebalanceService]:
    """Return the refinement map of one generation's class.

    Its objects are threads that were started at 0 ms.
    """
    return Code(made, _put, _seen, CALLS, frozenset({"notifies", "stirs"}))


def _put(thread: RebalanceService, s: Service, c: Choices) -> None:
    thread.at, thread.has_notified, thread.since = number(s.at), truth(s.flag), number(s.since)
    thread.open, thread.interrupted = truth(s.open), truth(s.interrupted)
    thread.wakers = (2 if c.more else 1) if s.waking else 0
    thread.real_wait_interval, thread.last_rebalance_timestamp = number(s.interval), number(s.last)


def _seen(thread: RebalanceService) -> dict[str, int]:
    return {
        "at": thread.at,
        "flag": thread.has_notified,
        "open": thread.open,
        "interrupted": thread.interrupted,
        "waking": thread.wakers > 0,
        "since": thread.since,
        "interval": thread.real_wait_interval,
        "last": thread.last_rebalance_timestamp,
    }
