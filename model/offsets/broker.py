"""Python code of shared state: one queue's offset at the broker, and its messages."""

from collections import Counter

NONE = -1
"""Number that represents "no offset is committed" in a state."""


class Broker:
    """One queue of one group at a broker, and the history that claims need.

    Offsets are counted in messages.
    """

    def __init__(self, committed: int | None, end: int) -> None:
        self.committed = committed
        """Offset in ``ConsumerOffsetManager``; None if none is committed."""
        self.end = end
        """``maxOffset``: the last message's offset plus 1."""
        self.consumed: Counter[int] = Counter()
        """For each message, how often a listener has returned from it.

        RocketMQ does not store this; only claims use it.
        """
        self.given: set[int] = set()
        """Messages that were sent back for a retry because their listeners took too long."""
        self.went_back = False
        """Whether the last commit, or the last swap with the replica, lowered the offset."""
        self.kept = 0
        """Largest offset that an ordered consumer with a process queue has recorded in memory.

        For claims only.
        """
        self.overtime: set[int] = set()
        """Messages whose process queue left the table while the listener ran, which has returned.

        For claims only.
        """
        self.excess: set[int] = set()
        """Messages that were consumed twice although the queue was not handed over in between.

        For claims only.
        """
        self.finished: set[int] = set()
        """Messages from which a listener has returned with its work done, or that were sent back.

        For claims only.
        """
        self.copied = committed
        """Offset at a replica of the broker; None if it has none."""
        self.taken = False
        """Whether some consumer is active on the queue (``OffsetsConsumer.concerned``).

        For claims only.
        """
        self.owned = False
        """Whether some consumer has ever had a process queue. For claims only."""
        self.awaited: set[int] = set()
        """Messages that arrived while a consumer queried its start offset or had a process queue.

        For claims only.
        """
        self.had: set[int] = set()
        """Messages that arrived while a consumer had a process queue that was not dropped.

        For claims only.
        """
        self.begun: set[int] = set()
        """Messages that arrived while an ordered consumer knew its first pull's start offset.

        The consumer's process queue was not dropped. For claims only.
        """

    @property
    def stored(self) -> int | None:
        """Offset that ``queryConsumerOffset`` finds; None if it is missing or negative.

        A negative offset can be committed.
        """
        return self.offset_in(self.committed)

    @staticmethod
    def offset_in(table: int | None) -> int | None:
        """Return the offset that a query finds for this value in an offset table.

        None if the value is missing or negative.
        """
        return None if table is None or table < 0 else table

    def uncommitted(self) -> set[int]:
        """Return the messages that were consumed and are not committed."""
        least = self.stored or 0
        return {message for message, times in self.consumed.items() if times and message >= least}

    def commit_offset(self, offset: int) -> None:
        """Store the offset of a commit that arrives (``ConsumerOffsetManager.commitOffset``).

        A smaller offset than the stored one is logged, but stored, too.
        """
        self.went_back = self.committed is not None and offset < self.committed
        self.committed = offset

    def sync_consumer_offset(self) -> None:
        """Overwrite the replica's offset with the broker's.

        Mirror of ``SlaveSynchronize.syncConsumerOffset``.
        """
        self.copied = self.committed

    def swap(self) -> None:
        """Let the replica become the broker, and the broker the replica.

        Each keeps its own offset.
        """
        before = self.committed
        self.committed, self.copied = self.copied, before
        self.went_back = before is not None and (self.committed is None or self.committed < before)
