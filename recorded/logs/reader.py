"""Parse the facts of a log file, or of a part of it, piece by piece."""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from rebalance_proofs.recorded.logs.commits import CHANGES, COMMIT, STILL, Runs
from rebalance_proofs.recorded.logs.fact import OF_BROKER, Fact, Kind
from rebalance_proofs.recorded.logs.lines import decoded, plain
from rebalance_proofs.recorded.logs.named import (
    named,
)
from rebalance_proofs.recorded.logs.reading import Clock, Tally
from rebalance_proofs.recorded.logs.readings import refused_alone
from rebalance_proofs.recorded.logs.said import Said
from rebalance_proofs.recorded.logs.search import LONGEST, TWO, read, telling
from rebalance_proofs.recorded.logs.times import DAY, Stamp, clock_of_head, stamp
from rebalance_proofs.recorded.logs.unrelated import BEYOND, GRPC, POP
from rebalance_proofs.recorded.logs.waiting import OPEN_ENDED, STACK, Waiting

if TYPE_CHECKING:
    from rebalance_proofs.recorded.logs.columns import Columns, Span

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
BREAK = re.compile(rb"<[bB][rR] ?/?>")
SEARCHED = 2000
"""Number of commits that are searched for one in a usual layout."""
LARGE = 1024 * 1024
"""Length in bytes of a piece that is divided into columns, if it is not the first one of its file."""
MOST_REPEATED = 1_000
"""Largest number of texts that are kept because they can be repeated."""
JOINED = re.compile(
    rb"(?: |(?:\\r)?\\n)(?=\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{3}[^\d\s]{0,6} +(?:INFO|WARN|ERROR|DEBUG)\b)"
)
"""Pattern of a line break that JSON escapes, or that a web page has replaced by a space."""
LEVELS = (b" INFO", b" WARN", b" ERROR", b" DEBUG")
"""Parts of which each line with ``JOINED`` has one; they are searched faster."""
BEFORE_LEVEL = 48
"""Largest number of bytes from a joint to the level after it."""
TABLE = re.compile(rb"[> \t|]*(?:#Topic |#Index[ |]|#Consumer |#(?:Group|ClientId)[ |])")
"""Pattern of the heading of mqadmin's tables, whose times are not of the log."""
RELATIVE = re.compile(
    rb"\W?(?:[A-Z]{4,5}\[\d{4}\]|\d{1,9}(?:\.\d{1,9})? {1,2}(?:\[|[A-Z]{4,5}\b)|\[ *\d{1,9}\.\d{3,9}\])"
)
"""Pattern of the beginning of a line whose time is counted from the start of the process or the minute."""
STARTS = (b"has been created before", b"not in assigned list")
"""Parts of exceptions that are no answer to a request, so that only their own text says what happened."""
BROKER_THREAD = re.compile(
    rb"\b(?:(?:PullMessage|HeartBeat|Heartbeat|ClientManage|ConsumerManage|AdminBroker|QueryMessage)Thread_\d"
    rb"|(?:BrokerController|BrokerFastFailure|ClientHousekeeping)ScheduledThread\d)|\[NOTIFYME\]update consumer offset"
)
"""Pattern of a line that only a broker logs, by its thread."""
NAME = re.compile(rb"[\w%-]{1,120}\r?")
"""Pattern of a line with the rest of a name that a terminal has wrapped."""


@dataclass
class Reader:
    """Parser of a log file; pass the file's pieces to ``feed`` in order, then call ``end``."""

    clock: Clock = field(default_factory=Clock)
    line: int = 0
    """Number of lines that were parsed so far."""
    facts: list[Fact] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    _runs: Runs = field(default_factory=Runs)
    _waiting: Waiting = field(init=False)
    _at: int | None = None
    _heard: dict[str, list[int]] = field(default_factory=dict)
    """First and last time in ms without a long pause in between, and these lines' numbers.

    The key is ``OF_BROKER`` for a broker's lines in a paste, which can also have those of a client; "" for others.
    """
    _pasted: bool = False
    """True if the file is short, so that it can be a paste of several logs."""
    _said: Said = field(init=False)
    """Known lines without a parser of their own."""
    _place: int = 0
    """Position in their lines at which the commits of the last piece begin; 0 if it has none."""
    _wide: int = 0
    """Length of the time with which the lines of the last piece begin; 0 if most have none."""
    _clock_of_head: Callable[[bytes], int | None] = field(default_factory=clock_of_head)
    _repeated: dict[bytes, Fact] = field(default_factory=dict)
    """Text of a line after its time -> its fact; many texts are repeated."""
    _near: int = 0
    """Position of the time in the last line, where the next line is likely to have it too."""
    _midnights: int = 0
    _open: bool = False
    """True if the last piece does not end with a newline."""
    _last: bytes = b""
    """The joined text of the last line, if a terminal had wrapped it; its last name can go on."""
    _table: bool = False
    """True within a table of mqadmin."""
    _dates: bool = False
    """True if an earlier line had a date without a time zone."""

    def __post_init__(self) -> None:
        self._waiting = Waiting(self._keep, self._cut)
        self._said = Said(self.facts, self.tally)

    def feed(self, piece: bytes) -> None:
        """Parse a piece that consists of whole lines."""
        self._open = bool(piece) and not piece.endswith(b"\n")
        self._place, self._wide = _layout(piece)
        self._pasted = not self.line and len(piece) < LARGE
        self._dates = self._dates or self._place > 0
        if not (self._wide and self.line and len(piece) >= LARGE and self._feed_columns(piece)):
            lines = piece.split(b"\n")
            if any(map(bytes.isdigit, lines)):
                lines = WRAPPED.sub(rb"\1\2\n", piece).split(b"\n")
            if not self._open:
                lines.pop()
            for number, line in enumerate(lines, self.line + 1):
                self._alone(line, number)
            self.line += len(lines)
        self.tally.lines = self.line

    def _feed_columns(self, piece: bytes) -> bool:
        """Parse a large piece; return False if that is impossible."""
        from rebalance_proofs.recorded.logs.columns import columns  # NumPy is imported for large logs only

        found = columns(piece, self._place, self._wide, self.clock.shift - self.clock.zone, PAUSE)
        if found is None:
            return False
        base = self.line + 1
        starts, ends, quick, breaks = found.starts, found.ends, found.quick, found.breaks
        for stretch in found.stretches:
            if stretch.unrelated and self._table:
                for place in quick[stretch.first : stretch.last + 1].tolist():
                    self._alone(piece[starts[place] : ends[place]], base + place)
            else:
                if stretch.last >= stretch.first:
                    begin = bisect_right(breaks, stretch.first)
                    inner = breaks[begin : bisect_right(breaks, stretch.last)]
                    self._heard_of(found, [stretch.first, *inner, stretch.last + 1], base)
                for span in stretch.spans:
                    self._span(found, span, base)
                if stretch.unrelated:
                    many, place = stretch.unrelated
                    self._said.hear(b"")
                    self._waiting.give_up()
                    self.tally.dated += many
                    self._at, self._near, self._last, self._dates = found.time(place), 0, b"", True
                    self._waiting.begin(piece[starts[place] : ends[place]], (base + place, self._at), True)
            if stretch.slow >= 0:
                self._alone(piece[starts[stretch.slow] : ends[stretch.slow]], base + stretch.slow)
        self.line += len(starts)
        return True

    def _heard_of(self, found: "Columns", chains: list[int], base: int) -> None:
        """Record that the process was running at the times of quick lines.

        ``chains``: positions of lines that follow the line before without a long pause, up to the next position.
        """
        for one, following in pairwise(chains):
            self._ahead(int(found.at[one]), base + int(found.quick[one]))
            last, heard = following - 1, self._heard[""]
            if heard[1] <= found.at[one]:
                heard[1], heard[3] = int(found.at[last]), base + int(found.quick[last])
            else:  # the clock was put back
                for other in range(one + 1, following):
                    self._ahead(int(found.at[other]), base + int(found.quick[other]))

    def _span(self, found: "Columns", span: "Span", base: int) -> None:
        """Add commits of one queue to its run."""
        self._commits(span.end - span.begin)
        if not span.plain:
            every = zip(
                *(one[span.begin : span.end].tolist() for one in (found.commits, found.commit_times, found.offsets)),
                strict=True,
            )
            for line, at, offset in every:
                self._runs.add(span.key, b"%d" % offset, base + line, at, self.facts)
            return
        run = self._runs.add(span.key, b"%d" % span.offset, base + span.line, span.at, self.facts)
        if span.still_line >= 0:
            run.until, run.last_line = span.still_at, base + span.still_line
            if run.until - run.moved >= STILL:
                run.stood()
            run.moved, run.moved_line = span.moved_at, base + span.moved_line
            run.last = b"%d" % span.last_offset
        run.until, run.last_line = span.last_at, base + span.last_line

    def _alone(self, line: bytes, number: int) -> None:
        """Parse one line."""
        place = self._place
        if place and line.startswith(COMMIT, place):
            end = line.rfind(b" ") + 1
            offset = line[end:].rstrip()
            if offset.isdigit() and (at := self._at_head(line)) is not None:
                self._ahead(at, number)
                self._commits(1)
                self._runs.add(line[place : end - 1], offset, number, at, self.facts)
                return
        repeats = self._wide and not self._said.asked and not self._table
        fact = self._repeated.get(line[self._wide :]) if repeats else None
        if fact and (at := self._at_head(line)) is not None:
            self._near, self._last, self._dates, self._at = 0, b"", True, at
            self._waiting.give_up()
            self.tally.dated += 1
            self._ahead(at, number, self._whose(line))
            self._keep(fact, number, at)
            return
        self._slow(line, number)

    def _at_head(self, line: bytes) -> int | None:
        """Return the time with which a line of the usual layout begins."""
        second, part = self._clock_of_head(line[:19]), line[20:23] if self._wide > 19 else b"0"
        if second is None or not part.isdigit():
            return None
        return second + int(part) + self.clock.shift - self.clock.zone

    def _commits(self, many: int) -> None:
        self.tally.dated += many
        self.tally.told += many
        self.tally.count("commits", many)

    def end(self) -> None:
        """Finish parsing at the end of the file."""
        before = self.tally.cut
        self._waiting.give_up()
        self._said.hear(b"")
        if self._open and (self._runs.cut_at(self.line) or self.tally.cut > before):
            self.tally.truncated = True
        self._runs.end(self.facts)
        self._said.end()
        for whose in ("", OF_BROKER):
            self._unheard(whose)

    def _whose(self, line: bytes) -> str:
        return OF_BROKER if self._pasted and BROKER_THREAD.search(line) else ""

    def _ahead(self, at: int, number: int, whose: str = "") -> None:
        """Record that the process was running at the time of a line."""
        heard = self._heard.get(whose)
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
        self._unheard(whose)
        self._heard[whose] = [at, at, number, number]

    def _unheard(self, whose: str) -> None:
        if heard := self._heard.pop(whose, None):
            at, until, line, last = heard
            self.facts.append(Fact(Kind.HEARD, line, at, more=whose, until=until, last_line=last))

    def _slow(self, line: bytes, number: int) -> None:
        if len(line) > LONGEST:
            self.tally.long += 1
            line = line[:LONGEST]
        line = plain(line)
        if b"<" in line and BREAK.search(line):
            parts = BREAK.split(line)
        elif len(line) > TWO and _is_joined(line):
            parts = JOINED.split(line)
            if len(parts) == 2 and not telling(parts[0]):
                parts = [line]  # a line with two times
        else:
            parts = [line]
        for part in parts:
            self._part(part, number)

    def _part(self, line: bytes, number: int) -> None:
        if self._said.asked and self._said.hear(line):
            return
        tells = telling(line)
        if self._table or (b"#" in line and TABLE.match(line)):
            self._table = bool(line.strip()) and not tells
            if not tells:
                return
        last, self._last = self._last, b""
        stack = STACK.match(line)
        made = None if stack else stamp(line, self.clock.year, self.clock.order, self._near)
        if made is not None and not made.dated and ((self._dates and not tells) or (made.since and self.clock.day)):
            made = None  # among dated lines, this is other text, and the start of a process has no place
        if made is not None:
            self._near = made.place
            listed = self._waiting.lists(line)
            if not listed:
                self._waiting.give_up()
            self._at = self._time(made)
            self.tally.dated += 1
            if self._at is not None:
                self._ahead(self._at, number, self._whose(line))
                if not listed and COMMIT in line and (commit := DATED_COMMIT.search(line)):
                    self.tally.told += 1
                    self.tally.count("commits", 1)
                    self._runs.add(commit[1], commit[2], number, self._at, self.facts)
                    return
            if listed:
                return
        if not tells and (not stack or any(one in line for one in STARTS)):
            self._say(line, number)
        if made is None and last and not tells and NAME.fullmatch(line) and self._goes_on(last + line.rstrip(b"\r")):
            return
        if made is None and self._waiting.line:
            if tells and not telling(self._waiting.line) and read(line)[0] is not None:
                self._waiting.give_up()  # a layout with messages on separate lines
            elif self._waiting.join(line):
                self._last = self._waiting.complete
                return
            elif not tells or (self._waiting.line and self._waiting.stamped):
                return
        if any(part in line for part in BEYOND):
            if POP.search(line):
                self.tally.pop += 1
            elif GRPC.search(line):
                self.tally.grpc += 1
        if not tells:
            if made is not None or COMMIT in line:
                # Its wording can continue on the next line.
                self._waiting.begin(line, (number, self._at), made is not None)
            return
        if OPEN_ENDED.search(line):
            self._waiting.begin(line, (number, self._at), made is not None)
            return
        fact, cut = read(line)
        if made is None and self._at is None and RELATIVE.match(line):
            self.tally.relative = True
        if fact is None:
            if cut:
                self._waiting.begin(line, (number, self._at), made is not None)
            else:
                self._say(line, number)
            return
        if fact.kind is Kind.REFUSED and not fact.more and not fact.group:
            self._waiting.begin(line, (number, self._at), made is not None)  # the reason is on the next line
            return
        usual = made is not None and not (made.place or made.zoned or made.named) and plain(line) is line
        if usual and self._wide and self._at is not None and self._at == self._at_head(line):
            if len(self._repeated) >= MOST_REPEATED:
                self._repeated.clear()
            self._repeated[line[self._wide :]] = fact
        self._keep(fact, number, self._at)

    def _say(self, line: bytes, number: int) -> None:
        """Keep a known line without a parser of its own, or a broker's answer that names no request."""
        if fact := named(line):
            self._said.say(fact, number, self._at, line)
            return
        if b"DESC: " in line and not (self._waiting.line and telling(self._waiting.line)):
            alone = refused_alone(line.decode("utf-8", "replace"))
            if alone:
                self._keep(alone, number, self._at)

    def _goes_on(self, line: bytes) -> bool:
        """Complete the group's name in the last fact from a wrapped line; return False if that fails."""
        fact, before = read(line)[0], self.facts[-1] if self.facts else None
        if not fact or not before or fact.kind is not before.kind or fact.group == before.group:
            return False
        self.facts[-1] = before._replace(group=fact.group)
        return True

    def _keep(self, fact: Fact, number: int, at: int | None) -> None:
        self.tally.told += 1
        self.tally.count(fact.name, 1)
        if fact.name and not fact.group and not fact.client:
            self.tally.see(fact, self._at, number)
        if fact.kind in CHANGES:
            self._runs.change(fact, self.facts)
        if fact.kind is Kind.COMMITTED and fact.queue and fact.client and not fact.more and at is not None:
            topic, broker, queue = fact.queue
            names = (
                f"{fact.group} ClientId: {fact.client} updateConsumeOffsetToBroker "
                f"MessageQueue [topic={topic}, brokerName={broker}, queueId={queue}]"
            )
            self._runs.add(COMMIT + names.encode(), b"%d" % fact.numbers[0], number, at, self.facts)
            return
        until = at if fact.kind is Kind.COMMITTED else None
        self.facts.append(fact._replace(line=number, last_line=number, at=at, until=until))

    def _cut(self, line: bytes, number: int) -> None:
        self.tally.cut += 1
        if not self.tally.example:
            self.tally.example = f"{number}: {decoded(line[:160])}"

    def _time(self, made: Stamp) -> int | None:
        tally = self.tally
        heard = self._heard.get("") or self._heard.get(OF_BROKER)
        if not made.dated and self._dates and heard:
            # Use the day of the line before, or the next day; threads write out of order.
            at = made.at + self.clock.shift - self.clock.zone
            return at - (at - heard[1] + DAY // 24) // DAY * DAY
        if not made.dated:
            tally.no_date = True
            tally.dateless = not self.clock.day
            tally.relative = tally.relative or made.since
            at = made.at + self.clock.day + self._midnights * DAY + self.clock.shift - self.clock.zone
            if self._at is not None and at < self._at - DAY // 2:
                self._midnights += 1
                at += DAY
            return at
        tally.no_year = tally.no_year or not made.whole
        tally.either = tally.either or made.either
        tally.zone_name = tally.zone_name or made.named
        self._dates = not made.zoned
        return made.at + self.clock.shift - (0 if made.zoned else self.clock.zone)


def _is_joined(line: bytes) -> bool:
    """Return True if ``JOINED`` is in the line; a search around each level is much faster than one of the line."""
    for level in LEVELS:
        at = line.find(level)
        while at >= 0:
            if JOINED.search(line, max(0, at - BEFORE_LEVEL), at + len(level) + 1):
                return True
            at = line.find(level, at + 1)
    return False


def _layout(piece: bytes) -> tuple[int, int]:
    """Return the position in their lines at which commits begin, and the length of the lines' times.

    The position is 0 if commits do not follow a date and time, or if lines must be divided first. The length is 0 if
    most lines do not begin with a date and time without a zone.
    """
    if b"<" in piece and BREAK.search(piece):
        return 0, 0
    at = piece.find(COMMIT)
    for _ in range(SEARCHED):
        if at < 0:
            break
        line = piece[piece.rfind(b"\n", 0, at) + 1 : at]
        if len(line) >= 19 and clock_of_head()(line[:19]) is not None and not JOINED.search(line + COMMIT, 19):
            wide = _wide(line)
            return (len(line), wide) if wide else (0, 0)
        at = piece.find(COMMIT, at + 1)
    for line in piece[: SEARCHED * 10].split(b"\n"):
        if clock_of_head()(line[:19]) is not None:
            return 0, _wide(line)
    return 0, 0


def _wide(line: bytes) -> int:
    """Return the length of the time at the line's beginning; 0 if it has a zone, or digits right after it."""
    rest = re.match(rb"([.,]\d{3})?(\d*)\s?(Z|[+-]\d\d)?", line[19:])
    if rest is None or rest[3] or (rest[2] and not rest[1]):
        return 0
    return HEAD if rest[1] else HEAD - 4
