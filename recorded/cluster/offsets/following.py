"""Possible states of the model of offsets, for one consumer, queue and message."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import Any

from rebalance_proofs.model.machine.machine import Act, Turn, act_of
from rebalance_proofs.model.machine.values import Bool, Int, number, term
from rebalance_proofs.model.machines.offsets.state import Choices, JavaClient, Limits, Offsets, OffsetsClient
from rebalance_proofs.model.terms.kernel import compile_exact
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.offsets.brokers import Committed
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import End

MACHINE = "offsets"


@dataclass
class Following(Follower[Offsets, Choices, Limits, OffsetsClient]):
    """The possible states of one consumer, one queue and one of its messages."""

    client: JavaClient = field(kw_only=True)
    """The model's client of this consumer, which defines the actions."""

    def _turn(self, action: str, state: Offsets, choices: Choices) -> Turn[Offsets]:
        run = _run(self.encoding or self.client.encoding, action)
        return run(state, choices, self.limits)

    @property
    def present(self) -> bool:
        """True if the consumer can have this queue in its process queue table."""
        return any(s.present for s in self.states)

    def change(self, to: Callable[[Offsets], Offsets]) -> None:
        """Apply ``to`` to all states: a change by another process, such as a commit."""
        self.states = {self.alike(to(s)): None for s in self.states}

    def keeps(self, event: Event, why: str, so: Callable[[Offsets], Bool]) -> None:
        """Check that the condition ``so`` holds in some state, and that the event changes nothing.

        Raises ``Unexplained`` with the reason ``why``.
        """
        self.show(event, [()], why, seen=so)

    def arrived(self, at: int, value: Int) -> bool:
        """Apply the arrival of a commit of ``value`` at the broker.

        Return False if no such commit was sent. A consumer with several unanswered commits is treated as several
        consumers with one commit each; the same holds for other consumers.
        """
        found: dict[Offsets, None] = {}
        for s in self.states:
            sender = s.but(sending=True, sent=value)
            for after in self.after(sender, (does("commits", more=0, replica=0),), at):
                found[self.alike(after.but(sending=False))] = None
        self.tally.shown["commits"] += 1
        self.states = found
        return bool(found)

    def left(self) -> frozenset[int]:
        """Return the offsets that a removal or shutdown has not committed yet."""
        values = frozenset(number(s.sent) for s in self.states if s.sending)
        self.change(lambda s: s.but(sending=False))
        return values

    def sends(self, event: Event, value: Int, why: str) -> None:
        """Check that a commit of ``value`` may be sent: it must be the offset in memory.

        Raises ``Unexplained`` with the reason ``why``.
        """
        found: dict[Offsets, None] = {}
        for s in self.states:
            for after in self.after(s, (does("sends", more=0),), event.at):
                if after.sent == value:
                    found[self.alike(after.but(sending=False))] = None
        if not found:
            sent: Way = (does("sends", more=0),)
            raise Unexplained(event, why, self.told(self.states), self.nearest(self.states, [sent], event.at))
        self.tally.shown["sends"] += 1
        self.states = found


@cache
def _run(encoding: Any, action: str) -> Act[Offsets, Choices, Limits]:
    """Return an action of the model as compiled terms.

    This is faster than simplifying the action in each state.
    """
    records = Offsets.symbols(), Choices.symbols("c."), Limits.symbols("lim.")
    turn = act_of(encoding, action)(*records)
    changed = {name: value for name, value in vars(turn.after).items() if value is not getattr(records[0], name)}
    unknown = [str(one) for record in records for one in vars(record).values()]
    terms = [term(turn.guard), *map(term, changed.values())]
    compiled = compile_exact(unknown, *terms)

    def run(s: Offsets, c: Choices, lim: Limits) -> Turn[Offsets]:
        guard, *values = compiled(*vars(s).values(), *vars(c).values(), *vars(lim).values())
        return Turn(bool(guard), s.but(**dict(zip(changed, values, strict=True))) if guard else s)

    return run


def pending(s: Offsets) -> bool:
    """Return True if the client still has the message: pulled, in a listener, or not yet stored."""
    return bool(s.cached or s.runs or s.late or s.recording or s.noting)


# State of one queue at one consumer, and of its messages that are followed.


@dataclass
class Message:
    """A message that is followed while its process queue contains it, or its listener runs."""

    offset: int
    follower: Following
    returned: End | None = None
    """The event of the listener's return, until the model's listener has returned too."""


@dataclass
class Place:
    """State of one queue at one consumer while events are checked."""

    q: str
    base: Following
    """Possible states of the queue without regard to any message."""
    committed: Committed
    messages: dict[int, Message] = field(default_factory=dict)
    entry: str = ""
    """Identity of the queue's process queue, from events of its addition and removal.

    "" if there is none.
    """
    persisted: bool = False
    """True if a rebalance has persisted the queue's offset, as before each removal."""
    pulled: int = 0
    """Time in ms of the queue's last pull."""
    since: int = 0
    """Earliest time in ms at which the next pull can have read the offset that it commits."""
    flying: int = 0
    former: int = 0
    """Numbers of unanswered pulls: ``flying`` for this process queue, ``former`` for others."""
    gone: int = 0
    """Time in ms at which a process queue was last removed."""
    loaded: int | None = None
    """Time in ms of the broker's restart, until a poll has shown its table; None otherwise."""
    memory: list[tuple[int, frozenset[int]]] = field(default_factory=list)
    """History of the offset in memory, as (from when in ms, its possible values)."""
    unsent: list[frozenset[int]] = field(default_factory=list)
    """Possible offsets of commits by a removal or shutdown whose requests were not observed yet."""
    kept: frozenset[int] = frozenset()
    """Possible offsets of the last commit by the process queue's removal."""
    aside: bool = False
    """True after an illegal offset, until a rebalance reads the start offset again.

    The model lacks illegal offsets.
    """
    again: int = 0
    """Time in ms at which the queue was followed again after an illegal offset."""
    going: int | None = None
    """Time in ms from which a rebalance is removing the process queue.

    The value is None once its offset is dropped. Other threads can still commit the offset in this time.
    """
    lost: bool = False
    """True if another offset was stored in memory during the removal; it is dropped as well."""
    listed: int = 0
    """Number of ``persistAll`` calls that can still commit the queue's offset."""
    owed: int = 0
    """Number of listener returns and empty pulls whose offset was not stored yet."""
    early: list[int] = field(default_factory=list)
    """Offsets that were stored in memory before the store recorded the update."""
    heard: list[tuple[int, bool]] = field(default_factory=list)
    """Unused answers to offset queries, each as (offset, whether a first pull sent the query)."""
    searched: int = 0
    """The last offset that a search by time returned."""
    fixing: bool = False
    """True from a first pull's query of the start offset until the store uses the answer."""

    @property
    def followed(self) -> Iterator[tuple[Following, Message | None]]:
        """Yield (possible states, None) for the queue, then (possible states, message) for each."""
        yield self.base, None
        for message in self.messages.values():
            yield message.follower, message

    def note(self, at: int) -> None:
        """Remember the offsets that can be in memory at time ``at``, in ms."""
        now = frozenset(number(s.memory) for s in self.base.states)
        if not self.memory or self.memory[-1][1] != now:
            self.memory.append((at, now))

    def had(self, value: int, since: int, until: float = inf) -> bool:
        """Return True if the offset ``value`` can have been in memory at any time from ``since`` to ``until``."""
        for at, values in reversed(self.memory):
            if value in values and at <= until:
                return True
            if at < since:
                return False
        return False
