"""A run of a member, of others and of the broker in words, with a clock: who does what at which second."""

from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import IDLE, TOGO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.subscriptions.run import Run, Seen
from rebalance_proofs.report.clock import clock

__all__ = ["DEEDS", "deed", "given", "lines"]

DEEDS = {
    "raises": "The member's table of queues changes, and it raises its version",
    "ticks": "A periodic heartbeat of the member is due",
    "begins": "Another heartbeat of the member begins",
    "sends": "It is sent to this broker",
    "arrives": "It comes there",
    "ends": "It is over",
    "others": "A heartbeat of another member comes",
    "prints": "A heartbeat of another member comes, without its subscriptions",
    "forgets": "The broker forgets the group",
    "pulls": "A pull of the member's comes",
    "firsts": "The first pull of a queue comes that the member has added",
    "posts": "A pull of the member's comes, with its expression",
    "pulled": "A pull of another member's comes, which has the queue",
}


def _other(seen: Seen) -> str:
    said = dict(seen.happens.said)
    if not said["topic"]:
        return ", which does not subscribe to the topic"
    tags = "with the same tag" if said["takes"] else "with another tag"
    return f", which subscribes to it {tags}, {'in the newest version' if said['newer'] else 'in an old version'}"


def deed(seen: Seen, before: Seen | None) -> str:
    """One action, without its time."""
    action = seen.happens.action
    words = DEEDS[action]
    was = before.place if before else IDLE
    if action in ("raises", "ticks"):
        words += (
            ": its heartbeat begins" if was == IDLE and seen.place == TOGO else ": the lock is taken, it sends none"
        )
    if action == "others":
        words += _other(seen)
    if action == "pulled":
        words += ", and whose tag is another one" if not dict(seen.happens.said)["takes"] else ""
    if action == "sends" and not seen.full:
        words += ", without the subscriptions"
    if action in ("pulls", "firsts", "posts"):
        words += ": it is refused" if seen.refused else ": it is let through"
    if seen.notified != (before.notified if before else 1):
        words += ": the broker notifies all members"
    return words


def given(limits: Limits, *, delays: bool = False) -> str:
    """The limits of time."""
    told = {
        "heartbeats are due every": limits.period,
        "one to all brokers takes at most": limits.beat,
        "a refused pull comes again within": limits.retry,
    }
    if delays:
        told["the first pull of a queue is put off for"] = limits.delay
    return ", ".join(f"{words} {value / 1000:g} s" for words, value in told.items())


def lines(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """Under which limits, who did what, and what is wrong."""
    run: Run = example.group
    words = example.sentence[0].upper() + example.sentence[1:]
    befores = (None, *run.seen)
    story = (f"{clock(seen.at)}: {deed(seen, before)}." for seen, before in zip(run.seen, befores, strict=False))
    begin = "A member whose first heartbeat has just come, and who subscribes to a topic with a tag"
    return (f"{begin}: {given(run.limits, delays=run.client.delays)}.", *story, words)
