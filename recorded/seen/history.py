"""One recorded run, with its listener calls, queue ownership and committed offsets."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from rebalance_proofs.recorded.groups.broker import Table, offset_of
from rebalance_proofs.recorded.groups.subscriptions import subscriptions
from rebalance_proofs.recorded.seen.calls import Call, calls_of
from rebalance_proofs.recorded.seen.held import Held, held_of
from rebalance_proofs.recorded.seen.lives import Lives


class History(Lives):
    """One recorded run; times are in milliseconds since the run's start."""

    def _over(self, who: str) -> int:
        return self.ended.get(who, self.end)

    @cached_property
    def calls(self) -> Mapping[str, tuple[Call, ...]]:
        """Group -> its listener calls, sorted by time."""
        return {
            group: tuple(
                sorted(
                    (call for who in members for call in calls_of(self._of[who], self._over(who))),
                    key=lambda call: call.begin,
                )
            )
            for group, members in self.groups.items()
        }

    def spent(self, group: str, who: str, since: int, until: int) -> int:
        """Return the time in ms that a consumer's listener threads spent in calls between two times, together."""
        asked = group, who, since, until
        if asked not in self._spent:
            self._spent[asked] = sum(
                max(0, min(call.end, until) - max(call.begin, since)) for call in self._calls_by.get((group, who), ())
            )
        return self._spent[asked]

    @cached_property
    def _spent(self) -> dict[tuple[str, str, int, int], int]:
        return {}

    @cached_property
    def _calls_by(self) -> Mapping[tuple[str, str], list[Call]]:
        found: defaultdict[tuple[str, str], list[Call]] = defaultdict(list)
        for group, calls in self.calls.items():
            for call in calls:
                found[group, call.who].append(call)
        return found

    @cached_property
    def held(self) -> Mapping[str, tuple[Held, ...]]:
        """Group -> intervals in which its consumers owned queues, sorted by time."""
        return {
            group: tuple(
                sorted(
                    (held for who in members for held in held_of(self._of[who], self._over(who))),
                    key=lambda held: held.begin,
                )
            )
            for group, members in self.groups.items()
        }

    def holds(self, group: str, who: str, q: str, at: int) -> Held | None:
        """Return a consumer's last ownership of the queue that began at or before ``at``, or None."""
        found = [held for held in self._by_owner[group].get((who, q), ()) if held.begin <= at]
        return found[-1] if found else None

    @cached_property
    def _by_owner(self) -> Mapping[str, Mapping[tuple[str, str], tuple[Held, ...]]]:
        arranged: dict[str, dict[tuple[str, str], tuple[Held, ...]]] = {}
        for group, entries in self.held.items():
            mine = arranged.setdefault(group, {})
            for held in entries:
                mine[held.who, held.q] = (*mine.get((held.who, held.q), ()), held)
        return arranged

    def tags(self, group: str, topic: str) -> Mapping[str, frozenset[str]]:
        """Return consumer name -> tags, for each consumer of the group that subscribes to the topic."""
        every = {who: subscriptions(self.started[who].sub) for who in self.groups[group]}
        return {who: mine[topic] for who, mine in every.items() if topic in mine}

    def wanted(self, group: str, topic: str) -> frozenset[str]:
        """Return all tags of the topic that consumers of the group subscribe to.

        ``*`` means all tags.
        """
        return frozenset().union(*self.tags(group, topic).values())

    def committed(self, group: str, q: str) -> int | None:
        """Return the group's committed offset of the queue at the end of the run; None without one."""
        return self._committed.get((group, q))

    @cached_property
    def _committed(self) -> Mapping[tuple[str, str], int]:
        found = {}
        for row in self.of(Table, *self.run.brokers):
            offset = offset_of(row)
            if offset is not None and row.is_ is not None:
                found[offset.group, offset.q] = int(row.is_)
        return found
