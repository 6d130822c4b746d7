"""Possible causes of an offset rollback, the most specific first."""

from collections.abc import Iterator

from rebalance_proofs.recorded.groups.broker import Answered
from rebalance_proofs.recorded.groups.member import Ask
from rebalance_proofs.recorded.seen.facts import Back
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.signs import LOOK, down, is_of

RESTART = 90_000
"""Time in ms after a broker's restart in which its offsets are compared with those before."""
DELAY = 10_000
"""Longest time in ms that a one-way commit can be on its way."""


def of_back(history: History, fact: Back) -> Iterator[str]:
    """Yield names of causes.

    There is none if no consumer sent the lower offset, or if it is below the sender's start offset.
    """
    if any(begin <= fact.when <= end + RESTART for begin, end in down(history, fact.q)):
        yield "broker-forgot"
    if fact.now is None:
        return
    for who in _senders(history, fact):
        entries = [held for held in history.held[fact.group] if held.who == who and held.q == fact.q]
        if any(_allows(held, fact) for held in entries):
            yield "late-commit"
            return


def _senders(history: History, fact: Back) -> Iterator[str]:
    """Yield the consumers that committed the lower offset just before the rollback."""
    topic, broker, number = fact.q.split(":")
    for who in history.groups[fact.group]:
        for ask in history.of(Ask, who):
            if (
                fact.when - DELAY <= ask.at <= fact.when
                and ask.said.q == f"{topic}:{number}"
                and fact.now in (ask.said.commit_offset, ask.said.offset)
            ):
                yield who
                break
    for told in history.of(Answered, broker):
        if (
            abs(told.at - fact.when) <= LOOK
            and told.asked.q == f"{topic}:{number}"
            and fact.now == told.asked.commit_offset
        ):
            yield from (who for who in history.groups[fact.group] if is_of(history, who, told.asked.client_id))


def _allows(held: Held, fact: Back) -> bool:
    """Return True if the sender's process queue existed then, and started at this offset or a lower one."""
    began = held.read if held.read is not None and held.read >= 0 else held.first
    return held.begin <= fact.when and (began is None or fact.now is None or began <= fact.now)
