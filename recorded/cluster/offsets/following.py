"""Behaviours of one consumer's queue and one message of it, among commits that all members have under way."""

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

__all__ = ["GHOSTS", "MACHINE", "Following", "pending"]

MACHINE = "offsets"
GHOSTS = frozenset(
    (
        *("known", "origin", "missed", "ignored", "owed", "uncommitted", "kept", "taken", "overtime", "excess"),
        *("finished", "owned", "awaited", "had", "begun", "back", "consumed", "again", "given", "copied"),
    )
)
"""Fields that claims alone need, and those of a replica, which no recorded broker has: no guard depends on them."""


@dataclass
class Following(Follower[Offsets, Choices, Limits, Variant]):
    """The states of one consumer, with one message of the queue."""

    client: JavaClient = field(kw_only=True)
    """Whose encoding is followed, if no other one is tried in its place."""

    def _turn(self, action: str, state: Offsets, choices: Choices) -> Turn[Offsets]:
        run = _run(self.encoding or self.client.encoding, action)
        return run(state, choices, self.limits)

    def _forgets(self, name: str, variable: Variable) -> bool:
        return name in GHOSTS

    @property
    def present(self) -> bool:
        """Whether the consumer can have an entry."""
        return any(s.present for s in self.states)

    def change(self, to: Callable[[Offsets], Offsets]) -> None:
        """Others have changed what is shared."""
        self.states = {self.alike(to(s)): None for s in self.states}

    def keeps(self, event: Event, why: str, so: Callable[[Offsets], Bool]) -> None:
        """The event changes nothing, and it is so. Raises ``Unexplained``."""
        self.show(event, [()], why, seen=so)

    def arrived(self, at: int, value: Int) -> bool:
        """Whether a commit of that value, of any member, can arrive: then it has.

        A consumer with several commits under way is as several, of which each has one: so are the others' commits.
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
        """The commits with which a rebalance or a shutdown has just taken the entry away; they are under way now."""
        values = frozenset(number(s.sent) for s in self.states if s.sending)
        self.change(lambda s: s.but(sending=False))
        return values

    def sends(self, event: Event, value: Int, why: str) -> None:
        """A commit of that value is sent, which is what is in the memory. Raises ``Unexplained``."""
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
    """An action's terms, compiled once: a rebalance is made of terms alone, and would be simplified in each state."""
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
    """Whether the message is still anywhere in the client."""
    return bool(s.cached or s.runs or s.late or s.recording or s.noting)
