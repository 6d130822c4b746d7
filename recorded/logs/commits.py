"""Runs of commits of one queue: nearly all lines of a client's log, so that they are read by position."""

from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.search import read

__all__ = ["COMMIT", "NEVER", "PAUSE", "Run", "Runs"]

COMMIT = b"[persistAll] Group: "
PAUSE = 12_000
"""Time in ms between two commits after which a run ends; a client commits every 5 s, as shipped."""
MOST_RUNS = 1_000_000
"""Runs that are kept at once: names can be noise."""
NEVER = b"\n"
"""No line begins so."""


class Run:
    """One queue's run."""

    __slots__ = ("at", "backs", "begins", "first", "last", "last_line", "line", "next", "offset_at", "until")

    def __init__(self, line: int, at: int, offset: bytes, begins: bytes = NEVER) -> None:
        self.line = self.last_line = line
        self.at = self.until = at
        self.first = self.last = offset
        self.backs: list[int] = []
        self.begins = begins
        """How its next commit begins; ``NEVER`` once the run has ended."""
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
        self._facts: dict[bytes, Fact | None] = {}

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
            run = self.open[key] = Run(line, at, offset, key + b" ")
            run.offset_at = place + len(run.begins)
            return run
        run.until = at
        run.last_line = line
        if offset != run.last:
            run.go_on(offset)
        return run

    def end(self, out: list[Fact]) -> None:
        """End all runs: a table has changed, or the file ends."""
        for key, run in self.open.items():
            self._end(key, run, out)
        self.open.clear()

    def _end(self, key: bytes, run: Run, out: list[Fact]) -> None:
        run.begins = NEVER
        made = self._facts.get(key)
        if key not in self._facts:
            made = self._facts[key] = read(key + b" 0")[0]
            if len(self._facts) > MOST_RUNS:
                self._facts.clear()
        if made is None or made.kind is not Kind.COMMITTED:
            return
        out.append(
            made._replace(
                line=run.line,
                at=run.at,
                until=run.until,
                last_line=run.last_line,
                numbers=(int(run.first), int(run.last), *run.backs),
            )
        )
