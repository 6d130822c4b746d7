"""Text timelines of queues: a line (lane) of characters, each for the owner in one part of the time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rebalance_proofs.recorded.audit.outcome import GroupTold
from rebalance_proofs.recorded.audit.told import Member, Span
from rebalance_proofs.recorded.logs.fact import Queue
from rebalance_proofs.report.audit.words import ranges

MARKS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
TWO, NOBODY, ANY = "#", ".", "*"
"""Characters for two owners, for no owner, and for any owner after all letters are used."""


@dataclass(frozen=True)
class Lane:
    """A timeline for queues of one broker that have the same owners over the whole time."""

    topic: str
    broker: str
    numbers: tuple[int, ...]
    cells: str

    @property
    def label(self) -> str:
        """The label of the lane, such as ``b0 4-7``."""
        return f"{self.broker} {ranges(self.numbers)}"


def letters(group: GroupTold) -> dict[Member, str]:
    """Return the letter that stands for each member in timelines, in order of first ownership."""
    order = list(dict.fromkeys(span.member for span in sorted(group.spans, key=lambda one: one.begin)))
    return {member: MARKS[place] if place < len(MARKS) else ANY for place, member in enumerate(order)}


def extent(group: GroupTold) -> tuple[int, int] | None:
    """Return (first, last) time in ms at which a queue had an owner; None if no queue had any."""
    if not group.spans:
        return None
    return min(one.begin for one in group.spans), max(one.end for one in group.spans)


def lanes(group: GroupTold, width: int) -> Iterator[Lane]:
    """Yield the group's timelines, ``width`` characters (cells) long.

    A change shorter than a cell is visible only if it covers the larger part of a cell.
    """
    around = extent(group)
    if around is None:
        return
    begin, end = around
    step = max(1, -(-(end - begin + 1) // width))
    width = min(width, -(-(end - begin + 1) // step))
    marks = letters(group)
    by_queue: dict[Queue, list[Span]] = {}
    for span in group.spans:
        by_queue.setdefault(span.queue, []).append(span)
    alike: dict[tuple[str, str, str], list[int]] = {}
    for queue, spans in sorted(by_queue.items()):
        ends = range(begin, begin + width * step, step)
        cells = "".join(_cell(spans, marks, at, at + step) for at in ends)
        alike.setdefault((queue[0], queue[1], cells), []).append(queue[2])
    for (topic, broker, cells), numbers in alike.items():
        yield Lane(topic, broker, tuple(numbers), cells)


def _cell(spans: Sequence[Span], marks: dict[Member, str], begin: int, end: int) -> str:
    """Return the character of a cell: TWO if two members own the queue for over half of its time.

    Otherwise it is the owner with the longest time, or NOBODY if the queue had an owner for at most half of the cell.
    """
    here = [span for span in spans if span.begin < end and span.end > begin]
    if not here:
        # An entry without duration, as at the end of a log, is still shown.
        seen = [span for span in spans if span.begin == span.end and begin <= span.begin < end]
        return marks[seen[0].member] if seen else NOBODY
    shares: dict[Member, int] = {}
    for span in here:
        shares[span.member] = shares.get(span.member, 0) + min(span.end, end) - max(span.begin, begin)
    half = (end - begin) / 2
    if sum(1 for share in shares.values() if share > half) > 1:
        return TWO
    most = max(shares, key=lambda one: (shares[one], one))
    return marks[most] if sum(shares.values()) > half else NOBODY
