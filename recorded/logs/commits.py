"""Runs of commits of one queue: nearly all lines of a client's log, so that they are read by position."""

from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.search import read

__all__ = ["COMMIT", "PAUSE", "Runs"]

COMMIT = b"[persistAll] Group: "
PAUSE = 12_000
"""Time in ms between two commits after which a run ends; a client commits every 5 s, as shipped."""
MOST_RUNS = 1_000_000
"""Runs that are kept at once: names can be noise."""


class _Run:
    """One queue's run."""

    __slots__ = ("at", "backs", "first", "last", "last_line", "line", "offset", "until")

    def __init__(self, line: int, at: int, offset: bytes) -> None:
        self.line = self.last_line = line
        self.at = self.until = at
        self.first = self.last = offset
        self.backs: list[int] = []


class Runs:
    """The runs that are open, by the text that names group, client and queue."""

    def __init__(self) -> None:
        self.open: dict[bytes, _Run] = {}
        """For whoever has nothing to do but to let a run go on."""
        self._facts: dict[bytes, Fact | None] = {}

    def add(self, key: bytes, offset: bytes, line: int, at: int, out: list[Fact]) -> None:
        """One commit more: ``key`` is the line from COMMIT to the queue, ``offset`` what follows."""
        run = self.open.get(key)
        if run is None or not 0 <= at - run.until <= PAUSE:
            if run is not None:
                self._end(key, run, out)
            elif len(self.open) >= MOST_RUNS:
                self.end(out)
            self.open[key] = _Run(line, at, offset)
            return
        run.until = at
        run.last_line = line
        last = run.last
        if offset != last:
            # Of numbers without a sign, the shorter is the lower.
            if len(offset) <= len(last) and (len(offset) < len(last) or offset < last):
                run.backs += (int(last), int(offset), at, line)
            run.last = offset

    def end(self, out: list[Fact]) -> None:
        """End all runs: a table has changed, or the file ends."""
        for key, run in self.open.items():
            self._end(key, run, out)
        self.open.clear()

    def _end(self, key: bytes, run: _Run, out: list[Fact]) -> None:
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
