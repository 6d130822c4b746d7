"""Runs of commits of one queue: nearly all lines of a client's log, so they are parsed by position."""

from functools import lru_cache

from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.plain import plain
from rebalance_proofs.recorded.logs.search import read

__all__ = ["CHANGES", "COMMIT", "NEVER", "PAUSE", "Run", "Runs", "ends"]

COMMIT = b"[persistAll] Group: "
PAUSE = 12_000
"""Longest time in ms between two commits of a run; by default a client commits every 5 s."""
OF_ONE = (Kind.ADDED, Kind.REMOVED, Kind.ILLEGAL)
OF_ALL = (Kind.SHUT, Kind.CREATED)
CHANGES = (*OF_ONE, Kind.RESULT, *OF_ALL)
"""Kinds of lines after which a new run begins, so that no run spans a change of its entry."""
MOST_RUNS = 1_000_000
"""Largest number of open runs, because names can be noise."""
MOST_FACTS = 100_000
"""Largest number of parsed names in the cache."""
NEVER = b"\n"
"""A text with which no line begins."""


def ends(change: Fact, commit: Fact) -> bool:
    """Return True if a line of ``CHANGES`` ends runs of this commit's queue: its entry has or may have changed."""
    if change.kind in OF_ALL:
        return True
    if change.kind is not Kind.RESULT:
        return change.queue == commit.queue
    return (
        change.group == commit.group
        and commit.queue is not None
        and change.topic == commit.queue[0]
        and commit.queue not in change.queues
    )


class Run:
    """A run of commits of one queue."""

    __slots__ = ("at", "backs", "begins", "fact", "first", "last", "last_line", "line", "next", "offset_at", "until")

    def __init__(self, line: int, at: int, offset: bytes, begins: bytes = NEVER, fact: Fact | None = None) -> None:
        self.line = self.last_line = line
        self.at = self.until = at
        self.first = self.last = offset
        self.backs: list[int] = []
        self.begins = begins
        """Text with which its next commit begins; ``NEVER`` once the run has ended."""
        self.fact = fact
        """Group, client and queue of its commits; None if they cannot be parsed."""
        self.offset_at = 0
        """Position of the offset in the run's next line."""
        self.next = self
        """Run of the commit after this one: a client commits its queues in the same order each time."""

    def go_on(self, offset: bytes) -> None:
        """Add a commit with another offset; its time and line are already set."""
        last = self.last
        # Without signs, the shorter of two numbers is the lower.
        if len(offset) <= len(last) and (len(offset) < len(last) or offset < last):
            self.backs += (int(last), int(offset), self.until, self.last_line)
        self.last = offset


class Runs:
    """Open runs by the text that names group, client and queue."""

    def __init__(self) -> None:
        self.open: dict[bytes, Run] = {}
        """Open runs, for fast access by the reader."""
        self._of_queue: dict[Queue | None, set[bytes]] = {}

    def stand_at(self, place: int) -> None:
        """Set the position at which commits begin in the following lines."""
        for run in self.open.values():
            run.offset_at = place + len(run.begins)

    def add(self, key: bytes, offset: bytes, line: int, at: int, out: list[Fact], place: int = 0) -> Run:
        """Add a commit and return its run.

        ``key`` is the line from COMMIT to the queue, ``offset`` the text after it.
        """
        run = self.open.get(key)
        if run is None or not 0 <= at - run.until <= PAUSE:
            if run is not None:
                self._end(key, run, out)
            elif len(self.open) >= MOST_RUNS:
                self.end(out)
            run = self.open[key] = Run(line, at, offset, key + b" ", _fact(key))
            run.offset_at = place + len(run.begins)
            if run.fact:
                self._of_queue.setdefault(run.fact.queue, set()).add(key)
            return run
        run.until = at
        run.last_line = line
        if offset != run.last:
            run.go_on(offset)
        return run

    def change(self, change: Fact, out: list[Fact]) -> None:
        """End the runs that this line of ``CHANGES`` ends."""
        keys = self._of_queue.get(change.queue, ()) if change.kind in OF_ONE else self.open
        for key in [one for one in keys if (fact := self.open[one].fact) is None or ends(change, fact)]:
            self._end(key, self.open.pop(key), out)

    def end(self, out: list[Fact]) -> None:
        """End all runs at the end of the file."""
        for key, run in self.open.items():
            self._end(key, run, out)
        self.open.clear()
        self._of_queue.clear()

    def _end(self, key: bytes, run: Run, out: list[Fact]) -> None:
        run.begins = NEVER
        made = run.fact
        if made is None:
            return
        self._of_queue[made.queue].discard(key)
        out.append(
            made._replace(
                line=run.line,
                at=run.at,
                until=run.until,
                last_line=run.last_line,
                numbers=(int(run.first), int(run.last), *run.backs),
            )
        )


@lru_cache(MOST_FACTS)
def _fact(key: bytes) -> Fact | None:
    made = read(plain(key) + b" 0")[0]
    return made if made is not None and made.kind is Kind.COMMITTED else None
