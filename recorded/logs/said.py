"""Known log lines without a parser of their own: repeats become one fact, failed requests get their reason."""

import re

from rebalance_proofs.recorded.logs.fact import Fact, Queue
from rebalance_proofs.recorded.logs.lines import NAMED, decoded
from rebalance_proofs.recorded.logs.named import (
    ANSWERED,
    NO_RESPONSE,
    OF_PRODUCER,
    PULL_SENT,
    REPORTED,
    WITHOUT_LIST,
    reason_in,
)
from rebalance_proofs.recorded.logs.reading import Tally

SAME_SAID = 30_000
"""Longest pause in ms between two equal lines that are kept as one fact."""
MOST_SAID = 10_000
"""Largest number of facts that can still grow."""
ANSWERABLE = ("route-failed", "heartbeat-failed", "unregister-failed", "no-offset", "not-committed")
"""Lines about failed requests; the exception on the next line has the code if the broker or name server answered."""
ANSWER = re.compile(rb"\bCODE: ?(\d{1,4})\s+DESC: (?:No topic route info in name server for the topic: ?)?([^\r\n]*)")
EXCEPTION = re.compile(rb"\s*(?:Caused by: )?(?:[\w$]+\.)*[A-Z]\w*(?:Exception|Error)\b")
"""Pattern of the beginning of a line with an exception."""
NO_ROUTE = 17
"""Code of a name server's answer that it has no route of the topic."""


class Said:
    """The known lines of a file, which are added to its facts when they cannot grow any more."""

    def __init__(self, facts: list[Fact], tally: Tally) -> None:
        self._facts, self._tally = facts, tally
        self.asked: tuple[Fact, int, int | None, bytes] | None = None
        """The last line, if it is about a failed request: its fact, number, time and text.

        The next line can give the reason.
        """
        self._latest: dict[tuple[object, ...], Fact] = {}
        """Content of a known line -> its last occurrences without a long pause."""
        self._unknown: tuple[str, int] = ("", 0)
        """Topic and number of the last line that a name server has no route of the topic."""
        self._pulls: dict[int, Queue] = {}
        """Number of a pull of the C++ client -> the queue that it is about."""

    def say(self, fact: Fact, number: int, at: int | None, line: bytes) -> None:
        """Add a known line, together with the equal lines shortly before it."""
        if fact.name in (*ANSWERABLE, *WITHOUT_LIST) and not fact.more:
            self.asked = fact, number, at, line
            return
        if fact.name == "topic-not-found":
            self._unknown = fact.topic, number
        self._add(fact, number, at, line)

    def hear(self, line: bytes) -> bool:
        """Complete the last line about a failed request with the answer, if the next line has it.

        Return True if that is all that the next line is about.
        """
        if not self.asked:
            return False
        fact, number, at, asked = self.asked
        self.asked = None
        if fact.name in WITHOUT_LIST:
            said, codes = reason_in(decoded(line)) if EXCEPTION.match(line) else ("", ())
            self._add(fact._replace(more=said or fact.more, numbers=codes or fact.numbers), number, at, asked)
            return bool(codes)
        answer = ANSWER.search(line)
        if answer and int(answer[1]) == NO_ROUTE and fact.name == "route-failed":
            topic = answer[2].decode("utf-8", "replace").strip()
            if (before := self._unknown) and before[0] == topic and number - before[1] <= 1:
                return False  # the line before says the same
            fact = fact._replace(name="topic-not-found", topic=topic)
        elif answer:
            fact = fact._replace(more=f"{ANSWERED}{answer[1].decode()}")
        self._add(fact, number, at, asked)
        return False

    def _add(self, fact: Fact, number: int, at: int | None, line: bytes) -> None:
        self._tally.count(fact.name, 1)
        if fact.name == PULL_SENT or fact.name == NO_RESPONSE:
            fact = self._of_request(fact)
        drops = NAMED[fact.name].parsed_only and (fact.name not in REPORTED or fact.more == OF_PRODUCER)
        if drops or not fact.group:
            self._tally.see(fact, at, number, line)
        if drops:
            return
        self._tally.told += 1
        key = fact[3:]  # all but its place and time
        before = self._latest.get(key)
        if before and goes_on(before, at):
            many = before.numbers[0] + 1
            self._latest[key] = before._replace(until=at, last_line=number, numbers=(many, *before.numbers[1:]))
            return
        if before:
            self._facts.append(before)
        elif len(self._latest) >= MOST_SAID:
            self.end()
        self._latest[key] = fact._replace(line=number, last_line=number, at=at, until=at, numbers=(1, *fact.numbers))

    def _of_request(self, fact: Fact) -> Fact:
        """Return the fact of a C++ request without its number; a pull without an answer gets the queue of the pull."""
        number = fact.numbers[0]
        queue = fact.queue
        if fact.name == PULL_SENT:
            if len(self._pulls) >= MOST_SAID:
                self._pulls.pop(next(iter(self._pulls)))
            if queue:
                self._pulls[number] = queue
        else:
            queue = self._pulls.get(number)
        return fact._replace(numbers=(), queue=queue, topic=queue[0] if queue else "")

    def end(self) -> None:
        """Add the facts that could still grow to the others."""
        self._facts += self._latest.values()
        self._latest.clear()


def goes_on(said: Fact, at: int | None) -> bool:
    """Return whether an equal line at this time belongs to the same fact."""
    return at is None or said.until is None or 0 <= at - said.until <= SAME_SAID
