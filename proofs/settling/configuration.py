"""Settings for the state machine of the rebalance thread: bad states, limits, bounds.

A change of the members or queues takes effect when a rebalance uses it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.span import Span
from rebalance_proofs.model.machine.values import And, Bool, Not, Or
from rebalance_proofs.model.settling import spans
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import DEFAULTS, Limits
from rebalance_proofs.model.settling.machine import SETTLING, Service
from rebalance_proofs.model.settling.service_thread import RUNS
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration

__all__ = ["CONFIGURATION", "Bad", "hurried", "late", "seen", "spent_twice", "too_soon", "two", "woken"]

Bad = Predicate[Service, Limits]


def late(s: Service, lim: Limits) -> Bool:
    """Return the condition that no rebalance has used the change within the time limit."""
    return And(s.changed, s.now > s.due, Not(s.right))


def seen(client: SettlingClient) -> Bound[Service, Limits]:
    """Return the time bound within which a rebalance uses the change, if no rebalance fails."""
    return Bound(spans.settled(client), lambda s: And(s.changed, Not(s.right)), lambda s: s.change)


def woken(client: SettlingClient) -> Bound[Service, Limits]:
    """Return the time bound within which a notified client uses the change."""
    return Bound(spans.woken(client), lambda s: And(s.heard, Not(s.right)), lambda s: s.heard_at)


APART: Sequence[Bound[Service, Limits]] = (
    Bound(spans.LEAST, lambda s: And(s.ended, s.at == RUNS), lambda s: s.last, lambda s: s.began),
    Bound(spans.LEAST, lambda s: And(s.ended, s.follows), lambda s: s.last, lambda s: s.called_at),
)
"""Time bound: the shortest time between two rebalances of a client.

Another thread may run one of them.
"""


def too_soon(s: Service, lim: Limits) -> Bool:
    """Return the condition that a rebalance began too soon after the last one.

    The rebalance may run in this thread or in another.
    """
    return Or(*(one.undercut(s, lim) for one in APART))


def unwoken(client: SettlingClient) -> Sequence[Bound[Service, Limits]]:
    """Return the time bounds before which a thread without a wake-up starts no rebalance."""

    def after(span: Span, so: Callable[[Service], Bool]) -> Bound[Service, Limits]:
        def begins(s: Service) -> Bool:
            return And(s.ended, s.at == RUNS, so(s), Not(Or(s.woken_before, s.woken_earlier)))

        return Bound(span, begins, lambda s: s.last, lambda s: s.began)

    if not client.least:
        return (after(spans.WAIT, lambda s: True),)
    return after(spans.WAIT, lambda s: s.was_balanced), after(spans.LEAST, lambda s: Not(s.was_balanced))


def hurried(client: SettlingClient) -> Bad:
    """Return the bad states: the thread rebalances before its wait is over, without a wake-up."""
    return lambda s, lim: Or(*(one.undercut(s, lim) for one in unwoken(client)))


def two(s: Service, lim: Limits) -> Bool:
    """Return the condition that two rebalances of the client run at once."""
    return And(s.at == RUNS, s.called)


def spent_twice(s: Service, lim: Limits) -> Bool:
    """Return the condition that one interrupt has ended two waits before their time."""
    return s.spent_twice


def _bad(claim: Claim) -> Bad | None:
    client = claim.subjects[0]
    by_name = {"waits": hurried(client), "woken": woken(client).exceeded}
    return (by_name | {"settles": late, "apart": too_soon, "alone": two, "one-wait": spent_twice}).get(
        claim.guarantee.name
    )


def _bounds(claim: Claim) -> Sequence[Bound[Service, Limits]]:
    client = claim.subjects[0]
    bound = seen(client)  # ``due`` is no later than that, unless rebalances fail
    settles = replace(bound, pending=lambda s: And(bound.pending(s), s.now >= s.due))
    # other threads rebalance only if a consumer is resumed
    known = {"settles": [settles], "woken": [woken(client)], "waits": unwoken(client), "apart": APART[:1]}
    return known.get(claim.guarantee.name, ())


def _aside(claim: Claim) -> tuple[str, ...]:
    """Return the actions that explorations of the claim omit.

    Rebalances of another thread do not affect this thread.
    """
    return () if claim.guarantee.name in ("apart", "alone") else ("resumes", "returns")


CONFIGURATION = Configuration(
    SETTLING, _bad, DEFAULTS, ticks=Limits(wait=6, least=1, loop=2), end=16, aside=_aside, bounds=_bounds
)
"""The settings for proofs and explorations of this machine.

The limits in ticks are different numbers, none of them 0.
"""
