"""Settings for the state machine of subscriptions: bad states, example limits, bounds."""

from collections.abc import Mapping

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.values import And, Or
from rebalance_proofs.model.subscriptions.machine import SUBSCRIPTIONS
from rebalance_proofs.model.subscriptions.state import DEFAULTS, Choices, Limits, Subscription
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.subscriptions.bounds import BOUNDS

Bad = Predicate[Subscription, Limits]
TICKS = Limits(period=3, beat=1, retry=1, apart=4, delay=1)
PULLS = ("pulls", "firsts", "posts", "pulled")
"""Actions with which a counterexample should end, if possible."""


BAD: Mapping[str, Bad] = {name: bound.exceeded for name, bound in BOUNDS.items()} | {
    "calm": lambda s, lim: s.stirred,
    "exactly": lambda s, lim: s.odd,
    "first-pull": lambda s, lim: s.barred,
    "own-tags": lambda s, lim: s.lost,
    "posted": lambda s, lim: Or(s.lost, s.refused),
    "all-tags": lambda s, lim: s.missed,
}
"""Name of a guarantee -> the bad states that it rules out."""


def _aside(claim: Claim) -> tuple[str, ...]:
    """Return the actions that explorations of the claim omit.

    Pulls are omitted under assumptions about heartbeats only, and first pulls if they are treated like other pulls.
    """
    if not claim.world.asks:
        return PULLS
    return () if claim.world.adds else ("firsts",)


def _limits(claim: Claim) -> tuple[Limits, Limits]:
    """Return a claim's time limits, in ms and in ticks.

    A heartbeat takes at most 0.4 s if it must end before first pulls. The gap between heartbeats is shorter if a
    violation takes three heartbeats.
    """
    if claim.world.alone and claim.holds:
        return DEFAULTS, TICKS.but(period=2, apart=3)
    return (DEFAULTS.but(beat=400), TICKS.but(delay=2)) if claim.world.soon else (DEFAULTS, TICKS)


def _fingerprint(c: Choices) -> Choices:
    """Return the choices, so that equal subscriptions and groups have equal fingerprints."""
    return c.but(same=Or(c.same, And(c.topic, c.takes)))


CONFIGURATION = Configuration(
    SUBSCRIPTIONS,
    lambda claim: BAD.get(claim.guarantee.name),
    DEFAULTS,
    ticks=TICKS,
    end=9,
    most=15,
    numbers=lambda limits: {"version": 0},
    aside=_aside,
    ends=PULLS,
    follows=_fingerprint,
    fits=_limits,
    around=(2, 1),
    bounds=lambda claim: [one for name, one in BOUNDS.items() if name == claim.guarantee.name],
)
"""The settings for proofs and explorations of this machine.

A heartbeat takes less than the period. A version that is not the newest is the member's first one.
"""
