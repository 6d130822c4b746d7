"""A log held against the model's clients: the sets of tables in which its client can be after each line.

One queue's entry is in the table, or is not; what is not known is both. Between two results there can be rebalances
that change nothing, and, if a line tells of exceptions, such as one ended; the one that a result ends is one of the
model's runs.
Where no table is left, no behaviour of a client gives these lines: one is missing, was altered, or is another's.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rebalance_proofs.model.client.pull_from_where import is_retry
from rebalance_proofs.recorded.audit.relation import ADDED, NOT_ADDED, REMOVED, STEPS, relation
from rebalance_proofs.recorded.audit.told import Held, Unexplained, Where
from rebalance_proofs.recorded.logs.fact import FIRST_PULL, REMOVES_SILENTLY, Fact, Kind, Queue
from rebalance_proofs.recorded.logs.reader import Tally

__all__ = ["held"]

LETTERS = {Kind.ADDED: ADDED, Kind.REMOVED: REMOVED, Kind.DENIED: NOT_ADDED, Kind.NOT_ADDED: NOT_ADDED}
LOCKS = (Kind.LOCKED, Kind.LOCK_FAILED, Kind.DENIED, Kind.GAVE_LOCK)
UNKNOWN = frozenset((False, True))
TWICE = 1_000
"""ms within which the same line again is one that was written twice."""
SILENT = 15_000
"""ms of silence after which nothing is known of the table: lines of that time can be missing."""
LATE = 60_000
"""ms by which a commit can come after its queue has left the table: one thread commits all queues, one by one."""
OTHERS = 5
"""Lines about other things, in a log that is whole."""


def held(group: str, files: Sequence[tuple[str, Sequence[Fact]]], tallies: Iterable[Tally]) -> Held:
    """The group's client of this log. ``files``: all facts of the log's files, the oldest first."""
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
        table.forget("files")
        silences = _silences(facts)
        for fact in facts:
            if fact.kind is Kind.HEARD or fact.at is None:
                continue
            while silences and fact.line >= silences[0]:
                del silences[0]
                table.forget("silences")
            table.take(fact, (name, fact.line))
    return Held(table.lines, tuple(sorted(table.widened.items())), tuple(table.unexplained))


def _about(fact: Fact, group: str) -> bool:
    return fact.group == group or fact.kind in (Kind.HEARD, Kind.CREATED, Kind.BROKE)


def _unfit(facts: Sequence[Fact], tallies: Sequence[Tally]) -> str:
    """Why the lines tell nothing about a behaviour; "" if they do."""
    results = [one for one in facts if one.kind is Kind.RESULT]
    if not results or not any(one.kind is Kind.ADDED for one in facts):
        return "there are no lines on queues that came into a table, or no results"
    if not all(one.more and one.numbers[1] >= 0 for one in results) or any(
        one.kind is Kind.ADDED and one.more == REMOVES_SILENTLY for one in facts
    ):
        return "they are of another client than Java's, or a broker assigns"
    if len({one.client for one in facts if one.client and one.kind in (Kind.RESULT, Kind.COMMITTED)}) != 1:
        return "they are of several clients, and most do not say of which"
    if any(one.cut or one.long for one in tallies):
        return "some could not be read"
    if sum(one.dated - one.told for one in tallies) < OTHERS:
        return "they were chosen out of a log"
    return ""


def _silences(facts: Sequence[Fact]) -> list[int]:
    """The lines with which runs of lines begin after a silence."""
    runs = sorted((one.at, one.until, one.line) for one in facts if one.kind is Kind.HEARD and one.at is not None)
    return sorted(line for (_, until, _), (at, _, line) in pairwise(runs) if until is not None and at - until > SILENT)


@dataclass
class _Entry:
    """What is known of one queue."""

    states: frozenset[bool]
    """Whether it was in the table after the last result."""
    lines: str = ""
    """What was logged of it since."""
    left: int | None = None
    """When it was last seen not to be in the table."""
    last: tuple[str, int] = ("", 0)
    """The last line of it, and when."""

    def now(self) -> frozenset[bool]:
        """Whether it is in the table now."""
        return frozenset(state for begun in self.states for state in _after(begun, self.lines))


def _after(state: bool, lines: str) -> Iterator[bool]:
    """The state after these lines, if they can follow each other."""
    for one in lines:
        if (state, one) not in STEPS:
            return
        state = STEPS[state, one]
    yield state


def _mismatch(entry: _Entry, mine: bool) -> tuple[str, str]:
    """What is wrong about a result, and what would explain it."""
    other = "or the result is of other queues"
    if entry.lines and entry.now() == frozenset((mine,)):
        return "its lines since the last result are of more than one rebalance", f"a result between is missing, {other}"
    if mine:
        words = "it is in the result, and is neither in the table nor added"
        return words, f"the line on its addition is missing, {other}"
    return "it is not in the result, and stays in the table", f"the line on its removal is missing, {other}"


@dataclass
class _Table:
    """One client's table of one group."""

    group: str
    ordered: bool
    """Whether it can be that the client does not let go of a queue at once."""
    breaks: bool
    """Whether exceptions ended rebalances. Of retry topics no line tells it."""
    lines: int = 0
    widened: Counter[str] = field(default_factory=Counter)
    unexplained: list[Unexplained] = field(default_factory=list)
    _entries: dict[Queue, _Entry] = field(default_factory=dict)
    _default: frozenset[bool] = UNKNOWN
    _changed: dict[str, bool] = field(default_factory=dict)
    """Topics of which a result was seen, and whether a line has changed the table since."""
    _results: dict[str, Fact] = field(default_factory=dict)
    _begun: bool = False

    def forget(self, why: str) -> None:
        """Nothing is known of the table from here on."""
        if self._entries or self._changed:
            self.widened[why] += 1
        self._entries.clear()
        self._changed.clear()
        self._default = UNKNOWN

    def take(self, fact: Fact, where: Where) -> None:
        """One line more."""
        assert fact.at is not None
        if fact.kind in (Kind.BEGAN, Kind.SHUT, Kind.CREATED, Kind.RESET):
            self.forget("resets" if fact.kind is Kind.RESET else "starts and ends")
            if fact.kind is Kind.BEGAN and not self._begun:
                self._default = frozenset((False,))  # a new consumer's table is empty
        elif fact.kind is Kind.ILLEGAL and fact.queue:
            self._entries[fact.queue] = _Entry(UNKNOWN)  # another thread than the one that rebalances
            self.widened["offsets that were illegal"] += 1
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
            self.widened["lines written twice"] += 1
            return
        before, entry.lines, entry.last = entry.now(), entry.lines + letter, (letter, at)
        after = entry.now()
        if letter != NOT_ADDED and fact.topic in self._changed:
            self._changed[fact.topic] = True
        if not after:
            words, fault = {
                ADDED: ("it is added, and is in the table already", "the line on its removal"),
                REMOVED: ("it is removed, and is not in the table", "the line on its addition"),
                NOT_ADDED: ("it cannot be added, and is in the table already", "the line on its removal"),
            }[letter]
            self._fails(
                fact, queue, where, at, words, f"{fault} is missing, or this line is of another queue or member"
            )
            after = frozenset((STEPS[letter == REMOVED, letter],))
            entry.states, entry.lines = after, ""
        elif before == UNKNOWN and entry.states == UNKNOWN:
            self.widened["entries of which the beginning is not known"] += 1
        entry.left = at if True not in after else None

    def _result(self, fact: Fact, where: Where, at: int) -> None:
        self.lines += 1
        last = self._results.get(fact.topic)
        if last and last.queues == fact.queues and last.at is not None and 0 <= at - last.at <= TWICE:
            self.widened["lines written twice"] += 1
            return
        self._results[fact.topic] = fact
        if self._changed.get(fact.topic) is False:
            words = "it is logged as the table changed, and no line since the last result changes it"
            self._fails(
                fact, None, where, at, words, "what was added or removed is missing, or this result is another's"
            )
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
        """The states after a rebalance that ends with a result, of which the last of these lines are.

        Those before are of rebalances that changed nothing, or, if ``broken``, of which an exception ended one.
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
            words = "its offset is committed, and it is not in the table"
            self._fails(fact, queue, where, at, words, "the line on its addition is missing, or another member commits")
            self._entries[queue] = _Entry(UNKNOWN)

    def _fails(self, fact: Fact, queue: Queue | None, where: Where, at: int, words: str, fault: str) -> None:
        self.unexplained.append(Unexplained(queue, fact.topic, at, where, words, fault))
