"""Monitor claims about pull requests: which process queues are pulled, and which are no longer pulled."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.codes import ILLEGAL, PULL
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Allocate, Ask, Entry, EntryGone, EntryNew, Pulled, Unsubscribed
from rebalance_proofs.report.reality.monitors.lost import lost
from rebalance_proofs.report.reality.monitors.suspended import suspended
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "pulls"
SOON = 10_000
"""Longest time in ms until a rebalance reaches a queue.

It can wait for answers and for listeners' locks.
"""


def pulls(view: View) -> Iterator[Told]:
    """Check the pull requests of all consumers in the recording."""
    for who in view.trace.consumers:
        release, found = view.trace.release(who), _Member(view, who)
        for event in view.trace.of[who]:
            found.read(event)
        found.ends(view.leaves(who))
        for guarantee, what, chances, bad in (
            ("has-request", "an entry that is not dropped was no longer pulled", *found.request),
            ("dies", "a queue without an entry was pulled", *found.dead),
            ("healed", "an entry of the consumer's share was removed less than 120 s after a pull", *found.healed),
            ("only-lost", "an entry was treated as lost while its pull was open", 0, found.lost),
            ("lets-go", "an entry was not dropped although another consumer got its queue", *found.left),
        ):
            yield told(KIND, release, guarantee, what, chances, bad)
        asked = [call.ask.said.q for call in view.asked(who, PULL)]
        # The machine's behaviours that explain all pulls never have two open pulls of one entry.
        what = "an entry was pulled while another pull of it was open (by the machine's behaviours)"
        yield told(KIND, release, "one-request", what, len(asked) - len({*asked}), [])
        yield from lost(view, who)
        yield from suspended(view, who)


@dataclass
class _Member:
    """One consumer's process queues and pulls, from its events.

    Each result is (chances, violations).
    """

    view: View
    who: str
    there: dict[str, int] = field(default_factory=dict)
    """Queue in the table -> time in ms of its last pull or answer, or of its process queue's creation."""
    out: dict[str, int] = field(default_factory=dict)
    """Queue that left the table -> time in ms of the removal."""
    under_way: dict[str, int] = field(default_factory=dict)
    """Queue -> time in ms of its pull that is not answered yet."""
    marked: set[str] = field(default_factory=set)
    mine: dict[str, set[str]] = field(default_factory=dict)
    pulled: dict[str, int] = field(default_factory=dict)
    lost: list[Bad] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.request: tuple[int, list[Bad]] = (0, [])
        self.dead: tuple[int, list[Bad]] = (0, [])
        self.healed: tuple[int, list[Bad]] = (0, [])
        self.left: tuple[int, list[Bad]] = (0, [])
        self.others: dict[str, int] = {}
        self.illegal: set[str] = set()  # the repair of an illegal offset removes an entry as well
        self.ordered = self.view.trace.ordered(self.who)

    def read(self, event: Event) -> None:
        """Process one more event."""
        if isinstance(event, EntryNew):
            self.there[event.q] = event.at
            self.pulled.pop(event.q, None)
            self.marked.discard(event.q)
        elif isinstance(event, Ask) and event.code == PULL and event.said.q:
            self._pulls(event.said.q, event.at)
        elif isinstance(event, Pulled):
            self._answered(event)
        elif isinstance(event, Entry) and event.dropped and event.in_table:
            self.marked.add(event.q)
            self.others.pop(event.q, None)
        elif isinstance(event, EntryGone):
            self._gone(event)
        elif isinstance(event, Allocate):
            self._divided(event)
        elif isinstance(event, Unsubscribed):
            self.mine.pop(event.topic, None)

    def ends(self, at: int) -> None:
        """Check at the end of the consumer or recording for process queues that were no longer pulled."""
        for q in {*self.there} - self.marked:
            if q in self.pulled and self.there[q] < at and self._idle(q, at):
                self.request = self._more(self.request, True, self.there[q])

    def _pulls(self, q: str, at: int) -> None:
        if q in self.there:
            self.request = self._more(self.request, q in self.pulled and self._idle(q, at), at, q in self.pulled)
            self.there[q] = self.pulled[q] = self.under_way[q] = at
        elif q in self.out:
            self.dead = self._more(self.dead, at > self.out[q] + STALL, at, False)

    def _idle(self, q: str, at: int) -> bool:
        """Return True if the queue was idle for longer than a pulled queue can be, apart from pauses."""
        stood = self.view.trace.stood(self.who, self.there[q], at)
        return not self.ordered and at - self.there[q] - stood > PULL_MAX_IDLE_TIME + STALL

    def _answered(self, event: Pulled) -> None:
        self.under_way.pop(event.q, None)
        self.illegal |= {event.q} if event.status == ILLEGAL else set()
        if event.q in self.there:
            self.there[event.q] = event.at

    def _gone(self, event: EntryGone) -> None:
        own = event.q in self.mine.get(topic_of(event.q), ())
        if event.how != "clear" and own and event.q not in self.illegal:
            late = event.since_pull > PULL_MAX_IDLE_TIME
            self.healed = self._more(self.healed, not late, event.at)
            sent = self.under_way.get(event.q)
            answered = any(one.q == event.q and one.at >= event.at for one in self._results(event.at))
            self.lost += [(event.at, None)] * (late and sent is not None and answered)
        self.dead = self._more(self.dead, False, event.at)
        self.there.pop(event.q, None)
        self.others.pop(event.q, None)
        self.out[event.q] = event.at

    def _results(self, since: int) -> Iterator[Pulled]:
        return (one for one in self.view.trace.kind(Pulled, self.who) if since <= one.at <= since + SOON)

    def _divided(self, event: Allocate) -> None:
        for q, since in [*self.others.items()]:
            stood = self.view.trace.stood(self.who, since, event.at)
            if event.at - since - stood > SOON + STALL:
                self.left = self._more(self.left, True, event.at, False)
                del self.others[q]
        self.mine[event.topic] = share = set(event.result or ())
        for q in self.there:
            if topic_of(q) == event.topic:
                self.healed = self._more(self.healed, False, event.at, q in share)
                if q not in share and q not in self.marked:
                    self.left = self._more(self.left, False, event.at)
                    self.others.setdefault(q, event.at)

    @staticmethod
    def _more(found: tuple[int, list[Bad]], bad: bool, at: int, counts: bool = True) -> tuple[int, list[Bad]]:
        return found[0] + counts, [*found[1], *([(at, None)] * bad)]
