"""Queue ownership in a recorded run: which consumer had which queue from when to when."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import EntryGone, EntryNew, OffsetRead, Pulled
from rebalance_proofs.recorded.groups.run import of_kind

STORE = "READ_FROM_STORE"


@dataclass(frozen=True, eq=False)
class Held:
    """One interval in which a client had a queue in its process queue table.

    It ends with the removal, or with the end of the process or of the recording.
    """

    who: str
    q: str
    entry: str
    begin: int
    end: int
    how: str
    """How the queue was removed, as in ``EntryGone``; empty if it was not removed."""
    read: int | None
    """Committed offset that the broker returned at the start.

    It is negative if there was none, and None if the consumer did not query it.
    """
    first: int | None
    """First offset in the first pull's result, or the next offset if it had no messages.

    It is None if no pull had a result.
    """
    since_pull: int
    """Milliseconds from the last pull to the removal."""


def held_of(events: Sequence[Event], over: int) -> Iterator[Held]:
    """Yield the intervals of queue ownership of one consumer; ``events`` are its events.

    ``over``: time in ms of the end of its process or of the recording.
    """
    gone = {(each.q, each.entry): each for each in of_kind(events, EntryGone)}
    of_queue: defaultdict[str, list[EntryNew | OffsetRead | Pulled]] = defaultdict(list)
    for event in events:
        if isinstance(event, EntryNew | OffsetRead | Pulled):
            of_queue[event.q].append(event)
    for q, found in of_queue.items():
        places = [place for place, event in enumerate(found) if isinstance(event, EntryNew)]
        for number, place in enumerate(places):
            made = found[place]
            assert isinstance(made, EntryNew)
            after = found[place + 1 : places[number + 1] if number + 1 < len(places) else None]
            before = found[places[number - 1] + 1 if number else 0 : place]
            end = gone.get((q, made.entry))
            pulls = of_kind(after, Pulled)
            # an ordered queue's offset is queried again at its first pull, when it is locked
            again = [read for read in _reads(after) if not pulls or read.at <= pulls[0].at] if pulls else []
            reads = again[:1] or _reads(before)[-1:]
            yield Held(
                who=made.who,
                q=q,
                entry=made.entry,
                begin=made.at,
                end=end.at if end else max(over, made.at),
                how=end.how if end else "",
                read=reads[0].result if reads else None,
                first=min(pulls[0].got, default=pulls[0].next) if pulls else None,
                since_pull=end.since_pull if end else 0,
            )


def _reads(events: Sequence[Event]) -> list[OffsetRead]:
    return [read for read in of_kind(events, OffsetRead) if read.type == STORE]
