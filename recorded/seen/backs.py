"""Committed offsets that went back."""

from collections.abc import Iterator

from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.seen.facts import Back
from rebalance_proofs.recorded.seen.history import History, offset_of

__all__ = ["backs"]


def backs(history: History) -> Iterator[Back]:
    """Each time that a broker's table had a lower one, also after the broker was started again."""
    for broker in history.run.brokers:
        last: dict[str, int] = {}
        for row in history.of(Table, broker):
            if row.what != "offset":
                continue
            now = None if row.is_ is None else int(row.is_)
            was = last.get(row.of)
            group, q = offset_of(row)
            if was is not None and (now is None or now < was) and group in history.groups:
                yield Back(group, q, row.at, broker, was, now)
            if now is None:
                last.pop(row.of, None)
            else:
                last[row.of] = now
