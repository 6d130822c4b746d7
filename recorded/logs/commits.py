"""Runs of commits of one queue: nearly all lines of a client's log, so that they are read by position."""

from functools import lru_cache

from rebalance_proofs.recorded.logs.fact import Fact, Kind, Queue
from rebalance_proofs.recorded.logs.plain import plain
from rebalance_proofs.recorded.logs.search import read

__all__ = ["CHANGES", "COMMIT", "NEVER", "PAUSE", "Run", "Runs", "ends"]

COMMIT = b"[persistAll] Group: "
PAUSE = 12_000
"""Time in ms between two commits after which a run ends; a client commits every 5 s, as shipped."""
OF_ONE = (Kind.ADDED, Kind.REMOVED, Kind.ILLEGAL)
OF_ALL = (Kind.SHUT, Kind.CREATED)
CHANGES = (*OF_ONE, Kind.RESULT, *OF_ALL)
"""Kinds after which commits begin a new run, so that no run goes across a change of its entry."""
MOST_RUNS = 1_000_000
"""Runs that are kept at once: names can be noise."""
MOST_FACTS = 100_000
"""Names of which it is kept what they say."""
NEVER = b"\n"
"""No line begins so."""


def ends(change: Fact, commit: Fact) -> bool:
    """Whether a line of ``CHANGES`` ends runs of the queue of this commit: its entry is another one, or can be."""
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
    """One queue's run."""

    __slots__ = ("at", "backs", "begins", "fact", "first", "last", "last_line", "line", "next", "offset_at", "until")

    def __init__(self, line: int, at: int, offset: bytes, begins: bytes = NEVER, fact: Fact | None = None) -> None:
        self.line = self.last_line = line
        self.at = self.until = at
        self.first = self.last = offset
        self.backs: list[int] = []
        self.begins = begins
        """How its next commit begins; ``NEVER`` once the run has ended."""
        self.fact = fact
        """Its commits without times and offsets; None if they cannot be read."""
        self.offset_at = 0
        """Where in its next line the offset stands."""
        self.next = self
        """The run of the commit that followed its last one: a client commits its queues in the same order each time."""

    def go_on(self, offset: bytes) -> None:
        """The next commit, whose time and line are set, has another offset."""
        last = self.last
        # Of numbers without a sign, the shorter is the lower.
        if len(offset) <= len(last) and (len(offset) < len(last) or offset < last):
            self.backs += (int(last), int(offset), self.until, self.last_line)
        self.last = offset


class Runs:
    """The runs that are open, by the text that names group, client and queue."""

    def __init__(self) -> None:
        self.open: dict[bytes, Run] = {}
        """For whoever has nothing to do but to let a run go on."""
        self._of_queue: dict[Queue | None, set[bytes]] = {}

    def stand_at(self, place: int) -> None:
        """Commits stand at that place of their lines from now on."""
        for run in self.open.values():
            run.offset_at = place + len(run.begins)

    def add(self, key: bytes, offset: bytes, line: int, at: int, out: list[Fact], place: int = 0) -> Run:
        """One commit more: ``key`` is the line from COMMIT to the queue, ``offset`` what follows. Its run."""
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
        """End all runs: the file ends."""
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
