"""A run of a rebalance thread in words, with a clock: who does what at which second."""

from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.settling.run import Run, Seen
from rebalance_proofs.proofs.settling.schedule import OBSERVES
from rebalance_proofs.report.clock import clock

__all__ = ["deed", "given", "lines"]

DEEDS = {
    "looks": "The thread looks whether it was woken",
    "resets": "It resets its latch, and begins to wait",
    "wakes": "Its wait ends",
    "clears": "It clears its flag",
    "begins": "A rebalance begins",
    "postpones": "It is too early for a rebalance: the thread will wait once more",
    "ends": "The rebalance ends",
    "fails": "The rebalance fails",
    "changes": "What the client is told when it asks changes",
    "loses": "The notification of that is lost",
    "notifies": "The client is notified of that",
    "stirs": "Something else wakes the thread",
    "counts": "The wake-up opens the latch",
    OBSERVES: "One looks at the client's tables",
}


def deed(seen: Seen, before: Seen | None = None) -> str:
    """One action, without its time."""
    words = DEEDS[seen.happens.action]
    if seen.happens.action == "looks":
        words += ": it was" if before is not None and before.flag else ": it was not"
    if seen.happens.action in ("notifies", "stirs"):
        words += ": its flag is set"
    if seen.happens.action == "ends" and seen.right and not (before and before.right):
        words += ", which has seen the change"
    return words


def given(limits: Limits, *, least: bool) -> str:
    """The limits of time."""
    told = {"the thread waits for": limits.wait, "a rebalance takes at most": limits.loop}
    told |= {"two of them are apart by at least": limits.least} if least else {}
    return ", ".join(f"{words} {value / 1000:g} s" for words, value in told.items())


def lines(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """Under which limits, who did what, and what is wrong."""
    run: Run = example.group
    words = example.sentence[0].upper() + example.sentence[1:]
    befores = (None, *run.seen)
    story = (f"{clock(seen.at)}: {deed(seen, before)}." for seen, before in zip(run.seen, befores, strict=False))
    return (f"One client: {given(run.limits, least=run.client.least)}.", *story, words)
