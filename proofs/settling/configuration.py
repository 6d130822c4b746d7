"""The machine of the rebalance thread with its bad states, example limits, and bounds of the exploration."""

from rebalance_proofs.model.machine.values import And, Bool, Not, Or
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import DEFAULTS, Limits
from rebalance_proofs.model.settling.machine import SETTLING, Service
from rebalance_proofs.model.settling.service_thread import RUNS
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration, Predicate
from rebalance_proofs.proofs.settling.invariant import waits_for, woken_by

__all__ = ["CONFIGURATION", "Bad", "hurried", "late", "too_soon", "two", "unanswered"]

Bad = Predicate[Service, Limits]


def late(s: Service, lim: Limits) -> Bool:
    """The change was not seen in time."""
    return And(s.changed, s.now > s.due, Not(s.right))


def unanswered(client: SettlingClient) -> Bad:
    """The client was notified of the change, but has not seen it in time."""
    return lambda s, lim: And(s.heard, s.now > woken_by(s, lim, client), Not(s.right))


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
    by_name = {"settles": late, "woken": unanswered(client), "waits": hurried(client), "apart": too_soon, "alone": two}
    return by_name.get(claim.guarantee.name)


def _aside(claim: Claim) -> tuple[str, ...]:
    """Actions that the exploration can leave out: another thread's rebalances change nothing in this one."""
    return () if claim.guarantee.name in ("apart", "alone") else ("resumes", "returns")


CONFIGURATION = Configuration(SETTLING, _bad, DEFAULTS, ticks=Limits(wait=6, least=1, loop=2), end=16, aside=_aside)
"""The limits in ticks are different numbers, none of them 0."""
