"""All logs of one group: consumers, each log's times, and differences between clocks."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Any

from rebalance_proofs.language import Text, gettext
from rebalance_proofs.recorded.audit.log import Times, union
from rebalance_proofs.recorded.audit.told import NOT_ASKED, Event, Member, Share, Span, View, Where
from rebalance_proofs.recorded.logs.fact import Kind, Queue

# Sentences of findings, in English and in the language in use.


class Phrase(str):
    """A sentence in English that remembers its parts, so that it can be translated when it is printed."""

    __slots__ = ("parts",)

    parts: tuple[tuple[str, dict[str, object]], ...]
    """Each part as (message with placeholders, value of each placeholder)."""

    def __new__(cls, text: str, parts: tuple[tuple[str, dict[str, object]], ...] = ()) -> "Phrase":
        """Make a sentence of the text; ``parts`` are its messages and their values."""
        made = super().__new__(cls, text)
        made.parts = parts
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make the sentence again, for other processes."""
        return Phrase, (str(self), self.parts)


def phrase(message: str, **values: object) -> Phrase:
    """Return a sentence. ``message`` is translated by gettext; each value replaces ``{name}``."""
    english = {name: value.en if isinstance(value, Text) else value for name, value in values.items()}
    return Phrase(message.format(**english), ((message, values),))


def both(*every: str) -> Phrase:
    """Return the sentence that consists of several parts, without anything between them."""
    parts = tuple(part for one in every if one for part in ((isinstance(one, Phrase) and one.parts) or ((one, {}),)))
    return Phrase("".join(every), parts)


def translated(text: str) -> str:
    """Return a sentence in the language in use; any other text as it is."""
    if not isinstance(text, Phrase) or not text.parts:
        return text
    return "".join(
        gettext(message).format(
            **{name: translated(value) if isinstance(value, str) else value for name, value in values.items()}
        )
        if values
        else gettext(message)
        for message, values in text.parts
    )


SAME_NOTICE = 3_000
"""Longest time in ms between two consumers' notifications of one membership change."""
MEASURED = 50
"""Smallest measured difference between two clocks in ms that counts as a difference."""
QUARTER = 900_000
"""Smallest difference between two time zones, in ms."""
ALIVE = 30_000
"""A consumer counts as alive this many ms around its lines.

Without commits, logs are sparse.
"""
SILENT = 15_000
"""A consumer that commits every 5 s is assumed not to read after this silence, in ms."""


@dataclass
class Group:
    """One consumer group, with the content of each log about it."""

    name: str
    shares: list[Share]
    tolerate: int
    mirrored: list[tuple[str, str]] = field(default_factory=list)
    """Logs with equal content, such as console and file, as (omitted log, used log)."""

    @cached_property
    def members(self) -> list[Member]:
        """All consumers with lines about the group, as (client id, log), sorted."""
        return sorted({member for share in self.shares for member in share.members})

    @cached_property
    def spans(self) -> dict[Queue, list[Span]]:
        """Queue -> intervals in which a consumer had it in its process queue table, sorted by start."""
        found: dict[Queue, list[Span]] = {}
        for share in self.shares:
            for span in share.spans:
                found.setdefault(span.queue, []).append(span)
        for own in found.values():
            own.sort(key=lambda one: (one.begin, one.end, one.member))
        return found

    @cached_property
    def by_log(self) -> dict[str, Share]:
        """Name of a log -> its content about the group."""
        return {share.log: share for share in self.shares}

    @cached_property
    def queues(self) -> dict[str, tuple[Queue, ...]]:
        """Topic -> all its queues that any line names, in the sort order of clients."""
        found: dict[str, set[Queue]] = {}
        for share in self.shares:
            for span in share.spans:
                found.setdefault(span.queue[0], set()).add(span.queue)
            for view in share.views:
                found.setdefault(view.topic, set()).update(view.result)
            for topic, route in share.routes.items():
                found.setdefault(topic, set()).update(route)
        return {topic: tuple(sorted(own)) for topic, own in sorted(found.items())}

    def heard(self, log: str) -> Times:
        """Return the times in ms at which the log has lines."""
        return self.by_log[log].heard

    def told(self, member: Member) -> str:
        """Return a consumer's client id, followed by the log's name if several logs have this id."""
        client, log = member
        return f"{client} in {self._short[log]}" if self._logs_of[client] > 1 else client

    @cached_property
    def _short(self) -> dict[str, str]:
        """Log -> its name without folders, if no other log has the same name."""
        names = Counter(share.log.rpartition("/")[2] for share in self.shares)
        return {
            share.log: last if names[last := share.log.rpartition("/")[2]] == 1 else share.log for share in self.shares
        }

    @cached_property
    def _logs_of(self) -> Counter[str]:
        return Counter(client for client, _ in self.members)

    @cached_property
    def views(self) -> dict[str, list[View]]:
        """Topic -> all its rebalance results, sorted by time; results without a time come first."""
        found: dict[str, list[View]] = {}
        for share in self.shares:
            for view in share.views:
                found.setdefault(view.topic, []).append(view)
        for own in found.values():
            own.sort(key=lambda one: (one.at or 0, one.where))
        return dict(sorted(found.items()))

    @cached_property
    def strategies(self) -> set[str]:
        """Names of all strategies in rebalance results."""
        return {view.strategy for own in self.views.values() for view in own if view.strategy}

    @cached_property
    def denied(self) -> dict[Queue, list[Event]]:
        """Queue -> events of denied locks, sorted by time."""
        found: dict[Queue, list[Event]] = {}
        for share in self.shares:
            for one in share.events:
                if one.kind is Kind.DENIED and one.more != NOT_ASKED and one.queue and one.at is not None:
                    found.setdefault(one.queue, []).append(one)
        for own in found.values():
            own.sort(key=lambda one: (one.at or 0, one.where))
        return found

    @cached_property
    def tried(self) -> dict[Member, dict[str, list[int]]]:
        """Consumer -> topic -> sorted times in ms at which the consumer could not add a queue."""
        found: dict[Member, dict[str, list[int]]] = {}
        for share in self.shares:
            for one in share.events:
                if one.kind in (Kind.DENIED, Kind.NOT_ADDED) and one.at is not None:
                    found.setdefault(one.member, {}).setdefault(one.topic, []).append(one.at)
        for own in found.values():
            for times in own.values():
                times.sort()
        return found

    @cached_property
    def ordered(self) -> bool:
        """True if consumers of the group request queue locks, so that they consume in order."""
        return any(one.kind in (Kind.DENIED, Kind.LOCK_FAILED) for share in self.shares for one in share.events)

    @cached_property
    def alive(self) -> Times:
        """Times at which at least one consumer is running and logs lines."""
        return union(interval for share in self.shares for interval in share.active)

    @cached_property
    def known_ids(self) -> set[str]:
        """All client ids that any line names: of logs, brokers' connections, and member lists."""
        found = {client for client, _ in self.members}
        for share in self.shares:
            for one in share.events:
                if one.kind in (Kind.CONNECTED, Kind.GONE) and one.member[0]:
                    found.add(one.member[0])
                elif one.kind is Kind.NOT_LISTED:
                    found.update(ids_in(one.more))
        return found

    @cached_property
    def everyone(self) -> bool:
        """True if the logs are those of all consumers, although member lists were longer at times.

        A broker lists a consumer several times after it connected again. A broker's log or a member list names every
        client, and at another time the list had one entry for each.
        """
        here = {client for client, _ in self.members}
        named = any(one.kind is Kind.CONNECTED for share in self.shares for one in share.events)
        sizes = {view.cid_all for own in self.views.values() for view in own}
        return named and self.known_ids <= here and any(0 < size <= len(here) for size in sizes)

    def tolerance(self, one: str, other: str) -> int:
        """Return the difference in ms up to which times of two logs count as equal."""
        if one == other:
            return 0
        return max(self.tolerate, self.apart.get((one, other), 0), self.apart.get((other, one), 0))

    def bound(self, one: str, other: str) -> int:
        """Return an upper bound in ms for the difference of two logs' clocks.

        It is three times the measured median or, without measurements, the tolerated difference. The largest measured
        difference is no good bound: two notifications close in time may belong to different changes.
        """
        apart = self.apart.get((one, other), self.apart.get((other, one)))
        return (
            self.tolerance(one, other) if apart is None else min(max(MEASURED, 3 * apart), self.tolerance(one, other))
        )

    def sure_clocks(self, one: str, other: str) -> bool:
        """Return True if times of the two logs can be compared.

        Both clocks must never step back, and both logs must show when ownership of queues ends. Two different logs also
        need known dates, and zones that are both known or both unknown.
        """
        mine, theirs = self.by_log[one], self.by_log[other]
        if not (mine.steady and theirs.steady and mine.ends_shown and theirs.ends_shown):
            return False
        return one == other or (mine.zone_known == theirs.zone_known and mine.days_known and theirs.days_known)

    def unsure(self, one: str, other: str) -> str:
        """Return the reason why times of two logs cannot be compared, as a clause.

        "" if they can be.
        """
        shares = self.by_log[one], self.by_log[other]
        if not all(share.steady for share in shares):
            return phrase("the clock of one log steps back")
        if not all(share.ends_shown for share in shares):
            return phrase("one log has no lines about the end of entries")
        if all(share.days_known for share in shares):
            return phrase("the time zone of one log is not known")
        return phrase("lines of at least one log have no date")

    @cached_property
    def apart(self) -> dict[tuple[str, str], int]:
        """(log, other log) -> median difference of their clocks in ms.

        It is measured by notifications of the same membership changes.
        """
        return {pair: round(median(abs(one) for one in own)) for pair, own in self.deltas.items() if len(own) > 1}

    @cached_property
    def deltas(self) -> dict[tuple[str, str], list[int]]:
        """(log, other log) -> differences in ms between notifications of the same changes."""
        notices = self._notices
        logs = sorted(log for log, own in notices.items() if own)
        found: dict[tuple[str, str], list[int]] = {}
        for place, one in enumerate(logs):
            for other in logs[place + 1 : place + 1 + 20]:
                found[one, other] = list(_nearest(notices[one], notices[other], SAME_NOTICE))
        return found

    def other_zone(self, log: str) -> int | None:
        """Return the ms by which a log's time zone seems to be ahead of all others, or None.

        The result is a multiple of a quarter of an hour.
        """
        if any(log in pair and own for pair, own in self.deltas.items()):
            return None
        mine = self._notices.get(log, [])
        rest = sorted(at for other, own in self._notices.items() if other != log for at in own)
        if len(mine) < 2 or len(rest) < 2 or any(_nearest(mine, rest, SAME_NOTICE)):
            return None
        counts: dict[int, int] = {}
        for at in mine[:200]:
            for other in rest[:2000]:
                quarters = round((at - other) / QUARTER)
                if quarters and abs(quarters) <= 104 and abs(at - other - quarters * QUARTER) < SAME_NOTICE:
                    counts[quarters] = counts.get(quarters, 0) + 1
        best = max(counts, key=lambda one: counts[one], default=None)
        return best * QUARTER if best is not None and counts[best] >= max(2, len(mine[:200]) // 2) else None

    @cached_property
    def _notices(self) -> dict[str, list[int]]:
        """Log -> sorted times in ms at which its consumers were notified of membership changes."""
        return {
            share.log: sorted(one.at for one in share.events if one.kind is Kind.NOTIFIED and one.at is not None)
            for share in self.shares
        }


def _nearest(mine: Sequence[int], others: Sequence[int], within: int) -> Iterator[int]:
    """Yield the difference in ms from each time in ``mine`` to the nearest in ``others``.

    Differences above ``within`` ms are left out.
    """
    for at in mine:
        place = bisect_left(others, at)
        near = [others[one] - at for one in (place - 1, place) if 0 <= one < len(others)]
        best = min(near, key=abs, default=None)
        if best is not None and abs(best) <= within:
            yield best


def state_of(group: Group, client: str, at: int) -> str:
    """Return what the logs show of a client at a time: "alive", "shut", "silent" or, without its log, ""."""
    logs = [log for one, log in group.members if one == client]
    if not logs:
        return ""
    for log in logs:
        share = group.by_log[log]
        shut = [one.at for one in share.events if one.kind is Kind.SHUT and one.at is not None and one.at <= at + 1_000]
        if any(begin - ALIVE <= at <= end + 1_000 for begin, end in share.active) and not (
            shut and not any(begin <= at and end > max(shut) + ALIVE for begin, end in share.active)
        ):
            return "alive"
        if shut:
            return "shut"
    return "silent"


def group_of(name: str, shares: Sequence[Share], tolerate: int) -> Group:
    """Return a group from the content of each log about it.

    ``tolerate``: tolerated difference of clocks in ms. Of two logs with the same content, such as a console and a file,
    one is omitted.
    """
    kept: list[Share] = []
    mirrored: list[tuple[str, str]] = []
    for share in sorted(shares, key=lambda one: (-len(one.commits) - len(one.spans), one.log)):
        twin = next((one for one in kept if _mirrors(share, one)), None)
        if twin:
            mirrored.append((share.log, twin.log))
        else:
            kept.append(share)
    gone: dict[str, list[tuple[int, Where]]] = {}
    for share in kept:
        for one in share.events:
            if one.kind is Kind.GONE and one.at is not None:
                gone.setdefault(one.member[0], []).append((one.at, one.where))
    for share in kept if gone else ():
        _closed_by_brokers(share, gone)
    return Group(name, sorted(kept, key=lambda one: one.log), tolerate, sorted(mirrored))


def ids_in(listed: str) -> list[str]:
    """Return the client ids in a logged member list."""
    return [one for one in listed.strip().strip("[]").replace(",", " ").split() if one]


def _closed_by_brokers(share: Share, gone: Mapping[str, Sequence[tuple[int, Where]]]) -> None:
    """End ownership at the time when a broker saw the client's connection close.

    This applies to intervals that were still open at the last line of the client's log. ``gone``: client id -> times
    and lines.
    """
    last = share.last
    for span in share.spans if last is not None else ():
        if not span.ends and span.end == last:
            after = [one for one in gone.get(span.member[0], ()) if one[0] >= last]
            if after:
                (span.end, span.last), span.ends, span.lost = min(after), True, True
                span.sure = span.end


def _mirrors(share: Share, other: Share) -> bool:
    """Return True if two logs have the same content, such as a console and a file.

    At least half of the ownership intervals must start or end at the same ms in both logs.
    """
    if not {client for client, _ in share.members} & {client for client, _ in other.members}:
        return False
    mine, theirs = _marks(share), _marks(other)
    return len(mine) > 1 and 2 * len(mine & theirs) >= len(mine)


def _marks(share: Share) -> set[tuple[str, int, Queue]]:
    found = {("begin", span.begin, span.queue) for span in share.spans if span.begins}
    found |= {("end", span.end, span.queue) for span in share.spans if span.ends}
    return found or {("commit", one.until, one.queue) for one in share.commits}
