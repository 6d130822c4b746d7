"""Check one consumer's log lines against the client model.

After each line, the check knows which process queue tables are possible. A queue is in the table or not; both are
possible while its state is not known. Between two logged results there can be rebalances that change nothing. If the
log shows exceptions, an exception can have ended one of those rebalances. The rebalance that ends with the logged
result must be one of the model's runs.

If no table is possible, the client model cannot produce these lines: one is missing, altered, or from another consumer.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from rebalance_proofs.language import later
from rebalance_proofs.model.client.effects import IN, LOCK, OUT
from rebalance_proofs.model.client.environment import DENIED
from rebalance_proofs.model.client.pull_from_where import is_retry
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.recorded.audit.told import Held, Unexplained, Where
from rebalance_proofs.recorded.cluster.rounds import possible
from rebalance_proofs.recorded.logs.fact import FIRST_PULL, REMOVES_SILENTLY, Fact, Kind, Queue
from rebalance_proofs.recorded.logs.reading import Tally

# Possible log lines of one rebalance about one queue, according to the client model.

ADDED, REMOVED, NOT_ADDED = "+", "-", "!"
"""Kinds of lines about a queue: added, removed, or in the rebalance's result but not added."""
STEPS = {(False, ADDED): True, (True, REMOVED): False, (False, NOT_ADDED): False}
"""(queue in the table before, kind of line) -> queue in the table after.

Other pairs are impossible.
"""
After = frozenset[tuple[str, bool]]
"""One outcome: (lines about the queue in a rebalance, whether it is in the table after it)."""
ANY_TOPIC = "T"


@cache
def relation(ordered: bool, had: bool, mine: bool) -> After:
    """Return all outcomes that one rebalance can have for one queue, as ``After``.

    They cover all releases, broker answers and states of the process queue. ``had``: whether the queue was in the
    table; ``mine``: whether it is in the rebalance's result.
    """
    return frozenset(
        _lines(had, mine, effects)
        for one in GENERATIONS
        for where in ("FIRST", "LAST")
        for effects in possible(one.releases[0], ordered, where, had, mine, ANY_TOPIC)
    )


def _lines(had: bool, mine: bool, effects: tuple[tuple[str, object], ...]) -> tuple[str, bool]:
    lines, there = "", had
    for name, detail in effects:
        if name == IN:
            lines, there = lines + ADDED, True
        elif name == OUT:
            lines, there = lines + REMOVED, False
        elif name == LOCK and detail == DENIED:
            lines += NOT_ADDED
    if mine and not there and not lines.endswith(NOT_ADDED):
        lines += NOT_ADDED  # The start offset was not found, or the lock request failed.
    return lines, there


LETTERS = {Kind.ADDED: ADDED, Kind.REMOVED: REMOVED, Kind.DENIED: NOT_ADDED, Kind.NOT_ADDED: NOT_ADDED}
LOCKS = (Kind.LOCKED, Kind.LOCK_FAILED, Kind.DENIED, Kind.GAVE_LOCK)
UNKNOWN = frozenset((False, True))
TWICE = 1_000
"""A line that is repeated within this many ms counts as written twice by the logger."""
SILENT = 15_000
"""Silence in ms after which the table counts as unknown, because lines may be missing."""
LATE = 60_000
"""Longest time in ms from a queue's removal to a late commit: one thread commits all queues."""
OTHERS = 5
"""Smallest number of lines about other things in a complete log; a filtered log has fewer."""


def held(group: str, files: Sequence[tuple[str, Sequence[Fact]]], tallies: Iterable[Tally]) -> Held:
    """Check one log's lines about a group, and return the result.

    ``files``: each file's name and facts, the oldest file first.
    """
    own = [
        (name, sorted((one for one in facts if _about(one, group)), key=lambda one: one.line)) for name, facts in files
    ]
    every = [one for _, facts in own for one in facts]
    if why := _unfit(every, [*tallies]):
        return Held(why=why)
    alone = not any(one.kind in LOCKS for one in every)
    ordered = not (alone and any(one.kind is Kind.ADDED for one in every))
    table = _Table(group, ordered, any(one.kind is Kind.BROKE for one in every))
    for name, facts in own:
        table.forget(later("files"))
        silences = _silences(facts)
        for fact in facts:
            if fact.kind is Kind.HEARD or fact.at is None:
                continue
            while silences and fact.line >= silences[0]:
                del silences[0]
                table.forget(later("silences"))
            table.take(fact, (name, fact.line))
    return Held(table.lines, tuple(sorted(table.widened.items())), tuple(table.unexplained))


def _about(fact: Fact, group: str) -> bool:
    return fact.group == group or fact.kind in (Kind.HEARD, Kind.CREATED, Kind.BROKE)


def _unfit(facts: Sequence[Fact], tallies: Sequence[Tally]) -> str:
    """Return the reason why the log's lines cannot be checked, or "" if they can be."""
    results = [one for one in facts if one.kind is Kind.RESULT]
    if not results or not any(one.kind is Kind.ADDED for one in facts):
        return later("the log has no rebalance results, or no lines about added queues")
    if not all(one.more and one.numbers[1] >= 0 for one in results) or any(
        one.kind is Kind.ADDED and one.more == REMOVES_SILENTLY for one in facts
    ):
        return later("the lines are not from a Java client, or a broker assigns the queues")
    if len({one.client for one in facts if one.client and one.kind in (Kind.RESULT, Kind.COMMITTED)}) != 1:
        return later("several clients wrote the lines, and most lines do not name their client")
    if any(one.cut or one.long for one in tallies):
        return later("some lines could not be parsed")
    if sum(one.dated - one.told for one in tallies) < OTHERS:
        return later("the lines are an excerpt of a log")
    return ""


def _silences(facts: Sequence[Fact]) -> list[int]:
    """Return the indexes of facts that end a silence longer than ``SILENT``."""
    runs = sorted((one.at, one.until, one.line) for one in facts if one.kind is Kind.HEARD and one.at is not None)
    return sorted(line for (_, until, _), (at, _, line) in pairwise(runs) if until is not None and at - until > SILENT)


@dataclass
class _Entry:
    """What is known about one queue in the process queue table."""

    states: frozenset[bool]
    """Possible answers to: was the queue in the table after the last rebalance result?"""
    lines: str = ""
    """Lines about the queue since the last result: ``ADDED``, ``REMOVED`` or ``NOT_ADDED``."""
    left: int | None = None
    """Time in ms since which the queue has certainly not been in the table, or None."""
    last: tuple[str, int] = ("", 0)
    """The last line about the queue, and the time of this line in ms."""

    def now(self) -> frozenset[bool]:
        """Return the possible answers to: is the queue in the table now?"""
        return frozenset(state for begun in self.states for state in _after(begun, self.lines))


def _after(state: bool, lines: str) -> Iterator[bool]:
    """Yield whether the queue is in the table after ``lines``; nothing if they contradict.

    ``state``: whether it was in the table before.
    """
    for one in lines:
        if (state, one) not in STEPS:
            return
        state = STEPS[state, one]
    yield state


def _mismatch(entry: _Entry, mine: bool) -> tuple[str, str]:
    """Return how a rebalance result contradicts earlier lines, and what would explain that.

    ``mine``: whether the queue is in the result.
    """
    other = "or the result belongs to other queues"
    if entry.lines and entry.now() == frozenset((mine,)):
        return "its lines since the last result come from several rebalances", f"a result between is missing, {other}"
    if mine:
        words = "it is in the result, but neither in the table nor added"
        return words, f"the line about its addition is missing, {other}"
    return "it is not in the result, but stays in the table", f"the line about its removal is missing, {other}"


@dataclass
class _Table:
    """What is known about one client's process queue table for one group."""

    group: str
    ordered: bool
    """True if the client may consume in order.

    It may then keep a queue for a while that it should release.
    """
    breaks: bool
    """True if exceptions ended rebalances; the log does not show this for retry topics."""
    lines: int = 0
    widened: Counter[str] = field(default_factory=Counter)
    unexplained: list[Unexplained] = field(default_factory=list)
    _entries: dict[Queue, _Entry] = field(default_factory=dict)
    _default: frozenset[bool] = UNKNOWN
    _changed: dict[str, bool] = field(default_factory=dict)
    """Topic with a logged result -> True if a line has changed the table since this result."""
    _results: dict[str, Fact] = field(default_factory=dict)
    _begun: bool = False

    def forget(self, why: str) -> None:
        """Treat the whole table as unknown from here on.

        The reason ``why`` is counted for the report.
        """
        if self._entries or self._changed:
            self.widened[why] += 1
        self._entries.clear()
        self._changed.clear()
        self._default = UNKNOWN

    def take(self, fact: Fact, where: Where) -> None:
        """Process one more line about the group."""
        assert fact.at is not None
        if fact.kind in (Kind.BEGAN, Kind.SHUT, Kind.CREATED, Kind.RESET):
            self.forget(later("resets") if fact.kind is Kind.RESET else later("starts and ends"))
            if fact.kind is Kind.BEGAN and not self._begun:
                self._default = frozenset((False,))  # A new consumer's table is empty.
        elif fact.kind is Kind.ILLEGAL and fact.queue:
            self._entries[fact.queue] = _Entry(UNKNOWN)  # Another thread than the rebalance thread removes this entry.
            self.widened[later("illegal offsets")] += 1
        elif fact.kind in LETTERS and fact.queue and fact.more != FIRST_PULL:
            self._letter(fact, fact.queue, LETTERS[fact.kind], where, fact.at)
        elif fact.kind is Kind.RESULT:
            self._result(fact, where, fact.at)
        elif fact.kind is Kind.COMMITTED and fact.queue and not fact.more:
            self._commit(fact, fact.queue, where, fact.at)
        else:
            return
        self._begun = self._begun or fact.kind is not Kind.CREATED

    def _entry(self, queue: Queue) -> _Entry:
        return self._entries.setdefault(queue, _Entry(self._default))

    def _letter(self, fact: Fact, queue: Queue, letter: str, where: Where, at: int) -> None:
        entry = self._entry(queue)
        self.lines += 1
        if entry.last[0] == letter != NOT_ADDED and at - entry.last[1] <= TWICE:
            self.widened[later("lines written twice")] += 1
            return
        before, entry.lines, entry.last = entry.now(), entry.lines + letter, (letter, at)
        after = entry.now()
        if letter != NOT_ADDED and fact.topic in self._changed:
            self._changed[fact.topic] = True
        if not after:
            words, fault = {
                ADDED: ("it is added, but is in the table already", "the line about its removal"),
                REMOVED: ("it is removed, but is not in the table", "the line about its addition"),
                NOT_ADDED: ("it cannot be added, but is in the table already", "the line about its removal"),
            }[letter]
            self._fails(
                fact, queue, where, at, words, f"{fault} is missing, or this line belongs to another queue or consumer"
            )
            after = frozenset((STEPS[letter == REMOVED, letter],))
            entry.states, entry.lines = after, ""
        elif before == UNKNOWN and entry.states == UNKNOWN:
            self.widened[later("entries without a logged start")] += 1
        entry.left = at if True not in after else None

    def _result(self, fact: Fact, where: Where, at: int) -> None:
        self.lines += 1
        last = self._results.get(fact.topic)
        if last and last.queues == fact.queues and last.at is not None and 0 <= at - last.at <= TWICE:
            self.widened[later("lines written twice")] += 1
            return
        self._results[fact.topic] = fact
        if self._changed.get(fact.topic) is False:
            words = "it reports a changed table, but no line since the last result changes the table"
            fault = "lines about added or removed queues are missing, or this result belongs to another consumer"
            self._fails(fact, None, where, at, words, fault)
        self._changed[fact.topic] = False
        mine, broken = set(fact.queues), self.breaks or is_retry(fact.topic)
        for queue in sorted(mine | {one for one in self._entries if one[0] == fact.topic}):
            entry, own = self._entry(queue), queue in mine
            after = frozenset(there for state in entry.states for there in self._ends(state, entry.lines, own, broken))
            if not after:
                self._fails(fact, queue, where, at, *_mismatch(entry, own))
                after = frozenset((own,))
            entry.states, entry.lines = after, ""
            entry.left = (at if entry.left is None else entry.left) if True not in after else None

    def _ends(self, state: bool, lines: str, mine: bool, broken: bool) -> Iterator[bool]:
        """Yield the states after the rebalance that wrote a result and the last of ``lines``.

        Each state is whether the queue is in the table. Earlier lines come from rebalances that changed nothing or, if
        ``broken``, from one that an exception ended.
        """
        for place in range(len(lines) + 1):
            if not broken and lines[:place].strip(NOT_ADDED):
                return
            for had in _after(state, lines[:place]):
                kinds = (False, True) if self.ordered else (False,)
                for shown, after in (one for kind in kinds for one in relation(kind, had, mine)):
                    if shown == lines[place:]:
                        yield after

    def _commit(self, fact: Fact, queue: Queue, where: Where, at: int) -> None:
        entry = self._entry(queue)
        self.lines += 1
        if entry.left is not None and at - entry.left > LATE:
            words = "its offset is committed, but it is not in the table"
            fault = "the line about its addition is missing, or another consumer commits"
            self._fails(fact, queue, where, at, words, fault)
            self._entries[queue] = _Entry(UNKNOWN)

    def _fails(self, fact: Fact, queue: Queue | None, where: Where, at: int, words: str, fault: str) -> None:
        self.unexplained.append(Unexplained(queue, fact.topic, at, where, words, fault))
