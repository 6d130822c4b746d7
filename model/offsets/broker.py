"""What consumers share, as code: the broker's offset of one queue, and the queue's messages."""

from collections import Counter

__all__ = ["Broker"]


class Broker:
    """One queue of one group at a broker, with what claims need to know besides. Offsets are counted in messages."""

    def __init__(self, committed: int | None, end: int) -> None:
        self.committed = committed
        """Offset in ``ConsumerOffsetManager``; None if none is committed."""
        self.end = end
        """``maxOffset``: the last message's offset plus 1."""
        self.consumed: Counter[int] = Counter()
        """By message, how often listeners have returned from it. RocketMQ does not keep that: it is for claims."""
        self.given: set[int] = set()
        """Messages that were given back to be retried because their listeners took too long."""
        self.went_back = False
        """Whether the last commit, or exchange with the replica, has lowered the committed offset."""
        self.kept = 0
        """Largest offset that a consumer with an ordered listener has noted in its memory while it had an entry. For
        claims."""
        self.overtime: set[int] = set()
        """Messages from which a listener has returned whose entry left the table during the call. For claims."""
        self.excess: set[int] = set()
        """Messages that were consumed twice for no reason that a hand-over gives. For claims."""
        self.finished: set[int] = set()
        """Messages from which a listener has returned with its work done, or that it gave back. For claims."""
        self.copied = committed
        """Offset that a replica of the broker has; None if it has none."""
        self.taken = False
        """Whether some consumer is concerned with the queue (``OffsetsConsumer.concerned``). For claims."""
        self.owned = False
        """Whether some consumer has ever had an entry of the queue. For claims."""
        self.awaited: set[int] = set()
        """Messages that arrived while a consumer was asking where to begin, or had an entry. For claims."""
        self.had: set[int] = set()
        """Messages that arrived while a consumer had an entry that was not marked as dropped. For claims."""
        self.begun: set[int] = set()
        """Messages that arrived while a consumer with an ordered listener had such an entry whose first pull had been
        answered. For claims."""

    @property
    def stored(self) -> int | None:
        """Offset that ``queryConsumerOffset`` finds; None if there is none, or a negative one, which can be
        committed."""
        return self.offset_in(self.committed)

    @staticmethod
    def offset_in(table: int | None) -> int | None:
        """Offset that a query finds where a broker's table has ``table``; None if that is absent or negative."""
        return None if table is None or table < 0 else table

    def uncommitted(self) -> set[int]:
        """Messages that were consumed and are not committed."""
        least = self.stored or 0
        return {message for message, times in self.consumed.items() if times and message >= least}

    def commit_offset(self, offset: int) -> None:
        """Store the offset that arrives (``ConsumerOffsetManager.commitOffset``); a smaller one is stored too, and
        logged."""
        self.went_back = self.committed is not None and offset < self.committed
        self.committed = offset

    def sync_consumer_offset(self) -> None:
        """Overwrite the replica's offset with the broker's (``SlaveSynchronize.syncConsumerOffset``)."""
        self.copied = self.committed

    def swap(self) -> None:
        """Let the replica become the broker, and the broker the replica; each keeps the offset that it has."""
        before = self.committed
        self.committed, self.copied = self.copied, before
        self.went_back = before is not None and (self.committed is None or self.committed < before)
