"""Find offset rollbacks in a recorded run."""

from collections.abc import Iterator

from rebalance_proofs.recorded.groups.broker import Key, Table, offset_of
from rebalance_proofs.recorded.seen.facts import Back
from rebalance_proofs.recorded.seen.history import History


def backs(history: History) -> Iterator[Back]:
    """Yield each decrease of a committed offset in a broker's table, also across restarts."""
    for broker in history.run.brokers:
        last: dict[Key, int] = {}
        for row in history.of(Table, broker):
            offset = offset_of(row)
            if offset is None:
                continue
            now = None if row.is_ is None else int(row.is_)
            was = last.get(offset)
            if was is not None and (now is None or now < was) and offset.group in history.groups:
                yield Back(offset.group, offset.q, row.at, broker, was, now)
            if now is None:
                last.pop(offset, None)
            else:
                last[offset] = now
