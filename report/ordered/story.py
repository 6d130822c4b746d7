"""A run of two consumers in words, with a clock: who does what at which second."""

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import NOBODY
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import NAMES
from rebalance_proofs.proofs.ordered.run import Run, Seen
from rebalance_proofs.proofs.ordered.schedule import RESTARTS
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.clock import clock

__all__ = ["deed", "given", "holder", "lines", "story"]

DEEDS = {
    "renews": "The broker renews the lock of {}",
    "renewed": "{} hears that its lock was renewed",
    "refused": "{} hears that its lock was not renewed",
    "revokes": "A rebalance takes the queue from {}",
    "unsubscribes": "{} is not subscribed to the topic any more: its entry goes, and no more",
    "locks": "A rebalance of {} asks for the lock, and the broker grants it",
    "adds": "{} hears of the grant and adds the queue",
    "returned": "The broker takes the lock back, on the word of {}",
    "returns": "{} sends the return of the lock that was put off",
    "pulls": "{} has pulled messages",
    "starts": "{} finds its lock to be recent, and calls the listener",
    "ends": "The listener of {} returns",
    "shuts": "{} is told to shut down",
    "interrupts": "The shutdown of {} has waited, and interrupts its listener",
    "gives_back": "The shutdown of {} gives its locks back",
    "clears": "The shutdown of {} empties its table, and is over",
    "crashes": "The process of {} ends",
    RESTARTS: "The broker restarts, and knows of no lock",
}
UNHEARD = {"renews": ", but the answer is lost", "locks": ", but the answer is lost"}


def deed(seen: Seen) -> str:
    """One action, without its time."""
    told = dict(seen.happens.said)
    words = DEEDS[seen.happens.action].format(NAMES[seen.happens.who])
    if seen.happens.action == "revokes" and seen.present[seen.happens.who]:
        words = f"A rebalance marks the queue of {NAMES[seen.happens.who]}, but its listener runs"
    if seen.happens.action == "revokes" and told["in_set"]:
        words += ", because it has pulled nothing for two minutes"
    if seen.happens.action == "adds" and not told["found"]:
        words += ", but finds no offset to begin at"
    return words + ("" if told.get("heard", True) else UNHEARD[seen.happens.action])


def holder(run: Run, seen: Seen) -> str:
    """``X``, ``Y``, ``nobody``; both where they have the same client id."""
    if seen.holder == NOBODY:
        return "nobody"
    return " and ".join(name for name, own in zip(NAMES, run.world.client_ids, strict=True) if own == seen.holder)


def changes(run: Run) -> list[str]:
    """Behind each action, what is different after it: whose the lock is, whose listener runs."""
    found, before = [], (NOBODY, (False, False))
    for seen in run.seen:
        told = [f"the lock is with {holder(run, seen)}"] if seen.holder != before[0] else []
        if all(seen.runs) and not all(before[1]):
            told.append("the listeners of both run")
        found.append(", ".join(told))
        before = (seen.holder, seen.runs)
    return found


def given(client: OrderedClient, limits: Limits, *, renewed: bool = False) -> str:
    """The limits of time, as far as the client has them; that of renewals, where they are in time."""
    told = {
        "an answer of the broker may take": limits.delay,
        "a listener may run for": limits.listener,
        "lockMaxLiveTime of the client is": limits.client,
        "of the broker": limits.broker,
        "unlockDelayTimeMills is": limits.unlock,
    }
    told |= {"a first pull is put off for": limits.first_pull} if client.pulls_later else {}
    told |= {"awaitTerminationMillisWhenShutdown is": limits.wait} if client.rules.waits_for_listener else {}
    told |= {"a renewal is noted every": limits.renewal} if renewed else {}
    return ", ".join(f"{words} {value / 1000:g} s" for words, value in told.items())


def story(run: Run) -> tuple[str, ...]:
    """One line an action."""
    return tuple(
        f"{clock(seen.at)}: {deed(seen)}{f' ({change})' if change else ''}."
        for seen, change in zip(run.seen, changes(run), strict=True)
    )


def lines(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """Under which limits, who did what, and what is wrong."""
    run: Run = example.group
    words = example.sentence[0].upper() + example.sentence[1:]
    limits = given(run.client, run.limits, renewed=run.world.renewed)
    return (
        f"Two consumers, {' and '.join(NAMES)}, and one queue: {limits}.",
        *story(run),
        words,
    )
