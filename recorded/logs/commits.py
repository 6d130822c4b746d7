"""Combine successive commits of one queue in a log into one fact, called a run of commits.

Nearly all lines of a client's log are commits, so they are parsed by position, which is fast.
"""

from functools import lru_cache

from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.lines import plain
from rebalance_proofs.recorded.logs.search import read

COMMIT = b"[persistAll] Group: "
PAUSE = 12_000
"""Longest time in ms between two commits of one run; by default a client commits every 5 s."""
STILL = 60_000
"""Shortest time in ms without progress that is kept of a run of commits, besides its first and its last one."""
OF_ONE = (Kind.ADDED, Kind.REMOVED, Kind.ILLEGAL, Kind.FORGOT)
OF_ALL = (Kind.SHUT, Kind.CREATED)
CHANGES = (*OF_ONE, Kind.RESULT, *OF_ALL)
"""Kinds of lines that end a run of commits, because they may change the owner of the queue."""
MOST_RUNS = 1_000_000
"""Largest number of runs that have not ended; damaged lines could begin any number of runs."""
MOST_FACTS = 100_000
"""Largest number of parsed (group, client, queue) texts in the cache."""


def ends(change: Fact, commit: Fact) -> bool:
    """Return True if a line of a kind in ``CHANGES`` ends the runs of a commit's queue.

    Its process queue has or may have changed.
    """
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
    """Successive commits of one queue by one client."""

    __slots__ = (
        "at",
        "backs",
        "fact",
        "first",
        "last",
        "last_line",
        "line",
        "moved",
        "moved_line",
        "stills",
        "until",
    )

    def __init__(self, line: int, at: int, offset: bytes, fact: Fact | None = None) -> None:
        self.line = self.last_line = line
        self.at = self.until = at
        self.first = self.last = offset
        self.backs: list[int] = []
        self.stills: list[int] = []
        self.moved = at - STILL
        """Time of the last commit with a new offset; before the first one, a time that makes ``stood`` be called."""
        self.moved_line = line
        self.fact = fact
        """Group, client and queue of the commits; None if they cannot be parsed."""

    def stood(self) -> None:
        """Keep the time in which the offset did not move, before a commit with another one."""
        at = self.moved if self.stills else self.at
        self.stills += (int(self.last), at, self.moved_line, self.until, self.last_line)

    def go_on(self, offset: bytes) -> None:
        """Add a commit with another offset; its time and line number are already set."""
        last = self.last
        # Without signs, the shorter of two numbers is the lower.
        if len(offset) <= len(last) and (len(offset) < len(last) or offset < last):
            self.backs += (int(last), int(offset), self.until, self.last_line)
        self.last = offset


class Runs:
    """The runs of commits in a file that have not ended."""

    def __init__(self) -> None:
        self.open: dict[bytes, Run] = {}
        """Bytes that name group, client and queue -> run.

        Public so that the reader can access it fast.
        """
        self._of_queue: dict[Queue | None, set[bytes]] = {}

    def add(self, key: bytes, offset: bytes, line: int, at: int, out: list[Fact]) -> Run:
        """Add a commit and return its run; a run that this ends is appended to ``out``.

        ``key`` is the line's text from COMMIT to the queue, ``offset`` the text after the queue.
        """
        run = self.open.get(key)
        if run is None or not 0 <= at - run.until <= PAUSE:
            if run is not None:
                self._end(key, run, out)
            elif len(self.open) >= MOST_RUNS:
                self.end(out)
            run = self.open[key] = Run(line, at, offset, _fact(key))
            if run.fact:
                self._of_queue.setdefault(run.fact.queue, set()).add(key)
            return run
        if offset == run.last:
            run.until, run.last_line = at, line
            return run
        if run.until - run.moved >= STILL:
            run.stood()
        run.moved = run.until = at
        run.moved_line = run.last_line = line
        run.go_on(offset)
        return run

    def change(self, change: Fact, out: list[Fact]) -> None:
        """End the runs of commits that a line of a kind in ``CHANGES`` affects.

        They are appended to ``out``.
        """
        keys = self._of_queue.get(change.queue, ()) if change.kind in OF_ONE else self.open
        for key in [one for one in keys if (fact := self.open[one].fact) is None or ends(change, fact)]:
            self._end(key, self.open.pop(key), out)

    def cut_at(self, line: int) -> bool:
        """Return True if the offset of the commit in a file's last line is cut off, and drop that commit.

        The last line has no newline, and its offset has fewer digits than the one before.
        """
        for run in self.open.values():
            if run.last_line == line and run.backs[-1:] == [line]:
                last, offset = run.backs[-4:-2]
                if len(str(offset)) < len(str(last)):
                    del run.backs[-4:]
                    run.last = b"%d" % last
                    return True
        return False

    def end(self, out: list[Fact]) -> None:
        """End all runs of commits at the end of the file, and append them to ``out``."""
        for key, run in self.open.items():
            self._end(key, run, out)
        self.open.clear()
        self._of_queue.clear()

    def _end(self, key: bytes, run: Run, out: list[Fact]) -> None:
        made = run.fact
        if made is None:
            return
        self._of_queue[made.queue].discard(key)
        run.stood()
        out.append(
            made._replace(
                line=run.line,
                at=run.at,
                until=run.until,
                last_line=run.last_line,
                numbers=(int(run.first), int(run.last), *run.backs),
                stills=tuple(run.stills),
            )
        )


@lru_cache(MOST_FACTS)
def _fact(key: bytes) -> Fact | None:
    made = read(plain(key) + b" 0")[0]
    return made if made is not None and made.kind is Kind.COMMITTED else None
