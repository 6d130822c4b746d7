"""Time condition under which two listeners never run on one queue."""

from dataclasses import dataclass
from functools import reduce
from operator import add

from rebalance_proofs.model.machine.values import Bool, If, Int, Or
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.proofs.ordered.circumstances import Circumstances


@dataclass(frozen=True)
class Part:
    """One part of the time condition: a sum of times must not exceed a limit."""

    sentence: str
    summands: tuple[str, ...]
    """Names of fields of ``Limits`` that are added."""
    within: str
    """Name of the field of ``Limits`` that the sum must not exceed."""

    def total(self, limits: Limits) -> Int:
        """Return the sum, in ms or as a term."""
        total: Int = reduce(add, (getattr(limits, name) for name in self.summands))
        return total

    def holds(self, limits: Limits) -> Bool:
        """Return whether the sum is within the limit, as a truth value or (for terms) a formula."""
        kept: Int = getattr(limits, self.within)
        return self.total(limits) <= kept


KEPT = Part(
    "the broker keeps a lock for as long as the listener can rely on it", ("delay", "client", "listener"), "broker"
)
NOT_FORCED = Part("a lock is not given back by force while the listener can run", ("client", "listener"), "unlock")


@dataclass(frozen=True)
class _Renewed(Part):
    """Part with a sum of times until a running listener's lock is renewed, or it returns."""

    def total(self, limits: Limits) -> Int:
        called = limits.client + limits.listener
        return limits.delay + If(limits.renewal < called, limits.renewal, called)


KEPT_BY_RENEWALS = _Renewed(KEPT.sentence, (), KEPT.within)


@dataclass(frozen=True)
class _UntilPulled(Part):
    """Part that allows more time: a listener may run until the next owner's delayed first pull."""

    def holds(self, limits: Limits) -> Bool:
        kept: Int = getattr(limits, self.within)
        return self.total(limits) <= kept + limits.first_pull


@dataclass(frozen=True)
class _OrShorter(_UntilPulled):
    """Part like ``_UntilPulled``, with an alternative for short listener calls.

    It suffices that a listener called just before the unlock returns before a first pull.
    """

    def holds(self, limits: Limits) -> Bool:
        return Or(super().holds(limits), limits.listener < limits.first_pull)


KEPT_UNTIL_PULLED = _UntilPulled(
    "the broker keeps a lock as long as the listener can rely on it, except for the next consumer's first pull",
    KEPT.summands,
    KEPT.within,
)
NOT_FORCED_UNTIL_PULLED = _OrShorter(
    "a lock is not released by force while the listener can run, except for the next consumer's first pull",
    NOT_FORCED.summands,
    NOT_FORCED.within,
)


def condition(client: OrderedClient, world: Circumstances) -> tuple[Part, ...]:
    """Return all parts of the time condition.

    They are stated for limits as ``Circumstances.trusted`` returns them. ``exact`` shows that no part can be weaker.
    """
    if world.alike and client.pulls_later:
        return (KEPT_UNTIL_PULLED, NOT_FORCED_UNTIL_PULLED) if client.forces else (KEPT_UNTIL_PULLED,)
    if world.renewed and client.renews_under_listener:
        return (KEPT_BY_RENEWALS,)
    return (KEPT, NOT_FORCED) if client.forces else (KEPT,)


def asked(client: OrderedClient, world: Circumstances, limits: Limits) -> dict[str, Bool]:
    """Return all assumptions about the limits that proofs need, by sentence."""
    trusted = world.trusted(limits)
    return world.soon(limits) | {part.sentence: part.holds(trusted) for part in condition(client, world)}
