"""The machine of the rebalance thread with its bad states, example limits, and bounds of the exploration."""

from dataclasses import replace

from rebalance_proofs.model.machine.values import And, Bool, Not, Or
from rebalance_proofs.model.settling import spans
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import DEFAULTS, Limits
from rebalance_proofs.model.settling.machine import SETTLING, Service
from rebalance_proofs.model.settling.service_thread import RUNS
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.bound import Bound
from rebalance_proofs.proofs.machine.configuration import Configuration, Predicate
from rebalance_proofs.proofs.settling.invariant import waits_for

__all__ = ["CONFIGURATION", "Bad", "hurried", "late", "seen", "too_soon", "two", "woken"]

Bad = Predicate[Service, Limits]


def late(s: Service, lim: Limits) -> Bool:
    """The change was not seen in time."""
    return And(s.changed, s.now > s.due, Not(s.right))


def seen(client: SettlingClient) -> Bound[Service, Limits]:
    """A change is seen in time, if no rebalance fails after it."""
    return Bound(spans.settled(client), lambda s: And(s.changed, Not(s.right)), lambda s: s.change)


def woken(client: SettlingClient) -> Bound[Service, Limits]:
    """A change is seen in time, if the client was notified of it."""
    return Bound(spans.woken(client), lambda s: And(s.heard, Not(s.right)), lambda s: s.heard_at)


def too_soon(s: Service, lim: Limits) -> Bool:
    """A rebalance runs that began too soon after the last one, in this thread or in another."""
    own = And(s.at == RUNS, s.began < s.last + lim.least)
    called = And(s.follows, s.called_at < s.last + lim.least)
    return And(s.ended, Or(own, called))


def hurried(client: SettlingClient) -> Bad:
    """The thread rebalances sooner than it had to wait, and nobody has woken it."""

    def so(s: Service, lim: Limits) -> Bool:
        early = And(s.ended, s.began < s.last + waits_for(s, lim, client))
        return And(s.at == RUNS, early, Not(Or(s.woken_before, s.woken_earlier)))

    return so


def two(s: Service, lim: Limits) -> Bool:
    """Two rebalances are under way."""
    return And(s.at == RUNS, s.called)


def _bad(claim: Claim) -> Bad | None:
    client = claim.subjects[0]
    by_name = {"waits": hurried(client), "woken": woken(client).exceeded}
    return (by_name | {"settles": late, "apart": too_soon, "alone": two}).get(claim.guarantee.name)


def _bound(claim: Claim) -> Bound[Service, Limits] | None:
    if claim.guarantee.name == "woken":
        return woken(claim.subjects[0])
    if claim.guarantee.name == "settles":
        bound = seen(claim.subjects[0])  # ``due`` is no later than that, unless rebalances fail
        return replace(bound, pending=lambda s: And(bound.pending(s), s.now >= s.due))
    return None


def _aside(claim: Claim) -> tuple[str, ...]:
    """Actions that the exploration can leave out: another thread's rebalances change nothing in this one."""
    return () if claim.guarantee.name in ("apart", "alone") else ("resumes", "returns")


CONFIGURATION = Configuration(
    SETTLING, _bad, DEFAULTS, ticks=Limits(wait=6, least=1, loop=2), end=16, aside=_aside, bound=_bound
)
"""The limits in ticks are different numbers, none of them 0."""
