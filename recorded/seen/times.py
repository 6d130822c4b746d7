"""Times of events, by process."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable


class Times(dict[str, tuple[int, ...]]):
    """Sorted times in ms of one kind of event, for each process."""

    def __init__(self, found: Iterable[tuple[str, int]]) -> None:
        made: defaultdict[str, list[int]] = defaultdict(list)
        for who, at in found:
            made[who].append(at)
        super().__init__({who: tuple(sorted(times)) for who, times in made.items()})

    def before(self, who: str, at: int) -> int | None:
        """Return the last time of a process at or before ``at``, or None."""
        times = self.get(who, ())
        place = bisect_right(times, at)
        return times[place - 1] if place else None

    def items_by_time(self) -> Iterable[tuple[int, str]]:
        """Return all times as (time in ms, process), sorted by time."""
        return sorted((at, who) for who, times in self.items() for at in times)
