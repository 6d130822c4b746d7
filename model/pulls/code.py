"""Refinement map: how ``PullsConsumer`` implements the machine of pull requests.

It gives the object's attribute for each field of the state, and the method for each action.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.pulls.consumer import QUEUE, PullsConsumer
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import Choices, Pulls
from rebalance_proofs.model.transition.drivers import NOW

__all__ = ["code"]

CALLS: Mapping[str, Callable[[PullsConsumer, Pulls, Choices], None]] = {
    "adds": lambda consumer, s, c: consumer.adds(silent=truth(c.silent)),
    "revokes": lambda consumer, s, c: consumer.revokes(in_set=truth(c.in_set), stays=truth(c.stays)),
    "takes": lambda consumer, s, c: consumer.takes(old=truth(c.old), later=truth(c.later)),
    "asks": lambda consumer, s, c: consumer.asks(),
    "sends": lambda consumer, s, c: consumer.sends(old=bool(c.old), later=truth(c.later)),
    "answers": lambda consumer, s, c: consumer.answers(old=truth(c.old)),
    "illegal": lambda consumer, s, c: consumer.illegal(old=truth(c.old)),
    "repairs": lambda consumer, s, c: consumer.repairs(old=truth(c.old)),
    "waits": lambda consumer, s, c: consumer.waits(span=number(c.span)),
    "suspends": lambda consumer, s, c: consumer.suspends(),
    "resumes": lambda consumer, s, c: consumer.resumes(),
    "throws": lambda consumer, s, c: consumer.throws(),
    "errs": lambda consumer, s, c: consumer.errs(),
    "breaks": lambda consumer, s, c: consumer.breaks(),
    "interrupts": lambda consumer, s, c: consumer.interrupts(),
    "hooks": lambda consumer, s, c: consumer.hooks(),
    "overtime": lambda consumer, s, c: consumer.overtime(),
}


def code(made: Callable[[int], PullsConsumer]) -> Code[Pulls, Choices, Limits, PullsConsumer]:
    """Return the refinement map of one client's code.

    ``made(limit)``: a new consumer with that ``pullMaxIdleTime`` in ms.
    """
    return Code(lambda limits: made(number(limits.limit)), _put, _seen, CALLS)


def _put(consumer: PullsConsumer, s: Pulls, c: Choices) -> None:
    """Set a new consumer's attributes so that they represent the state ``s``.

    One process queue represents all that have left the table.
    """
    service, gone = consumer.service, ProcessQueue(dropped=not s.unmarked)
    service.waiting = Counter({gone: number(s.old_waiting)})
    consumer.pulling = Counter({gone: number(s.old_pulling)})
    service.tasks = Counter({gone: number(s.old_repairing)})
    service.ended, consumer.suspended, consumer.left = truth(s.ended), truth(s.suspended), [gone]
    consumer.asking, consumer.fixed = gone if s.old_asking > 0 else None, set()
    if s.present:
        entry = ProcessQueue(dropped=truth(s.dropped), last_pull_timestamp=NOW - number(s.age), last_lock_timestamp=NOW)
        entry.pull_max_idle_time = consumer.limit
        consumer.driver.table[QUEUE] = entry
        service.waiting[entry], consumer.pulling[entry] = number(s.waiting), number(s.pulling)
        service.tasks[entry] = number(s.repairing)
        consumer.asking = entry if s.asking > 0 else consumer.asking
        consumer.fixed = {entry} if s.fixed else set()


def _seen(consumer: PullsConsumer) -> dict[str, int]:
    entry, service, asking = consumer.entry, consumer.service, consumer.asking
    counted = {"waiting": service.waiting, "pulling": consumer.pulling, "repairing": service.tasks}
    return {
        "present": entry is not None,
        "dropped": entry is not None and entry.dropped,
        "age": 0 if entry is None else NOW - entry.last_pull_timestamp,
        **{name: 0 if entry is None else of[entry] for name, of in counted.items()},
        **{f"old_{name}": sum(of[one] for one in consumer.left) for name, of in counted.items()},
        "asking": int(entry is not None and asking is entry),
        "fixed": entry in consumer.fixed,
        "old_asking": int(asking is not None and asking is not entry),
        "unmarked": any(not one.dropped for one in consumer.left),
        "ended": service.ended,
        "suspended": consumer.suspended,
    }
