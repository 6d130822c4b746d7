"""State machine of a consumer with a concurrent listener, and of a broker's replica.

The replica has its own offset table. It answers queries and receives commits while the route has no master
(``MQClientInstance.findBrokerAddressInSubscribe``; up to 4.9.2 ``findBrokerAddressInAdmin``). Parameters and results of
actions: see ``model.offsets.actions``.
"""

from rebalance_proofs.model.machine.machine import Actions, Step, step
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.offsets.actions import (
    ASKS,
    COMMITS,
    REVOKES,
    asks,
    commits,
    consumed,
    given_or_not,
    machine,
)
from rebalance_proofs.model.offsets.java import JAVA, RETIRES, noted, retires, returned, revokes
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant
from rebalance_proofs.model.offsets.watched import interruptible, watched

action: Actions[Offsets, Choices, Limits, Variant] = Actions()
action(*ASKS, choices=("silent", "error", "zero", "replica"))(asks)
action(*COMMITS, choices=("more", "replica"))(commits)
action(*REVOKES, choices=("in_set", "more"))(revokes)


@action("The consumer calls its listener with the message.", "{who} calls its listener with the message")
def starts(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener is called with the message.

    Mirror of ``ConsumeMessageConcurrentlyService.ConsumeRequest.run``.
    """
    return step(And(s.present, Not(s.dropped), s.cached, Not(s.runs), Not(s.interrupted)), runs=True)


def _left(s: Offsets, c: Choices) -> Bool:
    """Check whether ``ProcessQueue.removeMessage`` can return ``c.offset``.

    It returns the first offset that is left, or the one after the last.
    """
    return And(s.began <= c.offset, c.offset <= s.next)


@action(
    "The listener returns.",
    returned("The listener of {who} returns: the message is consumed"),
    choices=("none", "more", "half", "offset"),
)
def ends(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener returns from the message, and the next offset to commit is to be recorded.

    This happens only if the process queue is not dropped. It removes the message, and the offset is the first one
    left. If the message was removed before, another message is still there.
    """
    notes = Not(Or(s.dropped, c.none))
    left = And(_left(s, c), c.offset != lim.message, Or(s.cached, c.offset < s.next))
    can = And(s.runs, Implies(c.none, Not(s.cached)), Implies(notes, left))
    after = s.where(notes, cached=False, **noted(s, c.offset, c)).but(runs=False, **consumed(s))
    return can, vars(after)


@action("The listener consumes another message.", "{who} consumes another message", choices=("more", "offset"))
def others(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener returns from another message; the first remaining offset is to be recorded."""
    left = And(_left(s, c), Implies(s.cached, c.offset <= lim.message))
    return step(And(s.present, Not(s.dropped), left), **noted(s, c.offset, c))


action(*RETIRES, choices=("more",))(retires)


@action(
    "The client sends the message back for a retry, because its listener takes too long.",
    "The listener of {who} takes too long: the message is sent back for a retry",
)
def cleans(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``ProcessQueue.cleanExpiredMsg`` sends the message back to the broker and removes it."""
    return step(And(s.present, s.cached), cached=False, given=True)


@action("A replica of the broker copies the committed offset.")
def replicates(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The replica's offset table is overwritten with the master's, every 10 s.

    Mirror of ``SlaveSynchronize.syncConsumerOffset``.
    """
    return step(True, copied=s.committed)


@action(
    "A replica takes over from the broker.",
    "A replica takes over from the broker, with its own copy of the offset",
)
def swaps(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The replica's offset becomes the committed one.

    The former broker becomes the replica, with its own offset.
    """
    return step(True, committed=s.copied, copied=s.committed, back=s.copied < s.committed)


CONCURRENTLY = machine(interruptible, watched, of=(*JAVA, *action), well_formed=given_or_not)
