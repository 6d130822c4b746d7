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

    def commit_offset(self, offset: int) -> None:
        """``ConsumerOffsetManager.commitOffset``: the last one to arrive is taken, and a smaller one only logged."""
        self.went_back = self.committed is not None and offset < self.committed
        self.committed = offset
