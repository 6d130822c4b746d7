"""Possible causes of an offset rollback, the most specific first."""

from collections.abc import Iterator

from rebalance_proofs.recorded.groups.broker import Answered
from rebalance_proofs.recorded.groups.event import UPDATE
from rebalance_proofs.recorded.groups.member import Ask
from rebalance_proofs.recorded.seen.facts import Back
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.signs import LOOK, RESETS, down, frozen, resets

RESTART = 90_000
"""Time in ms after a broker's restart in which its offsets are compared with those before."""
FIRST_LOOK = 1_000
"""Time in ms after a restart within which the broker's table shows the offsets that it has read from disk."""
DELAY = 10_000
"""Longest time in ms that a one-way commit can be on its way."""


def of_back(history: History, fact: Back) -> Iterator[str]:
    """Yield names of causes.

    There is none if no consumer sent the lower offset, or if it is below the sender's start offset.
    """
    if resets(history, fact.group, fact.q, fact.when - RESETS, fact.when) or _by_outsider(history, fact):
        yield "reset"
    senders = [] if fact.now is None else list(_senders(history, fact))
    ends = [end for begin, end in down(history, fact.q) if begin <= fact.when <= end + RESTART]
    if ends and (not senders or fact.when <= max(ends) + FIRST_LOOK):
        yield "broker-forgot"
    for who in senders:
        entries = [held for held in history.held[fact.group] if held.who == who and held.q == fact.q]
        if any(_allows(held, fact) for held in entries):
            yield "late-commit"
            return


def _senders(history: History, fact: Back) -> Iterator[str]:
    """Yield the consumers that committed the lower offset just before the rollback."""
    topic, _, number = fact.q.split(":")
    since = fact.when - DELAY - _held_up(history, fact)
    for who in history.groups[fact.group]:
        for ask in history.of(Ask, who):
            if (
                since <= ask.at <= fact.when
                and ask.said.q == f"{topic}:{number}"
                and fact.now in (ask.said.commit_offset, ask.said.offset)
            ):
                yield who
                break


def _held_up(history: History, fact: Back) -> int:
    """Return for how long the broker was stopped, or its traffic held, until just before the rollback."""
    times = (*frozen(history, fact.q), *history.delays)
    return sum(end - begin for begin, end in times if fact.when - DELAY <= end and begin <= fact.when)


def _by_outsider(history: History, fact: Back) -> bool:
    """Return True if the broker got the lower offset from a process that is no consumer of the run."""
    topic, broker, number = fact.q.split(":")
    got = [
        each
        for each in history.of(Answered, broker)
        if each.code == UPDATE
        and abs(each.at - fact.when) <= LOOK
        and (each.asked.q, each.asked.consumer_group) == (f"{topic}:{number}", fact.group)
        and each.asked.commit_offset == fact.now
    ]
    sent = {
        (ask.opaque, ask.said.q)
        for ask in (history.of(Ask, *history.started) if got else ())
        if ask.code == UPDATE and ask.said.commit_offset == fact.now
    }
    return bool(got) and not any((each.opaque, each.asked.q) in sent for each in got)


def _allows(held: Held, fact: Back) -> bool:
    """Return True if the sender's process queue existed then, and started at this offset or a lower one."""
    began = held.read if held.read is not None and held.read >= 0 else held.first
    return held.begin <= fact.when and (began is None or fact.now is None or began <= fact.now)
