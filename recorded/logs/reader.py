"""Parse the facts of a log file, or of a part of it, piece by piece."""

import re
from dataclasses import dataclass, field

from rebalance_proofs.recorded.logs.commits import CHANGES, COMMIT, NEVER, Run, Runs
from rebalance_proofs.recorded.logs.commits import PAUSE as COMMITS_PAUSE
from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.plain import plain
from rebalance_proofs.recorded.logs.search import LONGEST, read, telling
from rebalance_proofs.recorded.logs.times import DAY, Stamp, clock_of_head, stamp
from rebalance_proofs.recorded.logs.waiting import OPEN_ENDED, STACK, Waiting

__all__ = ["Clock", "Reader", "Tally"]

PAUSE = 6_500
"""Longest time in ms between two lines of a running process.

By default it commits every 5 s.
"""
WRAPPED = re.compile(rb"(queueId=\d{1,9}\] \d{1,18})\n(\d{1,18})(?=\n|$)")
"""Pattern of an offset that a terminal has wrapped."""
HEAD = len("2024-05-01 10:00:00,000")
"""Length of a line's time in bytes.

Only after a time of this length are commits parsed by position.
"""
DATED_COMMIT = re.compile(
    rb"(\[persistAll\] Group: [^\s,\[\]\"]+ ClientId: [^\[]{1,400} updateConsumeOffsetToBroker "
    rb"MessageQueue \[topic=[^,\[\]]+, brokerName=[^,\[\]]+, queueId=\d{1,9}\]) (\d{1,18})(?=[\s\"'`*|\\<]|$)(?! *\.\.)"
)
"""Pattern of a commit of the Java client anywhere in a line."""
BREAK = re.compile(rb"<br ?/?>", re.I)


@dataclass(frozen=True)
class Clock:
    """How the times in a log file are converted to ms since 1970."""

    zone: int = 0
    """Offset of the clock from UTC in ms, for lines that name no zone."""
    shift: int = 0
    """Correction in ms that makes the log's clock agree with the other logs' clocks."""
    year: int = 1970
    """Year for dates without a year."""
    day: int = 0
    """Day of lines without a date, as its start in ms since 1970."""
    month_first: bool = False
    """True if dates with slashes that end with the year begin with the month."""


@dataclass
class Tally:
    """Counts of parsed and skipped lines of a log file."""

    lines: int = 0
    dated: int = 0
    told: int = 0
    """Number of lines that contain a fact."""
    cut: int = 0
    """Number of lines with a known wording that could not be parsed.

    They are truncated, or come from another version.
    """
    example: str = ""
    """The first line with a known wording that could not be parsed, with its number."""
    back: int = 0
    """Number of times that the log's clock steps back by more than a second."""
    no_year: bool = False
    no_date: bool = False
    either: bool = False
    """True if the order of day and month in the log's dates is ambiguous."""
    long: int = 0
    """Number of lines that are too long to be parsed wholly."""


@dataclass
class Reader:
    """Parser of a log file; pass the file's pieces to ``feed`` in order, then call ``end``."""

    clock: Clock = Clock()
    line: int = 0
    """Number of lines that were parsed so far."""
    facts: list[Fact] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    _runs: Runs = field(default_factory=Runs)
    _waiting: Waiting = field(init=False)
    _at: int | None = None
    _heard: list[int] = field(default_factory=list)
    """First and last time in ms without a long pause in between, and these lines' numbers."""
    _near: int = 0
    """Position of the time in the last line, where the next line is likely to have it too."""
    _midnights: int = 0
    _dates: bool = False
    """True if an earlier line had a date without a time zone."""

    def __post_init__(self) -> None:
        self._waiting = Waiting(self._keep, self._cut)

    def feed(self, piece: bytes) -> None:
        """Parse a piece that consists of whole lines."""
        lines = piece.split(b"\n")
        if any(map(bytes.isdigit, lines)):
            lines = WRAPPED.sub(rb"\1\2\n", piece).split(b"\n")
        if not lines[-1]:
            lines.pop()
        place, ms = (0, False) if b"<" in piece and BREAK.search(piece) else _place(lines)
        self._dates = self._dates or place > 0
        number, commits = self.line, 0
        # This loop takes most of the time of a large file: nearly all lines are commits that continue a run.
        add, out, clock = self._runs.add, self.facts, clock_of_head()
        shift, last, wide = self.clock.shift - self.clock.zone, NEVER, HEAD if ms else HEAD - 4
        now: int | None = None
        before = -1
        run = Run(0, 0, b"")
        self._runs.stand_at(place)
        for line in lines:
            number += 1
            following = run.next
            known = line.startswith(following.begins, place)
            if known or (place and line.startswith(COMMIT, place)):
                if not line.startswith(last):
                    last, now = line[:wide], None
                    second, part = clock(line[:19]), line[20:wide] if ms else b"0"
                    if second is not None and part.isdigit():
                        now = second + shift + int(part)
                end = following.offset_at if known else line.rfind(b" ") + 1
                offset = line[end:].rstrip()
                if now is not None and offset.isdigit():
                    if now != before:
                        if 0 <= now - before <= PAUSE and before >= 0:
                            self._heard[1] = now
                        else:
                            if before >= 0:
                                self._ahead(before, number - 1)
                            self._ahead(now, number)
                        before = now
                    commits += 1
                    if known and 0 <= now - following.until <= COMMITS_PAUSE:
                        run = following
                        run.until, run.last_line = now, number
                        before_it = run.last
                        if offset > before_it and len(offset) == len(before_it):
                            run.last = offset
                        elif offset != before_it:
                            run.go_on(offset)
                    else:
                        run.next = add(line[place : end - 1], offset, number, now, out, place)
                        run = run.next
                    continue
            if before >= 0:
                self._ahead(before, number - 1)
                before = -1
            self._slow(line, number)
        if before >= 0:
            self._ahead(before, number)
        self.tally.lines += number - self.line
        self.tally.dated += commits
        self.tally.told += commits
        self.line = number

    def end(self) -> None:
        """Finish parsing at the end of the file."""
        self._waiting.give_up()
        self._runs.end(self.facts)
        self._unheard()

    def _ahead(self, at: int, number: int) -> None:
        """Record that the process was running at the time of a line."""
        heard = self._heard
        if heard and 0 <= at - heard[1] <= PAUSE:
            heard[1], heard[3] = at, number
            return
        if heard and heard[1] - PAUSE <= at < heard[1]:
            if heard[1] - at > 1000:
                self.tally.back += 1
            heard[3] = number  # threads write out of order, and clocks are adjusted
            return
        if heard and at < heard[1]:
            self.tally.back += 1
        self._unheard()
        self._heard = [at, at, number, number]

    def _unheard(self) -> None:
        if self._heard:
            at, until, line, last = self._heard
            self.facts.append(Fact(Kind.HEARD, line, at, until=until, last_line=last))
            self._heard = []

    def _slow(self, line: bytes, number: int) -> None:
        if len(line) > LONGEST:
            self.tally.long += 1
            line = line[:LONGEST]
        line = plain(line)
        if b"<" in line and BREAK.search(line):
            for part in BREAK.split(line):
                self._part(part, number)
        else:
            self._part(line, number)

    def _part(self, line: bytes, number: int) -> None:
        tells = telling(line)
        made = None if STACK.match(line) else stamp(line, self.clock.year, self.clock.month_first, self._near)
        if made is not None and not made.dated and self._dates and not tells:
            made = None  # among dated lines, this is other text
        if made is not None:
            self._near = made.place
            listed = self._waiting.lists(line)
            if not listed:
                self._waiting.give_up()
            self._at = self._time(made)
            self.tally.dated += 1
            if self._at is not None:
                self._ahead(self._at, number)
                if not listed and tells and (commit := DATED_COMMIT.search(line)):
                    self.tally.told += 1
                    self._runs.add(commit[1], commit[2], number, self._at, self.facts)
                    return
            if listed:
                return
        elif self._waiting.line:
            if tells and not telling(self._waiting.line) and read(line)[0] is not None:
                self._waiting.give_up()  # a layout with messages on separate lines
            elif self._waiting.join(line) or not tells or (self._waiting.line and self._waiting.stamped):
                return
        if not tells:
            if made is not None:
                self._waiting.begin(line, (number, self._at), True)  # its wording can continue on the next line
            return
        if OPEN_ENDED.search(line):
            self._waiting.begin(line, (number, self._at), made is not None)
            return
        fact, cut = read(line)
        if fact is None:
            if cut:
                self._waiting.begin(line, (number, self._at), made is not None)
            return
        if fact.kind is Kind.REFUSED and not fact.more and not fact.group:
            self._waiting.begin(line, (number, self._at), made is not None)  # the reason is on the next line
            return
        self._keep(fact, number, self._at)

    def _keep(self, fact: Fact, number: int, at: int | None) -> None:
        self.tally.told += 1
        if fact.kind in CHANGES:
            self._runs.change(fact, self.facts)
        until = at if fact.kind is Kind.COMMITTED else None
        self.facts.append(fact._replace(line=number, last_line=number, at=at, until=until))

    def _cut(self, line: bytes, number: int) -> None:
        self.tally.cut += 1
        if not self.tally.example:
            self.tally.example = f"{number}: {line[:160].decode('utf-8', 'replace')}"

    def _time(self, made: Stamp) -> int | None:
        tally = self.tally
        if not made.dated and self._dates and self._heard:
            # Use the day of the line before, or the next day; threads write out of order.
            at = made.at + self.clock.shift - self.clock.zone
            return at - (at - self._heard[1] + DAY // 24) // DAY * DAY
        if not made.dated:
            tally.no_date = True
            at = made.at + self.clock.day + self._midnights * DAY + self.clock.shift - self.clock.zone
            if self._at is not None and at < self._at - DAY // 2:
                self._midnights += 1
                at += DAY
            return at
        tally.no_year = tally.no_year or not made.whole
        tally.either = tally.either or made.either
        self._dates = not made.zoned
        return made.at + self.clock.shift - (0 if made.zoned else self.clock.zone)


def _place(lines: list[bytes]) -> tuple[int, bool]:
    """Return the position after date and time at which commits begin, and whether times have ms.

    The position is 0 if the lines do not begin with date and time.
    """
    for line in lines[:2000]:
        if (place := line.find(COMMIT)) >= 19 and clock_of_head()(line[:19]) is not None:
            rest = re.match(rb"([.,]\d{3})?(\d*)\s?(Z|[+-]\d\d)?", line[19:])
            if rest is None or rest[3] or (rest[2] and not rest[1]):
                return 0, False
            return place, rest[1] is not None
    return 0, False
