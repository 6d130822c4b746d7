"""Possible states of the model of offsets, for one consumer, queue and message."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.machine import Act, Turn, act_of
from rebalance_proofs.model.machine.record import Variable
from rebalance_proofs.model.machine.values import Bool, Int, number, term
from rebalance_proofs.model.offsets.clients import JavaClient
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant
from rebalance_proofs.model.terms.kernel import compile_exact
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.groups.event import Event

MACHINE = "offsets"
GHOSTS = frozenset(
    (
        *("known", "origin", "missed", "ignored", "owed", "uncommitted", "kept", "taken", "overtime", "excess"),
        *("finished", "owned", "awaited", "had", "begun", "back", "consumed", "again", "given", "copied"),
    )
)
"""Variables that no guard uses.

Only claims, and replicas of brokers, which no recording has, need them.
"""


@dataclass
class Following(Follower[Offsets, Choices, Limits, Variant]):
    """The possible states of one consumer, one queue and one of its messages."""

    client: JavaClient = field(kw_only=True)
    """The model's client of this consumer, which defines the actions."""

    def _turn(self, action: str, state: Offsets, choices: Choices) -> Turn[Offsets]:
        run = _run(self.encoding or self.client.encoding, action)
        return run(state, choices, self.limits)

    def _forgets(self, name: str, variable: Variable) -> bool:
        return name in GHOSTS

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
