"""Invariant for hand-overs between concurrent consumers: when messages may be redelivered."""

from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.offsets.state import Limits, Offsets, has_or_asks
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import ALONE, COUNTED, Part, only_uncommitted


def _reason(s: Offsets, lim: Limits) -> Bool:
    waiting = And(Not(s.dropped), Or(s.next <= lim.message, s.cached))
    to_come = Or(s.asking, And(s.present, Or(s.runs, waiting)))
    again = And(to_come, s.consumed, lim.message >= s.known)
    return Implies(again, Or(s.uncommitted, s.overtime))


TAKEN = Part(
    "taken",
    "A queue is taken if a consumer has a process queue of it or asks for it.",
    lambda s, lim: Implies(has_or_asks(s), s.taken),
)
STOPPED = Part(
    "stopped", "No listener call has started after the removal of its process queue.", lambda s, lim: Not(s.begun_late)
)
REASON = Part(
    "reason",
    "A message that can be consumed again was uncommitted, or consumed by a call that outlived its process queue.",
    _reason,
)
BEHIND = Part(
    "behind",
    "A message in a process queue is below the next pull offset.",
    lambda s, lim: Implies(Or(s.cached, s.runs), And(s.present, s.next > lim.message)),
)


def handed_over(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that a message is consumed twice only for an allowed reason.

    The reasons: it was consumed but not committed when the new owner asked for the offset; or a listener call
    outlives its process queue.
    """
    return (*only_uncommitted(world), COUNTED, TAKEN, ALONE, STOPPED, REASON, BEHIND)
