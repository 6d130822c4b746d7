"""Monitor claims about groups that begin at the last offset: which messages are skipped before the first commit."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rebalance_proofs.recorded.cluster.requests import Call as Asked
from rebalance_proofs.recorded.cluster.trace import LOOK
from rebalance_proofs.recorded.groups.event import PULLING, QUERY, SendFailed, Sent
from rebalance_proofs.recorded.groups.member import Entry, Pulled
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.report.reality.told import Bad, Told
from rebalance_proofs.report.reality.view import View

NOT_FOUND = 22
"""``ResponseCode.QUERY_NOT_FOUND``: the group has not committed an offset of the queue."""


@dataclass(frozen=True)
class _Arrival:
    """A message that the broker stored between two times."""

    at: int
    """Time in ms at which the producer got the answer: the message is stored by then."""
    since: int
    """Time in ms before which the producer did not send the message."""
    skipped: bool
    """True if the group committed a higher offset, although no listener has returned from the message."""


def starts(view: View, group: str, calls: list[Call], of: Callable[..., Told]) -> Iterator[Told]:
    """Check the queues for which the group had no offset at first; all members begin at the last offset.

    ``calls``: the group's listener calls that returned. ``of`` makes the results.
    """
    if any(view.trace.consumers[who].from_ != "LAST" for who in view.groups[group]):
        return
    found = _Found()
    for q, arrivals in _arrivals(view, group, calls).items():
        first = view.commits[group, q][0][0]
        asked = sorted((call for call in _asked(view, group, q) if call.ask.at <= first), key=lambda call: call.ask.at)
        if asked and asked[0].answered and asked[0].answered.said.code == NOT_FOUND:
            found.read(view, group, q, arrivals, asked)
    yield from found.told(of)


class _Found:
    """Chances for skipped messages, and skipped messages, by the time of their arrival."""

    def __init__(self) -> None:
        self.chances: defaultdict[tuple[str, bool], int] = defaultdict(int)
        self.skipped: defaultdict[tuple[str, bool], list[Bad]] = defaultdict(list)

    def read(self, view: View, group: str, q: str, arrivals: list[_Arrival], asked: list[Asked]) -> None:
        """Add the messages of one queue. ``asked``: the offset queries of rebalances before the first commit."""
        alone = len(asked) == 1
        held = [(one, *_fixed_until(view, one)) for who in view.groups[group] for one in view.entries.get((who, q), ())]
        answer = asked[0].answered
        heard = answer.at if answer else asked[0].ask.at
        until = min((one.begin for one, _, _ in held if one.begin >= heard), default=heard)
        for one in arrivals:
            names = []
            if one.at <= asked[0].ask.at:
                names.append("earlier")
            if asked[0].ask.at <= one.since and one.at <= until:
                names.append("asked")
            if any(each.begin <= one.since and one.at <= end for each, _, end in held):
                names.append("added")
            if any(fixed is not None and fixed <= one.since and one.at <= end for _, fixed, end in held):
                names.append("pulled")
            for name in names:
                self.chances[name, alone] += 1
                self.skipped[name, alone] += [(one.at, None)] * one.skipped

    def told(self, of: Callable[..., Told]) -> Iterator[Told]:
        """Yield the results."""
        words = "a message was skipped that arrived"
        earlier = [*self.skipped["earlier", True], *self.skipped["earlier", False]]
        what = "a message was skipped that was stored before the group's first member asked for the offset"
        yield of("not-skipped", what, 0, earlier, "without-offset")
        what = f"{words} while the first consumer queried the offset"
        yield of("since-asked", what, 0, self.skipped["asked", True])
        for name, guarantee, when in (
            ("added", "since-added", "at an owned queue"),
            ("pulled", "since-pulled", "at an owned queue after its first pull was answered"),
        ):
            yield of(guarantee, f"{words} {when}", self.chances[name, True], self.skipped[name, True])
            twice = f"{words} {when}, and two consumers took the queue before the first commit"
            yield of(guarantee, twice, 0, self.skipped[name, False], "without-keeping")


def _arrivals(view: View, group: str, calls: list[Call]) -> Mapping[str, list[_Arrival]]:
    """Return each committed queue's messages. A producer sends one message after another."""
    read = {(call.q, offset) for call in calls for offset in call.offsets}
    ends = {q: its[-1][2] for (name, q), its in view.commits.items() if name == group}
    found: defaultdict[str, list[_Arrival]] = defaultdict(list)
    for producer in view.trace.producers:
        since = 0
        for event in view.trace.of[producer]:
            if isinstance(event, Sent) and event.q in ends:
                skipped = event.offset < ends[event.q] and (event.q, event.offset) not in read
                found[event.q].append(_Arrival(event.at, since, skipped))
            if isinstance(event, Sent | SendFailed):
                since = event.at
    return found


def _asked(view: View, group: str, q: str) -> Iterator[Asked]:
    """Yield the group's queries for a queue's offset by rebalances, which take the queue."""
    for who in view.groups[group]:
        asks = (call for call in view.asked(who, QUERY) if call.ask.said.q == q)
        yield from (call for call in asks if call.ask.thread != PULLING)


def _fixed_until(view: View, held: Held) -> tuple[int | None, int]:
    """Return the time in ms of the first pull's answer, or None, and the time until which the queue was owned."""
    pulled = (one.at for one in view.trace.kind(Pulled, held.who) if one.q == held.q and one.at >= held.begin)
    marks = (one for one in view.trace.kind(Entry, held.who) if one.entry == held.entry and one.dropped)
    dropped = min((one.at - 2 * LOOK for one in marks if one.q == held.q), default=held.end)
    return next(pulled, None), min(held.end, dropped)
