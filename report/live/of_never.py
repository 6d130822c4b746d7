"""Possible causes of a message that no listener received, the most specific first."""

from collections.abc import Iterator

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.seen.facts import Never
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.of_pause import unowned
from rebalance_proofs.report.live.signs import LOOK, busy


def of_never(history: History, fact: Never) -> Iterator[str]:
    """Yield names of causes of an undelivered message.

    No known cause explains it if a consumer owned the queue and skipped the message.
    """
    topic = topic_of(fact.q)
    tags = history.tags(fact.group, topic)
    if len(set(tags.values())) > 1 and not all({fact.sent.tag, "*"} & asked for asked in tags.values()):
        yield "tags-differ"
    if not fact.skipped:
        if any(busy(history, fact.group, who, history.end - LOOK, history.end) for who in history.groups[fact.group]):
            yield "listener-blocks"
        yield from unowned(history, fact.group, fact.q, fact.sent.at, history.end)
    last = any(history.started[who].from_ == "LAST" for who in history.groups[fact.group])
    entries = [held for held in history.held[fact.group] if held.q == fact.q]
    if last and entries:
        if entries[0].first is not None and fact.sent.offset < entries[0].first:
            ordered = history.ordered(fact.group) and fact.sent.at >= entries[0].begin
            yield "arrived-before-first-pull" if ordered else "nothing-committed"
        elif any(_began_anew(each.read, each.first, fact.sent.offset) for each in entries[1:]):
            yield "moved-before-a-commit"
    for each in entries:
        if each.read is not None and each.read < 0 and each.first is not None and fact.sent.offset < each.first:
            yield "error-read-as-none"


def _began_anew(read: int | None, first: int | None, offset: int) -> bool:
    """Return True if a consumer started behind the message at ``offset`` because no offset was committed."""
    return read is not None and read < 0 and first is not None and offset < first
