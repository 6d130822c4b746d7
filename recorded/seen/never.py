"""Find messages that were stored and wanted by a group, but reached none of its listeners."""

from collections.abc import Iterator

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.seen.facts import Never
from rebalance_proofs.recorded.seen.history import History

GRACE = 25_000
"""Messages of an interrupted run's last ms are ignored: they had no time to be consumed."""


def never(history: History) -> Iterator[Never]:
    """Yield unconsumed messages, for each group with a consumer that ran to the end."""
    latest = history.end if history.waited else history.end - GRACE
    for group, members in history.groups.items():
        if not any(who in history.joined and who not in history.left for who in members):
            continue
        begun = {key for call in history.calls[group] for key in call.keys}
        moving = {call.q for call in history.calls[group] if call.end >= latest}
        for key, sent in history.sent.items():
            wanted = {sent.tag, "*"} & history.wanted(group, topic_of(sent.q))
            if key in begun or sent.at > latest or not wanted:
                continue
            skipped = (history.committed(group, sent.q) or 0) > sent.offset
            if skipped or sent.q not in moving:
                yield Never(group, sent.q, sent, skipped)
