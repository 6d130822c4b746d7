"""What consumers share: the broker's offset of the queue, and its messages."""

from collections import Counter

__all__ = ["Broker"]


class Broker:
    """One queue of one group. Offsets are counted in messages."""

    def __init__(self, committed: int | None, end: int) -> None:
        self.committed = committed
        """``ConsumerOffsetManager``'s; None where none is committed."""
        self.end = end
        """``maxOffset``: one more than the last message's offset."""
        self.consumed: Counter[int] = Counter()
        """How often listeners have returned from each message. Nobody keeps that: it is for claims."""
        self.given: set[int] = set()
        """Messages that were given back to be retried because their listeners took too long."""
        self.went_back = False
        """The last commit has set the offset back."""
        self.kept = 0
        """The largest offset that a consumer with an ordered listener has noted in its memory while it had an entry;
        for claims, too."""
        self.overtime: set[int] = set()
        """Messages that listeners have returned from whose entries had left while they were called; for claims."""
        self.excess: set[int] = set()
        """Those that were consumed twice for no reason that a hand-over gives; for claims."""
        self.finished: set[int] = set()
        """Messages that a listener has returned from whose work with them was done, or that gave them back; for
        claims."""
        self.copied = committed
        """What a replica has in the place of ``committed``."""
        self.taken = False
        """Some consumer has to do with the queue; for claims."""
        self.owned = False
        """A consumer has had an entry; for claims."""
        self.awaited: set[int] = set()
        """Messages that arrived when a consumer asked where to begin, or had an entry; for claims."""
        self.had: set[int] = set()
        """When one had an entry that was not marked."""
        self.begun: set[int] = set()
        """When the first pull of such an entry, with an ordered listener, had been answered."""

    @property
    def stored(self) -> int | None:
        """What ``queryConsumerOffset`` finds: what is below 0 is none, though it can be committed."""
        return self.offset_in(self.committed)

    @staticmethod
    def offset_in(table: int | None) -> int | None:
        """The same of what any broker's table has."""
        return None if table is None or table < 0 else table

    def uncommitted(self) -> set[int]:
        """Messages that were consumed, and are not committed."""
        least = self.stored or 0
        return {message for message, times in self.consumed.items() if times and message >= least}

    def commit_offset(self, offset: int) -> None:
        """``ConsumerOffsetManager.commitOffset``: the last one to arrive is taken, and a smaller one only logged."""
        self.went_back = self.committed is not None and offset < self.committed
        self.committed = offset

    def sync_consumer_offset(self) -> None:
        """``SlaveSynchronize.syncConsumerOffset``: the replica's table is overwritten."""
        self.copied = self.committed

    def swap(self) -> None:
        """The replica takes the broker's place, and the other way round."""
        before = self.committed
        self.committed, self.copied = self.copied, before
        self.went_back = before is not None and (self.committed is None or self.committed < before)
