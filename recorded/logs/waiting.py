"""Complete a log line that was wrapped or cut, or that continues on the following lines."""

import re
from collections.abc import Callable

from rebalance_proofs.recorded.logs.commits import COMMIT
from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.search import LONGEST, read, telling

STACK = re.compile(rb"\s*(at |Caused by: |Suppressed: |\.\.\. \d+ )|\s*$")
"""Prefixes of lines that never continue another line, as in stack traces."""
BEFORE = re.compile(rb"(?:> ?)+|[ \t]+")
"""Prefixes that mail programs or lists put before each line."""
JOINED = 40
"""Largest number of lines that are joined to an incomplete line."""
OPEN_ENDED = re.compile(rb"Allocation result for \[[^\]]*\] is changed")
"""Beginning of a rebalance result of the C++ client; one line for each queue follows."""
LISTED = b"allocate mq:"
"""Beginning of a line for one queue of a result, in logs of the C++ client's branch re_dev.

Each such line has its own time.
"""
GOES_ON = (b"MessageQueue", b"Total Queue ")

At = tuple[int, int | None]
"""A line's number, and its time in ms or None."""


class Waiting:
    """An incomplete line that waits for its continuation, if there is one.

    ``keep`` is called with the fact of a completed line, ``cut`` with a line that was never completed.
    """

    def __init__(self, keep: Callable[[Fact, int, int | None], None], cut: Callable[[bytes, int], None]) -> None:
        self.line = b""
        """The incomplete line; empty if there is none."""
        self.stamped = False
        """True if the incomplete line begins with a time.

        Following lines without a time then belong to it.
        """
        self.complete = b""
        """The last line that was completed."""
        self._spaced = b""
        """The incomplete line with spaces at the joints, in case it was wrapped between words."""
        self._joined = 0
        self._at: At = (0, None)
        self._keep, self._cut = keep, cut

    def begin(self, line: bytes, at: At, stamped: bool) -> None:
        """Keep this incomplete line, and give up the previous one."""
        self.give_up()
        self.stamped = stamped
        self.line = self._spaced = line.rstrip(b"\r")
        self._joined, self._at = 0, at

    def join(self, line: bytes) -> bool:
        """Append a line without a time to the incomplete line; return True if it is complete now.

        A terminal wrapped the line, or its message has several lines.
        """
        if not line.strip() and not OPEN_ENDED.search(self.line) and self._joined < JOINED:
            self._joined += 1  # some layouts write an empty line before an exception
            return False
        if STACK.match(line) or self._joined >= JOINED or len(self.line) + len(line) > LONGEST:
            self.give_up()
            return False
        if OPEN_ENDED.search(self.line):
            if any(part in line for part in GOES_ON):
                self.line += b" " + line.strip()
            else:
                self.give_up()
            return False
        self._joined += 1
        at = self._at
        line = line.rstrip(b"\r")
        before = BEFORE.match(self.line)
        if before and line.startswith(before[0]):
            line = line[len(before[0]) :]
        elif line.startswith((b"  ", b"\t")):
            line = line.lstrip()
        # A line that was cut within a word is joined without a space, other lines with one.
        self._spaced = self._spaced.rstrip() + b" " + line.strip()
        for joined in (self.line + line, self._spaced):
            fact, _ = read(joined)
            if fact is not None and (fact.kind is not Kind.REFUSED or fact.more or fact.group):
                self.line, self.complete = b"", joined
                self._keep(fact, *at)
                return True
        self.line += line
        return False

    def lists(self, line: bytes) -> bool:
        """Return True if a line with a time continues the incomplete line's list of queues."""
        if LISTED not in line or not self.line.rstrip().endswith((b"rebalanceResultSet:", b"]")):
            return False
        joined = self.line.rstrip() + b" " + line[line.index(LISTED) + len(LISTED) :].strip()
        fact, _ = read(joined)
        if fact is not None:
            self.line = b""
            self._keep(fact, *self._at)
        else:
            self.line = joined
        return True

    def give_up(self) -> None:
        """Give up the incomplete line: store its fact if it has one, or report the line as cut."""
        if not self.line:
            return
        line, (number, at) = self.line, self._at
        self.line = b""
        if not telling(line):
            if COMMIT in line:
                self._cut(line, number)
            return
        fact, cut = read(line)
        if fact is not None:
            self._keep(fact, number, at)
        elif cut:
            self._cut(line, number)
