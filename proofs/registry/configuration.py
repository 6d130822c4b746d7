"""Settings for the state machine of the registry: bad states, example limits, bounds."""

from collections.abc import Mapping

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.values import And, Bool, Not
from rebalance_proofs.model.registry.machine import REGISTRY
from rebalance_proofs.model.registry.state import DEFAULTS, Limits, Member, listed
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.registry.invariant import BOUNDS, untold

Bad = Predicate[Member, Limits]


def _unlisted(s: Member, lim: Limits) -> Bool:
    return And(s.alive, s.known, s.others, Not(listed(s)))


def _dead(s: Member, lim: Limits) -> Bool:
    return And(s.died, s.mine, s.now > s.change)


def _still_there(s: Member, lim: Limits) -> Bool:
    return And(Not(s.alive), Not(s.died), s.mine, s.now > s.change)


def twice(s: Member, lim: Limits) -> Bool:
    """Return the condition that the broker lists the member twice."""
    return And(s.mine, s.old)


def _waits_anew(s: Member, lim: Limits) -> Bool:
    return And(s.alive, s.second, s.link, Not(s.mine), s.now > s.change)


BAD: Mapping[str, Bad] = {name: bound.exceeded for name, bound in BOUNDS.items()} | {
    "listed": _unlisted,
    "at-once": _dead,
    "good-bye": _still_there,
    "once": twice,
    "told": lambda s, lim: untold(s),
    "anew": _waits_anew,
}
"""Name of a guarantee -> the bad states that it rules out."""
ROUTE, BATCHES, THROWS = ("moves", "polls"), ("copies", "replaces"), ("throws",)


def _aside(claim: Claim) -> tuple[str, ...]:
    """Return the actions that cannot influence the claim; explorations omit them.

    An example are route actions.
    """
    name = claim.guarantee.name
    if name == "routed":
        return tuple(action for action in REGISTRY.actions if action not in ROUTE)
    return ROUTE + (() if name == "told-late" else BATCHES) + (() if name == "not-started" else THROWS)


FEW = Limits(beat=10_000, expired=20_000, scan=10_000, collect=10_000, poll=10_000)
"""Limits with few ticks, for claims that hold and their mutants.

With the default limits, there are a hundred times as many states, and a run has a scan in each of thirteen ticks.
"""
FEW_TICKS = Limits(beat=1, expired=2, scan=1, collect=1, poll=1)
TICKS = Limits(beat=3, expired=12, scan=1, collect=2, poll=3)
CONFIGURATION = Configuration(
    REGISTRY,
    lambda claim: BAD.get(claim.guarantee.name),
    DEFAULTS,
    ticks=TICKS,
    end=15,
    most=15,
    limit=60,
    aside=_aside,
    fits=lambda claim: (FEW, FEW_TICKS) if claim.holds else (DEFAULTS, TICKS),
    end_of=lambda claim: 5 if claim.holds else 0,
    joined=True,
    bounds=lambda claim: [one for name, one in BOUNDS.items() if name == claim.guarantee.name],
)
"""The settings for proofs and explorations of this machine.

A tick is 10 s. With few ticks, exploration ends two ticks after a silent channel was removed.
"""
