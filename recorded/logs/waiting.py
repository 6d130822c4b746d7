"""A line that is not whole: one that was cut, or whose fact stands on the lines that follow."""

import re
from collections.abc import Callable

from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.search import LONGEST, read, telling

__all__ = ["LISTED", "OPEN_ENDED", "STACK", "Waiting"]

STACK = re.compile(rb"\s*(at |Caused by: |Suppressed: |\.\.\. \d+ )|\s*$")
"""Lines that go on with nothing."""
BEFORE = re.compile(rb"(?:> ?)+|[ \t]+")
"""What a mail, or a list, puts before each line."""
JOINED = 40
"""Most lines that are joined to one that was cut."""
OPEN_ENDED = re.compile(rb"Allocation result for \[[^\]]*\] is changed")
"""Begins what the C++ client logs of a rebalance: a line for each queue follows."""
LISTED = b"allocate mq:"
"""Begins what the branch re_dev of the C++ client logs on lines of their own, with times, for each queue of a share."""
GOES_ON = (b"MessageQueue", b"Total Queue ")

At = tuple[int, int | None]
"""The number of a line, and its time."""


class Waiting:
    """What waits to be whole, if anything does. ``keep`` takes its fact, ``cut`` what never became whole."""

    def __init__(self, keep: Callable[[Fact, int, int | None], None], cut: Callable[[bytes, int], None]) -> None:
        self.line = b""
        """Empty if nothing waits."""
        self.stamped = False
        """Whether it begins with a time: what follows without one belongs to it."""
        self._spaced = b""
        """The same, if it was wrapped between words."""
        self._joined = 0
        self._at: At = (0, None)
        self._keep, self._cut = keep, cut

    def begin(self, line: bytes, at: At, stamped: bool) -> None:
        """This line waits, and what did before is given up."""
        self.give_up()
        self.stamped = stamped
        self.line = self._spaced = line.rstrip(b"\r")
        self._joined, self._at = 0, at

    def join(self, line: bytes) -> bool:
        """A line without a time goes on with the one before, which a terminal wrapped, or which has several lines.

        Whether it is whole now.
        """
        if not line.strip() and not OPEN_ENDED.search(self.line) and self._joined < JOINED:
            self._joined += 1  # some layouts put an empty line before an exception
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
        # Where a line was cut within a word nothing stands between; else there was a space.
        self._spaced = self._spaced.rstrip() + b" " + line.strip()
        for joined in (self.line + line, self._spaced):
            fact, _ = read(joined)
            if fact is not None and (fact.kind is not Kind.REFUSED or fact.more or fact.group):
                self.line = b""
                self._keep(fact, *at)
                return True
        self.line += line
        return False

    def lists(self, line: bytes) -> bool:
        """Whether a line with a time goes on with the list of the one that waits."""
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
        """What waits is not completed."""
        if not self.line:
            return
        line, (number, at) = self.line, self._at
        self.line = b""
        if not telling(line):
            return
        fact, cut = read(line)
        if fact is not None:
            self._keep(fact, number, at)
        elif cut:
            self._cut(line, number)
